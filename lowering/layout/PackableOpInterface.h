// The interface through which ops take part in the whole-program layout, and what its models share. Models may come from plugins
// (docs/add-a-layout-rule.md): what is declared here, and the dialect, is visible to them in tpp-opt.
#ifndef TPP_LOWERING_LAYOUT_PACKABLEOPINTERFACE_H
#define TPP_LOWERING_LAYOUT_PACKABLEOPINTERFACE_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

#pragma GCC visibility push(default)
namespace mlir {
class DialectRegistry;
namespace tpp {

// The dimensions of an op's tensors, operands first, then results, in the op's own terms: dimensions with the same factor are the
// same. A factor that occurs once ties nothing.
struct LayoutRule {
  static constexpr int64_t none = -1; // of a dimension that is like no other

  SmallVector<SmallVector<int64_t>> factors; // [tensor][dimension]; empty where the operand is no tensor
  // Tensors that the op takes in any layout, whatever the layouts of the others (a contraction's operands).
  SmallVector<bool> independent;
};

// `dimension` of tensor number `tensor` would best lie innermost.
struct LayoutWish {
  unsigned tensor;
  int64_t dimension;
  double weight; // operations that gain
};

//===- layouts -----------------------------------------------------------------------------------------------------------------===//

// The layout of `rank` dimensions in which `dimension` lies innermost and the others keep their order; with a tile, its blocks
// come first behind the outermost dimension of three or more, and `tile` of it lies innermost.
LayoutAttr getInnermostLayout(MLIRContext *context, int64_t rank, int64_t dimension, int64_t tile = 0);

// The tensor type of a value in a layout that is known to fit.
RankedTensorType getLaidOutType(RankedTensorType type, LayoutAttr layout);

// `value` brought from the identity into `layout`, or back: a transposition where nothing is tiled, else a pack or unpack.
Value relayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout);
Value undoLayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout, RankedTensorType type);

//===- loop nests --------------------------------------------------------------------------------------------------------------===//

// The loops of a linalg op or a contraction while its operands change their layout. Tiled dimensions split loops.
struct LoopNest {
  SmallVector<int64_t> extents;
  SmallVector<AffineMap> maps; // one for each tensor
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> original; // the op's loop indices, in terms of the loops as they are now

  LoopNest(ArrayRef<int64_t> extents, ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators, MLIRContext *context);
  // Lets tensor number `tensor`, of this shape, lie in `layout`. Fails where its map would not stay linear; the nest is then of no
  // further use.
  LogicalResult layOut(unsigned tensor, LayoutAttr layout, ArrayRef<int64_t> shape);
  // Puts the loops into the order in which tensor number `tensor` lies, reductions last. Does nothing where its map is no permutation
  // of the parallel loops.
  void orderLike(unsigned tensor);

private:
  void split(unsigned loop, int64_t inner);
};

// Attaches the models of linalg, tensor and tpp ops.
void registerLayoutModels(DialectRegistry &registry);

} // namespace tpp
} // namespace mlir

#include "lowering/layout/PackableOpInterface.h.inc"
#pragma GCC visibility pop

#endif

// The interface through which ops take part in the choice of layouts (tpp-propagate-layouts), and helpers for its models. Plugins may add
// models (docs/add-a-layout-rule.md), so tpp-opt exports the declarations of this header and the symbols of the dialect.
#ifndef TPP_LOWERING_LAYOUT_PACKABLEOPINTERFACE_H
#define TPP_LOWERING_LAYOUT_PACKABLEOPINTERFACE_H

#include "lowering/machine/Cost.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

#pragma GCC visibility push(default)
namespace mlir {
class DialectRegistry;
namespace tpp {

// Ties the dimensions of an op's tensors. Tensors are numbered operands first, then results. Each dimension of a tensor has a factor, and
// dimensions with equal factors are the same dimension. A factor that occurs only once ties nothing.
struct LayoutRule {
  static constexpr int64_t none = -1; // the factor of a dimension that is tied to no other

  SmallVector<SmallVector<int64_t>> factors; // [tensor][dimension]; empty for an operand that is not a tensor
  // Per tensor: true if the op accepts it in any layout, independent of the layouts of the others (a contraction's operands).
  SmallVector<bool> independent;
};

// Tiles that cut one or two dimensions of a tensor into rows and columns of blocks. A tile of 0 or 1 does not cut.
struct MatrixTiles {
  int64_t columnDim = LayoutRule::none, columns = 0;
  int64_t rowDim = LayoutRule::none, rows = 0;

  bool cutsColumns() const { return columns > 1; }
  bool cutsRows() const { return rows > 1; }
  bool cuts() const { return cutsColumns() || cutsRows(); }
};

// The op is fastest if `dimension` of tensor number `tensor` is innermost; or, if there are tiles, in the layout of those, which cut the columns along
// `dimension`.
struct LayoutWish {
  unsigned tensor;
  int64_t dimension;
  double weight; // number of arithmetic operations that benefit
  MatrixTiles tiles = {};
};

//===- layouts -----------------------------------------------------------------------------------------------------------------===//

// The layout of a tensor of `rank` dimensions in which `dimension` is innermost and the others keep their order. With `tile` > 0 the
// dimension is split: tiles of `tile` elements are innermost, and the tile index is the second dimension if rank >= 3 and dimension > 0,
// else the first.
LayoutAttr getInnermostLayout(MLIRContext *context, int64_t rank, int64_t dimension, int64_t tile = 0);

// The layout of a tensor of `rank` dimensions in these tiles. If only columns are cut, that of getInnermostLayout; else blocks keep the order of the
// dimensions, and rows of a tile are outside its columns. The identity if nothing is cut.
LayoutAttr getTiledLayout(MLIRContext *context, int64_t rank, const MatrixTiles &tiles);

// The tensor type of a value of `type` in `layout`, which must fit the type.
RankedTensorType getLaidOutType(RankedTensorType type, LayoutAttr layout);

// Reshapes `value` to `type`, without moving data: by one op if dimensions are only merged or only split.
Value reshapeTo(RewriterBase &rewriter, Location loc, Value value, RankedTensorType type);

// Whether the elements of a tensor of `type` have other places in layout `from` than in layout `to`.
bool movesData(RankedTensorType type, LayoutAttr from, LayoutAttr to);

// Moves `value`, which is a tensor of `type` in layout `from`, to layout `to`: by a reshape if no element moves; by one transposition if the tiles of both
// layouts divide their dimensions and each other; else through the identity layout.
Value changeLayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr from, LayoutAttr to, RankedTensorType type);

//===- loop nests --------------------------------------------------------------------------------------------------------------===//

// The loop nest of a linalg op or contraction whose operands change their layouts. A tiled dimension splits its loop in two.
struct LoopNest {
  SmallVector<int64_t> extents;
  SmallVector<AffineMap> maps; // one per tensor
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> original; // the op's original loop indices as expressions of the current loops

  LoopNest(ArrayRef<int64_t> extents, ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators, MLIRContext *context);
  // Changes the layout of tensor number `tensor`, which has the shape `shape`, from the identity to `layout`. Fails if the tensor's map would
  // not stay linear; the nest must not be used after a failure.
  LogicalResult layOut(unsigned tensor, LayoutAttr layout, ArrayRef<int64_t> shape);
  // Reorders the loops to follow the dimensions of tensor number `tensor`, reductions last. Does nothing unless the tensor's map is a
  // permutation of the parallel loops.
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

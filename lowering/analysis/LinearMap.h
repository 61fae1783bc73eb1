// Linear views of operands: the stride of each operand along each loop dimension, in elements. Also finds values that depend on constants
// only.
//
// Every stage that reasons about contiguity (normalize, layout, tile) uses this view. The affine map of an operand, composed with the
// strides of its type, gives one stride per loop dimension. Maps must be sums of constant multiples of dimensions.
#ifndef TPP_LOWERING_ANALYSIS_LINEARMAP_H
#define TPP_LOWERING_ANALYSIS_LINEARMAP_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::tpp {

// A linear expression: one coefficient per dimension, and a constant term.
struct LinearExpr {
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
};

// Null if `expr` is not linear with constant coefficients (a modulo, a division, a symbol).
std::optional<LinearExpr> getLinearExpr(AffineExpr expr, unsigned numDims);

// The loop that steps through adjacent indices of the dimension indexed by `expr`: the only loop with coefficient 1, of those with
// extent > 1. The other coefficients must be multiples of its extent, as for groups and channels (g * 4 + c, c < 4). Null if there is no
// such loop, or windows overlap (h + r).
std::optional<unsigned> getInnermostLoop(AffineExpr expr, ArrayRef<int64_t> extents);

// The dimension that `loop` alone indexes, if no other index depends on the loop.
std::optional<int64_t> findDim(AffineMap map, unsigned loop);

// Row-major strides of a static shape, in elements.
SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape);

// The strides of a tensor of static shape (row-major), or of a memref of static shape and strides, in elements; null for others.
std::optional<SmallVector<int64_t>> getStaticStrides(ShapedType type);

// Whether the last dimension of the tensor `value` has stride 1 in its buffer. That of a strided slice of another value does not. The kernels
// of images (tpp.grouped_conv, Winograd's transformations) read the channels as contiguous rows.
bool hasContiguousRows(Value value);

// The address of an operand's element as a function of the loop indices: offset + sum of strides[d] * d, in elements.
struct LinearView {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

// Null if the map is not linear. `typeStrides` are the strides of the operand's type.
std::optional<LinearView> getLinearView(AffineMap map, ArrayRef<int64_t> typeStrides);
std::optional<LinearView> getLinearView(AffineMap map, ShapedType type); // with getStaticStrides(type)

// Whether `value` is a function argument marked tpp.prepack: given once, to @NAME_prepack, and not in each call.
bool isPrepackArgument(Value value);

/// The argument attribute `name` of a function argument; null for other values.
Attribute getArgAttr(Value value, StringRef name);
// Finds the values that depend on constants only: constants, tpp.prepack arguments, and results of ops without side effects on such values.
// A pass with many queries keeps one analysis, which visits every op once. Its answers stay valid until a visited value (a queried one, or
// one that a queried value depends on) is erased or its op gets other operands. Values created later can be queried.
class ConstantAnalysis {
public:
  bool dependsOnConstantsOnly(Value value);

private:
  llvm::DenseMap<Value, bool> known;
};

// The same for a single query.
bool dependsOnConstantsOnly(Value value);

} // namespace mlir::tpp

#endif

// Linear views of operands: how far apart, in elements, neighbours along each loop dimension lie in each operand.
//
// Every stage that reasons about contiguity (normalize, layout, tile) uses this one view: an operand's affine map composed with
// the strides of its type gives one stride per loop dimension. Maps must be sums of constant multiples of dimensions.
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

// Coefficients of a linear expression and its constant term.
struct LinearExpr {
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
};

// Null when `expr` is not linear with constant coefficients (a modulo, a division, a symbol).
std::optional<LinearExpr> getLinearExpr(AffineExpr expr, unsigned numDims);

// The loop that visits neighbours along a dimension indexed by `expr`: the only loop of extent > 1, or the channels of groups and their
// channels (g * 4 + c). Null where there is none, or windows overlap (h + r).
std::optional<unsigned> getInnermostLoop(AffineExpr expr, ArrayRef<int64_t> extents);

// Row-major element strides of a static shape.
SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape);

// An operand seen from the loops: offset + sum of strides[d] * d, in elements.
struct LinearView {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

// Null when the map is not linear. `typeStrides` are those of the operand's type.
std::optional<LinearView> getLinearView(AffineMap map, ArrayRef<int64_t> typeStrides);
// For a static tensor (row-major), or a memref of static shape and strides.
std::optional<LinearView> getLinearView(AffineMap map, ShapedType type);

bool isPrepackArgument(Value value);
// Which values depend on constants only: through ops without side effects, not through function arguments, except those that @NAME_prepack
// takes. A pass that asks often keeps one analysis, which looks at every op once. Its answers hold as long as no value that it has looked at (one asked for, or one that such
// a value depends on) is erased or gets other operands; values made later may be asked for.
class ConstantAnalysis {
public:
  bool dependsOnConstantsOnly(Value value);

private:
  llvm::DenseMap<Value, bool> known;
};

// The same for a single question.
bool dependsOnConstantsOnly(Value value);

} // namespace mlir::tpp

#endif

// See ReorderOperand.h.
#include "lowering/layout/ReorderOperand.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::tpp {

// Returns the part of `value` that `map` reads, and makes `map` relative to it: linalg requires that a dimension that one loop indexes has this loop's
// extent.
static Value slice(RewriterBase &rewriter, Location loc, Value value, AffineMap &map, ArrayRef<int64_t> extents) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<int64_t> offsets, sizes;
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults()) {
    std::optional<LinearExpr> linear = getLinearExpr(expr, extents.size());
    if (!linear)
      return value;
    int64_t first = linear->constant, last = linear->constant;
    for (auto [coefficient, extent] : llvm::zip_equal(linear->coefficients, extents))
      (coefficient < 0 ? first : last) += coefficient * (extent - 1);
    offsets.push_back(first), sizes.push_back(last - first + 1), exprs.push_back(expr - first);
  }
  if (ArrayRef(sizes) == shape)
    return value;
  MLIRContext *context = rewriter.getContext();
  map = AffineMap::get(extents.size(), 0, exprs, context);
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, value, getAsIndexOpFoldResult(context, offsets),
                                        getAsIndexOpFoldResult(context, sizes), strides);
}

Value reorderOperand(RewriterBase &rewriter, Location loc, Value value, AffineMap map, ArrayRef<int64_t> extents,
                     ArrayRef<unsigned> loops) {
  SmallVector<AffineExpr> dims(extents.size(), rewriter.getAffineConstantExpr(0));
  SmallVector<int64_t> sizes;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    dims[loop] = rewriter.getAffineDimExpr(position);
    sizes.push_back(extents[loop]);
  }
  unsigned rank = loops.size();
  map = map.replaceDimsAndSymbols(dims, {}, rank, 0);
  value = slice(rewriter, loc, value, map, sizes);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, cast<RankedTensorType>(value.getType()).getElementType());
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location at, ValueRange arguments) { linalg::YieldOp::create(builder, at, arguments[0]); };
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), value, empty, {map, rewriter.getMultiDimIdentityMap(rank)},
                                   iterators, body)
      ->getResult(0);
}

} // namespace mlir::tpp

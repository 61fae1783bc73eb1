// Helpers for models of PackableOpInterface: layouts of values, and loop nests that follow them.
#include "lowering/layout/PackableOpInterface.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "lowering/layout/PackableOpInterface.cpp.inc"

namespace mlir::tpp {

//===- layouts -----------------------------------------------------------------------------------------------------------------===//

LayoutAttr getInnermostLayout(MLIRContext *context, int64_t rank, int64_t dimension, int64_t tile) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dimension)
      order.push_back(i);
  if (tile > 0) {
    order.insert(order.begin() + (rank >= 3 ? 1 : 0), dimension);
    if (rank >= 3 && dimension == 0)
      order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  } else {
    order.push_back(dimension);
  }
  bool ordered = llvm::equal(order, llvm::seq<int64_t>(0, rank));
  if (tile > 0)
    return LayoutAttr::get(context, ArrayRef<int64_t>{dimension}, ArrayRef<int64_t>{tile}, ordered ? ArrayRef<int64_t>() : order);
  return ordered ? LayoutAttr::getIdentity(context) : LayoutAttr::get(context, {}, {}, order);
}

RankedTensorType getLaidOutType(RankedTensorType type, LayoutAttr layout) {
  if (layout.isIdentity())
    return type;
  return layout.getPackedType(type).value_or(RankedTensorType());
}

// The order of the outer dimensions; an omitted permutation is returned as 0, 1, ....
static SmallVector<int64_t> getOrder(LayoutAttr layout, int64_t rank) {
  ArrayRef<int64_t> order = layout.getOuterPermutation();
  return order.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, rank)) : llvm::to_vector(order);
}

Value relayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout) {
  auto type = cast<RankedTensorType>(value.getType());
  auto target = getLaidOutType(type, layout);
  Value empty = tensor::EmptyOp::create(rewriter, loc, target.getShape(), target.getElementType());
  SmallVector<int64_t> order = getOrder(layout, type.getRank());
  if (layout.getTiles().empty())
    return linalg::TransposeOp::create(rewriter, loc, value, empty, order)->getResult(0);
  SmallVector<OpFoldResult> tiles = getAsIndexOpFoldResult(rewriter.getContext(), layout.getTiles());
  return linalg::PackOp::create(rewriter, loc, value, empty, layout.getInnerDims(), tiles, std::nullopt, order)->getResult(0);
}

Value undoLayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout, RankedTensorType type) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  SmallVector<int64_t> order = getOrder(layout, type.getRank());
  if (layout.getTiles().empty())
    return linalg::TransposeOp::create(rewriter, loc, value, empty, invertPermutationVector(order))->getResult(0);
  SmallVector<OpFoldResult> tiles = getAsIndexOpFoldResult(rewriter.getContext(), layout.getTiles());
  return linalg::UnPackOp::create(rewriter, loc, value, empty, layout.getInnerDims(), tiles, order)->getResult(0);
}

//===- loop nests --------------------------------------------------------------------------------------------------------------===//

LoopNest::LoopNest(ArrayRef<int64_t> extents, ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
                   MLIRContext *context)
    : extents(extents), maps(maps), iterators(iterators) {
  for (unsigned i = 0; i < extents.size(); ++i)
    original.push_back(getAffineDimExpr(i, context));
}

// Replaces index l of `loop` by l * inner + (index of a new last loop).
void LoopNest::split(unsigned loop, int64_t inner) {
  MLIRContext *context = maps[0].getContext();
  unsigned count = extents.size();
  SmallVector<AffineExpr> replacements;
  for (unsigned i = 0; i < count; ++i)
    replacements.push_back(getAffineDimExpr(i, context));
  replacements[loop] = getAffineDimExpr(loop, context) * inner + getAffineDimExpr(count, context);
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(replacements, {}, count + 1, 0);
  for (AffineExpr &expr : original)
    expr = expr.replaceDims(replacements);
  extents[loop] /= inner;
  extents.push_back(inner);
  iterators.push_back(iterators[loop]);
}

LogicalResult LoopNest::layOut(unsigned tensor, LayoutAttr layout, ArrayRef<int64_t> shape) {
  if (layout.isIdentity())
    return success();
  if (layout.getVnni() > 1)
    return failure();
  MLIRContext *context = maps[0].getContext();
  // Split the loops that cross tile boundaries.
  for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
    if (shape[dim] % tile != 0)
      return failure();
    auto expr = getLinearExpr(maps[tensor].getResult(dim), extents.size());
    if (!expr)
      return failure();
    for (auto [loop, coefficient] : llvm::enumerate(expr->coefficients))
      if (coefficient == 1 && extents[loop] > tile && extents[loop] % tile == 0) {
        split(loop, tile);
        break;
      }
  }
  SmallVector<AffineExpr> outer = llvm::to_vector(maps[tensor].getResults()), inner;
  for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
    auto expr = getLinearExpr(outer[dim], extents.size());
    if (!expr || expr->constant % tile != 0)
      return failure();
    AffineExpr block = getAffineConstantExpr(expr->constant / tile, context), element = getAffineConstantExpr(0, context);
    bool found = false;
    for (auto [loop, coefficient] : llvm::enumerate(expr->coefficients)) {
      AffineExpr index = getAffineDimExpr(loop, context);
      if (coefficient % tile == 0)
        block = block + index * (coefficient / tile);
      else if (coefficient == 1 && !std::exchange(found, true) && extents[loop] == tile)
        element = index;
      else if (extents[loop] != 1)
        return failure();
    }
    outer[dim] = block;
    inner.push_back(element);
  }
  SmallVector<AffineExpr> results;
  for (int64_t dim : getOrder(layout, shape.size()))
    results.push_back(outer[dim]);
  llvm::append_range(results, inner);
  maps[tensor] = AffineMap::get(extents.size(), 0, results, context);
  return success();
}

void LoopNest::orderLike(unsigned tensor) {
  SmallVector<unsigned> order; // the old loop of each new one
  for (AffineExpr expr : maps[tensor].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(order, dim.getPosition()) || iterators[dim.getPosition()] != utils::IteratorType::parallel)
      return;
    order.push_back(dim.getPosition());
  }
  for (auto [loop, iterator] : llvm::enumerate(iterators))
    if (!llvm::is_contained(order, loop)) {
      if (iterator == utils::IteratorType::parallel)
        return;
      order.push_back(loop);
    }
  MLIRContext *context = maps[0].getContext();
  SmallVector<AffineExpr> replacements(order.size());
  SmallVector<int64_t> newExtents;
  SmallVector<utils::IteratorType> newIterators;
  for (auto [position, loop] : llvm::enumerate(order)) {
    replacements[loop] = getAffineDimExpr(position, context);
    newExtents.push_back(extents[loop]);
    newIterators.push_back(iterators[loop]);
  }
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(replacements, {}, order.size(), 0);
  for (AffineExpr &expr : original)
    expr = expr.replaceDims(replacements);
  extents = newExtents;
  iterators = newIterators;
}

} // namespace mlir::tpp

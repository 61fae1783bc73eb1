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

LayoutAttr getTiledLayout(MLIRContext *context, int64_t rank, const MatrixTiles &tiles) {
  if (tiles.cutsRows() && tiles.cutsColumns())
    return LayoutAttr::get(context, {tiles.rowDim, tiles.columnDim}, {tiles.rows, tiles.columns});
  if (tiles.cutsRows())
    return LayoutAttr::get(context, {tiles.rowDim}, {tiles.rows});
  return tiles.cutsColumns() ? getInnermostLayout(context, rank, tiles.columnDim, tiles.columns)
                             : LayoutAttr::getIdentity(context);
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

// Moves `value` from the identity layout to `layout`: by a transposition if the layout has no tiles, else by a pack.
static Value relayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout) {
  auto type = cast<RankedTensorType>(value.getType());
  auto target = getLaidOutType(type, layout);
  Value empty = tensor::EmptyOp::create(rewriter, loc, target.getShape(), target.getElementType());
  SmallVector<int64_t> order = getOrder(layout, type.getRank());
  if (layout.getTiles().empty())
    return linalg::TransposeOp::create(rewriter, loc, value, empty, order)->getResult(0);
  SmallVector<OpFoldResult> tiles = getAsIndexOpFoldResult(rewriter.getContext(), layout.getTiles());
  return linalg::PackOp::create(rewriter, loc, value, empty, layout.getInnerDims(), tiles, std::nullopt, order)->getResult(0);
}

// Moves it back to a value of `type`.
static Value undoLayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr layout, RankedTensorType type) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  SmallVector<int64_t> order = getOrder(layout, type.getRank());
  if (layout.getTiles().empty())
    return linalg::TransposeOp::create(rewriter, loc, value, empty, invertPermutationVector(order))->getResult(0);
  SmallVector<OpFoldResult> tiles = getAsIndexOpFoldResult(rewriter.getContext(), layout.getTiles());
  return linalg::UnPackOp::create(rewriter, loc, value, empty, layout.getInnerDims(), tiles, order)->getResult(0);
}

namespace {
// The dimensions of a value, each cut at the tiles of two layouts into factors, outermost first.
class Factors {
public:
  // Fails if a tile divides neither its dimension nor the other layout's tile of the same dimension.
  static std::optional<Factors> get(ArrayRef<int64_t> shape, LayoutAttr from, LayoutAttr to) {
    Factors factors;
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t small = std::max<int64_t>(getTile(from, dim), 1), large = std::max<int64_t>(getTile(to, dim), 1);
      if (small > large)
        std::swap(small, large);
      if (large % small != 0 || extent % large != 0)
        return std::nullopt;
      factors.numbers.emplace_back();
      auto add = [&](int64_t size, int64_t below) {
        factors.numbers.back().push_back({static_cast<int64_t>(factors.sizes.size()), below});
        factors.sizes.push_back(size);
      };
      add(extent / large, large);
      if (large > small)
        add(large / small, small);
      if (small > 1)
        add(small, 1);
    }
    return factors;
  }

  // The factors of each dimension of the value as it is stored in `layout`.
  SmallVector<ReassociationIndices> getStored(LayoutAttr layout) const {
    SmallVector<ReassociationIndices> stored;
    auto add = [&](int64_t dim, bool inner) {
      stored.emplace_back();
      int64_t tile = std::max<int64_t>(getTile(layout, dim), 1);
      for (auto [number, below] : numbers[dim])
        if ((below < tile) == inner)
          stored.back().push_back(number);
    };
    for (int64_t dim : getOrder(layout, numbers.size()))
      add(dim, /*inner=*/false);
    for (int64_t dim : layout.getInnerDims())
      add(dim, /*inner=*/true);
    return stored;
  }

  int64_t getSize(int64_t factor) const { return sizes[factor]; }

  // The factors of more than one step in the order in which `layout` stores them.
  SmallVector<int64_t> getOrderInMemory(LayoutAttr layout) const {
    SmallVector<int64_t> order;
    for (const ReassociationIndices &dim : getStored(layout))
      llvm::copy_if(dim, std::back_inserter(order), [&](int64_t factor) { return sizes[factor] > 1; });
    return order;
  }

private:
  static int64_t getTile(LayoutAttr layout, int64_t dim) {
    for (auto [inner, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles()))
      if (inner == dim)
        return tile;
    return 0;
  }

  struct Number {
    int64_t number, below; // of the factor, and the elements of the dimension that one step of it covers
  };
  SmallVector<SmallVector<Number>> numbers; // per dimension
  SmallVector<int64_t> sizes;
};
} // namespace

Value reshapeTo(RewriterBase &rewriter, Location loc, Value value, RankedTensorType type) {
  auto source = cast<RankedTensorType>(value.getType());
  if (source == type)
    return value;
  // Both shapes are row-major, so all reshapes between them have the same effect.
  if (auto groups = getReassociationIndicesForReshape(source, type)) {
    if (source.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(rewriter, loc, type, value, *groups);
    if (source.getRank() < type.getRank())
      return tensor::ExpandShapeOp::create(rewriter, loc, type, value, *groups);
  }
  auto flat = RankedTensorType::get({type.getNumElements()}, type.getElementType());
  auto all = [](int64_t rank) { return SmallVector<ReassociationIndices>{llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))}; };
  value = tensor::CollapseShapeOp::create(rewriter, loc, flat, value, all(source.getRank()));
  return tensor::ExpandShapeOp::create(rewriter, loc, type, value, all(type.getRank()));
}

bool movesData(RankedTensorType type, LayoutAttr from, LayoutAttr to) {
  std::optional<Factors> factors = Factors::get(type.getShape(), from, to);
  return !factors || factors->getOrderInMemory(from) != factors->getOrderInMemory(to);
}

Value changeLayout(RewriterBase &rewriter, Location loc, Value value, LayoutAttr from, LayoutAttr to, RankedTensorType type) {
  if (from == to)
    return value;
  if (!movesData(type, from, to))
    return reshapeTo(rewriter, loc, value, getLaidOutType(type, to));
  if (from.isIdentity())
    return relayout(rewriter, loc, value, to);
  if (to.isIdentity())
    return undoLayout(rewriter, loc, value, from, type);
  std::optional<Factors> factors = Factors::get(type.getShape(), from, to);
  if (!factors)
    return relayout(rewriter, loc, undoLayout(rewriter, loc, value, from, type), to);
  // The factors in the order of each layout; a dimension without factors has the extent 1.
  auto flatten = [&](ArrayRef<ReassociationIndices> stored, SmallVectorImpl<int64_t> &shape, SmallVectorImpl<int64_t> &order) {
    SmallVector<ReassociationIndices> groups;
    for (const ReassociationIndices &dim : stored) {
      groups.emplace_back();
      for (int64_t factor : dim) {
        groups.back().push_back(shape.size());
        shape.push_back(factors->getSize(factor));
        order.push_back(factor);
      }
    }
    return groups;
  };
  SmallVector<int64_t> fromShape, fromOrder, toShape, toOrder, permutation;
  auto fromGroups = flatten(factors->getStored(from), fromShape, fromOrder);
  auto toGroups = flatten(factors->getStored(to), toShape, toOrder);
  for (int64_t factor : toOrder)
    permutation.push_back(llvm::find(fromOrder, factor) - fromOrder.begin());
  Value expanded = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(fromShape), value, fromGroups);
  Value empty = tensor::EmptyOp::create(rewriter, loc, toShape, type.getElementType());
  Value moved = linalg::TransposeOp::create(rewriter, loc, expanded, empty, permutation)->getResult(0);
  return tensor::CollapseShapeOp::create(rewriter, loc, getLaidOutType(type, to), moved, toGroups);
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
  // Split the loops that cross tile boundaries. One that is as long as the only tile is split, too, so that tiles always have a loop of their own.
  for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
    if (shape[dim] % tile != 0)
      return failure();
    auto expr = getLinearExpr(maps[tensor].getResult(dim), extents.size());
    if (!expr)
      return failure();
    bool hasTileLoop = false;
    for (int64_t coefficient : expr->coefficients)
      hasTileLoop |= coefficient != 0 && coefficient % tile == 0;
    int64_t longest = hasTileLoop ? tile : tile - 1; // the longest range of indices that is not split
    for (auto [loop, coefficient] : llvm::enumerate(expr->coefficients))
      if (coefficient > 0 && coefficient < tile && tile % coefficient == 0 && extents[loop] * coefficient > longest &&
          extents[loop] % (tile / coefficient) == 0) {
        split(loop, tile / coefficient);
        break;
      }
  }
  SmallVector<AffineExpr> outer = llvm::to_vector(maps[tensor].getResults()), inner;
  for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
    auto expr = getLinearExpr(outer[dim], extents.size());
    if (!expr || expr->constant < 0)
      return failure();
    int64_t last = expr->constant % tile; // the largest index in a tile
    AffineExpr block = getAffineConstantExpr(expr->constant / tile, context), element = getAffineConstantExpr(last, context);
    for (auto [loop, coefficient] : llvm::enumerate(expr->coefficients)) {
      AffineExpr index = getAffineDimExpr(loop, context);
      if (coefficient % tile == 0) {
        block = block + index * (coefficient / tile);
      } else if (extents[loop] > 1) {
        if (coefficient < 0)
          return failure();
        element = element + index * coefficient;
        last += coefficient * (extents[loop] - 1);
      }
    }
    if (last >= tile)
      return failure();
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

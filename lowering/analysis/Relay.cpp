// Relays: ops whose result only contains elements of another tensor (see Relay.h).
#include "lowering/analysis/Relay.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/LinearMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::tpp {

bool isCopy(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumParallelLoops() != op.getNumLoops() ||
      !isa<ShapedType>(op.getDpsInputs()[0].getType()))
    return false;
  Block &body = *op.getBlock();
  return body.getOperations().size() == 1 && body.getTerminator()->getOperand(0) == body.getArgument(0);
}

std::optional<std::pair<Value, AffineMap>> getRelay(Value value) {
  MLIRContext *context = value.getContext();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || !type || !type.hasStaticShape())
    return std::nullopt;
  unsigned rank = type.getRank();
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    SmallVector<AffineExpr> exprs(rank);
    for (auto [i, p] : llvm::enumerate(transpose.getPermutation()))
      exprs[p] = getAffineDimExpr(i, context);
    return std::make_pair(transpose.getInput(), AffineMap::get(rank, 0, exprs, context));
  }
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0; i < rank; ++i)
      if (!llvm::is_contained(broadcast.getDimensions(), i))
        exprs.push_back(getAffineDimExpr(i, context));
    return std::make_pair(broadcast.getInput(), AffineMap::get(rank, 0, exprs, context));
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    AffineMap outMap = generic.getIndexingMapsArray().back();
    if (!isCopy(generic) || !outMap.isPermutation())
      return std::nullopt;
    return std::make_pair(generic.getDpsInputs()[0], generic.getIndexingMapsArray()[0].compose(inversePermutation(outMap)));
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<AffineExpr> exprs;
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      AffineExpr index = getAffineConstantExpr(0, context);
      for (int64_t dim : group)
        index = index * type.getDimSize(dim) +
                (type.getDimSize(dim) == 1 ? getAffineConstantExpr(0, context) : getAffineDimExpr(dim, context));
      exprs.push_back(index);
    }
    return std::make_pair(expand.getSrc(), AffineMap::get(rank, 0, exprs, context));
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    auto source = collapse.getSrcType();
    SmallVector<AffineExpr> exprs(source.getRank(), getAffineConstantExpr(0, context));
    for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
      int64_t inner = 1;
      for (int64_t dim : llvm::reverse(group)) {
        int64_t size = source.getDimSize(dim);
        if (size == 1)
          continue;
        AffineExpr index = getAffineDimExpr(i, context).floorDiv(inner);
        inner *= size;
        exprs[dim] = inner == type.getDimSize(i) ? index : index % size;
      }
    }
    return std::make_pair(collapse.getSrc(), AffineMap::get(rank, 0, exprs, context));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.hasUnitStride() || llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic))
      return std::nullopt;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<AffineExpr> exprs;
    unsigned dim = 0;
    for (auto [i, offset] : llvm::enumerate(slice.getStaticOffsets()))
      exprs.push_back(dropped.test(i) ? getAffineConstantExpr(offset, context) : getAffineDimExpr(dim++, context) + offset);
    return std::make_pair(slice.getSource(), AffineMap::get(rank, 0, exprs, context));
  }
  return std::nullopt;
}

std::optional<Extension> getExtension(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops() || !isa<RankedTensorType>(generic.getDpsInputs()[0].getType()))
    return std::nullopt;
  Operation *extend = generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extend) ||
      extend->getOperand(0) != generic.getBody()->getArgument(0) || !maps[1].isPermutation())
    return std::nullopt;
  return Extension{generic.getDpsInputs()[0], maps[0].compose(inversePermutation(maps[1])), isa<arith::ExtUIOp>(extend)};
}

std::optional<AffineMap> writeThroughReshape(Operation *op, AffineMap map, ArrayRef<int64_t> extents) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return std::nullopt;
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<AffineExpr> exprs(result.getRank(), getAffineConstantExpr(0, map.getContext()));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices()))
      for (int64_t dim : group)
        if (source.getDimSize(dim) != 1) // the index of a unit dimension is 0, whatever its expression
          exprs[i] = exprs[i] * source.getDimSize(dim) + map.getResult(dim);
  } else {
    for (auto [i, group] : llvm::enumerate(cast<tensor::ExpandShapeOp>(op).getReassociationIndices())) {
      auto wide = llvm::filter_to_vector(group, [&](int64_t dim) { return result.getDimSize(dim) != 1; });
      AffineExpr rest = map.getResult(i);
      for (int64_t dim : llvm::reverse(ArrayRef(wide).drop_front(wide.empty() ? 0 : 1))) {
        exprs[dim] = rest % result.getDimSize(dim);
        rest = rest.floorDiv(result.getDimSize(dim));
      }
      exprs[wide.empty() ? group.back() : wide.front()] = rest;
    }
  }
  AffineMap written = dropDivisions(AffineMap::get(map.getNumDims(), 0, exprs, map.getContext()), extents);
  if (llvm::any_of(written.getResults(), [&](AffineExpr expr) { return !getLinearExpr(expr, written.getNumDims()); }))
    return std::nullopt;
  return written;
}

} // namespace mlir::tpp

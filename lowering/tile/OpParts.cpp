// See OpParts.h.
#include "lowering/tile/OpParts.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

std::optional<BufferNest> getBufferNest(Operation *op) {
  BufferNest nest;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    nest = {contract.getMaps(), llvm::to_vector(contract.getExtents()), 2};
  } else if (auto generic = dyn_cast<linalg::LinalgOp>(op)) {
    // A body that reads a buffer which is no operand may read any element of it.
    if (generic.getNumDpsInits() != 1 || !generic.hasPureBufferSemantics() ||
        !llvm::all_of(*generic.getBlock(), [](Operation &inner) { return isMemoryEffectFree(&inner); }))
      return std::nullopt;
    nest = {generic.getIndexingMapsArray(), generic.getStaticLoopRanges(), generic.getDpsInitOperand(0)->getOperandNumber()};
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!type)
      return std::nullopt;
    AffineMap map = AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext());
    nest = {{map, map}, llvm::to_vector(type.getShape()), 1};
  } else {
    return std::nullopt;
  }
  if (llvm::any_of(nest.extents, [](int64_t extent) { return extent <= 0; })) // a dynamic extent is negative
    return std::nullopt;
  return nest;
}

bool canCut(Operation *op, const BufferNest &nest, unsigned i, unsigned loop) {
  AffineMap map = nest.maps[i];
  if (!map.isFunctionOfDim(loop))
    return true;
  auto type = cast<ShapedType>(op->getOperand(i).getType());
  if (std::optional<int64_t> dim = findDim(map, loop))
    return type.getDimSize(*dim) == nest.extents[loop];
  auto contract = dyn_cast<ContractOp>(op);
  return contract && !contract.getPadded() && !contract.getGrouped() && !contract.getWinograd() &&
         llvm::all_of(map.getResults(), [&](AffineExpr expr) {
           std::optional<LinearExpr> linear = getLinearExpr(expr, map.getNumDims());
           return linear && llvm::all_of(linear->coefficients, [](int64_t coefficient) { return coefficient >= 0; });
         });
}

Value cutOperand(RewriterBase &rewriter, Operation *op, const BufferNest &nest, unsigned i, ArrayRef<LoopPart> parts,
                 ValueRange ivs, Value part) {
  Value operand = op->getOperand(i);
  AffineMap map = nest.maps[i];
  auto type = cast<MemRefType>(operand.getType());
  auto [strides, base] = type.getStridesAndOffset();
  SmallVector<int64_t> sizes(type.getShape()), counts(nest.extents);
  for (const LoopPart &each : parts)
    counts[each.loop] = each.count;
  AffineExpr offset = rewriter.getAffineConstantExpr(part ? base : 0);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    std::optional<LinearExpr> linear = getLinearExpr(expr, map.getNumDims());
    bool isCut = false;
    for (const LoopPart &each : parts) {
      if (!linear || linear->coefficients[each.loop] == 0)
        continue;
      isCut = true;
      if (!part || each.isStoredWhole)
        offset = offset + each.first * (linear->coefficients[each.loop] * strides[dim]);
    }
    if (!isCut || !linear)
      continue;
    sizes[dim] = linear->constant + 1;
    for (auto [coefficient, count] : llvm::zip_equal(linear->coefficients, counts))
      sizes[dim] += coefficient * (count - 1);
  }
  if (!part)
    return sizes == type.getShape() ? operand : makeStridedView(rewriter, op->getLoc(), operand, offset, ivs, sizes, strides);
  const bool isWhole = operand == getBuffer(operand) && sizes == cast<MemRefType>(part.getType()).getShape();
  return isWhole ? part : makeStridedView(rewriter, op->getLoc(), part, offset, ivs, sizes, strides);
}

void emitPart(RewriterBase &rewriter, Operation *op, ArrayRef<LoopPart> parts, ArrayRef<Value> operands, ValueRange ivs) {
  if (auto contract = dyn_cast<ContractOp>(op)) {
    SmallVector<int64_t> extents(contract.getExtents());
    for (const LoopPart &part : parts)
      extents[part.loop] = part.count;
    ContractOp::create(rewriter, op->getLoc(), contract, operands[0], operands[1], operands[2], operands.drop_front(3),
                       contract.getMaps(), extents);
    return;
  }
  Operation *clone = rewriter.clone(*op);
  clone->setOperands(operands);
  // Indices count from the first iteration of the whole loop.
  clone->walk([&](linalg::IndexOp index) {
    const auto *part = llvm::find_if(parts, [&](const LoopPart &each) { return each.loop == index.getDim(); });
    if (part == parts.end() || index->getParentOp() != clone)
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(clone);
    Value first = evaluateIndex(rewriter, op->getLoc(), part->first, ivs);
    rewriter.setInsertionPointAfter(index);
    auto sum = arith::AddIOp::create(rewriter, op->getLoc(), index, first);
    rewriter.replaceAllUsesExcept(index, sum, sum);
  });
}

void freeAfter(RewriterBase &rewriter, Operation *first, Operation *last) {
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(first->getIterator(), last->getIterator())))
    if (isa<memref::DeallocOp>(op))
      rewriter.moveOpBefore(&op, last);
}

void eraseBuffer(RewriterBase &rewriter, Operation *buffer) {
  for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
    eraseBuffer(rewriter, user);
  rewriter.eraseOp(buffer);
}

} // namespace mlir::tpp

// Lets elementwise ops and reductions read the source of a transpose or broadcast directly. The move is composed into the map of the reader, if
// contiguous loads stay contiguous, or sums are then over contiguous rows. A move without other readers is then dead and is removed.
#include "lowering/Passes.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Relay.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_READTHROUGHRELAYS
#include "lowering/Passes.h.inc"

namespace {

// True if contiguous loads stay contiguous: no loop changes from stride 1 to a larger stride. In a sum over rows that become contiguous, those are
// loaded instead.
bool staysContiguous(const LinearView &before, const LinearView &after, linalg::GenericOp op, ArrayRef<int64_t> extents) {
  constexpr int64_t leastRow = 16;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool contiguous = true, readsRows = false;
  for (auto [extent, from, to, iterator] : llvm::zip_equal(extents, before.strides, after.strides, iterators)) {
    contiguous &= extent == 1 || from != 1 || to <= 1;
    readsRows |= extent >= leastRow && to == 1 && linalg::isReductionIterator(iterator);
  }
  return contiguous || (readsRows && op.getNumDpsInputs() == 1);
}

// True if each loop that alone indexes a dimension of `source` covers all of it: linalg derives the loop's bound from that dimension.
bool coversWhole(AffineMap map, Value source, ArrayRef<int64_t> extents) {
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), cast<RankedTensorType>(source.getType()).getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extents[dim.getPosition()] != size)
      return false;
  return true;
}

struct ReadThroughRelay : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on tensors of static shape");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (OpOperand *input : op.getDpsInputOperands()) {
      unsigned i = input->getOperandNumber();
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      auto before = type ? getLinearView(maps[i], type) : std::nullopt;
      if (!before)
        continue;
      Value source = input->get();
      AffineMap own = maps[i], map = own;
      // Reshapes and slices do not move data. Reading through them helps only if the chain also contains a move.
      std::optional<std::pair<Value, AffineMap>> best;
      while (auto relay = getRelay(source)) {
        bool moves = !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(source.getDefiningOp());
        map = dropDivisions(relay->second.compose(map), extents);
        source = relay->first;
        auto view = getLinearView(map, cast<RankedTensorType>(source.getType()));
        if (!view)
          break;
        maps[i] = map;
        if ((moves || best) && staysContiguous(*before, *view, op, extents) && coversWhole(map, source, extents) &&
            inversePermutation(concatAffineMaps(maps, op.getContext()))) // else no shape would determine the bound of some loop
          best = {source, map};
      }
      maps[i] = best ? best->second : own;
      if (!best)
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        op->setOperand(i, best->first);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no input is the result of a transpose or broadcast that can be read through");
  }
};

// Generalizes a transpose whose source is also only moved. As a linalg.generic it can read through the moves before it, so that one op does all
// moves of the chain.
struct GeneralizeSecondMove : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op, PatternRewriter &rewriter) const override {
    Value source = op.getInput();
    while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (!getRelay(source) || dependsOnConstantsOnly(source))
      return rewriter.notifyMatchFailure(op, "the source is not the result of a move, or is constant");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

struct ReadThroughRelays : public impl::ReadThroughRelaysBase<ReadThroughRelays> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadThroughRelay, GeneralizeSecondMove>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

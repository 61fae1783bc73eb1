// Lets elementwise ops and reductions read what others only moved: a transposition in front of one is read through, in its map, where
// the loads stay contiguous. What is left of the move is removed as dead.
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

// Strides of 1 stay 1, and nothing that was a broadcast or a run along a loop becomes a walk.
bool staysContiguous(const LinearView &before, const LinearView &after, ArrayRef<int64_t> extents) {
  for (auto [extent, from, to] : llvm::zip_equal(extents, before.strides, after.strides))
    if (extent > 1 && from == 1 && to > 1)
      return false;
  return true;
}

// A loop that alone indexes a dimension is as long as it: linalg takes its bound from there.
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
      AffineMap map = maps[i];
      // Reshapes and slices alone move nothing: only chains that end behind a move are of use.
      std::optional<std::pair<Value, AffineMap>> best;
      while (auto relay = getRelay(source)) {
        bool moves = !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(source.getDefiningOp());
        map = dropDivisions(relay->second.compose(map), extents);
        source = relay->first;
        auto view = getLinearView(map, cast<RankedTensorType>(source.getType()));
        if (!view)
          break;
        if ((moves || best) && staysContiguous(*before, *view, extents) && coversWhole(map, source, extents))
          best = {source, map};
      }
      if (!best)
        continue;
      maps[i] = best->second;
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        return rewriter.notifyMatchFailure(op, "a loop's bound would be known from no shape");
      rewriter.modifyOpInPlace(op, [&] {
        op->setOperand(i, best->first);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no input that was only moved");
  }
};

// Of several moves in a row the last one does all: as a generic op it can read through those before it.
struct GeneralizeSecondMove : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op, PatternRewriter &rewriter) const override {
    Value source = op.getInput();
    while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (!getRelay(source) || dependsOnConstantsOnly(source))
      return rewriter.notifyMatchFailure(op, "its source is not only moved");
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

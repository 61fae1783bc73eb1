// Fuses chains of elementwise linalg.generic ops with upstream's patterns, for producers with one user. Ops that read their output are not
// fused.
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "lowering/Passes.h.inc"

namespace {

// True for an elementwise op whose body reads the previous value of its output. Upstream's fusion ignores that read.
bool readsItsOutput(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
    return false;
  return llvm::any_of(linalgOp.getDpsInitsMutable(),
                      [&](OpOperand &init) { return linalgOp.payloadUsesValueFromOperand(&init); });
}

bool mayFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse() && !readsItsOutput(producer) && !readsItsOutput(operand->getOwner());
}

// True for an op that only converts each element of one operand to a wider type, so that its result is larger than its input.
bool isWideningCast(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1)
    return false;
  Block &body = op.getRegion().front();
  return llvm::hasNItems(body, 2) && isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(body.front()) &&
         body.front().getOperand(0) == body.getArgument(0) && body.getTerminator()->getOperand(0) == body.front().getResult(0);
}

// Clones a widening cast for each of its users, so that it can fuse with each of them. Repeating the cast costs one instruction; a shared
// result would be written and read in the wide type (layer normalization, whose mean and variance exporters compute in f64).
void duplicateWideningCasts(Operation *root) {
  SmallVector<linalg::GenericOp> casts;
  root->walk([&](linalg::GenericOp op) {
    if (isWideningCast(op) && !op->hasOneUse() && llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::GenericOp>))
      casts.push_back(op);
  });
  for (linalg::GenericOp op : casts)
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(OpBuilder(op).clone(*op)->getResult(0));
}

struct FuseElementwise : public impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    duplicateWideningCasts(getOperation());
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, mayFuse);
    tensor::populateBubbleUpExpandShapePatterns(patterns);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), GreedyRewriteConfig().setUseTopDownTraversal(true))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

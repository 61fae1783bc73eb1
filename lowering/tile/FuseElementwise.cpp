// Fuses chains of elementwise linalg.generic ops, upstream's patterns under a rule of our own.
#include "lowering/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "lowering/Passes.h.inc"

namespace {

// An elementwise op whose body reads what its output held before: upstream fuses it as if it did not.
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

struct FuseElementwise : public impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
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

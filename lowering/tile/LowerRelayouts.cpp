// Lowers linalg.pack and linalg.unpack on tensors to pads, reshapes and transposes, which the following stages know.
#include "lowering/Moves.h"
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERRELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

struct LowerRelayouts : public impl::LowerRelayoutsBase<LowerRelayouts> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      std::string name = op->getName().getStringRef().str();
      Location loc = op->getLoc();
      bool lowered = isa<linalg::PackOp>(op) ? succeeded(linalg::lowerPack(rewriter, cast<linalg::PackOp>(op), true))
                                             : succeeded(linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op), true));
      if (!lowered) {
        emitError(loc) << name << " cannot be lowered: its shape or tiles are dynamic";
        return signalPassFailure();
      }
    }
    // A pack that pads.
    getOperation().walk([](tensor::PadOp op) { op->setLoc(nameMove(op->getLoc(), "pad")); });
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposePadPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

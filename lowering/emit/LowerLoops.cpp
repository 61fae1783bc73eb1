//===- LowerLoops.cpp - loops and branches of scf to blocks ---------------------------------------------------------------------===//
//
// Upstream's patterns, except for scf.for: they test the condition at the start of a loop, and LLVM's loop rotation then moves the test to the end.
// Rotation updates the dominator tree loop by loop, which takes a time quadratic in the number of loops of a function: a minute for thousands.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERLOOPS
#include "lowering/Passes.h.inc"

namespace {

bool hasIteration(scf::ForOp loop) {
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()), end = getConstantIntValue(loop.getUpperBound());
  return first && end && *first < *end && *first >= 0; // also if compared as unsigned
}

//     br (first < end), body(first, initial values), after(initial values)
//   body(i, values):
//     ...
//     br (i + step < end), body(i + step, next values), after(next values)
//   after(results):
struct LowerFor : OpRewritePattern<scf::ForOp> {
  LowerFor(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    Location loc = loop.getLoc();
    arith::CmpIPredicate less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value end = loop.getUpperBound();
    const bool entered = hasIteration(loop);
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    SmallVector<Value> results;
    for (Type type : loop.getResultTypes())
      results.push_back(after->addArgument(type, loc));
    Block *body = &loop.getRegion().front(), *last = &loop.getRegion().back();
    Value index = body->getArgument(0);
    rewriter.inlineRegionBefore(loop.getRegion(), after);

    Operation *yield = last->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value next = arith::AddIOp::create(rewriter, loc, index, loop.getStep());
    SmallVector<Value> again = {next};
    llvm::append_range(again, yield->getOperands());
    Value goesOn = arith::CmpIOp::create(rewriter, loc, less, next, end);
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(yield, goesOn, body, again, after, SmallVector<Value>(yield->getOperands()));

    rewriter.setInsertionPointToEnd(before);
    SmallVector<Value> first = {loop.getLowerBound()};
    llvm::append_range(first, loop.getInitArgs());
    if (entered) {
      cf::BranchOp::create(rewriter, loc, body, first);
    } else {
      Value starts = arith::CmpIOp::create(rewriter, loc, less, loop.getLowerBound(), end);
      cf::CondBranchOp::create(rewriter, loc, starts, body, first, after, SmallVector<Value>(loop.getInitArgs()));
    }
    rewriter.replaceOp(loop, results);
    return success();
  }
};

struct LowerLoops : impl::LowerLoopsBase<LowerLoops> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    patterns.add<LowerFor>(&getContext());
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

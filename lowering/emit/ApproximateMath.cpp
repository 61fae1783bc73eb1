//===- ApproximateMath.cpp - math functions as polynomials -------------------------------------------------------------------===//
//
// The common functions are expanded by our own patterns (VectorMath.h), the others by upstream's patterns, for which upstream has no pass.
// Only vectors are rewritten. Scalar code (the loops pipeline, which is the specification) keeps libm's accuracy.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/emit/IntegerPowers.h"
#include "lowering/emit/InterleaveLoops.h"
#include "lowering/emit/VectorMath.h"
#include "lowering/machine/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct ApproximateMath : public tpp::impl::ApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    tpp::TargetAttr target = tpp::getTarget(getOperation());
    IRRewriter rewriter(&getContext());
    tpp::lowerIntegerPowers(rewriter, getOperation());
    tpp::markMathLoops(getOperation());
    tpp::replaceGelus(rewriter, getOperation());
    if (tpp::hasFusedMultiplyAdd(target))
      tpp::divideByReciprocals(rewriter, getOperation());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<math::MathDialect>(op->getDialect()) && llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>))
        ops.push_back(op);
    });
    if (ops.empty())
      return tpp::interleaveMarkedLoops(getOperation());
    RewritePatternSet patterns(&getContext());
    tpp::populateVectorMathPatterns(patterns, target);
    populateMathPolynomialApproximationPatterns(patterns);
    populateMathF32ExpansionPatterns(patterns, [](StringRef name) {
      // These are instructions in every vector ISA. Extending them to f32 would only add conversions.
      return name != math::SqrtOp::getOperationName() && name != math::FmaOp::getOperationName() &&
             name != math::AbsFOp::getOperationName();
    });
    math::populateExpansionPatterns(patterns, {math::SinhOp::getOperationName(), math::CoshOp::getOperationName(),
                                               math::AsinhOp::getOperationName(), math::AcoshOp::getOperationName(),
                                               math::AtanhOp::getOperationName(), math::TanOp::getOperationName(),
                                               math::PowFOp::getOperationName()});
    // Expansions create new math operations (exp for sinh). The driver must visit those too.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      return signalPassFailure();
    tpp::interleaveMarkedLoops(getOperation());
  }
};
} // namespace

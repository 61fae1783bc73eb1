// Expands operations of arith and math for which the LLVM dialect has no counterpart.
#include "lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_EXPANDARITHMETIC
#include "lowering/Passes.h.inc"

namespace {

Value createConstant(OpBuilder &builder, Location loc, Type type, const APFloat &value) {
  TypedAttr attr = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(builder, loc, attr);
}

const llvm::fltSemantics &getSemantics(Value value) { return cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics(); }

// |x| = infinity
struct ExpandIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsInfOp op, PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Value infinity = createConstant(rewriter, op.getLoc(), x.getType(), APFloat::getInf(getSemantics(x)));
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), x);
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ, magnitude, infinity);
    return success();
  }
};

// smallest normal number <= |x| < infinity
struct ExpandIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op, PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Location loc = op.getLoc();
    Value infinity = createConstant(rewriter, loc, x.getType(), APFloat::getInf(getSemantics(x)));
    Value smallest = createConstant(rewriter, loc, x.getType(), APFloat::getSmallestNormalized(getSemantics(x)));
    Value magnitude = math::AbsFOp::create(rewriter, loc, x);
    Value isFinite = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT, magnitude, infinity);
    Value isLarge = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE, magnitude, smallest);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isFinite, isLarge);
    return success();
  }
};

// max(min(x, upper bound), lower bound)
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter &rewriter) const override {
    Value bounded = arith::MinimumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMax(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, bounded, op.getMin(), op.getFastmath());
    return success();
  }
};

// LLVM has no bf16 arithmetic. The product of two bf16 is exact in f32.
struct ExpandBFloatFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isBF16())
      return rewriter.notifyMatchFailure(op, "not of bf16");
    Type wide = rewriter.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand));
    Value result = math::FmaOp::create(rewriter, op.getLoc(), operands[0], operands[1], operands[2]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, result);
    return success();
  }
};

struct ExpandArithmetic : public impl::ExpandArithmeticBase<ExpandArithmetic> {
  using ExpandArithmeticBase::ExpandArithmeticBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandClamp, ExpandIsInf, ExpandIsNormal, ExpandBFloatFma>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp, math::ClampFOp, math::FmaOp, math::IsInfOp,
              math::IsNormalOp>(op))
        ops.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

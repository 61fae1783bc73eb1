// Canonicalizations of the tile ops. Each preserves the result bit for bit and adds no computation.
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tpp;

//===- unary -----------------------------------------------------------------------------------------------------------------===//

namespace {

/// identity(x) = x on tensors, if the types are equal; so does convert, which then rounds nothing.
struct FoldIdentity : OpRewritePattern<UnaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(UnaryOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || (op.getKind() != UnaryKind::Identity && op.getKind() != UnaryKind::Convert))
      return rewriter.notifyMatchFailure(op, "no identity or convert on tensors");
    if (op.getBroadcast() != Broadcast::None || op.getIn().getType() != op.getOut().getType())
      return rewriter.notifyMatchFailure(op, "changes shape, form or type");
    rewriter.replaceOp(op, op.getIn());
    return success();
  }
};

/// relu(relu(x)) = relu(x), if both have the same type, so that the inner relu does not round differently.
struct FoldRepeatedRelu : OpRewritePattern<UnaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(UnaryOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || op.getKind() != UnaryKind::Relu || op.getBroadcast() != Broadcast::None)
      return rewriter.notifyMatchFailure(op, "no relu of a whole tile on tensors");
    auto inner = op.getIn().getDefiningOp<UnaryOp>();
    if (!inner || inner.getKind() != UnaryKind::Relu)
      return rewriter.notifyMatchFailure(op, "the input is no relu");
    if (inner.getOut().getType() != op.getOut().getType())
      return rewriter.notifyMatchFailure(op, "the relus differ in form or type");
    rewriter.replaceOp(op, inner.getResult());
    return success();
  }
};

//===- binary ----------------------------------------------------------------------------------------------------------------===//

/// max(x, x) = min(x, x) = x, NaN included.
struct FoldBinaryOfEqual : OpRewritePattern<BinaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BinaryOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || (op.getKind() != BinaryKind::Max && op.getKind() != BinaryKind::Min))
      return rewriter.notifyMatchFailure(op, "no max or min on tensors");
    if (op.getLhs() != op.getRhs() || op.getLhs().getType() != op.getOut().getType())
      return rewriter.notifyMatchFailure(op, "operands differ");
    if (op.getLhsBroadcast() != Broadcast::None || op.getRhsBroadcast() != Broadcast::None)
      return rewriter.notifyMatchFailure(op, "an operand is broadcast");
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
};

//===- brgemm ----------------------------------------------------------------------------------------------------------------===//

/// If C is filled with zeros, sets beta = 0, so that C is not read and the fill becomes dead.
struct DropZeroAccumulator : OpRewritePattern<BrgemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BrgemmOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || op.getBeta() != 1)
      return rewriter.notifyMatchFailure(op, "does not accumulate on tensors");
    Value destination;
    if (auto zero = op.getC().getDefiningOp<UnaryOp>()) {
      if (zero.getKind() == UnaryKind::Zero)
        destination = zero.getOut();
    } else if (auto fill = op.getC().getDefiningOp<linalg::FillOp>()) {
      // Only +0: a C of -0 is not equivalent to beta = 0, because -0 + -0 is -0.
      if (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()))
        destination = fill.getOutputs()[0];
    }
    if (!destination)
      return rewriter.notifyMatchFailure(op, "the accumulator is not known to be zero");
    rewriter.modifyOpInPlace(op, [&] {
      op.getCMutable().assign(destination);
      op.setBeta(0);
    });
    return success();
  }
};

/// Removes post-ops that change nothing: identity, and relu directly after relu.
struct DropRedundantPostOps : OpRewritePattern<BrgemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BrgemmOp op, PatternRewriter &rewriter) const override {
    SmallVector<Attribute> kept;
    for (PostOpAttr postOp : op.getPostOpList()) {
      bool repeated = postOp.isUnary(UnaryKind::Relu) && !kept.empty() && kept.back() == postOp;
      if (!postOp.isUnary(UnaryKind::Identity) && !repeated)
        kept.push_back(postOp);
    }
    if (kept.size() == op.getPostOpList().size())
      return rewriter.notifyMatchFailure(op, "every post-op does something");
    rewriter.modifyOpInPlace(op, [&] { op.setPostOpsAttr(kept.empty() ? ArrayAttr() : rewriter.getArrayAttr(kept)); });
    return success();
  }
};

/// A brgemm without products (k = 0, or an empty batch) and without post-ops is C itself (beta = 1) or zero.
struct FoldEmptyProduct : OpRewritePattern<BrgemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BrgemmOp op, PatternRewriter &rewriter) const override {
    bool emptyBatch = op.getBatch() == BatchKind::Stride && cast<ShapedType>(op.getA().getType()).getDimSize(0) == 0;
    if (op.getK() != 0 && !emptyBatch)
      return rewriter.notifyMatchFailure(op, "there are products to add");
    if (!op.getPostOpList().empty())
      return rewriter.notifyMatchFailure(op, "post-ops remain to be applied");
    if (op.getBeta() == 0)
      rewriter.replaceOpWithNewOp<UnaryOp>(op, UnaryKind::Zero, Value(), op.getC());
    else if (op.getResult())
      rewriter.replaceOp(op, op.getC());
    else
      rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void UnaryOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldIdentity, FoldRepeatedRelu>(context);
}

void BinaryOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldBinaryOfEqual>(context);
}

void BrgemmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropZeroAccumulator, DropRedundantPostOps, FoldEmptyProduct>(context);
}

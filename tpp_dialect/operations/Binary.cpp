// tpp.binary and #tpp.binary_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void BinaryOp::build(OpBuilder &builder, OperationState &state, BinaryKind kind, Value lhs, Value rhs, Value out,
                     Broadcast lhsBroadcast, Broadcast rhsBroadcast) {
  MLIRContext *context = builder.getContext();
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(), BinaryKindAttr::get(context, kind),
        BroadcastAttr::get(context, lhsBroadcast), BroadcastAttr::get(context, rhsBroadcast), lhs, rhs, out);
}

LogicalResult BinaryOp::verify() {
  if (failed(verifyOperandKinds(*this, getOut(), {getLhs(), getRhs()})) ||
      failed(verifyElementType(*this, "lhs", getLhs().getType())) ||
      failed(verifyElementType(*this, "rhs", getRhs().getType())) || failed(verifyElementType(*this, "out", getOut().getType())))
    return failure();
  Type lhs = getElementTypeOrSelf(getLhs()), rhs = getElementTypeOrSelf(getRhs()), out = getElementTypeOrSelf(getOut());
  bool floats = isa<FloatType>(lhs) && isa<FloatType>(rhs) && isa<FloatType>(out);
  bool integers = isa<IntegerType>(out) && lhs == out && rhs == out && getKind() != BinaryKind::Div;
  if (!floats && !integers)
    return emitOpError() << stringifyBinaryKind(getKind()) << " of " << lhs << " and " << rhs << " -> " << out
                         << " is not defined";
  int64_t rows = getTileRows(getOut().getType()), cols = getTileCols(getOut().getType());
  if (failed(verifyTile(*this, {"out", getOut().getType(), rows, cols})) ||
      failed(verifyBroadcastOperand(*this, {"lhs", getLhs().getType(), rows, cols}, getLhsBroadcast())))
    return failure();
  return verifyBroadcastOperand(*this, {"rhs", getRhs().getType(), rows, cols}, getRhsBroadcast());
}

bool BinaryOp::readsOut() { return false; }
bool BinaryOp::readsElementwise(OpOperand &input) {
  return (&input == &getLhsMutable() ? getLhsBroadcast() : getRhsBroadcast()) == Broadcast::None;
}
bool BinaryOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- canonicalization: preserves the result bit for bit and adds no computation ------------------------------------------===//

namespace {
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
} // namespace

void BinaryOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldBinaryOfEqual>(context);
}

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult BinaryDescAttr::verify(EmitError emitError, BinaryKind, int64_t m, int64_t n, MatrixAttr, MatrixAttr, MatrixAttr,
                                     Broadcast, Broadcast, Provider) {
  return failure(failed(verifySize(emitError, "m", m)) || failed(verifySize(emitError, "n", n)));
}

std::string BinaryDescAttr::getBytes() const {
  tpp_binary_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = getM();
  desc.n = getN();
  desc.in0 = encode(getIn0());
  desc.in1 = encode(getIn1());
  desc.out = encode(getOut());
  desc.kind = static_cast<int32_t>(getKind());
  desc.broadcast0 = static_cast<int32_t>(getBroadcast0());
  desc.broadcast1 = static_cast<int32_t>(getBroadcast1());
  desc.provider = static_cast<int32_t>(getProvider());
  return toBytes(desc);
}

std::string BinaryDescAttr::getSummary() const {
  return llvm::formatv("binary {0} {1}x{2}", stringifyEnum(getKind()), getM(), getN()).str();
}

KernelWork BinaryDescAttr::getWork() const { return KernelWork::ofElements(getM() * getN()); }

KernelOperands BinaryDescAttr::getOperands() const { return {2}; }

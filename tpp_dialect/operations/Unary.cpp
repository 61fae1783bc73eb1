// tpp.unary and #tpp.unary_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void UnaryOp::build(OpBuilder &builder, OperationState &state, UnaryKind kind, Value in, Value out, Broadcast broadcast,
                    FloatAttr alpha) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(),
        UnaryKindAttr::get(builder.getContext(), kind), BroadcastAttr::get(builder.getContext(), broadcast), in, out,
        /*streaming=*/UnitAttr(), alpha);
}

TileDims UnaryOp::getOutDims() { return getVerifiedTileDims(getOut(), /*batched=*/false, getKind() == UnaryKind::VnniPack); }

/// vnni_pack: packs an input, plain or in panels, into groups of as many rows as fit 4 bytes.
static LogicalResult verifyVnniPack(UnaryOp op) {
  auto inType = cast<ShapedType>(op.getIn().getType()), outType = cast<ShapedType>(op.getOut().getType());
  if (op.getBroadcast() != Broadcast::None)
    return op.emitOpError() << "vnni_pack cannot broadcast its input";
  if (inType.getElementType() != outType.getElementType())
    return op.emitOpError() << "vnni_pack needs one element type, got " << inType.getElementType() << " and "
                            << outType.getElementType() << " (convert changes it)";
  int64_t bits = outType.getElementType().getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16)
    return op.emitOpError() << "vnni_pack moves elements of 1 or 2 bytes, got " << outType.getElementType();
  std::optional<TileDims> in = getTileDims(inType.getRank());
  if (!in || inType.isDynamicDim(in->rows))
    return op.emitOpError() << "operand 'in' must be a tile of static size, got " << inType;
  int64_t rows = inType.getDimSize(in->rows), cols = getTileCols(inType);
  if (failed(verifyTile(op, {"in", inType, rows, cols})))
    return failure();
  return verifyTile(op, {"out", outType, rows, cols, /*batched=*/false, /*vnni=*/32 / bits});
}

LogicalResult UnaryOp::verify() {
  UnaryKind kind = getKind();
  bool moves = movesBits(kind);
  if (failed(verifyAlpha([&] { return emitOpError(); }, kind, getAlphaAttr())))
    return failure();
  if (kind == UnaryKind::Zero ? static_cast<bool>(getIn()) : !getIn())
    return emitOpError() << (getIn() ? "zero has no input" : "needs an input");
  if (failed(verifyOperandKinds(*this, getOut(), {getIn()})) ||
      failed(verifyElementType(*this, "out", getOut().getType(), moves)))
    return failure();
  if (kind == UnaryKind::VnniPack)
    return verifyVnniPack(*this);
  // The output's shape defines the sizes, so only its rank and that its sizes are static are checked.
  int64_t rows = getTileRows(getOut().getType()), cols = getTileCols(getOut().getType());
  if (failed(verifyTile(*this, {"out", getOut().getType(), rows, cols})))
    return failure();
  if (!getIn())
    return getBroadcast() == Broadcast::None ? success() : LogicalResult(emitOpError() << "zero has no input to broadcast");
  if (failed(verifyElementType(*this, "in", getIn().getType(), moves)))
    return failure();

  Type in = getElementTypeOrSelf(getIn()), out = getElementTypeOrSelf(getOut());
  bool sameTypeOnly = moves;
  if (sameTypeOnly && in != out)
    return emitOpError() << stringifyUnaryKind(kind) << " needs one element type, got " << in << " and " << out
                         << " (convert changes it)";
  bool floats = isa<FloatType>(in) && isa<FloatType>(out);
  bool integerRelu = kind == UnaryKind::Relu && in == out;
  if (!sameTypeOnly && kind != UnaryKind::Convert && !floats && !integerRelu)
    return emitOpError() << stringifyUnaryKind(kind) << " of " << in << " -> " << out << " is not defined";
  if (kind == UnaryKind::Transpose) {
    if (getBroadcast() != Broadcast::None)
      return emitOpError() << "transpose cannot broadcast its input";
    std::swap(rows, cols);
  }
  return verifyBroadcastOperand(*this, {"in", getIn().getType(), rows, cols}, getBroadcast());
}

bool UnaryOp::readsOut() { return false; }
bool UnaryOp::readsElementwise(OpOperand &) {
  return getKind() != UnaryKind::Transpose && getKind() != UnaryKind::VnniPack && getBroadcast() == Broadcast::None;
}
bool UnaryOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- canonicalization: preserves the result bit for bit and adds no computation ------------------------------------------===//

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
} // namespace

void UnaryOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldIdentity, FoldRepeatedRelu>(context);
}

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult UnaryDescAttr::verify(EmitError emitError, UnaryKind kind, int64_t m, int64_t n, MatrixAttr, MatrixAttr, Broadcast,
                                    Provider, int64_t streaming, FloatAttr alpha) {
  return failure(failed(verifySize(emitError, "m", m)) || failed(verifySize(emitError, "n", n)) ||
                 failed(verifyStreaming(emitError, streaming)) || failed(verifyAlpha(emitError, kind, alpha)));
}

std::string UnaryDescAttr::getBytes() const {
  tpp_unary_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = getM();
  desc.n = getN();
  desc.in = encode(getIn());
  desc.out = encode(getOut());
  desc.kind = static_cast<int32_t>(getKind());
  desc.broadcast = static_cast<int32_t>(getBroadcast());
  desc.provider = static_cast<int32_t>(getProvider());
  desc.streaming = static_cast<int32_t>(getStreaming());
  if (FloatAttr alpha = getAlpha())
    desc.alpha = alpha.getValue().convertToFloat();
  return toBytes(desc);
}

std::string UnaryDescAttr::getSummary() const {
  return llvm::formatv("unary {0} {1}x{2}", stringifyEnum(getKind()), getM(), getN()).str();
}

KernelWork UnaryDescAttr::getWork() const { return KernelWork::ofElements(getM() * getN()); }

KernelOperands UnaryDescAttr::getOperands() const { return {getKind() == UnaryKind::Zero ? 0U : 1U}; }

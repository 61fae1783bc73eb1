// tpp.brgemm and #tpp.brgemm_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void BrgemmOp::build(OpBuilder &builder, OperationState &state, Value a, Value b, Value c, ArrayRef<int64_t> sizes,
                     BatchKind batch, bool beta, ArrayAttr postOps, ValueRange postOperands, Value aOffsets, Value bOffsets,
                     int64_t bVnni) {
  build(builder, state, isa<RankedTensorType>(c.getType()) ? c.getType() : Type(), a, b, aOffsets, bOffsets, c, postOperands,
        /*b_use=*/Value(), builder.getDenseI64ArrayAttr(sizes), BatchKindAttr::get(builder.getContext(), batch),
        builder.getI64IntegerAttr(beta), builder.getI64IntegerAttr(bVnni), /*a_unsigned=*/UnitAttr(), /*b_unsigned=*/UnitAttr(),
        /*c_unsigned=*/UnitAttr(),
        /*streaming=*/UnitAttr(), /*b_uses=*/builder.getI64IntegerAttr(0), postOps && !postOps.empty() ? postOps : ArrayAttr());
}

TileDims BrgemmOp::getADims() { return getVerifiedTileDims(getA(), getBatch() == BatchKind::Stride); }
TileDims BrgemmOp::getBDims() { return getVerifiedTileDims(getB(), getBatch() == BatchKind::Stride, getBVnni() > 1); }
TileDims BrgemmOp::getCDims() { return getVerifiedTileDims(getC()); }

SmallVector<PostOpAttr> BrgemmOp::getPostOpList() { return toPostOpList(getPostOpsAttr()); }

static LogicalResult verifyBrgemmTypes(BrgemmOp op) {
  Type a = getElementTypeOrSelf(op.getA()), b = getElementTypeOrSelf(op.getB()), c = getElementTypeOrSelf(op.getC());
  bool floats = (a.isF32() && b.isF32() && c.isF32()) || ((a.isBF16() || a.isF16()) && b == a && (c.isF32() || c == a));
  bool converts = convertsSums(op.getPostOpList());
  bool cFits = converts ? c.isF32() || c.isBF16() || c.isF16() || c.isSignlessInteger(8) : c.isSignlessInteger(32);
  bool integers = a.isSignlessInteger(8) && b.isSignlessInteger(8) && cFits;
  if (!floats && !integers)
    return op.emitOpError() << "cannot multiply " << a << " x " << b << " -> " << c
                            << "; possible are f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, f16 x f16 -> f32 or f16, i8 x i8 -> "
                               "i32 (f32, bf16, f16 "
                               "or i8 after the post-op convert)";
  if (op.getCUnsigned() && !c.isSignlessInteger(8))
    return op.emitOpError() << "c_unsigned needs operand 'c' of i8, got " << c;
  if (integers && converts && op.getBeta() != 0)
    return op.emitOpError() << "sums that are converted cannot start with operand 'c': beta must be 0";
  if ((op.getAUnsigned() || op.getBUnsigned()) && !integers)
    return op.emitOpError() << (op.getAUnsigned() ? "a_unsigned" : "b_unsigned") << " needs operands of i8, got " << a;
  return success();
}

static LogicalResult verifyOffsets(BrgemmOp op) {
  bool wanted = op.getBatch() == BatchKind::Offset;
  if (wanted != static_cast<bool>(op.getAOffsets()))
    return op.emitOpError() << (wanted ? "batch = offset needs offset tables" : "offset tables need batch = offset");
  if (!wanted)
    return success();
  auto aType = cast<ShapedType>(op.getAOffsets().getType()), bType = cast<ShapedType>(op.getBOffsets().getType());
  for (ShapedType type : {aType, bType})
    if (type.getRank() != 1 || !type.getElementType().isSignlessInteger(64))
      return op.emitOpError() << "an offset table must be a vector of i64, got " << type;
  if (!aType.isDynamicDim(0) && !bType.isDynamicDim(0) && aType.getDimSize(0) != bType.getDimSize(0))
    return op.emitOpError() << "the offset tables have " << aType.getDimSize(0) << " and " << bType.getDimSize(0) << " entries";
  return success();
}

LogicalResult BrgemmOp::verify() {
  if (getSizes().size() != 3 || llvm::any_of(getSizes(), [](int64_t size) { return size < 0; }))
    return emitOpError() << "sizes must be [m, n, k], none of them negative, got [" << getSizes() << "]";
  if (getBeta() != 0 && getBeta() != 1)
    return emitOpError() << "beta must be 0 or 1, got " << static_cast<int64_t>(getBeta());
  if (getBatch() == BatchKind::Address)
    return emitOpError() << "batch = address exists only in kernels; use offset";
  int64_t bVnni = getBVnni();
  if (bVnni < 0)
    return emitOpError() << "b_vnni must not be negative, got " << bVnni;
  if (getBUse() && (getBUses() < 2 || getBUses() > INT32_MAX))
    return emitOpError() << "b_use must be one of 2 to " << INT32_MAX << " invocations, got " << getBUses();
  if (!getBUse() && getBUses() != 0)
    return emitOpError() << "b_uses needs b_use";
  SmallVector<Value> inputs = {getA(), getB(), getAOffsets(), getBOffsets()};
  llvm::append_range(inputs, getPostOperands());
  if (failed(verifyOperandKinds(*this, getC(), inputs)) || failed(verifyBrgemmTypes(*this)) || failed(verifyOffsets(*this)))
    return failure();

  bool stride = getBatch() == BatchKind::Stride, offset = getBatch() == BatchKind::Offset;
  if (failed(verifyTile(*this, {"a", getA().getType(), getM(), getK(), stride, 0, offset})) ||
      failed(verifyTile(*this, {"b", getB().getType(), getK(), getN(), stride, bVnni, offset})) ||
      failed(verifyTile(*this, {"c", getC().getType(), getM(), getN()})))
    return failure();
  if (stride) {
    int64_t aBatch = cast<ShapedType>(getA().getType()).getDimSize(0), bBatch = cast<ShapedType>(getB().getType()).getDimSize(0);
    if (aBatch != bBatch && !ShapedType::isDynamic(aBatch) && !ShapedType::isDynamic(bBatch))
      return emitOpError() << "operands 'a' and 'b' have batches of " << aBatch << " and " << bBatch;
  }
  return verifyPostOps(
      *this, getPostOpList(), getPostOperands(), isa<IntegerType>(getElementTypeOrSelf(getA())),
      [&](Type type, Broadcast broadcast) { return verifyBroadcastOperand(*this, {"post", type, getM(), getN()}, broadcast); });
}

bool BrgemmOp::readsOut() { return getBeta() == 1; }

/// A residual is read elementwise: just before the accumulators are stored. A, B and the offset tables are not.
bool BrgemmOp::readsElementwise(OpOperand &input) { return isResidual(input, getPostOpList(), getPostOperandsMutable()); }

/// The tables' byte offsets assume a contiguous row-major operand. In a view with other strides, they would address other elements.
bool BrgemmOp::needsContiguousBuffer(OpOperand &operand) {
  return getBatch() == BatchKind::Offset && (operand.get() == getA() || operand.get() == getB());
}

//===- canonicalization: preserves the result bit for bit and adds no computation ------------------------------------------===//

namespace {
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

void BrgemmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropZeroAccumulator, DropRedundantPostOps, FoldEmptyProduct>(context);
}

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult BrgemmDescAttr::verify(EmitError emitError, int64_t m, int64_t n, int64_t k, MatrixAttr, MatrixAttr, MatrixAttr,
                                     BatchKind batchKind, int64_t beta, int64_t, int64_t, Provider, int64_t streaming,
                                     int64_t bUses, ArrayAttr postOps) {
  if (failed(verifySize(emitError, "m", m)) || failed(verifySize(emitError, "n", n)) || failed(verifySize(emitError, "k", k)) ||
      failed(verifyBeta(emitError, beta)) || failed(verifyStreaming(emitError, streaming)))
    return failure();
  if (bUses < 0 || bUses > INT32_MAX)
    return emitError() << "b_uses must be 0 to " << INT32_MAX << ", got " << bUses;
  if (batchKind == BatchKind::None)
    return emitError() << "a descriptor's batch_kind is stride, offset or address; one pair of tiles is a batch of one";
  return verifyPostOpForms(emitError, postOps);
}

SmallVector<PostOpAttr> BrgemmDescAttr::getPostOpList() const { return toPostOpList(getPostOps()); }

std::string BrgemmDescAttr::getBytes() const {
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = getM();
  desc.n = getN();
  desc.k = getK();
  desc.a = encode(getA());
  desc.b = encode(getB());
  desc.c = encode(getC());
  desc.batch_kind = static_cast<int32_t>(getBatchKind());
  desc.beta = static_cast<int32_t>(getBeta());
  desc.a_batch_stride = getABatchStride();
  desc.b_batch_stride = getBBatchStride();
  desc.provider = static_cast<int32_t>(getProvider());
  desc.streaming = static_cast<int32_t>(getStreaming());
  desc.b_uses = static_cast<int32_t>(getBUses());
  desc.post_op_count = encodePostOps(getPostOpList(), desc.post_ops);
  return toBytes(desc);
}

std::string BrgemmDescAttr::getSummary() const { return llvm::formatv("brgemm {0}x{1}x{2}", getM(), getN(), getK()).str(); }

KernelWork BrgemmDescAttr::getWork() const {
  KernelWork work;
  work.flops = 2 * getM() * getN() * getK();
  work.flopsType = getA().getType();
  return work;
}

KernelOperands BrgemmDescAttr::getOperands() const {
  KernelOperands operands;
  operands.inputs = 2;
  operands.batch = true;
  operands.offsets = getBatchKind() != BatchKind::Stride;
  operands.bUse = getBUses() > 1;
  operands.postSlots = getOperandSlots(getPostOpList());
  return operands;
}

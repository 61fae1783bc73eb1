// Moves dequantizations down, past relayouts, pads and maxima, until they reach their consumers.
#include "lowering/normalize/MoveDequantizations.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Quantization.h"
#include "lowering/analysis/Relay.h"
#include "lowering/analysis/UnaryKinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

static RankedTensorType getTensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

//===- moving dequantizations down -------------------------------------------------------------------------------------------===//

// The dequantization of a tensor in the order of its indices; nullopt also for one that reads its source in another order.
std::optional<Dequantization> getPlainDequantization(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto found = type && type.hasStaticShape() ? getDequantization(value) : std::nullopt;
  return found && found->map.isIdentity() ? found : std::nullopt;
}

// Replaces `op`, which computes a value from a dequantized one, by the dequantization of `source`, which is computed from the integers.
// `map` is from indices of the new value to those of the old one.
void dequantizeAfter(Operation *op, Dequantization d, Value source, AffineMap map, RewriterBase &rewriter) {
  auto type = getTensorType(op->getResult(0));
  d.source = source;
  d.map = rewriter.getMultiDimIdentityMap(type.getRank());
  if (d.zero.value)
    d.zero.map = d.zero.map.compose(map);
  if (d.scale && d.scale->value)
    d.scale->map = d.scale->map.compose(map);
  rewriter.replaceOp(op, createDequantization(rewriter, op->getLoc(), d, type.getShape(), type.getElementType()));
}

// Creates `op`, a relay, for elements of another type.
Value cloneRelay(Operation *op, Value source, RewriterBase &rewriter) {
  auto type = getTensorType(op->getResult(0)).clone(getElementTypeOrSelf(source));
  Operation *clone = rewriter.clone(*op);
  clone->setOperand(0, source);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(clone)) {
    rewriter.setInsertionPoint(clone);
    Value empty = tensor::EmptyOp::create(rewriter, op->getLoc(), type.getShape(), type.getElementType());
    linalgOp.getDpsInitsMutable()[0].set(empty);
    for (BlockArgument argument : linalgOp.getBlock()->getArguments())
      argument.setType(type.getElementType());
    rewriter.setInsertionPointAfter(clone);
  }
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

// Makes the map of parameters one from indices of the result of `expand`. Their tensor gets the dimensions that `expand` splits.
void splitParameter(QuantizationParameter &parameter, tensor::ExpandShapeOp expand, RewriterBase &rewriter) {
  if (!parameter.value)
    return;
  if (parameter.map.getNumResults() == 0) {
    parameter.map = AffineMap::get(expand.getResultType().getRank(), 0, {}, rewriter.getContext());
    return;
  }
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices(), reassociation;
  ArrayRef<int64_t> split = expand.getResultType().getShape();
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> indices;
  for (auto [dim, expr] : llvm::enumerate(parameter.map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    int64_t size = getTensorType(parameter.value).getDimSize(dim);
    ReassociationIndices group = loop && size > 1 ? groups[loop.getPosition()] : ReassociationIndices();
    ReassociationIndices parts;
    for (int64_t part : group) {
      parts.push_back(shape.size());
      shape.push_back(split[part]);
      indices.push_back(rewriter.getAffineDimExpr(part));
    }
    if (group.empty()) { // the same for all
      parts.push_back(shape.size());
      shape.push_back(size);
      indices.push_back(rewriter.getAffineConstantExpr(0));
    }
    reassociation.push_back(parts);
  }
  RankedTensorType type = getTensorType(parameter.value).clone(shape);
  if (type != parameter.value.getType())
    parameter.value = tensor::ExpandShapeOp::create(rewriter, expand.getLoc(), type, parameter.value, reassociation);
  parameter.map = AffineMap::get(split.size(), 0, indices, rewriter.getContext());
}

struct MoveBelowRelay : public RewritePattern {
  explicit MoveBelowRelay(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 ||
        !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, linalg::TransposeOp, linalg::BroadcastOp>(
            op))
      return rewriter.notifyMatchFailure(op, "not a relay");
    auto relay = getRelay(op->getResult(0));
    if (Value integers = relay ? getFlipped(relay->first) : Value()) {
      rewriter.replaceOp(op, flipSigns(cloneRelay(op, integers, rewriter), op->getLoc(), rewriter));
      return success();
    }
    auto d = relay ? getPlainDequantization(relay->first) : std::nullopt;
    if (!d)
      return rewriter.notifyMatchFailure(op, "not the relay of a dequantized value");
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    for (const QuantizationParameter &each : {d->zero, d->scale.value_or(QuantizationParameter())})
      if (each.value && !isPlain(expand ? each.map : each.map.compose(relay->second)))
        return rewriter.notifyMatchFailure(op, "the channels that parameters belong to are no dimension of the result");
    AffineMap map = relay->second;
    if (expand) {
      splitParameter(d->zero, expand, rewriter);
      if (d->scale)
        splitParameter(*d->scale, expand, rewriter);
      map = rewriter.getMultiDimIdentityMap(expand.getResultType().getRank());
    }
    dequantizeAfter(op, *d, cloneRelay(op, d->source, rewriter), map, rewriter);
    return success();
  }
};

// The integer of type i8 that dequantizes to zero, as a scalar. Null if it is not one for the whole tensor, or perhaps not in the range of the integers.
Value getZero(const Dequantization &d, Location loc, OpBuilder &builder) {
  const QuantizationParameter &zero = d.zero;
  double low = zero.number, high = zero.number;
  if (zero.value && (!zero.isUniform() || !getElementTypeOrSelf(zero.value).isInteger(8)))
    return {};
  if (zero.value)
    low += static_cast<double>(lowest8(zero.isUnsigned)), high += static_cast<double>(highest8(zero.isUnsigned));
  if (low < lowest8(d.isUnsigned) || high > highest8(d.isUnsigned))
    return {};
  auto getNumber = [&] {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI8IntegerAttr(static_cast<int8_t>(static_cast<int64_t>(zero.number))));
  };
  if (zero.isNumber())
    return getNumber();
  Value value = zero.value;
  if (isa<RankedTensorType>(value.getType()))
    value = tensor::ExtractOp::create(builder, loc, value, ValueRange());
  return zero.number == 0 ? value : arith::AddIOp::create(builder, loc, value, getNumber());
}

tensor::PadOp createPad(tensor::PadOp op, Value source, Value padding, RewriterBase &rewriter) {
  auto type = getTensorType(op.getResult()).clone(getElementTypeOrSelf(source));
  return tensor::PadOp::create(rewriter, op.getLoc(), type, source, op.getMixedLowPad(), op.getMixedHighPad(), padding,
                               op.getNofold());
}

struct MoveBelowPad : public OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    if (!padding || !op.getResultType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the padding is not one value, or sizes are dynamic");
    if (getElementTypeOrSelf(op.getType()).isInteger(8))
      return moveBelowFlip(op, padding, rewriter);
    auto d = getPlainDequantization(op.getSource());
    if (!d || !d->zero.isUniform() || (d->scale && !d->scale->isUniform()))
      return rewriter.notifyMatchFailure(op, "not the pad of a value that is dequantized as a whole");
    if (!isZero(padding))
      return rewriter.notifyMatchFailure(op, "the padding is not zero");
    Value zero = getZero(*d, op.getLoc(), rewriter);
    if (!zero)
      return rewriter.notifyMatchFailure(op, "no integer dequantizes to zero");
    dequantizeAfter(op, *d, createPad(op, d->source, zero, rewriter),
                    rewriter.getMultiDimIdentityMap(op.getResultType().getRank()), rewriter);
    return success();
  }

  // Pads the integers before their sign bits are flipped.
  static LogicalResult moveBelowFlip(tensor::PadOp op, Value padding, PatternRewriter &rewriter) {
    Value source = getFlipped(op.getSource());
    if (!source)
      return rewriter.notifyMatchFailure(op, "the source's sign bits are not flipped");
    Value sign = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI8IntegerAttr(-signShift));
    Value pad = createPad(op, source, arith::AddIOp::create(rewriter, op.getLoc(), padding, sign), rewriter);
    rewriter.replaceOp(op, flipSigns(pad, op.getLoc(), rewriter));
    return success();
  }
};

// Maxima of windows or along dimensions: the largest integer dequantizes to the largest value.
struct MoveBelowMaximum : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
        op.getNumDpsInputs() == 0)
      return rewriter.notifyMatchFailure(op, "not a reduction of static shape");
    Block &body = *op.getBlock();
    auto maximum = body.getTerminator()->getOperand(0).getDefiningOp<arith::MaximumFOp>();
    BlockArgument in = body.getArgument(0), out = body.getArguments().back();
    if (!maximum || !((maximum.getLhs() == in && maximum.getRhs() == out) || (maximum.getLhs() == out && maximum.getRhs() == in)))
      return rewriter.notifyMatchFailure(op, "not a maximum of its first input");
    auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    auto least = fill ? getConstant(fill.getInputs()[0]) : std::nullopt;
    Value read = op.getDpsInputs()[0];
    auto pad = read.getDefiningOp<tensor::PadOp>();
    if (pad) {
      Value padding = pad.getConstantPaddingValue();
      auto number = padding ? getConstant(padding) : std::nullopt;
      if (!number || !least || *number > *least || !readsSource(op, pad))
        return rewriter.notifyMatchFailure(op, "the padding counts");
      read = pad.getSource();
    }
    auto d = getPlainDequantization(read);
    if (!d || !d->scale || !d->scale->isNumber() || d->scale->number <= 0 || !d->zero.isNumber())
      return rewriter.notifyMatchFailure(op, "not of a value that is dequantized as a whole");
    if (!least || *least > (lowest8(d->isUnsigned) - d->zero.number) * d->scale->number)
      return rewriter.notifyMatchFailure(op, "the first value counts");

    Location loc = op.getLoc();
    auto type = getTensorType(op->getResult(0)).clone(rewriter.getI8Type());
    IntegerAttr lowest = rewriter.getI8IntegerAttr(static_cast<int8_t>(lowest8(d->isUnsigned)));
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[0] = pad ? createPad(pad, d->source, arith::ConstantOp::create(rewriter, loc, lowest), rewriter) : d->source;
    Value init = createFilled(rewriter, loc, type.getShape(), lowest);
    auto generic = linalg::GenericOp::create(rewriter, loc, type, inputs, init, op.getIndexingMapsArray(),
                                             op.getIteratorTypesArray(), [&](OpBuilder &b, Location at, ValueRange arguments) {
                                               Value larger =
                                                   d->isUnsigned
                                                       ? arith::MaxUIOp::create(b, at, arguments[0], arguments.back()).getResult()
                                                       : arith::MaxSIOp::create(b, at, arguments[0], arguments.back());
                                               linalg::YieldOp::create(b, at, larger);
                                             });
    dequantizeAfter(op, *d, generic.getResult(0), rewriter.getMultiDimIdentityMap(type.getRank()), rewriter);
    return success();
  }

private:
  // Whether each window of `op` contains an element of the pad's source.
  static bool readsSource(linalg::LinalgOp op, tensor::PadOp pad) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    AffineMap inMap = op.getIndexingMapsArray()[0], outMap = op.getIndexingMapsArray().back();
    for (auto [d, expr] : llvm::enumerate(inMap.getResults())) {
      int64_t low = pad.getStaticLow()[d], size = pad.getSourceType().getDimSize(d);
      auto linear = getLinearExpr(expr, extents.size());
      if (ShapedType::isDynamic(low) || !linear)
        return false;
      if (size == pad.getResultType().getDimSize(d))
        continue;
      int64_t step = 0, outputs = 1, tapStep = 1, taps = 1;
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
        if (coefficient != 0) {
          bool isOutput = outMap.isFunctionOfDim(loop);
          int64_t &count = isOutput ? outputs : taps;
          if (count != 1)
            return false;
          count = extents[loop];
          (isOutput ? step : tapStep) = coefficient;
        }
      for (int64_t output = 0; output < outputs; ++output) {
        bool reads = false;
        for (int64_t tap = 0; tap < taps && !reads; ++tap) {
          int64_t index = linear->constant + output * step + tap * tapStep;
          reads = index >= low && index < low + size;
        }
        if (!reads)
          return false;
      }
    }
    return true;
  }
};

//===- pairs of quantizations and dequantizations ----------------------------------------------------------------------------===//

// A dequantized value that is quantized with the same parameters is what it was.
struct DropRequantization : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto q = op->getNumResults() == 1 ? getQuantization(op.getResult(0)) : std::nullopt;
    auto d = q ? getPlainDequantization(q->source) : std::nullopt;
    if (!d || !d->scale || !d->scale->isNumber(q->scale.number) || !d->zero.isNumber(q->zero) || d->isUnsigned != q->isUnsigned)
      return rewriter.notifyMatchFailure(op, "not a quantization of a value dequantized with the same parameters");
    rewriter.replaceOp(op, d->source);
    return success();
  }
};

// Quantizes to unsigned integers, 128 larger, and flips their sign bits back. A dequantization reads the unsigned ones. Kernels multiply unsigned
// values by signed weights, and the zero point of values that are not negative becomes 0.
struct QuantizeUnsigned : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto q = op->getNumResults() == 1 ? getQuantization(op.getResult(0)) : std::nullopt;
    if (!q || q->isUnsigned)
      return rewriter.notifyMatchFailure(op, "not a quantization to signed integers");
    q->isUnsigned = true;
    q->zero += signShift;
    rewriter.replaceOp(op, flipSigns(createQuantization(rewriter, op.getLoc(), *q), op.getLoc(), rewriter));
    return success();
  }
};

} // namespace

void quantizeSigned(linalg::GenericOp op, RewriterBase &rewriter) {
  Value flipped = op->getNumResults() == 1 ? getFlipped(op.getResult(0)) : Value();
  auto q = flipped ? getQuantization(flipped) : std::nullopt;
  if (!q || !q->isUnsigned)
    return;
  q->isUnsigned = false;
  q->zero -= signShift;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, createQuantization(rewriter, op.getLoc(), *q));
}

void addDequantizationPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveBelowRelay, MoveBelowPad, MoveBelowMaximum, DropRequantization, QuantizeUnsigned>(patterns.getContext());
}

} // namespace mlir::tpp

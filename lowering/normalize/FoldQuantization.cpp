// Turns contractions of dequantized values into contractions of 8-bit integers.
//
// Exporters write a quantized contraction as one of f32 values (integer - zero point) * scale, or of wide integers. Here it becomes a sum of products
// of 8-bit integers, minus what the zero points add to it:
//
//   sum (a - za) (b - zb)  =  sum a b  -  za sum (b - zb)  -  zb sum a
//
// The sum over the weights is computed once, in prepack. Before that, dequantizations move down, past relayouts, pads and maxima, until they reach the
// contraction; those of other consumers move, too, so that relayouts move bytes.
#include "lowering/Passes.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Quantization.h"
#include "lowering/analysis/Relay.h"
#include "lowering/analysis/UnaryKinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FOLDQUANTIZATION
#include "lowering/Passes.h.inc"

namespace {

RankedTensorType getTensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

//===- flipped sign bits -----------------------------------------------------------------------------------------------------===//

// Adds -128 to each 8-bit integer, which flips its sign bit.
Value flip(Value tensor, Location loc, OpBuilder &builder) {
  auto type = getTensorType(tensor);
  ElementwiseInput input = {tensor, builder.getMultiDimIdentityMap(type.getRank())};
  return createElementwise(builder, loc, input, type.getShape(), type.getElementType(), [&](OpBuilder &b, ValueRange arguments) {
    Value sign = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(-128));
    return arith::AddIOp::create(b, loc, arguments[0], sign);
  });
}

// The tensor whose sign bits a generic flips; null for other values.
Value getFlipped(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      llvm::any_of(generic.getIndexingMapsArray(), [](AffineMap map) { return !map.isIdentity(); }))
    return {};
  Block &body = *generic.getBlock();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  APInt number;
  bool flips = add && add.getLhs() == body.getArgument(0) && matchPattern(add.getRhs(), m_ConstantInt(&number)) &&
               number.getBitWidth() == 8 && number.isMinSignedValue();
  return flips ? generic.getDpsInputs()[0] : Value();
}

//===- moving dequantizations down -------------------------------------------------------------------------------------------===//

// Whether an index of a parameter follows from the indices of the value alone: a projected permutation, or constants.
bool isPlain(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr expr) { return isa<AffineDimExpr, AffineConstantExpr>(expr); });
}

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

struct MoveBelowRelay : public RewritePattern {
  explicit MoveBelowRelay(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 ||
        !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, linalg::TransposeOp, linalg::BroadcastOp>(
            op))
      return rewriter.notifyMatchFailure(op, "not a relay");
    auto relay = getRelay(op->getResult(0));
    if (Value integers = relay ? getFlipped(relay->first) : Value()) {
      rewriter.replaceOp(op, flip(cloneRelay(op, integers, rewriter), op->getLoc(), rewriter));
      return success();
    }
    auto d = relay ? getPlainDequantization(relay->first) : std::nullopt;
    if (!d)
      return rewriter.notifyMatchFailure(op, "not the relay of a dequantized value");
    for (const QuantizationParameter &each : {d->zero, d->scale.value_or(QuantizationParameter())})
      if (each.value && !isPlain(each.map.compose(relay->second)))
        return rewriter.notifyMatchFailure(op, "the channels that parameters belong to are no dimension of the result");
    dequantizeAfter(op, *d, cloneRelay(op, d->source, rewriter), relay->second, rewriter);
    return success();
  }
};

// The integer of type i8 that dequantizes to zero, as a scalar. Null if it is not one for the whole tensor.
Value getZero(const QuantizationParameter &zero, Location loc, OpBuilder &builder) {
  Type i8 = builder.getI8Type();
  if (zero.isNumber())
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(i8, static_cast<int8_t>(static_cast<int64_t>(zero.number))));
  if (!zero.isUniform())
    return {};
  Value value = zero.value;
  if (isa<RankedTensorType>(value.getType()))
    value = tensor::ExtractOp::create(builder, loc, value, ValueRange());
  if (value.getType() != i8)
    value = arith::TruncIOp::create(builder, loc, i8, value);
  if (zero.number == 0)
    return value;
  Value number =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(i8, static_cast<int8_t>(static_cast<int64_t>(zero.number))));
  return arith::AddIOp::create(builder, loc, value, number);
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
    if (!matchPattern(padding, m_AnyZeroFloat()) && !matchPattern(padding, m_Zero()))
      return rewriter.notifyMatchFailure(op, "the padding is not zero");
    Value zero = getZero(d->zero, op.getLoc(), rewriter);
    dequantizeAfter(op, *d, createPad(op, d->source, zero, rewriter),
                    rewriter.getMultiDimIdentityMap(op.getResultType().getRank()), rewriter);
    return success();
  }

  // Pads the integers before their sign bits are flipped.
  static LogicalResult moveBelowFlip(tensor::PadOp op, Value padding, PatternRewriter &rewriter) {
    Value source = getFlipped(op.getSource());
    if (!source)
      return rewriter.notifyMatchFailure(op, "the source's sign bits are not flipped");
    Value sign = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI8IntegerAttr(-128));
    Value pad = createPad(op, source, arith::AddIOp::create(rewriter, op.getLoc(), padding, sign), rewriter);
    rewriter.replaceOp(op, flip(pad, op.getLoc(), rewriter));
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
    Value lowest =
        arith::ConstantOp::create(rewriter, loc, rewriter.getI8IntegerAttr(static_cast<int8_t>(lowest8(d->isUnsigned))));
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[0] = pad ? createPad(pad, d->source, lowest, rewriter) : d->source;
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    Value init = linalg::FillOp::create(rewriter, loc, lowest, empty).getResult(0);
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
    if (!d || !d->scale || !d->scale->isNumber(q->scale) || !d->zero.isNumber(q->zero) || d->isUnsigned != q->isUnsigned)
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
    constexpr double shift = 128;
    q->isUnsigned = true;
    q->zero += shift;
    rewriter.replaceOp(op, flip(createQuantization(rewriter, op.getLoc(), *q), op.getLoc(), rewriter));
    return success();
  }
};

// The opposite, for values that something else reads.
void quantizeSigned(linalg::GenericOp op, RewriterBase &rewriter) {
  Value flipped = op->getNumResults() == 1 ? getFlipped(op.getResult(0)) : Value();
  auto q = flipped ? getQuantization(flipped) : std::nullopt;
  if (!q || !q->isUnsigned)
    return;
  constexpr double shift = 128;
  q->isUnsigned = false;
  q->zero -= shift;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, createQuantization(rewriter, op.getLoc(), *q));
}

//===- contractions ----------------------------------------------------------------------------------------------------------===//

// A contraction of dequantized values, and what replaces it.
class Folding {
public:
  static std::optional<Folding> plan(linalg::LinalgOp op, ConstantAnalysis &constants) {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
      return std::nullopt;
    Folding plan(op);
    if (!plan.match() || !plan.findLoops() || !plan.fits())
      return std::nullopt;
    for (Dequantization &each : plan.factors)
      plan.makeSymmetric(each, constants);
    return plan;
  }

  void rewrite(RewriterBase &rewriter);

private:
  explicit Folding(linalg::LinalgOp op)
      : op(op), cMap(op.getIndexingMapsArray().back()), extents(op.getStaticLoopRanges()), type(getTensorType(op->getResult(0))) {
  }

  bool match();
  bool findLoops();
  bool fits();
  void makeSymmetric(Dequantization &factor, ConstantAnalysis &constants);
  Value createProducts(ArrayRef<Value> sources, RewriterBase &rewriter);
  ElementwiseInput createSums(unsigned index, Value source, RewriterBase &rewriter);
  void replaceTruncations(Value sums, RewriterBase &rewriter);

  // The map from indices of C for one from the loops, all of which index C.
  AffineMap fromC(AffineMap map) const { return map.compose(loopsOfC); }

  linalg::LinalgOp op;
  AffineMap cMap, loopsOfC; // from loops to C; from indices of C to loops, 0 for reductions
  SmallVector<int64_t> extents;
  RankedTensorType type;
  SmallVector<Dequantization> factors; // A and B; maps from the loops
  bool flips[2] = {false, false};      // the sign bits of A, B are flipped first
  std::optional<Value> init;           // added to the sums; nullopt if they start from zero
};

bool Folding::match() {
  Block &body = *op.getBlock();
  BlockArgument out = body.getArguments().back();
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) || !out.hasOneUse() || *out.user_begin() != add)
    return false;
  Operation *multiply = (add->getOperand(0) == out ? add->getOperand(1) : add->getOperand(0)).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
    return false;
  for (Value factor : multiply->getOperands()) {
    auto found = getDequantization(factor, op);
    if (!found || found->scale.has_value() != isa<FloatType>(type.getElementType()))
      return false;
    factors.push_back(*found);
  }
  if (!type.getElementType().isF32() && !type.getElementType().isInteger(32) && !type.getElementType().isInteger(64))
    return false;
  // Already a contraction of 8-bit integers: nothing to fold.
  bool isPlain = llvm::all_of(factors, [&](const Dequantization &each) {
    return each.zero.isNumber(0) && llvm::is_contained(op.getDpsInputs(), each.source);
  });
  if (isPlain && type.getElementType().isInteger(32))
    return false;
  Value start = op.getDpsInits()[0];
  auto fill = start.getDefiningOp<linalg::FillOp>();
  if (!fill || !(matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero())))
    init = start;
  return true;
}

// Finds the loops of C. False for contractions that no kernel computes, and for parameters that vary along the sum.
bool Folding::findLoops() {
  MLIRContext *context = op.getContext();
  if (!cMap.isProjectedPermutation())
    return false;
  SmallVector<AffineExpr> loops(extents.size(), getAffineConstantExpr(0, context));
  for (auto [dim, expr] : llvm::enumerate(cMap.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = getAffineDimExpr(dim, context);
  loopsOfC = AffineMap::get(cMap.getNumResults(), 0, loops, context);
  bool own[2] = {false, false}, shared = false;
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    bool inA = factors[0].map.isFunctionOfDim(loop), inB = factors[1].map.isFunctionOfDim(loop);
    if (extent == 1 || !cMap.isFunctionOfDim(loop))
      continue;
    own[0] |= inA && !inB, own[1] |= inB && !inA, shared |= inA && inB;
  }
  // Depthwise convolutions and batches of matrix-vector products: vector code computes them in f32.
  if (shared ? !own[0] || !own[1] : !own[0] && !own[1])
    return false;
  for (const Dequantization &factor : factors)
    for (const QuantizationParameter &each : {factor.zero, factor.scale.value_or(QuantizationParameter())}) {
      if (!each.value)
        continue;
      if (!isPlain(each.map))
        return false;
      for (auto [loop, extent] : llvm::enumerate(extents))
        if (extent > 1 && each.map.isFunctionOfDim(loop) && !cMap.isFunctionOfDim(loop))
          return false;
    }
  return true;
}

// Whether 32 bits hold the sums. Those of a program with 32-bit sums wrap around as here.
bool Folding::fits() {
  if (type.getElementType().isInteger(32))
    return true;
  double largest = 1;
  for (const Dequantization &factor : factors) {
    const QuantizationParameter &zero = factor.zero;
    if (zero.value && !getElementTypeOrSelf(zero.value).isInteger(8))
      return false;
    double low = lowest8(factor.isUnsigned), high = highest8(factor.isUnsigned);
    constexpr double range = 255; // of the difference of two numbers of 8 bits
    largest *= zero.value ? range + std::abs(zero.number) : std::max(std::abs(low - zero.number), std::abs(high - zero.number));
  }
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (!cMap.isFunctionOfDim(loop))
      largest *= static_cast<double>(extent);
  return largest <= std::numeric_limits<int32_t>::max();
}

// Weights with a zero point of 128 become signed, without one.
void Folding::makeSymmetric(Dequantization &factor, ConstantAnalysis &constants) {
  constexpr double shift = 128;
  if (!factor.isUnsigned || !factor.zero.isNumber(shift) || !constants.dependsOnConstantsOnly(factor.source))
    return;
  flips[&factor - factors.data()] = true;
  factor.isUnsigned = false;
  factor.zero.number = 0;
}

// The sums of products of the 8-bit integers, in i32.
Value Folding::createProducts(ArrayRef<Value> sources, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Type i32 = rewriter.getI32Type();
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i32);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value zeros = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto products = linalg::GenericOp::create(
      rewriter, loc, zeros.getType(), sources, zeros, ArrayRef<AffineMap>{factors[0].map, factors[1].map, cMap},
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location at, ValueRange arguments) {
        Value extended[2];
        for (unsigned i : {0u, 1u})
          extended[i] = factors[i].isUnsigned ? arith::ExtUIOp::create(b, at, i32, arguments[i]).getResult()
                                              : arith::ExtSIOp::create(b, at, i32, arguments[i]);
        Value product = arith::MulIOp::create(b, at, extended[0], extended[1]);
        linalg::YieldOp::create(b, at, arith::AddIOp::create(b, at, arguments[2], product).getResult());
      });
  for (StringRef name : kStrategyAttrs)
    if (Attribute value = op->getDiscardableAttr(name))
      products->setDiscardableAttr(name, value);
  return products.getResult(0);
}

// Sums of the elements of operand `index` along the reduction loops, in i32, times the zero point of the other operand if that is the same for all.
// Of B (index 1), its own zero point is subtracted first.
ElementwiseInput Folding::createSums(unsigned index, Value source, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  Type i32 = rewriter.getI32Type();
  const Dequantization &factor = factors[index];
  const QuantizationParameter &zero = factors[1 - index].zero;
  // The loops of the sum: those of the operand, and all reductions.
  SmallVector<AffineExpr> renamed(extents.size(), getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> results, taps;
  SmallVector<int64_t> shape, tapExtents;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> fromIndices; // of C
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    bool isResult = cMap.isFunctionOfDim(loop), isRead = factor.map.isFunctionOfDim(loop);
    if (isResult && !isRead)
      continue;
    renamed[loop] = getAffineDimExpr(iterators.size(), context);
    iterators.push_back(isResult ? utils::IteratorType::parallel : utils::IteratorType::reduction);
    (isResult ? results : taps).push_back(renamed[loop]);
    (isResult ? shape : tapExtents).push_back(extent);
    if (isResult)
      fromIndices.push_back(loopsOfC.getResult(loop));
  }
  auto rename = [&](AffineMap map) { return map.replaceDimsAndSymbols(renamed, {}, iterators.size(), 0); };
  SmallVector<Value> inputs = {source};
  SmallVector<AffineMap> maps = {rename(factor.map)};
  bool subtracts = index == 1 && factor.zero.value;
  if (subtracts) {
    inputs.push_back(factor.zero.value);
    maps.push_back(rename(factor.zero.map));
  }
  if (!maps[0].isProjectedPermutation() || maps[0].getNumResults() != iterators.size()) { // gives the loops their extents
    inputs.push_back(tensor::EmptyOp::create(rewriter, loc, tapExtents, rewriter.getI8Type()));
    maps.push_back(AffineMap::get(iterators.size(), 0, taps, context));
  }
  maps.push_back(AffineMap::get(iterators.size(), 0, results, context));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, i32);
  Value nothing = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value zeros = linalg::FillOp::create(rewriter, loc, nothing, empty).getResult(0);
  auto extend = [&](OpBuilder &b, Value value, bool isUnsigned) -> Value {
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    constexpr unsigned wide = 32;
    if (bits == wide)
      return value;
    if (bits > wide)
      return arith::TruncIOp::create(b, loc, i32, value);
    return isUnsigned ? arith::ExtUIOp::create(b, loc, i32, value).getResult() : arith::ExtSIOp::create(b, loc, i32, value);
  };
  auto toI32 = [&](OpBuilder &b, double number) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(number)));
  };
  Value sums = linalg::GenericOp::create(
                   rewriter, loc, zeros.getType(), inputs, zeros, maps, iterators,
                   [&](OpBuilder &b, Location at, ValueRange arguments) {
                     Value element = extend(b, arguments[0], factor.isUnsigned);
                     if (subtracts)
                       element = arith::SubIOp::create(b, at, element, extend(b, arguments[1], factor.zero.isUnsigned));
                     if (index == 1 && factor.zero.number != 0)
                       element = arith::SubIOp::create(b, at, element, toI32(b, factor.zero.number));
                     linalg::YieldOp::create(b, at, arith::AddIOp::create(b, at, arguments.back(), element).getResult());
                   })
                   .getResult(0);
  AffineMap sumsMap = AffineMap::get(cMap.getNumResults(), 0, fromIndices, context);
  SmallVector<ElementwiseInput> scaled = {{sums, rewriter.getMultiDimIdentityMap(shape.size())}};
  SmallVector<int64_t> scaledShape = shape;
  if (zero.value && zero.isUniform()) {
    scaled.push_back({zero.value, AffineMap::get(shape.size(), 0, {}, context)});
  } else if (zero.value) {
    scaled = {{sums, sumsMap}, {zero.value, fromC(zero.map)}};
    scaledShape = llvm::to_vector(type.getShape());
    sumsMap = rewriter.getMultiDimIdentityMap(type.getRank());
  }
  Value product = createElementwise(rewriter, loc, scaled, scaledShape, i32, [&](OpBuilder &b, ValueRange arguments) -> Value {
    Value number;
    if (zero.value)
      number = extend(b, arguments[1], zero.isUnsigned);
    if (zero.number != 0 || !number) {
      Value known = toI32(b, zero.number);
      number = number ? arith::AddIOp::create(b, loc, number, known).getResult() : known;
    }
    return arith::MulIOp::create(b, loc, arguments[0], number);
  });
  return {product, sumsMap};
}

// i64 sums are narrowed by the next op as a rule: it reads the i32 sums.
void Folding::replaceTruncations(Value sums, RewriterBase &rewriter) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
        llvm::any_of(generic.getIndexingMapsArray(), [](AffineMap map) { return !map.isIdentity(); }) ||
        generic->getResult(0).getType() != sums.getType())
      continue;
    auto truncation = generic.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncIOp>();
    if (truncation && truncation.getIn() == generic.getBlock()->getArgument(0))
      rewriter.replaceOp(generic, sums);
  }
}

void Folding::rewrite(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<Value> sources;
  for (auto [factor, flipped] : llvm::zip_equal(factors, flips))
    sources.push_back(flipped ? flip(factor.source, loc, rewriter) : factor.source);
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  Type element = type.getElementType(), i32 = rewriter.getI32Type();
  bool isFloat = isa<FloatType>(element);

  SmallVector<ElementwiseInput> inputs = {{createProducts(sources, rewriter), identity}};
  if (!factors[0].zero.isNumber(0))
    inputs.push_back(createSums(1, sources[1], rewriter));
  if (!factors[1].zero.isNumber(0))
    inputs.push_back(createSums(0, sources[0], rewriter));
  size_t corrections = inputs.size() - 1;

  // The product of the scales: a number, or a tensor with the dimensions of the scale that has more.
  double scale = 1;
  SmallVector<ElementwiseInput> scales;
  for (const Dequantization &factor : factors) {
    if (!factor.scale)
      continue;
    if (factor.scale->isNumber())
      scale = static_cast<float>(scale) * static_cast<float>(factor.scale->number);
    else
      scales.push_back({factor.scale->value,
                        factor.scale->isUniform() ? AffineMap::get(type.getRank(), 0, {}, context) : fromC(factor.scale->map)});
  }
  auto isScalar = [](const ElementwiseInput &input) { return input.map.getNumResults() == 0; };
  if (scales.size() == 2 && isScalar(scales[0]))
    std::swap(scales[0], scales[1]);
  bool joins = scales.size() == 2 && isScalar(scales[1]); // the second scale is a factor for all of the first
  if (!scales.empty() && (joins || scale != 1)) {
    ArrayRef<int64_t> shape;
    if (auto tensor = dyn_cast<RankedTensorType>(scales[0].value.getType()))
      shape = tensor.getShape();
    SmallVector<ElementwiseInput> joined = {{scales[0].value, rewriter.getMultiDimIdentityMap(shape.size())}};
    if (joins)
      joined.push_back({scales[1].value, AffineMap::get(shape.size(), 0, {}, context)});
    Value product = createElementwise(rewriter, loc, joined, shape, element, [&](OpBuilder &b, ValueRange arguments) -> Value {
      if (joins)
        return arith::MulFOp::create(b, loc, arguments[0], arguments[1]);
      Value number = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, scale));
      return arith::MulFOp::create(b, loc, arguments[0], number);
    });
    scales = {{product, scales[0].map}};
    scale = 1;
  }
  llvm::append_range(inputs, scales);
  if (init)
    inputs.push_back({*init, identity});

  Value sums = inputs[0].value;
  if (isFloat || init || corrections > 0) {
    Type result = isFloat ? element : i32;
    if (init && element.isInteger(64))
      result = element;
    sums = createElementwise(rewriter, loc, inputs, type.getShape(), result, [&](OpBuilder &b, ValueRange arguments) {
      Value value = arguments.front();
      for (Value correction : arguments.slice(1, corrections))
        value = arith::SubIOp::create(b, loc, value, correction);
      ValueRange rest = arguments.drop_front(1 + corrections);
      if (isFloat) {
        value = arith::SIToFPOp::create(b, loc, element, value);
        for (Value factor : rest.take_front(scales.size()))
          value = arith::MulFOp::create(b, loc, value, factor);
        if (scales.empty())
          value = arith::MulFOp::create(b, loc, value, arith::ConstantOp::create(b, loc, b.getFloatAttr(element, scale)));
        if (init)
          value = arith::AddFOp::create(b, loc, value, arguments.back());
      } else if (init) {
        if (result != i32)
          value = arith::ExtSIOp::create(b, loc, result, value);
        value = arith::AddIOp::create(b, loc, value, arguments.back());
      }
      return value;
    });
  }
  if (getElementTypeOrSelf(sums) == element) {
    rewriter.replaceOp(op, sums);
    return;
  }
  replaceTruncations(sums, rewriter);
  rewriter.replaceOp(op, createElementwise(rewriter, loc, ElementwiseInput{sums, identity}, type.getShape(), element,
                                           [&](OpBuilder &b, ValueRange arguments) {
                                             return arith::ExtSIOp::create(b, loc, element, arguments[0]);
                                           }));
}

struct FoldQuantization : public impl::FoldQuantizationBase<FoldQuantization> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveBelowRelay, MoveBelowPad, MoveBelowMaximum, DropRequantization, QuantizeUnsigned>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() > 0)
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    ConstantAnalysis constants;
    for (linalg::LinalgOp op : ops)
      if (auto folding = Folding::plan(op, constants))
        folding->rewrite(rewriter);
    (void)runRegionDCE(rewriter, getOperation()->getRegions()); // then what is left reads the flipped integers
    getOperation().walk([&](linalg::GenericOp op) { quantizeSigned(op, rewriter); });
  }
};

} // namespace
} // namespace mlir::tpp

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
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Quantization.h"
#include "lowering/normalize/MoveDequantizations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tpp/grouped_conv_limits.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FOLDQUANTIZATION
#include "lowering/Passes.h.inc"

namespace {

//===- contractions ----------------------------------------------------------------------------------------------------------===//

// A contraction of dequantized values, and what replaces it.
class Folding {
public:
  static std::optional<Folding> plan(linalg::LinalgOp op, ConstantAnalysis &constants) {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
      return std::nullopt;
    Folding plan(op);
    if (!plan.match() || !plan.findLoops(constants) || !plan.fits())
      return std::nullopt;
    for (Dequantization &each : plan.factors)
      plan.makeSymmetric(each, constants);
    return plan;
  }

  void rewrite(RewriterBase &rewriter);

  bool isDepthwise = false; // all loops of C that one factor has, the other one has, too

private:
  explicit Folding(linalg::LinalgOp op)
      : op(op), cMap(op.getIndexingMapsArray().back()), extents(op.getStaticLoopRanges()),
        type(cast<RankedTensorType>(op->getResult(0).getType())) {}

  bool match();
  bool findLoops(ConstantAnalysis &constants);
  bool sumsWindows(ConstantAnalysis &constants) const;
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
  Operation *multiply = getAccumulatedProduct(op);
  if (!multiply)
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
  if (!isZeroFill(start))
    init = start;
  return true;
}

// Finds the loops of C. False for contractions that no kernel computes, and for parameters that vary along the sum.
bool Folding::findLoops(ConstantAnalysis &constants) {
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
  // Batches of matrix-vector products are vector code, in f32. Depthwise convolutions, which are such products, too, have kernels.
  isDepthwise = shared && !(own[0] && own[1]);
  if (isDepthwise ? !sumsWindows(constants) : !own[0] && !own[1])
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

// Whether one factor is constant, and the other one is read in windows: each reduction indexes a dimension together with another loop.
bool Folding::sumsWindows(ConstantAnalysis &constants) const {
  for (unsigned image : {0u, 1u}) {
    if (!constants.dependsOnConstantsOnly(factors[1 - image].source))
      continue;
    auto slides = [&](unsigned loop) {
      return llvm::any_of(factors[image].map.getResults(),
                          [&](AffineExpr expr) { return expr.isFunctionOfDim(loop) && !isa<AffineDimExpr>(expr); });
    };
    return llvm::all_of(llvm::seq<unsigned>(0, extents.size()),
                        [&](unsigned loop) { return extents[loop] == 1 || cMap.isFunctionOfDim(loop) || slides(loop); });
  }
  return false;
}

// Whether 32 bits hold the sums. Those of a program with 32-bit sums wrap around as here.
bool Folding::fits() {
  double products = 1;
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (!cMap.isFunctionOfDim(loop))
      products *= static_cast<double>(extent);
  if (isDepthwise && products > static_cast<double>(tpp_grouped_conv_exact_products(/*is_unsigned=*/1)))
    return false;
  if (type.getElementType().isInteger(32))
    return true;
  double largest = products;
  for (const Dequantization &factor : factors) {
    const QuantizationParameter &zero = factor.zero;
    if (zero.value && !getElementTypeOrSelf(zero.value).isInteger(8))
      return false;
    double low = lowest8(factor.isUnsigned), high = highest8(factor.isUnsigned);
    constexpr double range = 255; // of the difference of two numbers of 8 bits
    largest *= zero.value ? range + std::abs(zero.number) : std::max(std::abs(low - zero.number), std::abs(high - zero.number));
  }
  return largest <= std::numeric_limits<int32_t>::max();
}

// Weights with a zero point of 128 become signed, without one.
void Folding::makeSymmetric(Dequantization &factor, ConstantAnalysis &constants) {
  if (!factor.isUnsigned || !factor.zero.isNumber(signShift) || !constants.dependsOnConstantsOnly(factor.source))
    return;
  flips[&factor - factors.data()] = true;
  factor.isUnsigned = false;
  factor.zero.number = 0;
}

// The sums of products of the 8-bit integers, in i32.
Value Folding::createProducts(ArrayRef<Value> sources, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Type i32 = rewriter.getI32Type();
  Value zeros = createFilled(rewriter, loc, type.getShape(), rewriter.getI32IntegerAttr(0));
  auto products = linalg::GenericOp::create(
      rewriter, loc, zeros.getType(), sources, zeros, ArrayRef<AffineMap>{factors[0].map, factors[1].map, cMap},
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location at, ValueRange arguments) {
        Value extended[2];
        for (unsigned i : {0u, 1u})
          extended[i] = convertScalarToDtype(b, at, arguments[i], i32, factors[i].isUnsigned);
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
  Value zeros = createFilled(rewriter, loc, shape, rewriter.getI32IntegerAttr(0));
  auto extend = [&](OpBuilder &b, Value value, bool isUnsigned) { return convertScalarToDtype(b, loc, value, i32, isUnsigned); };
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

// `input` of an elementwise op on values whose dimensions `groups` are collapsed; nullopt if it has some of the dimensions of a group only.
std::optional<ElementwiseInput> collapse(ElementwiseInput input, ArrayRef<ReassociationIndices> groups, Location loc,
                                         RewriterBase &rewriter) {
  SmallVector<int64_t> read; // dimensions of the values
  for (AffineExpr expr : input.map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    read.push_back(dim.getPosition());
  }
  SmallVector<ReassociationIndices> parts; // of the input
  SmallVector<AffineExpr> indices;
  size_t next = 0;
  for (auto [index, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> rest = ArrayRef(read).drop_front(next);
    if (rest.empty() || rest.front() != group.front())
      continue;
    if (!rest.take_front(group.size()).equals(group))
      return std::nullopt;
    parts.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(next, next + group.size())));
    indices.push_back(rewriter.getAffineDimExpr(index));
    next += group.size();
  }
  if (next != read.size())
    return std::nullopt;
  if (parts.size() < read.size())
    input.value = tensor::CollapseShapeOp::create(rewriter, loc, input.value, parts);
  input.map = AffineMap::get(groups.size(), 0, indices, rewriter.getContext());
  return input;
}

// Lets an elementwise op compute what `collapse`, the only op that reads its result, makes of it. Nothing follows the products of a convolution of groups
// then but a reshape of groups and channels, which the convolution can write through.
void collapseResult(linalg::GenericOp op, RewriterBase &rewriter) {
  auto reshape = op->hasOneUse() ? dyn_cast<tensor::CollapseShapeOp>(*op->getUsers().begin()) : tensor::CollapseShapeOp();
  if (!reshape || !reshape.getResultType().hasStaticShape())
    return;
  rewriter.setInsertionPoint(reshape);
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto collapsed = isa<RankedTensorType>(operand->get().getType())
                         ? collapse({operand->get(), op.getMatchingIndexingMap(operand)}, groups, op.getLoc(), rewriter)
                         : std::nullopt;
    if (!collapsed)
      return;
    values.push_back(collapsed->value);
    maps.push_back(collapsed->map);
  }
  RankedTensorType type = reshape.getResultType();
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), type, values, empty, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), generic.getRegion(), generic.getRegion().begin());
  rewriter.replaceOp(reshape, generic);
}

void Folding::rewrite(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<Value> sources;
  for (auto [factor, flipped] : llvm::zip_equal(factors, flips))
    sources.push_back(flipped ? flipSigns(factor.source, loc, rewriter) : factor.source);
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
    if (auto generic = sums.getDefiningOp<linalg::GenericOp>(); generic && generic.getNumReductionLoops() == 0)
      collapseResult(generic, rewriter);
    return;
  }
  replaceTruncations(sums, rewriter);
  rewriter.replaceOp(op, createElementwise(rewriter, loc, ElementwiseInput{sums, identity}, type.getShape(), element,
                                           [&](OpBuilder &b, ValueRange arguments) {
                                             return arith::ExtSIOp::create(b, loc, element, arguments[0]);
                                           }));
}

struct FoldQuantization : public impl::FoldQuantizationBase<FoldQuantization> {
  // Without 8-bit integers, nothing is quantized.
  bool isQuantized() {
    return getOperation()
        .walk([](Block *block) {
          auto is8Bit = [](Type type) { return getElementTypeOrSelf(type).isInteger(8); };
          bool found = llvm::any_of(block->getArgumentTypes(), is8Bit) ||
                       llvm::any_of(*block, [&](Operation &op) { return llvm::any_of(op.getResultTypes(), is8Bit); });
          return found ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void runOnOperation() override {
    if (!isQuantized())
      return;
    RewritePatternSet patterns(&getContext());
    addDequantizationPatterns(patterns);
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

Foldable getFoldable(linalg::LinalgOp op, ConstantAnalysis &constants) {
  std::optional<Folding> plan = Folding::plan(op, constants);
  return !plan ? Foldable::No : plan->isDepthwise ? Foldable::Depthwise : Foldable::Yes;
}

} // namespace mlir::tpp

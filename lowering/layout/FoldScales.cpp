// Folds scales of a contraction's result and of its other operand into its constant operand (see Passes.td). Batch normalization after a
// convolution becomes a bias.
#include "lowering/Passes.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/PackingStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FOLDSCALES
#include "lowering/Passes.h.inc"

namespace {

// The loops a map uses.
llvm::SmallBitVector getLoops(AffineMap map) {
  llvm::SmallBitVector loops(map.getNumDims());
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    loops[i] = map.isFunctionOfDim(i);
  return loops;
}

// The part of a value that a contraction with these extents reads, if it reads only the first indices of some dimensions; else the value. An elementwise
// op whose loop alone indexes a dimension must read all of it.
Value getReadPart(RewriterBase &rewriter, Location loc, const ElementwiseInput &input, ArrayRef<int64_t> extents) {
  ArrayRef<int64_t> whole = cast<RankedTensorType>(input.value.getType()).getShape();
  SmallVector<int64_t> shape = llvm::to_vector(whole);
  for (auto [size, expr] : llvm::zip_equal(shape, input.map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      size = extents[loop.getPosition()];
  if (whole == ArrayRef(shape))
    return input.value;
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)), strides(shape.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, input.value, offsets, getAsIndexOpFoldResult(rewriter.getContext(), shape),
                                        strides);
}

// Creates an elementwise op with results of type `element` on `inputs`, whose maps are from the loops of a contraction with these extents. The op has
// only those loops that some input's map uses. Returns its result and the map from the contraction's loops.
ElementwiseInput createOverLoops(RewriterBase &rewriter, Location loc, ArrayRef<ElementwiseInput> inputs,
                                 ArrayRef<int64_t> extents, Type element, ElementwiseBody body) {
  llvm::SmallBitVector used(extents.size());
  for (const ElementwiseInput &input : inputs)
    used |= getLoops(input.map);
  SmallVector<AffineExpr> replacements(extents.size(), rewriter.getAffineConstantExpr(0)), indices;
  SmallVector<int64_t> shape;
  for (unsigned loop : used.set_bits()) {
    replacements[loop] = rewriter.getAffineDimExpr(shape.size());
    indices.push_back(rewriter.getAffineDimExpr(loop));
    shape.push_back(extents[loop]);
  }
  SmallVector<ElementwiseInput> own;
  for (const ElementwiseInput &input : inputs)
    own.push_back(
        {getReadPart(rewriter, loc, input, extents), input.map.replaceDimsAndSymbols(replacements, {}, shape.size(), 0)});
  Value result = createElementwise(rewriter, loc, own, shape, element, body);
  return {result, AffineMap::get(extents.size(), 0, indices, rewriter.getContext())};
}

// Post-ops by constants that add, subtract, multiply or divide: together, result * scale + shift.
using AffineSteps = SmallVector<std::pair<BinaryKind, ElementwiseInput>>;

bool isScale(BinaryKind kind) { return kind == BinaryKind::Mul || kind == BinaryKind::Div; }
bool isAffine(BinaryKind kind) { return isScale(kind) || kind == BinaryKind::Add || kind == BinaryKind::Sub; }

enum class Part { Scale, Shift };
// Computes the scale or the shift of the steps in type `element`, over the loops that the constants use. Constants may have a narrower type.
ElementwiseInput combine(RewriterBase &rewriter, Location loc, const AffineSteps &steps, ArrayRef<int64_t> extents, Type element,
                         Part part) {
  SmallVector<ElementwiseInput> constants = llvm::map_to_vector(steps, [](const auto &step) { return step.second; });
  return createOverLoops(rewriter, loc, constants, extents, element, [&](OpBuilder &builder, ValueRange values) {
    Value scale = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 1));
    Value shift = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 0));
    for (auto [step, constant] : llvm::zip_equal(steps, values)) {
      Value value = constant.getType() == element ? constant : arith::ExtFOp::create(builder, loc, element, constant).getResult();
      if (step.first == BinaryKind::Add) {
        shift = arith::AddFOp::create(builder, loc, shift, value);
      } else if (step.first == BinaryKind::Sub) {
        shift = arith::SubFOp::create(builder, loc, shift, value);
      } else if (step.first == BinaryKind::Mul) {
        scale = arith::MulFOp::create(builder, loc, scale, value);
        shift = arith::MulFOp::create(builder, loc, shift, value);
      } else {
        scale = arith::DivFOp::create(builder, loc, scale, value);
        shift = arith::DivFOp::create(builder, loc, shift, value);
      }
    }
    return part == Part::Scale ? scale : shift;
  });
}

// If `value` is an f32 tensor rounded to bf16 (--precision), that tensor; else null.
Value getRoundedSource(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || !getElementTypeOrSelf(value).isBF16() || generic.getNumDpsInputs() != 1 ||
      llvm::any_of(generic.getIndexingMapsArray(), [](AffineMap map) { return !map.isIdentity(); }))
    return {};
  auto truncation = generic.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
  bool rounds = truncation && truncation.getIn() == generic.getBlock()->getArgument(0) && truncation.getIn().getType().isF32();
  return rounds ? generic.getDpsInputs()[0] : Value();
}

// The index of the constant operand, B if both are constant.
std::optional<unsigned> findWeights(ContractOp op) {
  for (unsigned operand : {1, 0})
    if (dependsOnConstantsOnly(op->getOperand(operand)))
      return operand;
  return std::nullopt;
}

// Creates weights * scale, with the map of the scale from the dimensions of the weights.
Value createScaled(RewriterBase &rewriter, Location loc, Value weights, const ElementwiseInput &scale) {
  auto type = cast<RankedTensorType>(weights.getType());
  ElementwiseInput own{weights, rewriter.getMultiDimIdentityMap(type.getRank())};
  return createElementwise(
      rewriter, loc, {own, scale}, type.getShape(), type.getElementType(),
      [&](OpBuilder &builder, ValueRange values) { return arith::MulFOp::create(builder, loc, values[0], values[1]); });
}

// The leading post-ops by constants of type `element` that vary only along loops which the weights have. `position`: of each loop among the dimensions
// of the weights, or -1. Empty if none scales.
AffineSteps collectFoldedSteps(ContractOp op, Type element, ArrayRef<int64_t> position) {
  AffineSteps steps;
  SmallVector<AffineMap> maps = op.getMaps();
  for (PostOpAttr postOp : op.getPostOps().getAsRange<PostOpAttr>()) {
    if (postOp.isUnary() || !isAffine(postOp.getBinaryKind()))
      break;
    Value operand = op.getPostOperands()[steps.size()];
    AffineMap map = maps[3 + steps.size()];
    llvm::SmallBitVector loops = getLoops(map);
    bool placed = llvm::all_of(loops.set_bits(), [&](unsigned loop) { return position[loop] >= 0; });
    if (!placed || getElementTypeOrSelf(operand) != element || !dependsOnConstantsOnly(operand))
      break;
    steps.push_back({postOp.getBinaryKind(), {operand, map}});
  }
  if (llvm::none_of(steps, [](const auto &step) { return isScale(step.first); }))
    steps.clear();
  return steps;
}

struct FoldScale : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || op.getBeta() != 0)
      return rewriter.notifyMatchFailure(op, "accumulates into its init (beta is not 0), or is not on tensors");
    SmallVector<AffineMap> maps = op.getMaps();
    std::optional<unsigned> found = findWeights(op);
    if (!found)
      return rewriter.notifyMatchFailure(op, "no operand is constant");
    const unsigned weight = *found;
    // Only constants of the weight's type are folded: others would add a rounding. A weight that --precision rounds is scaled before it is rounded.
    Value exact = getRoundedSource(op->getOperand(weight));
    Value unscaled = exact ? exact : op->getOperand(weight);
    auto type = cast<RankedTensorType>(unscaled.getType());
    Type element = type.getElementType();
    if (!isa<FloatType>(element) || !isa<FloatType>(getElementTypeOrSelf(op.getInit())))
      return rewriter.notifyMatchFailure(op, "the elements are integers");
    // Sums of 16-bit products are f32: a weight that is rounded again to 16 bits would be less accurate than a scale of the sum.
    if (element.getIntOrFloatBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "the weight has 16 bits, which a scale would round again");
    SmallVector<int64_t> position(op.getExtents().size(), -1); // of each loop among the dimensions of the constant operand
    for (auto [i, expr] : llvm::enumerate(maps[weight].getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && type.getDimSize(i) == op.getExtents()[dim.getPosition()])
        position[dim.getPosition()] = i;
    AffineSteps steps = collectFoldedSteps(op, element, position);
    if (steps.empty())
      return rewriter.notifyMatchFailure(op, "the leading post-ops do not scale by constants");

    Location loc = op.getLoc();
    ElementwiseInput scale = combine(rewriter, loc, steps, op.getExtents(), element, Part::Scale);
    // Multiply the constant operand by the scale. The loops of this op are the operand's dimensions.
    SmallVector<AffineExpr> scaleExprs = llvm::map_to_vector(scale.map.getResults(), [&](AffineExpr loop) {
      return rewriter.getAffineDimExpr(position[cast<AffineDimExpr>(loop).getPosition()]);
    });
    ElementwiseInput by{scale.value, AffineMap::get(type.getRank(), 0, scaleExprs, rewriter.getContext())};
    Value scaled = createScaled(rewriter, loc, unscaled, by);
    if (exact)
      scaled = createConversion(rewriter, loc, scaled, getElementTypeOrSelf(op->getOperand(weight)));

    SmallVector<Value> operands;
    SmallVector<AffineMap> newMaps(ArrayRef(maps).take_front(3));
    SmallVector<Attribute> postOps;
    if (llvm::any_of(steps, [](const auto &step) { return !isScale(step.first); })) {
      ElementwiseInput shift = combine(rewriter, loc, steps, op.getExtents(), element, Part::Shift);
      operands.push_back(shift.value);
      newMaps.push_back(shift.map);
      postOps.push_back(PostOpAttr::get(rewriter.getContext(), BinaryKind::Add, Broadcast::None));
    }
    llvm::append_range(operands, op.getPostOperands().drop_front(steps.size()));
    llvm::append_range(newMaps, ArrayRef(maps).drop_front(3 + steps.size()));
    llvm::append_range(postOps, op.getPostOps().getValue().drop_front(steps.size()));
    rewriter.replaceOp(op,
                       ContractOp::create(rewriter, loc, op, weight == 0 ? scaled : op.getA(), weight == 1 ? scaled : op.getB(),
                                          op.getInit(), operands, newMaps, op.getExtents(), rewriter.getArrayAttr(postOps)));
    return success();
  }
};

// An elementwise multiplication x * s, of which s is broadcast. The map of s is from the dimensions of x.
struct Multiplication {
  linalg::GenericOp op;
  Value x;
  ElementwiseInput s;
};
std::optional<Multiplication> matchMultiplication(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || !value.hasOneUse() || !generic.hasPureTensorSemantics() || generic.getNumDpsInputs() != 2 ||
      generic.getNumDpsInits() != 1 || generic.getNumParallelLoops() != generic.getNumLoops())
    return std::nullopt;
  auto product = generic.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::MulFOp>();
  Block::BlockArgListType arguments = generic.getBlock()->getArguments();
  if (!product || !((product.getLhs() == arguments[0] && product.getRhs() == arguments[1]) ||
                    (product.getLhs() == arguments[1] && product.getRhs() == arguments[0])))
    return std::nullopt;
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (unsigned scale : {1, 0})
    if (AffineMap broadcast = maps[scale]; maps[2].isIdentity() && maps[1 - scale].isIdentity() &&
                                           broadcast.isProjectedPermutation(/*allowZeroInResults=*/true) &&
                                           getLoops(broadcast).count() < broadcast.getNumDims())
      return Multiplication{generic, generic.getDpsInputs()[1 - scale], {generic.getDpsInputs()[scale], broadcast}};
  return std::nullopt;
}

// The loop that an index of an operand is, if it has one coefficient of 1 and loops of one iteration else; -1 if it is 0; empty for other indices.
std::optional<int64_t> getOnlyLoop(AffineExpr index, ArrayRef<int64_t> extents) {
  std::optional<LinearExpr> linear = getLinearExpr(index, extents.size());
  if (!linear || linear->constant != 0)
    return std::nullopt;
  int64_t only = -1;
  for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients)) {
    if (coefficient == 0 || extents[loop] == 1)
      continue;
    if (coefficient != 1 || only >= 0)
      return std::nullopt;
    only = loop;
  }
  return only;
}
std::optional<SmallVector<int64_t>> getOnlyLoops(AffineMap map, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> loops;
  for (AffineExpr index : map.getResults()) {
    std::optional<int64_t> loop = getOnlyLoop(index, extents);
    if (!loop)
      return std::nullopt;
    loops.push_back(*loop);
  }
  return loops;
}

// (x * s) W becomes x (s * W) if W is the constant operand, has the loops of s, and at most half of the elements of x. In squeeze-and-excitation, s is a
// vector of channels that is computed in each call, and x an image.
struct FoldOperandScale : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || op.getWinograd() || op.getGrouped())
      return rewriter.notifyMatchFailure(op, "not on tensors, or its weights have a form of their own");
    SmallVector<AffineMap> maps = op.getMaps();
    ArrayRef<int64_t> extents = op.getExtents();
    std::optional<unsigned> found = findWeights(op);
    if (!found)
      return rewriter.notifyMatchFailure(op, "no operand is constant");
    const unsigned weight = *found;
    std::optional<Multiplication> multiplication = matchMultiplication(op->getOperand(1 - weight));
    if (!multiplication)
      return rewriter.notifyMatchFailure(op, "the other operand is not the product of a value and a broadcast one");
    const ElementwiseInput &scale = multiplication->s;
    Value constant = op->getOperand(weight);
    auto type = cast<RankedTensorType>(constant.getType()), imageType = cast<RankedTensorType>(multiplication->x.getType());
    if (!type.getElementType().isF32() || !imageType.getElementType().isF32() || !getElementTypeOrSelf(scale.value).isF32() ||
        !type.hasStaticShape() || !imageType.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "not f32 of static shape");
    auto weightLoops = getOnlyLoops(maps[weight], extents), imageLoops = getOnlyLoops(maps[1 - weight], extents);
    if (!weightLoops || !imageLoops)
      return rewriter.notifyMatchFailure(op, "an operand is read with windows, strides or offsets");
    if (multiplication->op->getBlock() != op->getBlock())
      return rewriter.notifyMatchFailure(op, "the scale is applied outside of a loop around the contraction");
    // In each call, the weights are read and written by the scale and by their packing, in place of the scaled operand, once.
    if (!dependsOnConstantsOnly(scale.value) && 2 * type.getNumElements() > imageType.getNumElements())
      return rewriter.notifyMatchFailure(op, "the constant operand has more than half of the elements of the scaled one");

    // If the weights are B, which has C's contiguous loop, the dimensions without that loop come first: the product has the layout of a plain B.
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    ArrayRef<AffineExpr> results = maps[2].getResults();
    std::optional<int64_t> contiguous = results.empty() ? std::nullopt : getOnlyLoop(results.back(), extents);
    if (contiguous && *contiguous >= 0 && llvm::is_contained(*weightLoops, *contiguous))
      std::stable_partition(order.begin(), order.end(), [&](int64_t dim) {
        return (*weightLoops)[dim] >= 0 && llvm::is_contained(*imageLoops, (*weightLoops)[dim]);
      });
    SmallVector<AffineExpr> indices; // of s, from the dimensions of the product
    for (AffineExpr index : scale.map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(index);
      const int64_t loop = dim ? (*imageLoops)[dim.getPosition()] : -1;
      if (loop < 0) {
        indices.push_back(rewriter.getAffineConstantExpr(0));
        continue;
      }
      auto position = llvm::find_if(order, [&](int64_t at) { return (*weightLoops)[at] == loop; });
      if (position == order.end() || type.getDimSize(*position) != imageType.getDimSize(dim.getPosition()))
        return rewriter.notifyMatchFailure(op, "the scale varies along a loop that the constant operand does not have");
      indices.push_back(rewriter.getAffineDimExpr(position - order.begin()));
    }
    Location loc = op.getLoc();
    if (!isIdentityPermutation(order)) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, applyPermutation(type.getShape(), order), type.getElementType());
      constant = linalg::TransposeOp::create(rewriter, loc, constant, empty, order)->getResult(0);
    }
    ElementwiseInput by{scale.value, AffineMap::get(type.getRank(), 0, indices, rewriter.getContext())};
    Value product = createScaled(rewriter, loc, constant, by);
    maps[weight] =
        AffineMap::get(maps[weight].getNumDims(), 0, applyPermutation(maps[weight].getResults(), order), rewriter.getContext());
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(weight, product);
      op->setOperand(1 - weight, multiplication->x);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    rewriter.eraseOp(multiplication->op); // or its constants would be stored with the weights
    return success();
  }
};

// Merges consecutive steps by constants, which are computed in f32, into one scale and one shift, if what is stored is rounded more coarsely.
// - 8-bit integers: two scales or more, usually a dequantization, a bias and the quantization after it. Refuses if another scale, or an activation other
//   than relu, follows: the result may differ by one step only (docs/numerics.md).
// - bf16 and f16: three steps or more, usually batch normalization, which is not folded into weights of 16 bits.
struct MergeScales : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    Type stored = op.getResult() ? getElementTypeOrSelf(op.getResult()) : Type();
    if (!stored || !(stored.isInteger(8) || stored.isBF16() || stored.isF16()))
      return rewriter.notifyMatchFailure(op, "stores neither 8-bit integers nor floats of 16 bits");
    ArrayRef<Attribute> steps = op.getPostOps().getValue();
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<Attribute> postOps;
    SmallVector<Value> operands;
    SmallVector<AffineMap> newMaps(ArrayRef(maps).take_front(3));
    auto add = [&](Attribute step, const ElementwiseInput &operand) {
      postOps.push_back(step);
      operands.push_back(operand.value);
      newMaps.push_back(operand.map);
    };
    auto create = [&](BinaryKind kind) { return PostOpAttr::get(rewriter.getContext(), kind, Broadcast::None); };
    for (size_t number = 0, at = 0; number < steps.size();) {
      AffineSteps run = collect(op, steps.drop_front(number), at);
      auto scales = llvm::count_if(run, [](const auto &step) { return isScale(step.first); });
      if (stored.isInteger(8) ? scales >= 2 && llvm::all_of(steps.drop_front(number + run.size()), mayFollow)
                              : scales >= 1 && run.size() >= 3) {
        add(create(BinaryKind::Mul), combine(rewriter, op.getLoc(), run, op.getExtents(), rewriter.getF32Type(), Part::Scale));
        if (llvm::any_of(run, [](const auto &step) { return !isScale(step.first); }))
          add(create(BinaryKind::Add), combine(rewriter, op.getLoc(), run, op.getExtents(), rewriter.getF32Type(), Part::Shift));
        number += run.size(), at += run.size();
        continue;
      }
      if (cast<PostOpAttr>(steps[number]).isUnary()) {
        postOps.push_back(steps[number]);
      } else {
        add(steps[number], {op.getPostOperands()[at], maps[3 + at]});
        ++at;
      }
      ++number;
    }
    if (postOps.size() == steps.size())
      return rewriter.notifyMatchFailure(op, "no steps by constants that can be merged");
    auto merged = ContractOp::create(rewriter, op.getLoc(), op, op.getA(), op.getB(), op.getInit(), operands, newMaps,
                                     op.getExtents(), rewriter.getArrayAttr(postOps));
    rewriter.replaceOp(op, merged);
    return success();
  }

private:
  // The leading steps by constants. `at`: the operand of the first binary step.
  static AffineSteps collect(ContractOp op, ArrayRef<Attribute> steps, size_t at) {
    AffineSteps run;
    SmallVector<AffineMap> maps = op.getMaps();
    for (Attribute attr : steps) {
      auto step = cast<PostOpAttr>(attr);
      if (step.isUnary() || !isAffine(step.getBinaryKind()))
        break;
      Value operand = op.getPostOperands()[at];
      if (Type type = getElementTypeOrSelf(operand);
          !(type.isF32() || type.isBF16() || type.isF16()) || !dependsOnConstantsOnly(operand))
        break;
      run.push_back({step.getBinaryKind(), {operand, maps[3 + at]}});
      ++at;
    }
    return run;
  }

  static bool mayFollow(Attribute attr) {
    auto step = cast<PostOpAttr>(attr);
    return step.isUnary() ? llvm::is_contained({UnaryKind::Round, UnaryKind::Relu, UnaryKind::Identity}, step.getUnaryKind())
                          : !isScale(step.getBinaryKind());
  }
};

struct FoldScales : public impl::FoldScalesBase<FoldScales> {
  void runOnOperation() override {
    FoldScale fold(&getContext());
    FoldOperandScale foldOperand(&getContext());
    MergeScales merge(&getContext());
    PatternRewriter rewriter(&getContext());
    auto forEach = [&](llvm::function_ref<void(ContractOp)> rewrite) {
      SmallVector<ContractOp> ops;
      getOperation().walk([&](ContractOp op) { ops.push_back(op); });
      for (ContractOp op : ops) {
        rewriter.setInsertionPoint(op);
        rewrite(op);
      }
    };
    forEach([&](ContractOp op) {
      if (failed(fold.matchAndRewrite(op, rewriter)))
        (void)merge.matchAndRewrite(op, rewriter);
    });
    forEach(
        [&](ContractOp op) { (void)foldOperand.matchAndRewrite(op, rewriter); }); // after the others, which need constant weights
  }
};

} // namespace
} // namespace mlir::tpp

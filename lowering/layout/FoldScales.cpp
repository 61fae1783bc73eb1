// Folds scales of a contraction's result into its constant operand (see Passes.td). Batch normalization after a convolution becomes a bias.
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

// Creates an elementwise op on `inputs` of one type, whose maps are from the loops of a contraction with these extents. The op has only those loops
// that some input's map uses. Returns its result and the map from the contraction's loops.
ElementwiseInput createOverLoops(RewriterBase &rewriter, Location loc, ArrayRef<ElementwiseInput> inputs,
                                 ArrayRef<int64_t> extents, ElementwiseBody body) {
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
    own.push_back({input.value, input.map.replaceDimsAndSymbols(replacements, {}, shape.size(), 0)});
  Value result = createElementwise(rewriter, loc, own, shape, getElementTypeOrSelf(inputs[0].value), body);
  return {result, AffineMap::get(extents.size(), 0, indices, rewriter.getContext())};
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

struct FoldScale : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || op.getBeta() != 0)
      return rewriter.notifyMatchFailure(op, "accumulates into its init (beta is not 0), or is not on tensors");
    SmallVector<AffineMap> maps = op.getMaps();
    unsigned weight = dependsOnConstantsOnly(op.getB()) ? 1 : dependsOnConstantsOnly(op.getA()) ? 0 : 2;
    if (weight == 2)
      return rewriter.notifyMatchFailure(op, "no operand is constant");
    // Collect the leading post-ops by constants that vary only along loops which the constant operand has.
    llvm::SmallBitVector allowed = getLoops(maps[weight]);
    // Only constants of the weight's type are folded: others would add a rounding. A weight that --precision rounds is scaled before it is rounded.
    Value exact = getRoundedSource(op->getOperand(weight));
    Value unscaled = exact ? exact : op->getOperand(weight);
    auto type = cast<RankedTensorType>(unscaled.getType());
    Type element = type.getElementType();
    if (!isa<FloatType>(element) || !isa<FloatType>(getElementTypeOrSelf(op.getInit())))
      return rewriter.notifyMatchFailure(op, "the elements are integers");
    SmallVector<int64_t> position(op.getExtents().size(), -1); // of each loop among the dimensions of the constant operand
    for (auto [i, expr] : llvm::enumerate(maps[weight].getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && type.getDimSize(i) == op.getExtents()[dim.getPosition()])
        position[dim.getPosition()] = i;
    SmallVector<std::pair<BinaryKind, ElementwiseInput>> steps;
    bool scales = false;
    for (Attribute attr : op.getPostOps()) {
      auto postOp = cast<PostOpAttr>(attr);
      if (postOp.isUnary() ||
          !llvm::is_contained({BinaryKind::Add, BinaryKind::Sub, BinaryKind::Mul, BinaryKind::Div}, postOp.getBinaryKind()))
        break;
      Value operand = op.getPostOperands()[steps.size()];
      AffineMap map = maps[3 + steps.size()];
      llvm::SmallBitVector loops = getLoops(map);
      bool placed = llvm::all_of(loops.set_bits(), [&](unsigned loop) { return allowed[loop] && position[loop] >= 0; });
      if (!placed || getElementTypeOrSelf(operand) != element || !dependsOnConstantsOnly(operand))
        break;
      steps.push_back({postOp.getBinaryKind(), {operand, map}});
      scales |= postOp.getBinaryKind() == BinaryKind::Mul || postOp.getBinaryKind() == BinaryKind::Div;
    }
    while (!steps.empty() && !scales)
      steps.pop_back();
    if (steps.empty())
      return rewriter.notifyMatchFailure(op, "the leading post-ops do not scale by constants");

    // Compute scale and shift of result * scale + shift, over the loops that the constants use.
    Location loc = op.getLoc();
    SmallVector<ElementwiseInput> factors = llvm::map_to_vector(steps, [](auto &step) { return step.second; });
    auto combine = [&](OpBuilder &builder, ValueRange values, bool wantsScale) {
      Value scale = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 1));
      Value shift = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 0));
      for (auto [i, step] : llvm::enumerate(steps)) {
        Value value = values[i];
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
      return wantsScale ? scale : shift;
    };
    auto create = [&](bool wantsScale) {
      return createOverLoops(rewriter, loc, factors, op.getExtents(),
                             [&](OpBuilder &builder, ValueRange values) { return combine(builder, values, wantsScale); });
    };
    ElementwiseInput scale = create(true), shift = create(false);
    // Multiply the constant operand by the scale. The loops of this op are the operand's dimensions.
    SmallVector<AffineExpr> scaleExprs = llvm::map_to_vector(scale.map.getResults(), [&](AffineExpr loop) {
      return rewriter.getAffineDimExpr(position[cast<AffineDimExpr>(loop).getPosition()]);
    });
    ElementwiseInput own{unscaled, rewriter.getMultiDimIdentityMap(type.getRank())};
    ElementwiseInput by{scale.value, AffineMap::get(type.getRank(), 0, scaleExprs, rewriter.getContext())};
    Value scaled =
        createElementwise(rewriter, loc, {own, by}, type.getShape(), element, [&](OpBuilder &builder, ValueRange values) {
          return arith::MulFOp::create(builder, loc, values[0], values[1]);
        });
    if (exact)
      scaled = createConversion(rewriter, loc, scaled, getElementTypeOrSelf(op->getOperand(weight)));

    SmallVector<Value> operands = {shift.value};
    llvm::append_range(operands, op.getPostOperands().drop_front(steps.size()));
    SmallVector<AffineMap> newMaps(ArrayRef(maps).take_front(3));
    newMaps.push_back(shift.map);
    llvm::append_range(newMaps, ArrayRef(maps).drop_front(3 + steps.size()));
    SmallVector<Attribute> postOps = {PostOpAttr::get(rewriter.getContext(), BinaryKind::Add, Broadcast::None)};
    llvm::append_range(postOps, op.getPostOps().getValue().drop_front(steps.size()));
    rewriter.replaceOp(op,
                       ContractOp::create(rewriter, loc, op, weight == 0 ? scaled : op.getA(), weight == 1 ? scaled : op.getB(),
                                          op.getInit(), operands, newMaps, op.getExtents(), rewriter.getArrayAttr(postOps)));
    return success();
  }
};

// Merges two consecutive constant scales before a store of 8-bit integers, usually of a dequantization and the quantization after it. Refuses if
// another scale, or an activation other than relu, follows: the result may differ by one step only (docs/numerics.md).
struct MergeScales : public OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op, PatternRewriter &rewriter) const override {
    if (!op.getResult() || !getElementTypeOrSelf(op.getResult()).isInteger(8))
      return rewriter.notifyMatchFailure(op, "stores no 8-bit integers");
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<Attribute> postOps;
    SmallVector<Value> operands;
    SmallVector<AffineMap> newMaps(ArrayRef(maps).take_front(3));
    auto isScale = [](PostOpAttr step) {
      return !step.isUnary() && (step.getBinaryKind() == BinaryKind::Mul || step.getBinaryKind() == BinaryKind::Div);
    };
    auto mayFollow = [&](Attribute attr) {
      auto step = cast<PostOpAttr>(attr);
      return step.isUnary() ? llvm::is_contained({UnaryKind::Round, UnaryKind::Relu, UnaryKind::Identity}, step.getUnaryKind())
                            : !isScale(step);
    };
    size_t at = 0;
    for (auto [number, attr] : llvm::enumerate(op.getPostOps())) {
      auto step = cast<PostOpAttr>(attr);
      if (step.isUnary()) {
        postOps.push_back(step);
        continue;
      }
      ElementwiseInput factor{op.getPostOperands()[at], maps[3 + at]};
      ++at;
      auto last = postOps.empty() ? PostOpAttr() : cast<PostOpAttr>(postOps.back());
      bool merges = last && last.isBinary() && last.getBinaryKind() == BinaryKind::Mul && isScale(step) &&
                    llvm::all_of(op.getPostOps().getValue().drop_front(number + 1), mayFollow) &&
                    getElementTypeOrSelf(factor.value).isF32() && getElementTypeOrSelf(operands.back()).isF32() &&
                    dependsOnConstantsOnly(factor.value) && dependsOnConstantsOnly(operands.back());
      if (!merges) {
        postOps.push_back(step);
        operands.push_back(factor.value);
        newMaps.push_back(factor.map);
        continue;
      }
      ElementwiseInput other{operands.pop_back_val(), newMaps.pop_back_val()};
      bool divides = step.getBinaryKind() == BinaryKind::Div;
      ElementwiseInput both = createOverLoops(rewriter, op.getLoc(), {other, factor}, op.getExtents(),
                                              [&](OpBuilder &builder, ValueRange values) -> Value {
                                                if (divides)
                                                  return arith::DivFOp::create(builder, op.getLoc(), values[0], values[1]);
                                                return arith::MulFOp::create(builder, op.getLoc(), values[0], values[1]);
                                              });
      operands.push_back(both.value);
      newMaps.push_back(both.map);
    }
    if (postOps.size() == op.getPostOps().size())
      return rewriter.notifyMatchFailure(
          op, "no two adjacent scales by f32 constants without a further scale or activation after them");
    auto merged = ContractOp::create(rewriter, op.getLoc(), op, op.getA(), op.getB(), op.getInit(), operands, newMaps,
                                     op.getExtents(), rewriter.getArrayAttr(postOps));
    rewriter.replaceOp(op, merged);
    return success();
  }
};

struct FoldScales : public impl::FoldScalesBase<FoldScales> {
  void runOnOperation() override {
    FoldScale fold(&getContext());
    MergeScales merge(&getContext());
    PatternRewriter rewriter(&getContext());
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) { ops.push_back(op); });
    for (ContractOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (failed(fold.matchAndRewrite(op, rewriter)))
        (void)merge.matchAndRewrite(op, rewriter);
    }
  }
};

} // namespace
} // namespace mlir::tpp

// Normalizes ops that are not contractions to few forms: generalizes named elementwise ops and reductions, decomposes softmax, pads and
// concatenations, drops dead results, turns splat constants into fills, and gives each user its own init.
#include "lowering/Passes.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_NORMALIZELINALG
#include "lowering/Passes.h.inc"

namespace {

// Generalizes named ops, except those that later stages match by name: contractions (until they are normalized), convolutions and pools,
// relayouts, fills.
struct GeneralizeElementwise : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp>(op.getOperation()) ||
        linalg::isaContractionOpInterface(op) || linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "is matched by name in later stages");
    if (op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "dynamic shape");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

struct DecomposeAggregated : public OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op, PatternRewriter &rewriter) const override {
    if (isa<linalg::PackOp, linalg::UnPackOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "a relayout");
    FailureOr<SmallVector<Value>> replacements = op.decomposeOperation(rewriter);
    if (failed(replacements))
      return rewriter.notifyMatchFailure(op, "does not decompose");
    rewriter.replaceOp(op, *replacements);
    return success();
  }
};

// Replaces a splat constant by a fill, so that it is not stored, and a constant without elements by tensor.empty: upstream's analysis of
// integer ranges reads a first element of it.
struct FillSplatConstant : public OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (type && type.getNumElements() == 0) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), type.getElementType());
      return success();
    }
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!type || !splat || type.getNumElements() <= 1)
      return rewriter.notifyMatchFailure(op, "not a splat of several elements");
    rewriter.replaceOp(op, createFilled(rewriter, op.getLoc(), type.getShape(), splat.getSplatValue<TypedAttr>()));
    return success();
  }
};

// Upstream infers from its strides which dimensions a subview drops. With non-unit slice strides and dimensions of size 1 of which some are
// dropped and some kept, it finds none and crashes. Such slices are rewritten to keep all dimensions; a reshape then drops them.
bool hasUncertainDroppedDims(OffsetSizeAndStrideOpInterface op, const llvm::SmallBitVector &dropped) {
  bool keepsUnit = false;
  for (auto [dim, size] : llvm::enumerate(op.getStaticSizes()))
    keepsUnit |= size == 1 && !dropped.test(dim);
  return dropped.any() && keepsUnit && !llvm::is_contained(op.getStaticSizes(), ShapedType::kDynamic) &&
         llvm::any_of(op.getStaticStrides(), [](int64_t stride) { return stride != 1; });
}

struct ReshapeDroppingExtract : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op, PatternRewriter &rewriter) const override {
    if (!hasUncertainDroppedDims(op, op.getDroppedDims()))
      return rewriter.notifyMatchFailure(op, "upstream can infer the dropped dimensions");
    auto whole = RankedTensorType::get(op.getStaticSizes(), op.getType().getElementType());
    auto reassociation = getReassociationIndicesForReshape(whole, op.getType());
    if (!reassociation)
      return rewriter.notifyMatchFailure(op, "the dropped dimensions are no reshape");
    Value slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), whole, op.getSource(), op.getMixedOffsets(),
                                                 op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), slice, *reassociation);
    return success();
  }
};

struct ReshapeDroppingInsert : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op, PatternRewriter &rewriter) const override {
    if (!hasUncertainDroppedDims(op, op.getDroppedDims()))
      return rewriter.notifyMatchFailure(op, "upstream can infer the dropped dimensions");
    auto whole = RankedTensorType::get(op.getStaticSizes(), op.getSourceType().getElementType());
    auto reassociation = getReassociationIndicesForReshape(op.getSourceType(), whole);
    if (!reassociation)
      return rewriter.notifyMatchFailure(op, "the dropped dimensions are no reshape");
    Value source = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), whole, op.getSource(), *reassociation);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, source, op.getDest(), op.getMixedOffsets(), op.getMixedSizes(),
                                                       op.getMixedStrides());
    return success();
  }
};

// Sinks a transpose below extract_slice ops that are its only readers: the queries, keys and values of attention are slices of one transposed product. The
// transpose of each slice can then become part of the op that reads it.
struct SliceBeforeTranspose : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getSource().getDefiningOp<linalg::TransposeOp>();
    if (!transpose || !llvm::all_of(transpose->getUsers(), llvm::IsaPred<tensor::ExtractSliceOp>))
      return rewriter.notifyMatchFailure(op, "the source is no transposition of which only slices are read");
    if (op->getBlock() != transpose->getBlock())
      return rewriter.notifyMatchFailure(op, "a loop would transpose in each iteration");
    auto whole = RankedTensorType::get(op.getStaticSizes(), op.getType().getElementType());
    auto reassociation = op.getType() == whole ? std::nullopt : getReassociationIndicesForReshape(whole, op.getType());
    if (op.getType() != whole && !reassociation)
      return rewriter.notifyMatchFailure(op, "the dropped dimensions are no reshape");
    SmallVector<int64_t> inverse = invertPermutationVector(transpose.getPermutation());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), transpose.getInput(), applyPermutation(op.getMixedOffsets(), inverse),
        applyPermutation(op.getMixedSizes(), inverse), applyPermutation(op.getMixedStrides(), inverse));
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), op.getMixedSizes(), whole.getElementType());
    Value result =
        linalg::TransposeOp::create(rewriter, transpose.getLoc(), slice, empty, transpose.getPermutation())->getResult(0);
    if (reassociation)
      result = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), op.getType(), result, *reassociation);
    rewriter.replaceOp(op, result);
    return success();
  }
};

// The input of an elementwise op whose body is `x == -inf`, of x or of x extended; null for other values.
Value getComparedWithMinusInfinity(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto compare = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ || !matchPattern(compare.getRhs(), m_NegInfFloat()))
    return {};
  Value element = compare.getLhs();
  if (auto extension = element.getDefiningOp<arith::ExtFOp>())
    element = extension.getIn();
  return element == op.getBody()->getArgument(0) ? op.getDpsInputs()[0] : Value();
}

// Softmax over masked values sets a row to zero if all of it is -inf. All elements are -inf if their maximum is, which softmax computes, too:
//   and-reduction of (x == -inf)  ->  (maximum of x) == -inf
struct CompareMaximum : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto yield = [](linalg::GenericOp generic, unsigned result) {
      return generic.getBody()->getTerminator()->getOperand(result).getDefiningOp();
    };
    if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity() || !isa_and_present<arith::AndIOp>(yield(op, 0)) ||
        !combines(op, 0) || !isFilled(op.getDpsInits()[0], m_One()))
      return rewriter.notifyMatchFailure(op, "not a conjunction of all elements");
    Value values = getComparedWithMinusInfinity(op.getDpsInputs()[0]);
    if (!values)
      return rewriter.notifyMatchFailure(op, "not of comparisons with -inf");
    AffineMap reduced = op.getIndexingMapsArray().back();
    for (Operation *user : values.getUsers()) {
      auto maximum = dyn_cast<linalg::GenericOp>(user);
      if (!maximum || maximum->getBlock() != op->getBlock() || !maximum->isBeforeInBlock(op) || maximum.getNumDpsInputs() != 1 ||
          maximum.getDpsInputs()[0] != values || maximum.getIteratorTypesArray() != op.getIteratorTypesArray() ||
          !maximum.getIndexingMapsArray().front().isIdentity())
        continue;
      for (unsigned i = 0; i < maximum.getNumDpsInits(); ++i) {
        if (!isa_and_present<arith::MaximumFOp>(yield(maximum, i)) || !combines(maximum, i) ||
            !isFilled(maximum.getDpsInits()[i], m_NegInfFloat()))
          continue;
        // From the dimensions of the conjunction's result, which are loops or of extent 1, to those of the maximum.
        SmallVector<AffineExpr> indices;
        for (AffineExpr loop : maximum.getIndexingMapsArray()[1 + i].getResults()) {
          auto dim = llvm::find(reduced.getResults(), loop);
          indices.push_back(isa<AffineDimExpr>(loop) && dim != reduced.getResults().end()
                                ? rewriter.getAffineDimExpr(dim - reduced.getResults().begin())
                                : rewriter.getAffineConstantExpr(0));
        }
        auto type = cast<RankedTensorType>(op.getResult(0).getType());
        AffineMap map = AffineMap::get(type.getRank(), 0, indices, op.getContext());
        rewriter.replaceOp(
            op, createElementwise(rewriter, op.getLoc(), {{maximum.getResult(i), map}}, type.getShape(), type.getElementType(),
                                  [&](OpBuilder &builder, ValueRange elements) -> Value {
                                    Value infinity = arith::ConstantOp::create(
                                        builder, op.getLoc(),
                                        builder.getFloatAttr(elements[0].getType(), -std::numeric_limits<double>::infinity()));
                                    return arith::CmpFOp::create(builder, op.getLoc(), arith::CmpFPredicate::OEQ, elements[0],
                                                                 infinity);
                                  }));
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "nothing computes the maximum of the elements");
  }

private:
  // Whether result `i` of a body combines the element of the only input with that of init `i`.
  static bool combines(linalg::GenericOp op, unsigned i) {
    Operation *combiner = op.getBody()->getTerminator()->getOperand(i).getDefiningOp();
    Value element = op.getBody()->getArgument(0), init = op.getBody()->getArgument(1 + i);
    return (combiner->getOperand(0) == element && combiner->getOperand(1) == init) ||
           (combiner->getOperand(0) == init && combiner->getOperand(1) == element);
  }

  template <typename Matcher> static bool isFilled(Value tensor, Matcher matcher) {
    auto fill = tensor.getDefiningOp<linalg::FillOp>();
    return fill && matchPattern(fill.getInputs()[0], matcher);
  }
};

struct NormalizeLinalg : public impl::NormalizeLinalgBase<NormalizeLinalg> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    if (failed(inlineSmallResources()))
      return signalPassFailure();
    nameMoves();
    RewritePatternSet patterns(context);
    patterns.add<GeneralizeElementwise, DecomposeAggregated, FillSplatConstant, ReshapeDroppingExtract, ReshapeDroppingInsert,
                 SliceBeforeTranspose, CompareMaximum>(context);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    // Only the folding of fills and splats into bodies is wanted from upstream's fusion patterns. Ops are fused after layouts are chosen.
    linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *) { return false; });
    linalg::populateDecomposePadPatterns(patterns);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    // A reshaped tensor.empty would not be placed in a join.
    tensor::populateFoldTensorEmptyPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    privatizeInits();
  }

  // Records "pad" and "concat" in locations: the decomposed ops may become copies, which no longer show their origin.
  void nameMoves() {
    getOperation().walk([](Operation *op) {
      if (isa<tensor::PadOp, tensor::ConcatOp>(op))
        op->setLoc(nameMove(op->getLoc(), isa<tensor::PadOp>(op) ? "pad" : "concat"));
    });
  }

  // Turns small resource constants into plain constants. They stay in the code, and upstream's folders only read plain constants. Fails if the
  // data of a resource are not those of its type.
  LogicalResult inlineSmallResources() {
    WalkResult walked = getOperation().walk([](arith::ConstantOp op) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!resource || !type || !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() < 8)
        return WalkResult::advance();
      AsmResourceBlob *blob = resource.getRawHandle().getBlob();
      if (!blob) // the data are given apart from the program
        return WalkResult::advance();
      ArrayRef<char> data = blob->getData();
      bool isSplat = false;
      if (!DenseElementsAttr::isValidRawBuffer(type, data, isSplat)) {
        op.emitOpError("reads resource '") << resource.getRawHandle().getKey() << "', whose " << data.size()
                                           << " bytes are not those of a " << type;
        return WalkResult::interrupt();
      }
      constexpr size_t maxBytes = 1024;
      if (data.size() <= maxBytes)
        op.setValueAttr(DenseElementsAttr::getFromRawBuffer(type, data));
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  // Gives each user its own tensor.empty and linalg.fill. Exporters share one among many ops, and bufferization would copy the filled
  // buffer for each of them.
  void privatizeInits() {
    SmallVector<Operation *> inits;
    getOperation().walk([&](Operation *op) {
      if (isa<tensor::EmptyOp, linalg::FillOp>(op) && op->getNumResults() == 1)
        inits.push_back(op);
    });
    OpBuilder builder(&getContext());
    // Process fills first: afterwards each cloned fill gets its own empty tensor.
    llvm::stable_sort(inits, [](Operation *x, Operation *y) { return isa<linalg::FillOp>(x) && !isa<linalg::FillOp>(y); });
    for (Operation *op : inits) {
      Value result = op->getResult(0);
      bool first = true;
      for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
        if (!std::exchange(first, false)) {
          builder.setInsertionPoint(use.getOwner());
          use.set(builder.clone(*op)->getResult(0));
        }
      }
    }
  }
};

} // namespace
} // namespace mlir::tpp

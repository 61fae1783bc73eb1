// Models of PackableOpInterface for structured ops of linalg: how each op ties the layouts of its operands and results, and how it changes them.
#include "lowering/layout/PackableOpModels.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/layout/OperandTiles.h"
#include "lowering/layout/PackableOpInterface.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::tpp {

SmallVector<int64_t> getFactors(AffineMap map) {
  SmallVector<int64_t> factors;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    factors.push_back(dim ? static_cast<int64_t>(dim.getPosition()) : LayoutRule::none);
  }
  return factors;
}

double countFlops(const ContractionInfo &contraction) {
  double flops = 2;
  for (const ContractionDim &dim : contraction.dims)
    flops *= static_cast<double>(dim.extent);
  return flops;
}

CostEstimate estimateGroups(const ContractionInfo &contraction, double shareOfPeak) {
  return {estimateFlopsNs(countFlops(contraction), contraction.target.getMachine()) / shareOfPeak, 0};
}

namespace {

// The share of the arithmetic limit that convolutions of groups of channels reach as vector code (docs/decisions/grouped-convolutions.md), which loads and
// stores the sum for each product. Its loops are those along C's contiguous dimension; where the image is not contiguous along it, elements are loaded one
// by one.
double getVectorShare(const ContractionInfo &contraction) {
  constexpr double longLoops = 0.4, vectorsOfLong = 3, oneByOne = 0.05;
  unsigned image = contraction.a().isConstant ? 1 : 0;
  if (!contraction.columnDim || contraction.dims[*contraction.columnDim].strides[image] != 1)
    return oneByOne;
  double vectors = static_cast<double>(contraction.getColumns()) / static_cast<double>(contraction.getLanes());
  return longLoops * std::min(1.0, vectors / vectorsOfLong);
}

//===- linalg ------------------------------------------------------------------------------------------------------------------===//

// The model of a structured op on tensors. The loop nest follows the layouts of the operands. An operand in the identity layout (a
// broadcast operand, for example) is read in place.
template <typename OpTy> struct StructuredModel : PackableOpInterface::ExternalModel<StructuredModel<OpTy>, OpTy> {
  LayoutRule getLayoutRule(Operation *op) const {
    auto structured = cast<linalg::LinalgOp>(op);
    LayoutRule rule;
    for (OpOperand &operand : op->getOpOperands())
      rule.factors.push_back(isa<RankedTensorType>(operand.get().getType())
                                 ? getFactors(structured.getMatchingIndexingMap(&operand))
                                 : SmallVector<int64_t>());
    for (OpResult result : op->getResults())
      rule.factors.push_back(getFactors(structured.getIndexingMapMatchingResult(result)));
    rule.independent.assign(rule.factors.size(), false);
    return rule;
  }

  static std::optional<LoopNest> layOut(linalg::LinalgOp op, ArrayRef<LayoutAttr> operands) {
    LoopNest nest(op.getStaticLoopRanges(), op.getIndexingMapsArray(), op.getIteratorTypesArray(), op.getContext());
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          failed(nest.layOut(operand.getOperandNumber(), operands[operand.getOperandNumber()], getShape(operand.get()))))
        return std::nullopt;
    if (op.getNumDpsInits() > 0)
      nest.orderLike(op.getNumDpsInputs());
    return nest;
  }

  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    auto structured = cast<linalg::LinalgOp>(op);
    if (!structured.hasPureTensorSemantics() || structured.hasDynamicShape() ||
        op->getNumResults() != static_cast<unsigned>(structured.getNumDpsInits()))
      return false;
    for (auto [i, result] : llvm::enumerate(results))
      if (operands[structured.getNumDpsInputs() + i] != result)
        return false;
    // The body must not read tensors from outside whose layout may change: it would read them in the identity layout.
    WalkResult captures = op->getRegion(0).walk([&](Operation *inner) {
      bool outside = llvm::any_of(inner->getOperands(), [&](Value value) {
        return isa<RankedTensorType>(value.getType()) && !op->getRegion(0).isAncestor(value.getParentRegion()) &&
               !isConstantWithinLimit(value);
      });
      return outside ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (captures.wasInterrupted())
      return false;
    auto nest = layOut(structured, operands);
    // linalg derives loop bounds from shapes: every loop must alone index a dimension of some tensor.
    return nest && inversePermutation(concatAffineMaps(nest->maps, op->getContext()));
  }

  // True if the op is a copy between equal layouts, so that nothing moves.
  static bool isNoop(linalg::LinalgOp op, const LoopNest &nest) {
    return movesOnly(op) && nest.maps[0] == nest.maps[1] && nest.maps[0].isIdentity();
  }
  static bool movesOnly(linalg::LinalgOp op) {
    Block &body = *op.getBlock();
    return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && body.getOperations().size() == 1 &&
           body.getTerminator()->getOperand(0) == body.getArgument(0);
  }

  // True if only elementwise ops and reductions read `copy`, directly or through reshapes, slices and further copies. They can read its source instead
  // (tpp-read-through-relays).
  static bool isReadThrough(Operation *copy) {
    return llvm::all_of(copy->getUses(), [](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(user))
        return isReadThrough(user);
      auto reader = dyn_cast<linalg::LinalgOp>(user);
      return reader && reader.isDpsInput(&use) && (movesOnly(reader) ? isReadThrough(user) : isa<linalg::GenericOp>(user));
    });
  }

  // A sum of products with constants for each channel, in some layouts of the operands.
  struct SumOfChannels {
    LoopNest nest;
    SmallVector<ShapedType> types;
    ContractionInfo contraction;
  };
  // nullopt for other ops, and if the op does not accept the layouts.
  static std::optional<SumOfChannels> getSumOfChannels(linalg::LinalgOp op, ArrayRef<LayoutAttr> operands) {
    if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !getAccumulatedProduct(op))
      return std::nullopt;
    std::optional<LoopNest> nest = layOut(op, operands);
    SmallVector<ShapedType> types;
    for (auto [operand, layout] : llvm::zip_equal(op->getOperands(), operands))
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        types.push_back(getLaidOutType(type, layout));
    bool isConstant[] = {isConstantWithinLimit(op->getOperand(0)), isConstantWithinLimit(op->getOperand(1))};
    if (!nest || types.size() != 3 || isConstant[0] == isConstant[1])
      return std::nullopt;
    auto contraction = getContractionInfo(nest->maps, types, nest->extents, getTarget(op), isConstant);
    if (!contraction || contraction->getExtent(DimensionRole::Batch) == 1)
      return std::nullopt;
    return SumOfChannels{*nest, types, *contraction};
  }

  // Whether an elementwise op reads `value` and what is computed from `reduced` in up to `steps` further ops.
  static bool isReadWith(Value value, Value reduced, unsigned steps) {
    return llvm::any_of(reduced.getUsers(), [&](Operation *user) {
      auto structured = dyn_cast<linalg::LinalgOp>(user);
      if (structured ? structured.getNumReductionLoops() > 0 : !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
        return false;
      return llvm::is_contained(user->getOperands(), value) ||
             (steps > 0 && user->getNumResults() == 1 && isReadWith(value, user->getResult(0), steps - 1));
    });
  }

  // A softmax and a layer norm are computed row by row, while the row is in the L1 cache, if what they reduce is innermost (tpp-fuse-row-loops).
  // Otherwise each of their reductions reads the whole value once more. Norms over pixels, whose reductions have several loops, are not counted: they
  // keep the layouts of the convolutions around them.
  static CostEstimate estimateSecondRead(linalg::LinalgOp op, ArrayRef<LayoutAttr> operands) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 || op.getNumReductionLoops() != 1 || !type ||
        !isReadWith(op->getOperand(0), op->getResult(0), /*steps=*/3))
      return {};
    LoopNest nest = getAccepted(layOut(op, operands));
    auto input = getLinearView(nest.maps[0], getLaidOutType(type, operands[0]));
    if (!input)
      return {};
    for (auto [extent, stride, iterator] : llvm::zip_equal(nest.extents, input->strides, nest.iterators))
      if (extent > 1 && stride == 1 && iterator == utils::IteratorType::parallel)
        return {estimateMoveNs(getBufferBytes(type).value_or(0), getTarget(op).getMachine()) / 2, 0};
    return {};
  }

  // Such a sum is computed by the kernels for groups where channels are innermost, else by vector code. Other reductions are taken to be equal in
  // all layouts, but for those of a softmax or a layer norm.
  static CostEstimate estimateReduction(linalg::LinalgOp op, ArrayRef<LayoutAttr> operands) {
    std::optional<SumOfChannels> sum = getSumOfChannels(op, operands);
    if (!sum)
      return estimateSecondRead(op, operands);
    ContractionInfo &contraction = sum->contraction;
    double vectorShare = getVectorShare(contraction); // before matchGroupedConvolution, which may exchange the operands
    std::optional<GroupedConvolution> grouped =
        matchGroupedConvolution(contraction, sum->nest.maps, sum->types, sum->nest.extents);
    bool hasKernel = grouped && grouped->isDepthwise() && prefersGroupedConv(*grouped, contraction, sum->nest.maps);
    return estimateGroups(contraction, hasKernel ? kGroupedKernels : vectorShare);
  }

  // Depthwise convolutions wish for their channels to be innermost.
  SmallVector<LayoutWish> getLayoutWishes(Operation *op) const {
    auto structured = cast<linalg::LinalgOp>(op);
    SmallVector<LayoutWish> wishes;
    if (structured.getNumReductionLoops() == 0 || !structured.hasPureTensorSemantics() || structured.hasDynamicShape())
      return wishes;
    SmallVector<LayoutAttr> asTheyAre(op->getNumOperands(), LayoutAttr::getIdentity(op->getContext()));
    std::optional<SumOfChannels> sum = getSumOfChannels(structured, asTheyAre);
    if (!sum)
      return wishes;
    for (const ContractionDim &dim : sum->contraction.dims)
      if (dim.getRole() == DimensionRole::Batch && dim.extent > 1)
        for (auto [position, expr] : llvm::enumerate(sum->nest.maps[2].getResults()))
          if (expr == getAffineDimExpr(dim.index, op->getContext()))
            wishes.push_back({2, static_cast<int64_t>(position), countFlops(sum->contraction)});
    return wishes;
  }

  // Counts only costs that depend on layouts: inputs that are strided along the output's innermost dimension, and copies.
  CostEstimate estimateCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr>) const {
    auto structured = cast<linalg::LinalgOp>(op);
    if (structured.getNumDpsInits() == 0)
      return {};
    if (structured.getNumReductionLoops() > 0)
      return estimateReduction(structured, operands);
    LoopNest nest = getAccepted(layOut(structured, operands));
    if (isNoop(structured, nest))
      return {};
    auto getView = [&](unsigned i) {
      return getLinearView(nest.maps[i], getLaidOutType(cast<RankedTensorType>(op->getOperand(i).getType()), operands[i]));
    };
    auto output = getView(structured.getNumDpsInputs());
    tpp_machine machine = getTarget(structured).getMachine();
    CostEstimate cost;
    for (OpOperand *input : structured.getDpsInputOperands()) {
      unsigned i = input->getOperandNumber();
      auto view = isa<RankedTensorType>(input->get().getType()) ? getView(i) : std::nullopt;
      if (!view || !output)
        continue;
      bool apart = false;
      for (auto [extent, to, from] : llvm::zip_equal(nest.extents, output->strides, view->strides))
        apart |= extent > 1 && to == 1 && from != 0 && from != 1;
      // A copy of contiguous rows is taken to be twice as fast.
      if (apart || (movesOnly(structured) && !isReadThrough(op)))
        cost.addMove(estimateMoveNs(getBufferBytes(cast<ShapedType>(op->getOperand(i).getType())).value_or(0), machine) *
                     (apart ? 1 : 0.5));
    }
    return cost;
  }

  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr> operands,
                                  ArrayRef<LayoutAttr>) const {
    auto structured = cast<linalg::LinalgOp>(op);
    unsigned inputs = structured.getNumDpsInputs();
    if (isa<linalg::FillOp>(op))
      return {linalg::FillOp::create(rewriter, op->getLoc(), values.take_front(inputs), values.drop_front(inputs)).result()};
    LoopNest nest = getAccepted(layOut(structured, operands));
    if (isNoop(structured, nest) && values[0].getType() == values[1].getType())
      return {values[0]};
    auto generic = linalg::GenericOp::create(rewriter, op->getLoc(), TypeRange(values.drop_front(inputs)),
                                             values.take_front(inputs), values.drop_front(inputs), nest.maps, nest.iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(), generic.getRegion().begin());
    // Replace indices of the old loops by expressions of the new ones: in arith ops, which have vector forms.
    OpBuilder::InsertionGuard guard(rewriter);
    for (linalg::IndexOp index : llvm::make_early_inc_range(generic.getBody()->getOps<linalg::IndexOp>())) {
      rewriter.setInsertionPoint(index);
      AffineExpr expr = nest.original[index.getDim()];
      SmallVector<Value> loops(nest.extents.size());
      for (unsigned i = 0; i < nest.extents.size(); ++i)
        if (expr.isFunctionOfDim(i))
          loops[i] = linalg::IndexOp::create(rewriter, index.getLoc(), i)->getResult(0);
      rewriter.replaceOp(index, affine::expandAffineExpr(rewriter, index.getLoc(), expr, loops, {}));
    }
    return SmallVector<Value>(generic->getResults());
  }
};

template <typename... OpTy> void attachStructured(MLIRContext *context) {
  (OpTy::template attachInterface<StructuredModel<OpTy>>(*context), ...);
}

} // namespace

void registerLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachStructured<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp, linalg::PoolingNchwMaxOp,
                     linalg::PoolingNchwSumOp, linalg::PoolingNhwcMaxOp, linalg::PoolingNhwcSumOp, linalg::PoolingNhwcMinOp,
                     linalg::PoolingNcwMaxOp, linalg::PoolingNcwSumOp, linalg::PoolingNwcMaxOp, linalg::PoolingNwcSumOp,
                     linalg::PoolingNwcMinOp, linalg::PoolingNdhwcMaxOp, linalg::PoolingNdhwcSumOp, linalg::PoolingNdhwcMinOp,
                     linalg::DepthwiseConv2DNchwChwOp, linalg::DepthwiseConv2DNhwcHwcOp, linalg::DepthwiseConv2DNhwcHwcmOp>(
        context);
  });
  registerTensorLayoutModels(registry);
  registerTppLayoutModels(registry);
}

} // namespace mlir::tpp

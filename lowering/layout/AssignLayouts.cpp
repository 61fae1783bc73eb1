// Converts the operands of each contraction to layouts that brgemm reads fast, after the layouts of values are chosen
// (PropagateLayouts.cpp).
//
// ContractionLayout.h plans the layouts of all contractions of the function; then this pass rewrites them.
#include "lowering/Passes.h"
#include "lowering/analysis/Moves.h"
#include "lowering/layout/ContractionLayout.h"
#include "lowering/machine/PackingStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// Creates the steps of a plan.
class Rewriter {
public:
  Rewriter(ContractOp op, const LayoutPlan &plan, RewriterBase &rewriter)
      : op(op), plan(plan), rewriter(rewriter), loc(op.getLoc()) {}

  void rewrite() {
    rewriter.setInsertionPoint(op);
    if (plan.parts.size() == 1) {
      rewriter.replaceOp(op, create(plan.parts.front(), op.getA(), op.getB(), op.getInit()));
      return;
    }
    auto cType = cast<RankedTensorType>(op.getInit().getType());
    Value result = tensor::EmptyOp::create(rewriter, loc, cType.getShape(), cType.getElementType());
    for (const PlannedContraction &part : plan.parts) {
      Value operands[] = {op.getA(), op.getB()};
      auto [offsets, sizes, strides] = getSlice(operands[plan.sliced], plan.slicedDim, part);
      operands[plan.sliced] = tensor::ExtractSliceOp::create(rewriter, loc, operands[plan.sliced], offsets, sizes, strides);
      auto [cOffsets, cSizes, cStrides] = getSlice(result, plan.resultDim, part);
      SmallVector<int64_t> shape = llvm::to_vector(cType.getShape());
      shape[plan.resultDim] = part.columns;
      Value init = tensor::EmptyOp::create(rewriter, loc, shape, cType.getElementType());
      Value value = create(part, operands[0], operands[1], init);
      result = tensor::InsertSliceOp::create(rewriter, loc, value, result, cOffsets, cSizes, cStrides);
    }
    rewriter.replaceOp(op, result);
  }

private:
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };
  Slice getSlice(Value value, int64_t dim, const PlannedContraction &part) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    Slice slice;
    slice.offsets.assign(shape.size(), rewriter.getIndexAttr(0));
    slice.strides.assign(shape.size(), rewriter.getIndexAttr(1));
    slice.sizes = getAsIndexOpFoldResult(rewriter.getContext(), shape);
    slice.offsets[dim] = rewriter.getIndexAttr(part.firstColumn);
    slice.sizes[dim] = rewriter.getIndexAttr(part.columns);
    return slice;
  }

  // Creates the contraction of a part, between the relayouts of its operands and of its result. Returns the result.
  Value create(const PlannedContraction &part, Value opA, Value opB, Value init) {
    Value operands[] = {opA, opB};
    if (part.staysUnpacked && !isa<PackingCostModelAttr>(getPackingStrategy(op)))
      op.emitRemark("operand B is not packed into panels: its columns or reductions are not whole dimensions of its tensor");
    Value b = apply(operands[part.b.operand], part.b.steps, /*isB=*/true);
    Value a = apply(operands[part.a.operand], part.a.steps, /*isB=*/false);
    auto resultType = cast<RankedTensorType>(init.getType());
    if (part.cType != resultType)
      init = tensor::EmptyOp::create(rewriter, loc, part.cType.getShape(), part.cType.getElementType());
    SmallVector<AffineMap> maps = {part.a.map, part.b.map, part.cMap};
    llvm::append_range(maps, part.postMaps);
    auto contract =
        ContractOp::create(rewriter, getContractionLoc(part), op, a, b, init, op.getPostOperands(), maps, part.extents);
    bool isUnsigned[] = {op.getAUnsigned(), op.getBUnsigned()};
    contract.setAUnsigned(isUnsigned[part.a.operand]);
    contract.setBUnsigned(isUnsigned[part.b.operand]);
    contract->setDiscardableAttr(kChosenPackingAttr, PackingAttr::get(rewriter.getContext(), part.packing));
    if (part.restore.empty())
      return contract->getResult(0);
    Value empty = tensor::EmptyOp::create(rewriter, loc, resultType.getShape(), resultType.getElementType());
    Location why = explainMove(loc, MoveReason::Contraction,
                               "the result, computed in another order of dimensions: operand B is strided along its columns");
    return linalg::TransposeOp::create(rewriter, why, contract->getResult(0), empty, part.restore)->getResult(0);
  }

  // For reports, records that the result is computed in another order of dimensions.
  Location getContractionLoc(const PlannedContraction &part) {
    if (part.restore.empty())
      return loc;
    MLIRContext *context = rewriter.getContext();
    LayoutAttr noted = getNotedLayout(loc);
    return noteLayout(loc, stackLayouts(noted ? noted : LayoutAttr::getIdentity(context),
                                        LayoutAttr::get(context, {}, {}, invertPermutationVector(part.restore))));
  }

  Value apply(Value value, ArrayRef<LayoutStep> steps, bool isB) {
    for (const LayoutStep &step : steps)
      value = apply(value, step, isB);
    return value;
  }

  Value apply(Value value, const LayoutStep &step, bool isB) {
    auto explain = [&](const Twine &why) {
      return explainMove(loc, MoveReason::Contraction, "operand B, " + describeOrigin(value) + why);
    };
    switch (step.kind) {
    case LayoutStep::Slice: {
      MLIRContext *context = rewriter.getContext();
      SmallVector<OpFoldResult> strides(step.offsets.size(), rewriter.getIndexAttr(1));
      return tensor::ExtractSliceOp::create(rewriter, loc, value, getAsIndexOpFoldResult(context, step.offsets),
                                            getAsIndexOpFoldResult(context, step.type.getShape()), strides);
    }
    case LayoutStep::Expand:
      return tensor::ExpandShapeOp::create(rewriter, loc, step.type, value, step.groups);
    case LayoutStep::Transpose: {
      Location why = loc;
      if (isB)
        why = noteLayout(explain(", to make its columns contiguous"), LayoutAttr::get(rewriter.getContext(), {}, {}, step.order));
      Value empty = tensor::EmptyOp::create(rewriter, why, step.type.getShape(), step.type.getElementType());
      return linalg::TransposeOp::create(rewriter, why, value, empty, step.order)->getResult(0);
    }
    case LayoutStep::Pack: {
      Location why = explain(", in panels of " + Twine(step.panel) + " columns");
      Type element = step.type.getElementType();
      SmallVector<int64_t> positions = {step.position};
      SmallVector<OpFoldResult> tiles = {rewriter.getIndexAttr(step.panel)};
      std::optional<Value> padding;
      if (step.vnni > 1) {
        positions.push_back(step.grouped);
        tiles.push_back(rewriter.getIndexAttr(step.vnni));
        if (cast<RankedTensorType>(value.getType()).getDimSize(step.grouped) % step.vnni != 0)
          padding = arith::ConstantOp::create(rewriter, why, rewriter.getZeroAttr(element));
      }
      Value dest = tensor::EmptyOp::create(rewriter, why, step.type.getShape(), element);
      return linalg::PackOp::create(rewriter, why, value, dest, positions, tiles, padding, step.order)->getResult(0);
    }
    }
    llvm_unreachable("all kinds are handled");
  }

  ContractOp op;
  const LayoutPlan &plan;
  RewriterBase &rewriter;
  Location loc;
};

// The slice of a constant that a pack reads, if it has no constant place (a loop selects it) and cuts only dimensions that it drops. The padding
// is then a constant, too: it moves with the pack, in front of the loop.
tensor::ExtractSliceOp getSelectedPart(linalg::PackOp pack, ConstantAnalysis &constants) {
  auto slice = pack.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() || !slice.getSourceType().hasStaticShape() || !slice.getType().hasStaticShape() ||
      constants.dependsOnConstantsOnly(slice) || !constants.dependsOnConstantsOnly(slice.getSource()))
    return {};
  if (Value padding = pack.getPaddingValue(); padding && !matchPattern(padding, m_Constant()))
    return {};
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (auto [dim, extent] : llvm::enumerate(slice.getSourceType().getShape()))
    if (slice.getStaticSize(dim) != (dropped.test(dim) ? 1 : extent))
      return {};
  return slice;
}

// Packs the whole of the constant, of which a loop then selects parts that are packed: prepack does it once.
void packWhole(linalg::PackOp pack, tensor::ExtractSliceOp slice, RewriterBase &rewriter) {
  RankedTensorType wholeType = slice.getSourceType(), partType = pack.getDestType();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> kept, order, shape;
  SmallVector<OpFoldResult> offsets, sizes;
  for (int64_t dim = 0; dim < wholeType.getRank(); ++dim) {
    if (!dropped.test(dim)) {
      kept.push_back(dim);
      continue;
    }
    order.push_back(dim);
    shape.push_back(wholeType.getDimSize(dim));
    offsets.push_back(slice.getMixedOffsets()[dim]);
    sizes.push_back(rewriter.getIndexAttr(1));
  }
  for (size_t i = 0; i < kept.size(); ++i)
    order.push_back(kept[pack.getOuterDimsPerm().empty() ? i : pack.getOuterDimsPerm()[i]]);
  for (int64_t extent : partType.getShape()) {
    shape.push_back(extent);
    offsets.push_back(rewriter.getIndexAttr(0));
    sizes.push_back(rewriter.getIndexAttr(extent));
  }
  SmallVector<int64_t> innerDims = llvm::map_to_vector(pack.getInnerDimsPos(), [&](int64_t dim) { return kept[dim]; });

  rewriter.setInsertionPointAfterValue(slice.getSource());
  std::optional<Value> padding;
  if (Value value = pack.getPaddingValue())
    padding = rewriter.clone(*value.getDefiningOp())->getResult(0);
  Value dest = tensor::EmptyOp::create(rewriter, pack.getLoc(), shape, partType.getElementType());
  Value whole =
      linalg::PackOp::create(rewriter, pack.getLoc(), slice.getSource(), dest, innerDims, pack.getMixedTiles(), padding, order)
          ->getResult(0);
  rewriter.setInsertionPoint(pack);
  SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(pack, partType, whole, offsets, sizes, strides);
  if (slice->use_empty())
    rewriter.eraseOp(slice);
}

struct AssignLayouts : public impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    ConstantAnalysis constants;
    SmallVector<std::pair<ContractOp, LayoutPlan>> plans;
    WalkResult planned = getOperation().walk([&](ContractOp op) {
      if (!op.getResult() || op.getWinograd() || op.getGrouped())
        return WalkResult::advance(); // on buffers, or with other kernels than brgemm: the layouts of its operands are fixed
      FailureOr<LayoutPlan> plan = planLayout(op, constants);
      if (failed(plan))
        return WalkResult::interrupt();
      if (plan->parts.empty())
        return WalkResult::advance();
      if (const std::string &remark = plan->parts.front().packing.remark; !remark.empty())
        op.emitRemark(remark);
      plans.push_back({op, std::move(*plan)});
      return WalkResult::advance();
    });
    if (planned.wasInterrupted())
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (auto &[op, plan] : plans)
      Rewriter(op, plan, rewriter).rewrite();

    ConstantAnalysis rewritten;
    SmallVector<std::pair<linalg::PackOp, tensor::ExtractSliceOp>> selected;
    getOperation().walk([&](linalg::PackOp pack) {
      if (tensor::ExtractSliceOp slice = getSelectedPart(pack, rewritten))
        selected.push_back({pack, slice});
    });
    for (auto [pack, slice] : selected)
      packWhole(pack, slice, rewriter);
  }
};

} // namespace
} // namespace mlir::tpp

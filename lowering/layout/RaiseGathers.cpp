// Turns linalg.generic ops and joins that only select elements into tpp.gather (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/Joins.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tpp_dialect/TppOps.h"

#include <numeric>
#include <optional>

namespace mlir::tpp {
#define GEN_PASS_DEF_RAISEGATHERS
#include "lowering/Passes.h.inc"

namespace {

struct RaiseGather : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op->getNumResults() != 1 || op.getNumReductionLoops() > 0 ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return rewriter.notifyMatchFailure(op, "does not compute each element of one tensor of static shape");
    auto extract = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
    if (!extract || extract->getBlock() != op.getBody() || !extract.getTensor().getType().hasStaticShape() ||
        extract.getTensor().getType().getRank() != op.getNumLoops() ||
        op->getRegion(0).isAncestor(extract.getTensor().getParentRegion()))
      return rewriter.notifyMatchFailure(op, "does not yield an element of another tensor of as many dimensions");
    if (llvm::any_of(op.getBody()->getOperations(), [](Operation &inner) { return !isMemoryEffectFree(&inner); }))
      return rewriter.notifyMatchFailure(op, "the indices may be out of range");
    SmallVector<Value> indices;
    SmallVector<int64_t> dims, extents = op.getStaticLoopRanges();
    for (auto [dim, given] : llvm::enumerate(extract.getIndices())) {
      auto cast = given.getDefiningOp<arith::IndexCastOp>(); // what tpp-lower-gathers creates
      Value index = cast ? cast.getIn() : given;
      int64_t size = extract.getTensor().getType().getDimSize(dim);
      auto loop = index.getDefiningOp<linalg::IndexOp>();
      if ((loop && loop.getDim() == dim && size == extents[dim]) || (size == 1 && extents[dim] == 1))
        continue;
      auto argument = dyn_cast<BlockArgument>(index);
      if (!argument || argument.getOwner() != op.getBody() || argument.getArgNumber() >= op.getNumDpsInputs())
        return rewriter.notifyMatchFailure(op, "an index is neither a loop's nor an element of a list");
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(argument.getArgNumber()));
      if (map.getNumResults() != 1 || map.getResult(0) != rewriter.getAffineDimExpr(dim))
        return rewriter.notifyMatchFailure(op, "the index along a dimension depends on other dimensions");
      indices.push_back(op.getDpsInputOperand(argument.getArgNumber())->get());
      dims.push_back(dim);
    }
    rewriter.replaceOpWithNewOp<GatherOp>(op, op->getResult(0).getType(), extract.getTensor(), indices, dims);
    return success();
  }
};

// Selects along the dimensions of both gathers at once.
struct MergeGathers : public OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<GatherOp>();
    if (!inner || llvm::any_of(op.getDims(), [&](int64_t dim) { return llvm::is_contained(inner.getDims(), dim); }))
      return rewriter.notifyMatchFailure(op, "the source is not selected along other dimensions");
    SmallVector<Value> indices(inner.getIndices());
    llvm::append_range(indices, op.getIndices());
    SmallVector<int64_t> dims(inner.getDims());
    llvm::append_range(dims, op.getDims());
    rewriter.replaceOpWithNewOp<GatherOp>(op, op.getType(), inner.getSource(), indices, dims);
    return success();
  }
};

// Selects what a join takes from slices of one tensor along one dimension: torch.roll is such a join, of two slices. The innermost dimension is
// left alone, whose slices are copied as vectors.
struct RaiseJoin : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op, PatternRewriter &rewriter) const override {
    SmallVector<JoinedPart> parts = getJoin(op.getResult());
    if (parts.size() < 2)
      return rewriter.notifyMatchFailure(op, "not a whole join");
    RankedTensorType type = op.getType();
    Value source;
    std::optional<int64_t> dim;
    for (const JoinedPart &part : parts) {
      auto slice = part.source.getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || slice.getType().getRank() != slice.getSourceType().getRank() || !slice.getSourceType().hasStaticShape() ||
          !slice.hasUnitStride() || ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
          (source && slice.getSource() != source))
        return rewriter.notifyMatchFailure(op, "a part is not a slice of the same tensor");
      source = slice.getSource();
      for (int64_t other = 0; other < type.getRank(); ++other) {
        bool isWhole =
            part.sizes[other] == type.getDimSize(other) && part.sizes[other] == slice.getSourceType().getDimSize(other);
        if (!isWhole && dim.value_or(other) != other)
          return rewriter.notifyMatchFailure(op, "the parts differ along several dimensions");
        if (!isWhole)
          dim = other;
      }
    }
    if (!dim || *dim == type.getRank() - 1)
      return rewriter.notifyMatchFailure(op, "selects along the innermost dimension");
    SmallVector<int64_t> indices(type.getDimSize(*dim));
    for (const JoinedPart &part : parts) {
      int64_t first = part.source.getDefiningOp<tensor::ExtractSliceOp>().getStaticOffset(*dim);
      auto taken = MutableArrayRef(indices).slice(part.offsets[*dim], part.sizes[*dim]);
      std::iota(taken.begin(), taken.end(), first);
    }
    auto listType = RankedTensorType::get({int64_t(indices.size())}, rewriter.getI64Type());
    Value list = arith::ConstantOp::create(rewriter, op.getLoc(), DenseIntElementsAttr::get(listType, indices));
    rewriter.replaceOpWithNewOp<GatherOp>(op, type, source, list, *dim);
    return success();
  }
};

struct RaiseGathers : public impl::RaiseGathersBase<RaiseGathers> {
  using RaiseGathersBase::RaiseGathersBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RaiseGather, MergeGathers>(&getContext());
    if (joins)
      patterns.add<RaiseJoin>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

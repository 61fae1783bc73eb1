// Rewrites slices and pads that upstream miscompiles or does not lower.
#include "lowering/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_KEEPSLICES
#include "lowering/Passes.h.inc"

namespace {

// Whether the slice drops unit dimensions other than the leading ones, which upstream assumes, or may do so when its sizes are known. When an operand
// becomes a constant, upstream (LLVM 22) creates the slice with the assumed type. A cast to the actual type follows, and folding this cast moves the sizes
// to other dimensions: [1, 2, 1] -> 1x2 becomes [1, 1, 2] -> 1x2.
bool dropsOtherDims(tensor::ExtractSliceOp op) {
  bool hasOperands = op->getNumOperands() > 1;
  return hasOperands && op.getType().getRank() < op.getSourceType().getRank() &&
         (ShapedType::isDynamicShape(op.getStaticSizes()) ||
          op.getType() != tensor::ExtractSliceOp::inferCanonicalRankReducedResultType(op.getType().getRank(), op.getSourceType(),
                                                                                      op.getMixedSizes()));
}

// A pad of static shape with a negative amount removes elements. Upstream decomposes it into an insertion at a negative offset.
bool removesElements(tensor::PadOp op) {
  auto isNegative = [](int64_t amount) { return amount < 0 && !ShapedType::isDynamic(amount); };
  return op.getSourceType().hasStaticShape() && op.getType().hasStaticShape() &&
         (llvm::any_of(op.getStaticLow(), isNegative) || llvm::any_of(op.getStaticHigh(), isNegative));
}

struct KeepSlices : public impl::KeepSlicesBase<KeepSlices> {
  void runOnOperation() override {
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp op) {
      if (dropsOtherDims(op))
        slices.push_back(op);
    });
    PatternRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp op : slices)
      keepDims(rewriter, op);
    cropPads(rewriter); // before pads are decomposed
    decomposePads(rewriter);
  }

  // A pad that removes elements becomes a slice, and a pad of what is left.
  void cropPads(RewriterBase &rewriter) {
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp op) {
      if (removesElements(op))
        pads.push_back(op);
    });
    for (tensor::PadOp op : pads) {
      SmallVector<OpFoldResult> offsets, sizes, low, high;
      rewriter.setInsertionPoint(op);
      for (auto [lowest, highest, size, padded] :
           llvm::zip_equal(op.getStaticLow(), op.getStaticHigh(), op.getSourceType().getShape(), op.getType().getShape())) {
        int64_t first = std::min(std::max<int64_t>(-lowest, 0), size), end = std::clamp<int64_t>(size + highest, first, size);
        if (first == end) // upstream rejects an empty slice whose offset is the size of the source
          first = end = 0;
        int64_t before = std::min(std::max<int64_t>(lowest, 0), padded - (end - first));
        offsets.push_back(rewriter.getIndexAttr(first));
        sizes.push_back(rewriter.getIndexAttr(end - first));
        low.push_back(rewriter.getIndexAttr(before));
        high.push_back(rewriter.getIndexAttr(padded - (end - first) - before));
      }
      SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
      Value left = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(), offsets, sizes, strides);
      auto pad = tensor::PadOp::create(rewriter, op.getLoc(), op.getType(), left, low, high);
      rewriter.inlineRegionBefore(op.getRegion(), pad.getRegion(), pad.getRegion().begin());
      rewriter.replaceOp(op, pad);
    }
  }

  // Upstream (LLVM 22) folds a pad into an insertion with strides at offset + low instead of offset + low * stride. Functions are not inlined yet, and casts
  // not folded: a pad may become the source of each insertion of its rank and type.
  void decomposePads(PatternRewriter &rewriter) {
    llvm::DenseSet<std::pair<Type, int64_t>> strided;
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (!op.hasUnitStride())
        strided.insert({op.getSourceType().getElementType(), op.getSourceType().getRank()});
    });
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp op) {
      if (strided.contains({op.getType().getElementType(), op.getType().getRank()}))
        pads.push_back(op);
    });
    linalg::DecomposePadOpPattern decompose(&getContext());
    for (tensor::PadOp pad : pads) {
      rewriter.setInsertionPoint(pad);
      (void)decompose.matchAndRewrite(pad, rewriter); // cannot fail
    }
  }

  static void keepDims(RewriterBase &rewriter, tensor::ExtractSliceOp op) {
    // Each dropped dimension is merged with the kept one before it; leading ones with the first kept one.
    SmallVector<ReassociationIndices> groups(op.getType().getRank());
    llvm::SmallBitVector dropped = op.getDroppedDims();
    int64_t group = -1;
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim) {
      group += !dropped.test(dim);
      groups[std::max<int64_t>(group, 0)].push_back(dim);
    }
    rewriter.setInsertionPoint(op);
    Value whole = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(), op.getMixedSizes(),
                                                 op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), whole, groups);
  }
};

} // namespace
} // namespace mlir::tpp

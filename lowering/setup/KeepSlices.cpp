// Rewrites slices that upstream's canonicalizer miscompiles.
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
    decomposePads(rewriter);
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

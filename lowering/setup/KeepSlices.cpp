// Rewrites slices that upstream's canonicalizer would change to others.
#include "lowering/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_KEEPSLICES
#include "lowering/Passes.h.inc"

namespace {

// Whether the slice drops other dimensions than upstream expects from the rank of its result: the first ones of size 1. When an operand
// becomes a constant, upstream (LLVM 22) creates the slice with the expected type. A cast to the actual type follows, and folding this
// cast moves the sizes to other dimensions: [1, 2, 1] -> 1x2 becomes [1, 1, 2] -> 1x2.
bool dropsOtherDims(tensor::ExtractSliceOp op) {
  bool hasOperands = op->getNumOperands() > 1;
  return hasOperands && op.getType().getRank() < op.getSourceType().getRank() &&
         op.getType() != tensor::ExtractSliceOp::inferCanonicalRankReducedResultType(op.getType().getRank(), op.getSourceType(),
                                                                                     op.getMixedSizes());
}

// The pad that upstream (LLVM 22) would fold into an insert_slice with strides, at offset + low instead of offset + low * stride.
tensor::PadOp getPadOfStrided(tensor::InsertSliceOp op) {
  return op.hasUnitStride() ? tensor::PadOp() : op.getSource().getDefiningOp<tensor::PadOp>();
}

struct KeepSlices : public impl::KeepSlicesBase<KeepSlices> {
  void runOnOperation() override {
    SmallVector<tensor::ExtractSliceOp> slices;
    llvm::SetVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::ExtractSliceOp op) {
      if (dropsOtherDims(op))
        slices.push_back(op);
    });
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (tensor::PadOp pad = getPadOfStrided(op))
        pads.insert(pad);
    });
    PatternRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp op : slices)
      keepDims(rewriter, op);
    linalg::DecomposePadOpPattern decompose(&getContext());
    for (tensor::PadOp pad : pads) {
      rewriter.setInsertionPoint(pad);
      (void)decompose.matchAndRewrite(pad, rewriter); // it matches every pad that it can be folded into
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

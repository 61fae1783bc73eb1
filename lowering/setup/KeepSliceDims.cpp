// Rewrites slices that upstream's canonicalizer would change to others.
#include "lowering/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_KEEPSLICEDIMS
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

struct KeepSliceDims : public impl::KeepSliceDimsBase<KeepSliceDims> {
  void runOnOperation() override {
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk([&](tensor::ExtractSliceOp op) {
      if (dropsOtherDims(op))
        slices.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp op : slices)
      keepDims(rewriter, op);
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

// Lets convolutions whose kernels know the borders of images read the source of a zero pad (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/Winograd.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_READPADDING
#include "lowering/Passes.h.inc"

namespace {

// Whether the kernels of `op` treat pixels outside of A as 0, and `pad`, which A is, pads only the height and the width of its images.
bool canReadPadding(ContractOp op, tensor::InsertSliceOp pad) {
  if (!op.getWinograd())
    return false;
  std::optional<ContractionInfo> contraction = getWinogradInfo(op, getTarget(op));
  std::optional<WinogradConvolution> convolution = contraction ? matchWinogradConvolution(*contraction) : std::nullopt;
  if (!convolution)
    return false;
  AffineMap map = op.getMaps()[0];
  std::optional<ImageDim> height = getImageDim(map, op.getExtents(), convolution->height.index, convolution->heightTap),
                          width = getImageDim(map, op.getExtents(), convolution->width.index, convolution->widthTap);
  // With a wider border, some outputs would read nothing else.
  auto isNarrow = [&](std::optional<ImageDim> dim) { return dim && pad.getStaticOffset(dim->position) - dim->start <= 2; };
  if (!isNarrow(height) || !isNarrow(width))
    return false;
  for (auto [position, size, padded] : llvm::enumerate(pad.getStaticSizes(), pad.getDestType().getShape()))
    if (size != padded && position != height->position && position != width->position)
      return false;
  return true;
}

struct ReadPadding : public impl::ReadPaddingBase<ReadPadding> {
  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> pads;
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (isPlainInsert(insert) && isZeroFill(insert.getDest()) && !insert->use_empty())
        pads.push_back(insert);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::InsertSliceOp pad : pads)
      read(pad, rewriter);
  }

  // Rewrites all readers of the pad or none: if one reader needs the pad, it is created anyway.
  static void read(tensor::InsertSliceOp pad, RewriterBase &rewriter) {
    for (OpOperand &use : pad->getUses()) {
      auto contract = dyn_cast<ContractOp>(use.getOwner());
      if (!contract || use.getOperandNumber() != 0 || !canReadPadding(contract, pad))
        return;
    }
    for (Operation *user : llvm::make_early_inc_range(pad->getUsers())) {
      auto contract = cast<ContractOp>(user);
      SmallVector<AffineMap> maps = contract.getMaps();
      SmallVector<AffineExpr> exprs;
      for (auto [expr, low] : llvm::zip_equal(maps[0].getResults(), pad.getStaticOffsets()))
        exprs.push_back(expr - low);
      maps[0] = AffineMap::get(maps[0].getNumDims(), 0, exprs, rewriter.getContext());
      rewriter.modifyOpInPlace(contract, [&] {
        contract.getAMutable().assign(pad.getSource());
        contract.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
        contract.setPadded(true);
      });
    }
    rewriter.eraseOp(pad);
  }
};

} // namespace
} // namespace mlir::tpp

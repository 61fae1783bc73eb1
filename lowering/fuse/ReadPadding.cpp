// Lets convolutions whose kernels know the borders of images read the source of a zero pad (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/GroupedConvolutions.h"
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

// The dimensions of A in which the kernels of `op` treat what is outside of the image as 0: its rows and columns.
SmallVector<size_t> getImageDims(ContractOp op) {
  SmallVector<size_t> positions;
  if (op.getGrouped()) {
    std::optional<ContractionInfo> contraction = getContractionInfo(op, getTarget(op));
    std::optional<GroupedConvolution> convolution = contraction ? matchGroupedConvolution(op, *contraction) : std::nullopt;
    if (convolution)
      for (const ImageAxis *axis : {&convolution->rows, &convolution->columns})
        if (axis->position)
          positions.push_back(*axis->position);
  } else if (op.getWinograd()) {
    std::optional<ContractionInfo> contraction = getWinogradInfo(op, getTarget(op));
    std::optional<WinogradConvolution> convolution = contraction ? matchWinogradConvolution(*contraction) : std::nullopt;
    if (convolution)
      for (auto [dim, tap] : {std::pair(convolution->height.index, convolution->heightTap),
                              std::pair(convolution->width.index, convolution->widthTap)})
        if (std::optional<ImageDim> image = getImageDim(op.getMaps()[0], op.getExtents(), dim, tap))
          positions.push_back(image->position);
  }
  return positions;
}

// Whether `op` can read the source of `pad`, which is its A.
bool canReadPadding(ContractOp op, tensor::InsertSliceOp pad) {
  SmallVector<size_t> dims = getImageDims(op);
  for (auto [position, size, padded] : llvm::enumerate(pad.getStaticSizes(), pad.getDestType().getShape())) {
    if (size == padded)
      continue;
    if (!llvm::is_contained(dims, position))
      return false;
    // With a wider border, some tiles of Winograd's algorithm would read nothing else.
    std::optional<LinearExpr> index = getLinearExpr(op.getMaps()[0].getResult(position), op.getExtents().size());
    if (op.getWinograd() && (!index || pad.getStaticOffset(position) - index->constant > 2))
      return false;
  }
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

// Lets convolutions whose kernels know the borders of images read the source of a pad (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Winograd.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_READPADDING
#include "lowering/Passes.h.inc"

namespace {

// A dimension of A in which the kernels of a convolution treat positions outside of the image as padding, and the loops that index it.
struct PaddableDim {
  size_t position;
  int outputs, taps; // -1: none

  bool operator==(const PaddableDim &other) const {
    return position == other.position && outputs == other.outputs && taps == other.taps;
  }
};
// The rows and the columns of the image; nothing for other ops.
SmallVector<PaddableDim> getPaddableDims(ContractOp op) {
  SmallVector<PaddableDim> dims;
  if (op.getGrouped()) {
    std::optional<ContractionInfo> contraction = getContractionInfo(op, getTarget(op));
    std::optional<GroupedConvolution> convolution = contraction ? matchGroupedConvolution(op, *contraction) : std::nullopt;
    if (convolution && contraction->getOpOperand(0) == 0)
      for (const ImageAxis *axis : {&convolution->rows, &convolution->columns})
        if (axis->position)
          dims.push_back({*axis->position, axis->outputs.index, axis->taps.index});
  } else if (op.getWinograd()) {
    std::optional<ContractionInfo> contraction = getWinogradInfo(op, getTarget(op));
    std::optional<WinogradConvolution> convolution = contraction ? matchWinogradConvolution(*contraction) : std::nullopt;
    if (convolution)
      for (auto [dim, tap] : {std::pair(convolution->height.index, static_cast<int>(convolution->heightTap)),
                              std::pair(convolution->width.index, static_cast<int>(convolution->widthTap))})
        if (std::optional<ImageDim> image = getImageDim(op.getMaps()[0], op.getExtents(), dim, tap))
          dims.push_back({image->position, dim, tap});
  }
  return dims;
}

// The number around the source of a pad: 0 or a signed 8-bit integer. nullopt for other values.
std::optional<int64_t> getBorder(tensor::InsertSliceOp pad) {
  if (!isPlainInsert(pad))
    return std::nullopt;
  if (isZeroFill(pad.getDest()))
    return 0;
  auto fill = pad.getDest().getDefiningOp<linalg::FillOp>();
  APInt number;
  if (!fill || !pad.getDestType().getElementType().isInteger(8) || !matchPattern(fill.getInputs()[0], m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

// Whether the kernels of `op` can read the unpadded source in place of `pad`, which is operand A of `op`.
bool canReadPadding(ContractOp op, tensor::InsertSliceOp pad) {
  if ((getBorder(pad) != 0 && !op.getGrouped()) || !hasContiguousRows(pad.getSource()))
    return false;
  SmallVector<PaddableDim> dims = getPaddableDims(op);
  for (auto [position, size, padded] : llvm::enumerate(pad.getStaticSizes(), pad.getDestType().getShape())) {
    if (size == padded)
      continue;
    const auto *dim = llvm::find_if(dims, [&, position = position](const PaddableDim &d) { return d.position == position; });
    if (dim == dims.end())
      return false;
    if (!op.getWinograd())
      continue;
    // Winograd's tiles need taps one pixel apart, and a border of at most two pixels, so that every tile overlaps the image.
    std::optional<LinearExpr> index = getLinearExpr(op.getMaps()[0].getResult(position), op.getExtents().size());
    if (!index || index->coefficients[dim->taps] != 1 || pad.getStaticOffset(position) - index->constant > 2)
      return false;
  }
  return true;
}

// `border`: the number outside of the image; nullopt if nothing outside is read.
void setImage(ContractOp op, Value a, ArrayAttr maps, std::optional<int64_t> border, RewriterBase &rewriter) {
  rewriter.modifyOpInPlace(op, [&] {
    op.getAMutable().assign(a);
    op.setIndexingMapsAttr(maps);
    op.setPadded(border.has_value());
    int64_t number = border.value_or(0);
    if (number < 0 && op.getAUnsigned())
      number += 256;
    op.setBorderAttr(number == 0 ? IntegerAttr() : rewriter.getI64IntegerAttr(number));
  });
}

// Makes `op` read the source of `pad`. Returns false if the loops can then no longer be assigned to rows and columns: in an image with one row or
// column, their strides are equal.
bool readSource(ContractOp op, tensor::InsertSliceOp pad, RewriterBase &rewriter) {
  SmallVector<PaddableDim> before = getPaddableDims(op);
  SmallVector<AffineMap> maps = op.getMaps();
  SmallVector<AffineExpr> exprs;
  for (auto [expr, low] : llvm::zip_equal(maps[0].getResults(), pad.getStaticOffsets()))
    exprs.push_back(expr - low);
  maps[0] = AffineMap::get(maps[0].getNumDims(), 0, exprs, rewriter.getContext());
  setImage(op, pad.getSource(), rewriter.getAffineMapArrayAttr(maps), getBorder(pad), rewriter);
  return getPaddableDims(op) == before;
}

struct ReadPadding : public impl::ReadPaddingBase<ReadPadding> {
  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> pads;
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (getBorder(insert) && !insert->use_empty())
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
    SmallVector<std::pair<ContractOp, ArrayAttr>> readers; // with their maps
    for (Operation *user : pad->getUsers())
      readers.emplace_back(cast<ContractOp>(user), cast<ContractOp>(user).getIndexingMapsAttr());
    bool all = true;
    for (auto &[reader, maps] : readers)
      all &= readSource(reader, pad, rewriter);
    if (all)
      return rewriter.eraseOp(pad);
    for (auto &[reader, maps] : readers)
      setImage(reader, pad.getResult(), maps, std::nullopt, rewriter);
  }
};

} // namespace
} // namespace mlir::tpp

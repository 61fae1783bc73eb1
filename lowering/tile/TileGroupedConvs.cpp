// Lowers tpp.contract with `grouped` on buffers to parallel loops over tpp.grouped_conv tiles (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "lowering/tile/ImagePostOps.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/ThreadShares.h"
#include "lowering/tile/TileEach.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include <numeric>

namespace mlir::tpp {
#define GEN_PASS_DEF_TILEGROUPEDCONVS
#include "lowering/Passes.h.inc"

namespace {

// The filters as panels: `panel` channels each, with a row for each tap and input channel of a group.
struct FilterPanels {
  int64_t panel = 0, panelStride = 0, rowStride = 0;
};

// nullopt if B does not have the layout that tpp-use-grouped-convs creates.
std::optional<FilterPanels> getFilterPanels(const GroupedConvolution &convolution) {
  FilterPanels panels;
  if (convolution.outputs.extent > 1 && convolution.outputs.b() != 1)
    return std::nullopt;
  // The innermost loops over groups are contiguous: a panel. Further ones step over panels.
  panels.panel = convolution.outputs.extent;
  int64_t next = 0; // the stride of the next loop over panels
  for (const ContractionDim &group : llvm::reverse(convolution.groups)) {
    if (panels.panelStride == 0 && group.b() == panels.panel) {
      panels.panel *= group.extent;
      continue;
    }
    if (panels.panelStride != 0 && group.b() != next)
      return std::nullopt;
    panels.panelStride = panels.panelStride == 0 ? group.b() : panels.panelStride;
    next = group.b() * group.extent;
  }
  int64_t stride = 0;
  for (const ContractionDim *dim : {&convolution.inputs, &convolution.columns.taps, &convolution.rows.taps}) {
    if (dim->extent == 1)
      continue;
    if (stride != 0 && dim->b() != stride)
      return std::nullopt;
    panels.rowStride = panels.rowStride == 0 ? dim->b() : panels.rowStride;
    stride = dim->b() * dim->extent;
  }
  if (panels.rowStride == 0)
    panels.rowStride = panels.panel;
  return panels;
}

// Emits the loops of one convolution.
class GroupedConvTiler {
public:
  GroupedConvTiler(ContractOp op, const ContractionInfo &contraction, const GroupedConvolution &convolution,
                   const FilterPanels &filters, int64_t threads, RewriterBase &rewriter)
      : op(op), contraction(contraction), convolution(convolution), filters(filters), rewriter(rewriter), loc(op.getLoc()),
        height(convolution.rows.outputs.extent), width(convolution.columns.outputs.extent), channels(convolution.getChannels()),
        padded(op.getPadded()) {
    chooseBlocks(threads);
  }

  void emit() {
    SmallVector<int64_t> counts;
    for (const ContractionDim &dim : convolution.images)
      counts.push_back(dim.extent);
    int64_t rowBlocks = llvm::divideCeil(height, blockRows), channelBlocks = llvm::divideCeil(channels, blockChannels);
    counts.append({rowBlocks, channelBlocks});
    auto forall =
        scf::ForallOp::create(rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), counts), ValueRange(), std::nullopt);
    double workNs = estimateContractionNs(op.getFlops(), contraction.target.getMachine());
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(std::max<int64_t>(1, static_cast<int64_t>(workNs))));
    rewriter.setInsertionPoint(forall.getTerminator());
    ivs = llvm::to_vector_of<Value>(forall.getInductionVars());
    unsigned images = convolution.images.size();
    Value row = rowBlocks == 1 ? Value() : ivs[images], channel = channelBlocks == 1 ? Value() : ivs[images + 1];
    emitBlocks(rewriter, loc, row, blockRows, height, [&](int64_t rows) {
      emitBlocks(rewriter, loc, channel, blockChannels, channels, [&](int64_t count) {
        emitWindows(rewriter, loc, row, getRowWindows(rows), [&](Window window) { emitTile(rows, count, window); });
      });
    });
    rewriter.setInsertionPointAfter(forall);
  }

private:
  // Blocks of rows whose pixels, read and written, take at most three quarters of L2. The kernel passes over all of them for some channels at a time; later
  // passes then find them in L2, where the hardware has fetched whole lines. More blocks if the threads get more equal shares; channels are split only if
  // there are too few rows for that.
  void chooseBlocks(int64_t threads) {
    const tpp_machine machine = contraction.target.getMachine();
    constexpr int64_t fewestRows = 4;
    int64_t inputs = convolution.countGroups() * convolution.inputs.extent, images = 1;
    for (const ContractionDim &dim : convolution.images)
      images *= dim.extent;
    int64_t inRow = convolution.columns.getWindow(width) * inputs * contraction.a().getElementBytes(),
            outRow = width * channels * contraction.c().getElementBytes();
    int64_t others = (convolution.rows.getWindow(1) - convolution.rows.step) * inRow; // rows that two blocks read
    int64_t held = (machine.l2_bytes / 4 * 3 - others) / (convolution.rows.step * inRow + outRow);
    int64_t blocks = llvm::divideCeil(height, std::max(held, fewestRows));
    // Blocks of channels are whole panels, or whole groups and cache lines of one panel.
    int64_t line = TPP_LINE_BYTES / contraction.c().getElementBytes();
    int64_t unit = filters.panelStride != 0 ? filters.panel : std::lcm(convolution.outputs.extent, line);
    int64_t units = llvm::divideCeil(channels, unit);
    auto getShare = [&](int64_t rowBlocks, int64_t channelBlocks) {
      int64_t rows = llvm::divideCeil(height, rowBlocks), ofUnits = llvm::divideCeil(units, channelBlocks);
      return getLargestShare({{images, 1}, {height, rows}, {units, ofUnits}}, threads);
    };
    int64_t parts = 1;
    if (threads > 1) {
      blocks = chooseBlockCount(blocks, std::min(height / fewestRows, blocks + 2 * threads),
                                [&](int64_t rowBlocks) { return getShare(rowBlocks, 1); });
      parts = chooseBlockCount(1, std::min(units, 2 * threads),
                               [&](int64_t channelBlocks) { return getShare(blocks, channelBlocks); });
    }
    blockRows = llvm::divideCeil(height, blocks);
    blockChannels = parts == 1 ? channels : int64_t(llvm::divideCeil(units, parts)) * unit;
  }

  // What blocks of `rows` rows of outputs read of the image.
  SmallVector<std::pair<int64_t, Window>> getRowWindows(int64_t rows) const {
    SmallVector<std::pair<int64_t, Window>> windows;
    for (int64_t block = 0; block * blockRows < height; ++block)
      if (std::min(blockRows, height - block * blockRows) == rows)
        windows.emplace_back(block, getAxisWindow(convolution.rows, block * blockRows, rows));
    return windows;
  }
  // What `count` outputs from `first` on read along an axis.
  Window getAxisWindow(const ImageAxis &axis, int64_t first, int64_t count) const {
    int64_t pixels = axis.getWindow(count);
    if (!padded)
      return {0, pixels};
    return getWindow(axis.start + first * axis.step, pixels, axis.extent);
  }

  // One tile of `rows` rows and `count` channels, for the block of the induction variables.
  void emitTile(int64_t rows, int64_t count, Window vertical) {
    Window horizontal = getAxisWindow(convolution.columns, 0, width);
    const ContractionDim &outRows = convolution.rows.outputs, &outColumns = convolution.columns.outputs;
    int64_t inputs = convolution.inputs.extent, outputs = convolution.outputs.extent;
    AffineExpr first = offset(0, inputs * blockChannels / outputs) + vertical.before * convolution.rows.stride +
                       horizontal.before * convolution.columns.stride;
    if (vertical.size == 0 || horizontal.size == 0) // an empty view could start outside of the image
      first = rewriter.getAffineConstantExpr(0);
    Value in = makeView(0, first, {vertical.size, horizontal.size, count / outputs * inputs},
                        {convolution.rows.stride, convolution.columns.stride, 1});
    int64_t filterRows = convolution.rows.taps.extent * convolution.columns.taps.extent * inputs;
    SmallVector<int64_t> filterSizes = {filterRows, count}, filterStrides = {filters.rowStride, 1};
    if (filters.panelStride != 0) {
      filterSizes = {count / filters.panel, filterRows, filters.panel};
      filterStrides = {filters.panelStride, filters.rowStride, 1};
    }
    int64_t filterStep = filters.panelStride != 0 ? blockChannels / filters.panel * filters.panelStride : blockChannels;
    Value filter = makeView(1, offset(1, filterStep), filterSizes, filterStrides);
    SmallVector<int64_t> sizes = {rows, width, count};
    Value out = makeView(2, offset(2, blockChannels), sizes, {outRows.c(), outColumns.c(), 1});
    auto getStrides = [&](unsigned i) {
      return ImageStrides{outRows.strides[i], outColumns.strides[i], convolution.getChannelStride(i)};
    };
    ImagePostOps post =
        makeImagePostOps(contraction, sizes, getStrides, [&](unsigned i, ArrayRef<int64_t> extents, ArrayRef<int64_t> strides) {
          return makeView(i, offset(i, blockChannels * convolution.getChannelStride(i)), extents, strides);
        });
    GroupedConvShape shape;
    shape.taps = {convolution.rows.taps.extent, convolution.columns.taps.extent};
    shape.steps = {convolution.rows.step, convolution.columns.step};
    shape.dilations = {convolution.rows.dilation, convolution.columns.dilation};
    shape.before = {vertical.before, horizontal.before};
    shape.group = {inputs, outputs};
    shape.border = op.getBorder().value_or(0);
    shape.inUnsigned = contraction.a().isUnsigned;
    shape.outUnsigned = op.getCUnsigned();
    GroupedConvOp::create(rewriter, loc, shape, in, filter, out, rewriter.getArrayAttr(post.postOps), post.operands);
  }

  // The offset of operand `i` at the block of the induction variables; blocks of channels are `channelStep` elements apart.
  AffineExpr offset(unsigned i, int64_t channelStep) const {
    AffineExpr result = rewriter.getAffineConstantExpr(contraction.operands[i].offset);
    unsigned symbol = 0;
    for (const ContractionDim &dim : convolution.images)
      result = result + rewriter.getAffineSymbolExpr(symbol++) * dim.strides[i];
    result = result + rewriter.getAffineSymbolExpr(symbol++) * (blockRows * convolution.rows.outputs.strides[i]);
    return result + rewriter.getAffineSymbolExpr(symbol) * channelStep;
  }
  Value makeView(unsigned i, AffineExpr offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) const {
    return makeStridedView(rewriter, loc, op->getOperand(contraction.getOpOperand(i)), offset, ivs, sizes, strides);
  }

  ContractOp op;
  const ContractionInfo &contraction;
  const GroupedConvolution &convolution;
  const FilterPanels &filters;
  RewriterBase &rewriter;
  Location loc;
  int64_t height, width, channels;
  bool padded;
  int64_t blockRows = 1, blockChannels = 1;
  SmallVector<Value> ivs; // image, block of rows, block of channels
};

struct TileGroupedConvs : public impl::TileGroupedConvsBase<TileGroupedConvs> {
  using TileGroupedConvsBase::TileGroupedConvsBase;

  void runOnOperation() override {
    if (failed(tileEach(
            getOperation(), threads, [](ContractOp op) { return op.getGrouped(); },
            [&](ContractOp op, int64_t team, RewriterBase &rewriter) { return tile(op, team, rewriter); })))
      signalPassFailure();
  }

  LogicalResult tile(ContractOp op, int64_t team, RewriterBase &rewriter) {
    std::optional<ContractionInfo> contraction = getContractionInfo(op, getTarget(op));
    std::optional<GroupedConvolution> convolution = contraction ? matchGroupedConvolution(op, *contraction) : std::nullopt;
    std::optional<FilterPanels> filters = convolution ? getFilterPanels(*convolution) : std::nullopt;
    if (!filters)
      return op.emitOpError("is grouped, but is no convolution of groups with contiguous channels and rows of filters");
    if (!convolution->hasChannelStrides(*contraction))
      return op.emitOpError("is grouped, but has a post operand without one stride along the channels");
    rewriter.setInsertionPoint(op);
    GroupedConvTiler(op, *contraction, *convolution, *filters, team, rewriter).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace
} // namespace mlir::tpp

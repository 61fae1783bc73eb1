// Marks the convolutions of groups of channels that the kernels of tpp.grouped_conv compute, and lays out their filters (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/ReorderOperand.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_USEGROUPEDCONVS
#include "lowering/Passes.h.inc"

namespace {

struct GroupedConvChoice {
  ContractOp op;
  ContractionInfo contraction;
  GroupedConvolution convolution;
};

struct UseGroupedConvs : public impl::UseGroupedConvsBase<UseGroupedConvs> {
  void runOnOperation() override {
    ConstantAnalysis constants;
    std::vector<GroupedConvChoice> choices;
    getOperation().walk([&](ContractOp op) {
      if (std::optional<GroupedConvChoice> choice = choose(op, constants))
        choices.push_back(std::move(*choice));
    });
    IRRewriter rewriter(&getContext());
    for (const GroupedConvChoice &choice : choices)
      rewrite(choice, rewriter);
  }

  std::optional<GroupedConvChoice> choose(ContractOp op, ConstantAnalysis &constants) {
    if (!op.getResult() || op.getWinograd() || op.getGrouped() || !mayUseOtherKernels(op))
      return std::nullopt;
    std::optional<ContractionInfo> contraction = getContractionInfo(op, getTarget(op), constants);
    if (!contraction || !hasContiguousRows(op->getOperand(contraction->getOpOperand(0))))
      return std::nullopt;
    std::optional<GroupedConvolution> convolution = matchGroupedConvolution(op, *contraction);
    if (!convolution || !prefersGroupedConv(*convolution, *contraction, op.getMaps()) ||
        !convolution->hasChannelStrides(*contraction))
      return std::nullopt;
    return GroupedConvChoice{op, *contraction, *convolution};
  }

  // The groups of a panel of filters: as many as give whole vectors of at most four lines; 0 if there is no such number. The rows of a panel are
  // neighbours, whereas those of all channels may share few sets of L1.
  static int64_t chooseGroups(const GroupedConvChoice &choice) {
    int64_t last = choice.convolution.groups.back().extent, outputs = choice.convolution.outputs.extent;
    constexpr int64_t most = 4 * TPP_LINE_BYTES / sizeof(float);
    for (int64_t groups = last - 1; groups > 0; --groups)
      if (last % groups == 0 && groups * outputs <= most && groups * outputs % choice.contraction.getLanes() == 0)
        return groups;
    return 0;
  }

  void rewrite(const GroupedConvChoice &choice, RewriterBase &rewriter) {
    ContractOp op = choice.op;
    const GroupedConvolution &convolution = choice.convolution;
    rewriter.setInsertionPoint(op);
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<int64_t> extents = llvm::to_vector(op.getExtents());
    SmallVector<unsigned> outer, rows, loops;
    unsigned last = convolution.groups.back().index, within = last;
    for (const ContractionDim &group : ArrayRef(convolution.groups).drop_back())
      outer.push_back(group.index);
    for (const ContractionDim *dim : {&convolution.rows.taps, &convolution.columns.taps, &convolution.inputs})
      if (dim->extent > 1)
        rows.push_back(dim->index);
    if (int64_t groups = chooseGroups(choice)) {
      for (AffineMap &map : maps)
        map = splitDim(map, last, groups);
      extents[last] /= groups;
      extents.push_back(groups);
      within = extents.size() - 1;
      outer.push_back(last);
      llvm::append_range(loops, outer);
      llvm::append_range(loops, rows);
    } else {
      llvm::append_range(loops, rows);
      llvm::append_range(loops, outer);
    }
    loops.push_back(within);
    if (convolution.outputs.extent > 1)
      loops.push_back(convolution.outputs.index);
    unsigned image = choice.contraction.getOpOperand(0), filters = choice.contraction.getOpOperand(1);
    Value a = op->getOperand(image);
    Value b = reorderOperand(rewriter, op.getLoc(), op->getOperand(filters), maps[filters], extents, loops);
    maps[0] = maps[image];
    SmallVector<AffineExpr> exprs;
    for (unsigned loop : loops)
      exprs.push_back(rewriter.getAffineDimExpr(loop));
    maps[1] = AffineMap::get(extents.size(), 0, exprs, rewriter.getContext());
    auto contract = ContractOp::create(rewriter, op.getLoc(), op, a, b, op.getInit(), op.getPostOperands(), maps, extents);
    contract.setGrouped(true);
    bool isUnsigned[] = {op.getAUnsigned(), op.getBUnsigned()};
    contract.setAUnsigned(isUnsigned[image]);
    contract.setBUnsigned(isUnsigned[filters]);
    rewriter.replaceOp(op, contract);
  }
};

} // namespace
} // namespace mlir::tpp

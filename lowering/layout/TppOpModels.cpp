// Models of PackableOpInterface for the ops of the tpp dialect.
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/GroupedConvolutions.h"
#include "lowering/analysis/Joins.h"
#include "lowering/layout/OperandTiles.h"
#include "lowering/layout/PackableOpInterface.h"
#include "lowering/layout/PackableOpModels.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/WinogradBlocking.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::tpp {
namespace {

struct ContractModel : PackableOpInterface::ExternalModel<ContractModel, ContractOp> {
  static SmallVector<Value> getTensors(ContractOp op) { return llvm::to_vector(op->getOperands()); }

  LayoutRule getLayoutRule(Operation *op) const {
    auto contract = cast<ContractOp>(op);
    LayoutRule rule;
    for (AffineMap map : contract.getMaps())
      rule.factors.push_back(getFactors(map));
    // A dimension of the accumulator that several loops index together (groups and their channels) gets a new factor, which the accumulator
    // and the result share.
    for (auto [i, factor] : llvm::enumerate(rule.factors[2]))
      if (factor == LayoutRule::none)
        factor = static_cast<int64_t>(contract.getExtents().size() + i);
    rule.factors.push_back(rule.factors[2]);
    // The maps adapt to any layout of each operand; only the result must have the accumulator's layout.
    rule.independent.assign(rule.factors.size(), true);
    rule.independent[2] = rule.independent.back() = false;
    return rule;
  }

  // Wishes for each reduction dimension of A and B, and for each row or column dimension of the accumulator, to be innermost; or for the tiles
  // that a strategy chose. The solver ignores wishes for constants.
  SmallVector<LayoutWish> getLayoutWishes(Operation *op) const {
    auto contract = cast<ContractOp>(op);
    SmallVector<AffineMap> maps = contract.getMaps();
    double weight = contract.getFlops();
    SmallVector<LayoutWish> wishes;
    if (isTiled(contract))
      return wishes;
    std::optional<OperandTiles> tiles = getOperandTiles(contract);
    auto wish = [&](unsigned tensor, function_ref<bool(unsigned)> wanted) {
      for (auto [i, expr] : llvm::enumerate(maps[tensor].getResults()))
        if (std::optional<unsigned> loop = getInnermostLoop(expr, contract.getExtents()); loop && wanted(*loop))
          wishes.push_back({tensor, static_cast<int64_t>(i), weight});
    };
    for (unsigned tensor : {0u, 1u})
      if (tiles && tiles->aLayout && tensor == tiles->a)
        wishes.push_back({tensor, tiles->aTiles.columnDim, weight, tiles->aTiles});
      else
        wish(tensor, [&](unsigned loop) { return !maps[2].isFunctionOfDim(loop); });
    if (tiles && tiles->cLayout)
      wishes.push_back({2, tiles->cTiles.columnDim, weight, tiles->cTiles});
    else
      wish(2, [&](unsigned loop) { return maps[0].isFunctionOfDim(loop) != maps[1].isFunctionOfDim(loop); });
    return wishes;
  }

  // Operand A in the tiles of a strategy; once it has them, as it is.
  void requireLayouts(Operation *op, MutableArrayRef<LayoutAttr> operands) const {
    auto contract = cast<ContractOp>(op);
    if (isTiled(contract))
      operands[getActivations(contract)] = LayoutAttr::getIdentity(op->getContext());
    else if (auto tiles = getOperandTiles(contract); tiles && tiles->aLayout)
      if (LayoutAttr &a = operands[tiles->a];
          getReadTiles(contract, tiles->a, a) != getReadTiles(contract, tiles->a, tiles->aLayout))
        a = tiles->aLayout;
  }

  // The tiles of an operand's layout that cut dimensions of which the op reads more than one index.
  static SmallVector<std::pair<int64_t, int64_t>> getReadTiles(ContractOp op, unsigned operand, LayoutAttr layout) {
    SmallVector<std::pair<int64_t, int64_t>> tiles;
    AffineMap map = op.getMaps()[operand];
    for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles()))
      for (auto [loop, extent] : llvm::enumerate(op.getExtents()))
        if (extent > 1 && map.getResult(dim).isFunctionOfDim(loop)) {
          tiles.push_back({dim, tile});
          break;
        }
    return tiles;
  }

  static std::optional<LoopNest> layOut(ContractOp op, ArrayRef<LayoutAttr> operands) {
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<utils::IteratorType> iterators;
    for (unsigned i = 0; i < op.getExtents().size(); ++i)
      iterators.push_back(maps[2].isFunctionOfDim(i) ? utils::IteratorType::parallel : utils::IteratorType::reduction);
    LoopNest nest(op.getExtents(), maps, iterators, op.getContext());
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (failed(nest.layOut(i, operands[i], getShape(operand))))
        return std::nullopt;
    return nest;
  }

  struct LaidOut {
    LoopNest nest;
    SmallVector<ShapedType> types; // of A, B and C
    ContractionInfo contraction;
  };
  // The op accepts the layouts.
  static LaidOut getLaidOut(ContractOp op, ArrayRef<LayoutAttr> operands) {
    LoopNest nest = getAccepted(layOut(op, operands));
    SmallVector<ShapedType> types;
    for (unsigned i : {0u, 1u, 2u})
      types.push_back(getLaidOutType(cast<RankedTensorType>(op->getOperand(i).getType()), operands[i]));
    bool isConstant[] = {isConstantWithinLimit(op->getOperand(0)), isConstantWithinLimit(op->getOperand(1))};
    ContractionInfo contraction =
        getAccepted(getContractionInfo(ArrayRef(nest.maps).take_front(3), types, nest.extents, getTarget(op), isConstant));
    return {nest, types, contraction};
  }

  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    auto contract = cast<ContractOp>(op);
    if (op->getNumResults() != 1 || operands[2] != results[0] || (isTiled(contract) && !results[0].isIdentity()))
      return false;
    return layOut(contract, operands).has_value();
  }

  // Whether C is contiguous along a loop that only B and C use, as kernels write it.
  static bool writesColumns(const LoopNest &nest, unsigned a) {
    std::optional<unsigned> loop = getInnermostLoop(nest.maps[2].getResults().back(), nest.extents);
    return loop && !nest.maps[a].isFunctionOfDim(*loop) && nest.maps[1 - a].isFunctionOfDim(*loop);
  }

  // The strategy's tiles are not compared with other layouts. But C may have the layout of its readers if that saves a move and the kernels can
  // write it.
  static CostEstimate estimateTiledCost(ContractOp op, const OperandTiles &tiles, ArrayRef<LayoutAttr> operands) {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    constexpr double otherTiles = 0.5, otherColumns = 2; // times the move
    CostEstimate cost;
    if (operands[2] != tiles.cLayout)
      cost.ns = (writesColumns(getAccepted(layOut(op, operands)), tiles.a) ? (tiles.cLayout ? otherTiles : 0) : otherColumns) *
                estimateMoveNs(getBufferBytes(type).value_or(0), getTarget(op).getMachine());
    return cost;
  }

  CostEstimate estimateCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr>) const {
    auto contract = cast<ContractOp>(op);
    if (std::optional<OperandTiles> tiles = getOperandTiles(contract))
      return estimateTiledCost(contract, *tiles, operands);
    if (isTiled(contract))
      return {};
    auto [nest, types, contraction] = getLaidOut(contract, operands);
    CostEstimate cost = estimateContraction(contraction);
    // matchGroupedConvolution may exchange the operands.
    std::optional<GroupedConvolution> grouped = matchGroupedConvolution(contraction, nest.maps, types, nest.extents);
    if (grouped && contract.getBeta() == 0 && mayUseOtherKernels(contract) &&
        prefersGroupedConv(*grouped, contraction, nest.maps))
      return estimateGroups(contraction, kGroupedKernels);
    std::optional<unsigned> columns;
    if (nest.maps[2].getNumResults() > 0)
      columns = getInnermostLoop(nest.maps[2].getResults().back(), nest.extents);
    for (unsigned i : {0u, 1u})
      cost.ns *= getShareOfTaps(contract, i, columns);
    return cost;
  }

  // The share of the products that are computed if zeros lie between the elements of an operand: the others are skipped (tpp-skip-padded-taps), unless
  // the loop `columns` passes over zeros, because then the columns that are computed together would be apart.
  static double getShareOfTaps(ContractOp op, unsigned operand, std::optional<unsigned> columns) {
    tensor::InsertSliceOp insert = getZeroInsertion(op->getOperand(operand));
    double share = 1;
    if (insert)
      for (auto [expr, stride] : llvm::zip_equal(op.getMaps()[operand].getResults(), insert.getStaticStrides())) {
        if (stride > 1 && columns && *columns < op.getExtents().size() && expr.isFunctionOfDim(*columns))
          return 1;
        share /= static_cast<double>(stride);
      }
    return share;
  }

  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr> operands,
                                  ArrayRef<LayoutAttr>) const {
    auto contract = cast<ContractOp>(op);
    LoopNest nest = getAccepted(layOut(contract, operands));
    auto laidOut = ContractOp::create(rewriter, op->getLoc(), contract, values[0], values[1], values[2], values.drop_front(3),
                                      nest.maps, nest.extents);
    if (getOperandTiles(contract))
      setTiled(laidOut);
    return {laidOut->getResult(0)};
  }
};

struct GatherModel : PackableOpInterface::ExternalModel<GatherModel, GatherOp> {
  LayoutRule getLayoutRule(Operation *op) const {
    LayoutRule rule;
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, getShape(op->getResult(0)).size()));
    rule.factors.assign(op->getNumOperands() + 1, {LayoutRule::none});
    rule.factors.front() = rule.factors.back() = dims;
    rule.independent.assign(op->getNumOperands() + 1, true);
    rule.independent.front() = rule.independent.back() = false;
    return rule;
  }

  // Elements are selected one by one if the innermost dimension has a list of indices.
  SmallVector<LayoutWish> getLayoutWishes(Operation *op) const {
    auto gather = cast<GatherOp>(op);
    ArrayRef<int64_t> shape = getShape(gather.getResult());
    int64_t longest = -1;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (!llvm::is_contained(gather.getDims(), dim) && size > 1 && (longest < 0 || size >= shape[longest]))
        longest = dim;
    if (longest < 0)
      return {};
    return {{op->getNumOperands(), longest, static_cast<double>(cast<RankedTensorType>(gather.getType()).getNumElements())}};
  }

  bool acceptsLayouts(Operation *, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    return operands[0] == results[0] && results[0].getTiles().empty();
  }

  CostEstimate estimateCost(Operation *op, ArrayRef<LayoutAttr>, ArrayRef<LayoutAttr> results) const {
    auto gather = cast<GatherOp>(op);
    auto type = cast<RankedTensorType>(gather.getType());
    ArrayRef<int64_t> order = results[0].getOuterPermutation();
    int64_t innermost = -1;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (int64_t dim = order.empty() ? i : order[i]; type.getDimSize(dim) > 1)
        innermost = dim;
    if (innermost < 0 || !llvm::is_contained(gather.getDims(), innermost))
      return {};
    tpp_machine machine = getTarget(gather).getMachine();
    int64_t bytes = getBufferBytes(type).value_or(0),
            lanes = machine.vector_bytes * type.getNumElements() / std::max<int64_t>(bytes, 1);
    CostEstimate cost;
    cost.addMove(estimateMoveNs(bytes * lanes, machine));
    return cost;
  }

  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr>,
                                  ArrayRef<LayoutAttr> results) const {
    auto gather = cast<GatherOp>(op);
    ArrayRef<int64_t> order = results[0].getOuterPermutation();
    SmallVector<int64_t> dims = llvm::map_to_vector(
        gather.getDims(), [&](int64_t dim) -> int64_t { return order.empty() ? dim : llvm::find(order, dim) - order.begin(); });
    auto type = getLaidOutType(cast<RankedTensorType>(gather.getType()), results[0]);
    return {GatherOp::create(rewriter, op->getLoc(), type, values[0], values.drop_front(), dims)};
  }
};

} // namespace

bool mayUseWinograd(ContractOp op, const ContractionInfo &contraction) {
  return mayUseOtherKernels(op) && contraction.b().isConstant && hasBrgemmKernel(contraction) &&
         !getZeroInsertion(op->getOperand(contraction.getOpOperand(0)));
}

double getShareOfWinograd(ContractOp op, ArrayRef<LayoutAttr> operands) {
  ContractionInfo contraction = ContractModel::getLaidOut(op, operands).contraction;
  std::optional<WinogradConvolution> convolution = matchWinogradConvolution(contraction);
  if (!convolution || !mayUseWinograd(op, contraction))
    return 1;
  double directNs = estimateDirectConvolutionNs(contraction, /*threads=*/1);
  auto best = chooseWinogradTile(contraction, *convolution, getWinogradPanel(contraction, *convolution), /*threads=*/1,
                                 kWorthwhileWinograd * directNs);
  return best ? best->ns / directNs : 1;
}

void registerTppLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TppDialect *) {
    ContractOp::attachInterface<ContractModel>(*context);
    GatherOp::attachInterface<GatherModel>(*context);
  });
}

} // namespace mlir::tpp

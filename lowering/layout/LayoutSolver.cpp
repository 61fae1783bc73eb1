// See LayoutSolver.h.
#include "lowering/layout/LayoutSolver.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/Moves.h"
#include "lowering/analysis/Relay.h"
#include "lowering/layout/PackableOpModels.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tpp {

LayoutSolver::LayoutSolver(func::FuncOp func, bool winograd)
    : func(func), winograd(winograd), context(func.getContext()), machine(getTarget(func).getMachine()),
      identity(LayoutAttr::getIdentity(context)) {
  collectValues();
  tie();
  collectWishes();
}

void LayoutSolver::solve() {
  // Descends twice: from the identity layout for every class, then from each class's first wish, which is the largest with tiles, else the largest. The
  // second result is kept if it is better.
  CostEstimate best;
  SmallVector<Candidate> bestChoice;
  for (bool wished : {false, true}) {
    for (auto &[id, valueClass] : classes)
      valueClass.chosen = valueClass.candidates[wished && valueClass.candidates.size() > 1 ? 1 : 0];
    descend();
    CostEstimate cost = getTotalCost();
    if (bestChoice.empty() || isBetter(cost, best)) {
      best = cost;
      bestChoice.clear();
      for (auto &[id, valueClass] : classes)
        bestChoice.push_back(valueClass.chosen);
    }
  }
  for (auto [entry, choice] : llvm::zip(classes, bestChoice))
    entry.second.chosen = choice;
}

bool LayoutSolver::changesLayouts() {
  auto changes = [](LayoutAttr layout) { return !layout.isIdentity(); };
  if (llvm::any_of(values, [&](Value value) { return changes(getLayout(value)); }))
    return true;
  return llvm::any_of(func.getBody().front(), [&](Operation &op) { // operands that must have a layout of their own
    SmallVector<LayoutAttr> operands, results;
    getLayouts(&op, operands, results);
    return llvm::any_of(operands, changes);
  });
}

LayoutAttr LayoutSolver::getLayout(Value value) {
  auto it = firstDim.find(value);
  if (it == firstDim.end())
    return identity;
  return getLayout(value, classOf[value]->chosen);
}

void LayoutSolver::getLayouts(Operation *op, SmallVectorImpl<LayoutAttr> &operands, SmallVectorImpl<LayoutAttr> &results) {
  for (Value operand : op->getOperands())
    operands.push_back(getLayout(operand));
  for (Value result : op->getResults())
    results.push_back(getLayout(result));
  auto packable = dyn_cast<PackableOpInterface>(op);
  if (!packable)
    return;
  const LayoutRule &rule = getRule(packable);
  // If the chosen dimensions are factors of this op, its constant operands get the same layout.
  MatrixTiles factors;
  auto findFactors = [&](Value value, unsigned tensor) {
    auto it = firstDim.find(value);
    if (it == firstDim.end() || rule.independent[tensor])
      return;
    MatrixTiles chosen = classOf[value]->chosen.tiles;
    factors.columns = chosen.columns, factors.rows = chosen.rows;
    for (auto [dim, f] : llvm::enumerate(rule.factors[tensor])) {
      int64_t tied = dims.find(it->second + dim);
      if (f >= 0 && tied == chosen.columnDim)
        factors.columnDim = f;
      if (f >= 0 && tied == chosen.rowDim)
        factors.rowDim = f;
    }
  };
  for (OpOperand &operand : op->getOpOperands())
    findFactors(operand.get(), operand.getOperandNumber());
  for (OpResult result : op->getResults())
    findFactors(result, op->getNumOperands() + result.getResultNumber());
  for (OpOperand &operand : op->getOpOperands())
    if (unsigned i = operand.getOperandNumber(); isConstant(operand.get()) && !rule.independent[i])
      operands[i] = makeLayout(operand.get(), rule.factors[i], factors);
  packable.requireLayouts(operands);
}

void LayoutSolver::explainCosts() {
  for (Operation &op : func.getBody().front())
    if (std::string why = explainCost(&op); !why.empty() && !getMoveRemark(op.getLoc()).reason)
      op.setLoc(explainMove(op.getLoc(), MoveReason::Cost, why));
}

bool LayoutSolver::isConstant(Value value) {
  auto [it, inserted] = constants.try_emplace(value, false);
  if (inserted)
    it->second = isa<RankedTensorType>(value.getType()) && analysis.dependsOnConstantsOnly(value) &&
                 !value.getDefiningOp<tensor::EmptyOp>() && !value.getDefiningOp<linalg::FillOp>();
  return it->second;
}

std::string LayoutSolver::explainCost(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isCopy(structured) || op->getNumResults() != 1 || !firstDim.count(op->getResult(0)))
    return "";
  ValueClass &valueClass = *classOf[op->getResult(0)];
  Candidate chosen = valueClass.chosen;
  auto isFree = [&] {
    llvm::DenseSet<std::pair<Value, Attribute>> moved;
    return getCost(op, moved).ns == 0;
  };
  if (isFree())
    return "";
  double cost = getCost(valueClass).ns, without = std::numeric_limits<double>::infinity();
  for (const Candidate &candidate : valueClass.candidates) {
    valueClass.chosen = candidate;
    if (isFree())
      without = std::min(without, getCost(valueClass).ns);
  }
  valueClass.chosen = chosen;
  if (without == std::numeric_limits<double>::infinity())
    return "";
  return llvm::formatv(
      "{0:f1} us estimated with this move, {1:f1} us in a layout without it, for all values that share the layout{2}", cost / 1e3,
      without / 1e3, without < cost ? "; the gain is too small to change the layout" : "");
}

LayoutAttr LayoutSolver::getLayout(Value value, Candidate candidate) {
  if (candidate.isIdentity())
    return identity;
  auto &known = layouts[value];
  for (auto &[other, layout] : known)
    if (other == candidate)
      return layout;
  SmallVector<int64_t> tied;
  int64_t first = firstDim.find(value)->second;
  for (int64_t dim = 0, rank = cast<RankedTensorType>(value.getType()).getRank(); dim < rank; ++dim)
    tied.push_back(dims.find(first + dim));
  known.push_back({candidate, makeLayout(value, tied, candidate.tiles)});
  return known.back().second;
}

LayoutAttr LayoutSolver::makeLayout(Value value, ArrayRef<int64_t> names, MatrixTiles tiles) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() < 2)
    return identity; // all layouts are the same in memory
  bool cuts = tiles.cuts(), ambiguous = false;
  // The dimension that has a name. A tile that does not divide it does not cut it.
  auto find = [&](int64_t &name, int64_t &tile) {
    int64_t found = LayoutRule::none;
    for (auto [dim, other] : llvm::enumerate(names))
      if (name >= 0 && other == name) {
        ambiguous |= found >= 0;
        found = dim;
      }
    name = found;
    if (found < 0 || (tile > 1 && type.getDimSize(found) % tile != 0))
      tile = 0;
  };
  find(tiles.columnDim, tiles.columns);
  find(tiles.rowDim, tiles.rows);
  if (ambiguous)
    return identity;
  if (cuts)
    return getTiledLayout(context, type.getRank(), tiles);
  return tiles.columnDim < 0 ? identity : getInnermostLayout(context, type.getRank(), tiles.columnDim);
}

const LayoutRule &LayoutSolver::getRule(PackableOpInterface op) {
  auto [it, inserted] = rules.try_emplace(op.getOperation());
  if (inserted)
    it->second = op.getLayoutRule();
  return it->second;
}

void LayoutSolver::collectValues() {
  auto add = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 2 || isConstant(value))
      return;
    valueIds[value] = valueSets.add();
    firstDim[value] = dims.add();
    for (int64_t i = 1; i < type.getRank(); ++i)
      dims.add();
    values.push_back(value);
  };
  for (Value argument : func.getArguments())
    add(argument);
  for (Operation &op : func.getBody().front())
    for (Value result : op.getResults())
      add(result);
}

void LayoutSolver::tie() {
  for (Operation &op : func.getBody().front()) {
    auto packable = dyn_cast<PackableOpInterface>(op);
    if (!packable)
      continue;
    const LayoutRule &rule = getRule(packable);
    SmallVector<std::pair<Value, unsigned>> tied;
    for (OpOperand &operand : op.getOpOperands())
      if (firstDim.count(operand.get()) && !rule.independent[operand.getOperandNumber()])
        tied.push_back({operand.get(), operand.getOperandNumber()});
    for (OpResult result : op.getResults())
      if (unsigned i = op.getNumOperands() + result.getResultNumber(); firstDim.count(result) && !rule.independent[i])
        tied.push_back({result, i});
    llvm::DenseMap<int64_t, int64_t> first; // the first dimension seen with each factor
    for (auto [value, tensor] : tied) {
      valueSets.unite(valueIds[tied.front().first], valueIds[value]);
      for (auto [dim, factor] : llvm::enumerate(rule.factors[tensor]))
        if (factor >= 0) {
          int64_t id = firstDim[value] + dim;
          dims.unite(first.try_emplace(factor, id).first->second, id);
        }
    }
  }
  for (Value value : values) {
    ValueClass &valueClass = classes[valueSets.find(valueIds[value])];
    valueClass.values.push_back(value);
    if (Operation *op = value.getDefiningOp())
      valueClass.ops.insert(op);
    for (Operation *user : value.getUsers())
      valueClass.ops.insert(func.getBody().front().findAncestorOpInBlock(*user));
  }
  for (auto &[id, valueClass] : classes)
    for (Value value : valueClass.values)
      classOf[value] = &valueClass;
}

void LayoutSolver::collectWishes() {
  // Sum the weights of equal wishes in each class. The wishes with the largest sums become candidates.
  llvm::MapVector<int64_t, SmallVector<std::pair<Candidate, double>>> weights;
  for (Operation &op : func.getBody().front()) {
    auto packable = dyn_cast<PackableOpInterface>(op);
    if (!packable)
      continue;
    for (const LayoutWish &wish : packable.getLayoutWishes()) {
      Value value =
          wish.tensor < op.getNumOperands() ? op.getOperand(wish.tensor) : op.getResult(wish.tensor - op.getNumOperands());
      if (!firstDim.count(value))
        continue;
      auto name = [&](int64_t dim) { return dim < 0 ? LayoutRule::none : dims.find(firstDim[value] + dim); };
      Candidate candidate{wish.tiles};
      candidate.tiles.columnDim = name(wish.dimension);
      candidate.tiles.rowDim = name(wish.tiles.rowDim);
      if (candidate.isIdentity())
        continue;
      auto &known = weights[valueSets.find(valueIds[value])];
      auto *it = llvm::find_if(known, [&](auto &entry) { return entry.first == candidate; });
      if (it == known.end())
        known.push_back({candidate, wish.weight});
      else
        it->second += wish.weight;
    }
  }
  constexpr size_t mostOthers = 4;
  for (auto &[id, wishes] : weights) {
    llvm::stable_sort(wishes, [](auto &x, auto &y) {
      return x.first.tiles.cuts() != y.first.tiles.cuts() ? x.first.tiles.cuts() : x.second > y.second;
    });
    size_t others = 0;
    for (auto &[candidate, weight] : wishes)
      if (candidate.tiles.cuts() || others++ < mostOthers)
        classes[id].candidates.push_back(candidate);
  }
}

double LayoutSolver::getMoveNs(Value value, LayoutAttr from, LayoutAttr to) {
  return movesData(cast<RankedTensorType>(value.getType()), from, to) ? estimateMoveNs(getValueBytes(value), machine) : 0;
}

// True if `value` is available in the identity layout anyway, so that it need not be moved back: arguments and results of ops without
// PackableOpInterface are created in it, and empty tensors have no contents to move.
static bool isAvailableInIdentity(Value value) {
  Operation *op = value.getDefiningOp();
  return !isa_and_nonnull<PackableOpInterface>(op) || isa<tensor::EmptyOp>(op);
}

CostEstimate LayoutSolver::getCost(Operation *op, llvm::DenseSet<std::pair<Value, Attribute>> &moved) {
  SmallVector<LayoutAttr> operands, results;
  getLayouts(op, operands, results);
  if (std::optional<CostEstimate> own = getOwnCost(op, operands, results)) {
    for (auto [value, layout] : llvm::zip(op->getOperands(), operands))
      if (LayoutAttr now = getLayout(value); layout != now && !isConstant(value) && moved.insert({value, layout}).second)
        own->addMove(getMoveNs(value, now, layout));
    return *own;
  }
  // It is computed in the identity layout.
  SmallVector<LayoutAttr> identityOperands(operands.size(), identity), identityResults(results.size(), identity);
  CostEstimate cost = getOwnCost(op, identityOperands, identityResults).value_or(CostEstimate());
  for (Value value : getReads(op))
    if (!getLayout(value).isIdentity() && !isAvailableInIdentity(value) && moved.insert({value, identity}).second)
      cost.addMove(getMoveNs(value, getLayout(value), identity));
  for (auto [value, layout] : llvm::zip(op->getResults(), results))
    if (!layout.isIdentity())
      cost.addMove(getMoveNs(value, identity, layout));
  return cost;
}

std::optional<CostEstimate> LayoutSolver::getOwnCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) {
  SmallVector<LayoutAttr> key(operands);
  llvm::append_range(key, results);
  auto &known = costs[op];
  for (auto &[layouts, cost] : known)
    if (layouts == key)
      return cost;
  auto packable = dyn_cast<PackableOpInterface>(op);
  std::optional<CostEstimate> cost;
  if (packable && packable.acceptsLayouts(operands, results))
    cost = packable.estimateCost(operands, results);
  if (auto contract = dyn_cast<ContractOp>(op); contract && cost && winograd)
    cost->ns *= getShareOfWinograd(contract, operands);
  known.push_back({key, cost});
  return cost;
}

ArrayRef<Value> LayoutSolver::getReads(Operation *op) {
  auto [it, inserted] = reads.try_emplace(op);
  if (inserted) {
    llvm::SetVector<Value> all(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), all);
    it->second = all.takeVector();
  }
  return it->second;
}

CostEstimate LayoutSolver::getCost(ValueClass &valueClass) {
  llvm::DenseSet<std::pair<Value, Attribute>> moved;
  CostEstimate cost;
  for (Operation *op : valueClass.ops)
    cost += getCost(op, moved);
  for (Value value : valueClass.values)
    if (isa<BlockArgument>(value) && !getLayout(value).isIdentity())
      cost.addMove(getMoveNs(value, identity, getLayout(value)));
  return cost;
}

CostEstimate LayoutSolver::getTotalCost() {
  llvm::DenseSet<std::pair<Value, Attribute>> moved;
  CostEstimate cost;
  for (Operation &op : func.getBody().front())
    cost += getCost(&op, moved);
  for (Value argument : func.getArguments())
    if (!getLayout(argument).isIdentity())
      cost.addMove(getMoveNs(argument, identity, getLayout(argument)));
  return cost;
}

void LayoutSolver::descend() {
  constexpr int mostSweeps = 6;
  for (int sweep = 0; sweep < mostSweeps; ++sweep) {
    bool changed = false;
    for (auto &[id, valueClass] : classes) {
      if (valueClass.candidates.size() == 1)
        continue;
      Candidate before = valueClass.chosen, best = before;
      CostEstimate bestCost = getCost(valueClass);
      for (const Candidate &candidate : valueClass.candidates) {
        if (candidate == before)
          continue;
        valueClass.chosen = candidate;
        if (CostEstimate cost = getCost(valueClass); isBetter(cost, bestCost))
          best = candidate, bestCost = cost;
      }
      valueClass.chosen = best;
      changed |= !(best == before);
    }
    if (!changed)
      return;
  }
}

} // namespace mlir::tpp

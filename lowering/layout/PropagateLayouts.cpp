// Decides the layout of every value of a function at once.
//
// Values that ops tie together (elementwise, pads, pools, residual additions, reshapes) form one class; dimensions that are the same
// to all of them are one dimension of the class. Contractions take operands in any layout, so classes meet there: each contraction
// says which dimension of each of its operands would best lie innermost, and what it costs with what it gets. A class either stays as
// it is or puts one of those dimensions innermost in all of its values; what is chosen costs least, the bytes counted that are then
// moved at the program's edges and where an op cannot follow. All ops change at once; values are moved only on edges whose two ends
// differ.
#include "lowering/Cost.h"
#include "lowering/LinearMap.h"
#include "lowering/Moves.h"
#include "lowering/Passes.h"
#include "lowering/Relay.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// Sets of numbers that can only be united; the smallest member names its set.
class UnionFind {
public:
  int64_t add() {
    parents.push_back(parents.size());
    return parents.back();
  }
  int64_t find(int64_t i) {
    while (parents[i] != i)
      i = parents[i] = parents[parents[i]];
    return i;
  }
  void unite(int64_t x, int64_t y) {
    x = find(x), y = find(y);
    parents[std::max(x, y)] = std::min(x, y);
  }

private:
  SmallVector<int64_t> parents;
};

// A layout of a whole class: `dimension` (a set of dimensions of values) innermost; -1: every value as it is.
struct Candidate {
  int64_t dimension = -1;
  bool operator==(const Candidate &other) const { return dimension == other.dimension; }
};

struct ValueClass {
  SmallVector<Value> values;
  llvm::SetVector<Operation *> ops; // that read or write one of the values
  SmallVector<Candidate> candidates = {Candidate()};
  Candidate chosen;
};

class LayoutSolver {
public:
  explicit LayoutSolver(func::FuncOp func) : func(func), context(func.getContext()), identity(LayoutAttr::getIdentity(context)) {
    collectValues();
    tie();
    collectWishes();
  }

  void solve() {
    // From "everything as it is" and from "every class as its largest wish has it": the better end of the two.
    double best = 0;
    SmallVector<Candidate> bestChoice;
    for (bool wished : {false, true}) {
      for (auto &[id, valueClass] : classes)
        valueClass.chosen = valueClass.candidates[wished && valueClass.candidates.size() > 1 ? 1 : 0];
      descend();
      double cost = getTotalCost();
      if (bestChoice.empty() || cost < best * margin) {
        best = cost;
        bestChoice.clear();
        for (auto &[id, valueClass] : classes)
          bestChoice.push_back(valueClass.chosen);
      }
    }
    for (auto [entry, choice] : llvm::zip(classes, bestChoice))
      entry.second.chosen = choice;
  }

  bool changesLayouts() {
    return llvm::any_of(values, [&](Value value) { return !getLayout(value).isIdentity(); });
  }

  LayoutAttr getLayout(Value value) {
    auto it = firstDim.find(value);
    if (it == firstDim.end())
      return identity;
    return getLayout(value, classOf[value]->chosen);
  }

  // The layouts of an op's operands and results. Constants lie as the op would like them: they are moved once.
  void getLayouts(Operation *op, SmallVectorImpl<LayoutAttr> &operands, SmallVectorImpl<LayoutAttr> &results) {
    for (Value operand : op->getOperands())
      operands.push_back(getLayout(operand));
    for (Value result : op->getResults())
      results.push_back(getLayout(result));
    auto packable = dyn_cast<PackableOpInterface>(op);
    if (!packable)
      return;
    const LayoutRule &rule = getRule(packable);
    int64_t factor = -1;
    auto findFactor = [&](Value value, unsigned tensor) {
      auto it = firstDim.find(value);
      if (it == firstDim.end() || rule.independent[tensor])
        return;
      Candidate chosen = classOf[value]->chosen;
      for (auto [dim, f] : llvm::enumerate(rule.factors[tensor]))
        if (f >= 0 && chosen.dimension >= 0 && dims.find(it->second + dim) == chosen.dimension)
          factor = f;
    };
    for (OpOperand &operand : op->getOpOperands())
      findFactor(operand.get(), operand.getOperandNumber());
    for (OpResult result : op->getResults())
      findFactor(result, op->getNumOperands() + result.getResultNumber());
    if (factor < 0)
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (!isConstant(operand.get()) || rule.independent[i])
        continue;
      const auto *position = llvm::find(rule.factors[i], factor);
      if (position != rule.factors[i].end())
        operands[i] = getInnermostLayout(context, rule.factors[i].size(), position - rule.factors[i].begin());
    }
  }

  // Says at the transpositions of the program that stay what is cheaper with them.
  void explainCosts() {
    for (Operation &op : func.getBody().front())
      if (std::string why = explainCost(&op); !why.empty() && !getMoveRemark(op.getLoc()).reason)
        op.setLoc(explainMove(op.getLoc(), MoveReason::Cost, why));
  }

  bool isConstant(Value value) {
    auto [it, inserted] = constants.try_emplace(value, false);
    if (inserted)
      it->second = isa<RankedTensorType>(value.getType()) && analysis.dependsOnConstantsOnly(value) &&
                   !value.getDefiningOp<tensor::EmptyOp>() && !value.getDefiningOp<linalg::FillOp>();
    return constants[value];
  }

private:
  // Ties, and differences that the estimate cannot know, keep what is there.
  static constexpr double margin = 0.99;

  // Empty where `op` moves nothing, or would in every layout.
  std::string explainCost(Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !isCopy(structured) || op->getNumResults() != 1 || !firstDim.count(op->getResult(0)))
      return "";
    ValueClass &valueClass = *classOf[op->getResult(0)];
    Candidate chosen = valueClass.chosen;
    auto isFree = [&] {
      llvm::DenseSet<Value> restored;
      return getCost(op, restored) == 0;
    };
    double cost = getCost(valueClass), without = std::numeric_limits<double>::infinity();
    bool moves = !isFree();
    for (const Candidate &candidate : valueClass.candidates) {
      valueClass.chosen = candidate;
      if (moves && isFree())
        without = std::min(without, getCost(valueClass));
    }
    valueClass.chosen = chosen;
    if (without == std::numeric_limits<double>::infinity())
      return "";
    return llvm::formatv("{0:f1} us estimated for all that lies alike, {1:f1} us in a layout without this move{2}", cost / 1e3,
                         without / 1e3, without < cost ? ", too little to change what is there" : "");
  }

  LayoutAttr getLayout(Value value, Candidate candidate) {
    if (candidate.dimension < 0)
      return identity;
    LayoutAttr &layout = layouts[{value, candidate.dimension}];
    if (!layout)
      layout = makeLayout(value, candidate);
    return layout;
  }

  LayoutAttr makeLayout(Value value, Candidate candidate) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank(), found = -1, first = firstDim.find(value)->second;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dims.find(first + dim) == candidate.dimension) {
        if (found >= 0)
          return identity;
        found = dim;
      }
    return found < 0 ? identity : getInnermostLayout(context, rank, found);
  }

  const LayoutRule &getRule(PackableOpInterface op) {
    auto [it, inserted] = rules.try_emplace(op.getOperation());
    if (inserted)
      it->second = op.getLayoutRule();
    return it->second;
  }

  // Every tensor that is computed in the function's body; vectors have one layout only.
  void collectValues() {
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

  void tie() {
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
      llvm::DenseMap<int64_t, int64_t> first; // of each factor: a dimension
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

  void collectWishes() {
    // Of each class the weight of each wish; the four largest are candidates.
    llvm::MapVector<int64_t, llvm::MapVector<int64_t, double>> weights;
    for (Operation &op : func.getBody().front()) {
      auto packable = dyn_cast<PackableOpInterface>(op);
      if (!packable)
        continue;
      for (const LayoutWish &wish : packable.getLayoutWishes()) {
        Value value =
            wish.tensor < op.getNumOperands() ? op.getOperand(wish.tensor) : op.getResult(wish.tensor - op.getNumOperands());
        if (firstDim.count(value))
          weights[valueSets.find(valueIds[value])][dims.find(firstDim[value] + wish.dimension)] += wish.weight;
      }
    }
    constexpr size_t mostCandidates = 4;
    for (auto &[id, wishes] : weights) {
      SmallVector<std::pair<int64_t, double>> sorted(wishes.begin(), wishes.end());
      llvm::stable_sort(sorted, [](auto &x, auto &y) { return x.second > y.second; });
      for (auto [dimension, weight] : llvm::ArrayRef(sorted).take_front(mostCandidates))
        classes[id].candidates.push_back({dimension});
    }
  }

  static int64_t getBytes(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned bits = type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 64;
    return type.getNumElements() * std::max(bits / 8, 1u);
  }

  // Arguments and results of ops that know no layouts are moved into their layout, so they are not moved back; nor is memory that nothing
  // was written to.
  static bool isThereAsItWas(Value value) {
    Operation *op = value.getDefiningOp();
    return !isa_and_nonnull<PackableOpInterface>(op) || isa<tensor::EmptyOp>(op);
  }

  // What an op costs with the layouts its operands and results have now: its own time, or that of moving its results and what it reads.
  // Values that are moved back, once for all ops that read them, are `restored`.
  double getCost(Operation *op, llvm::DenseSet<Value> &restored) {
    SmallVector<LayoutAttr> operands, results;
    getLayouts(op, operands, results);
    if (std::optional<double> own = getOwnCost(op, operands, results))
      return *own;
    double ns = 0;
    for (Value value : getReads(op))
      if (!getLayout(value).isIdentity() && !isThereAsItWas(value) && restored.insert(value).second)
        ns += estimateMoveNs(getBytes(value));
    for (auto [value, layout] : llvm::zip(op->getResults(), results))
      if (!layout.isIdentity())
        ns += estimateMoveNs(getBytes(value));
    return ns;
  }

  // The time of the op itself; none where it does not take these layouts.
  std::optional<double> getOwnCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) {
    SmallVector<LayoutAttr> key(operands);
    llvm::append_range(key, results);
    auto &known = costs[op];
    for (auto &[layouts, ns] : known)
      if (layouts == key)
        return ns;
    auto packable = dyn_cast<PackableOpInterface>(op);
    std::optional<double> ns;
    if (packable && packable.acceptsLayouts(operands, results))
      ns = packable.estimateNs(operands, results);
    known.push_back({key, ns});
    return ns;
  }

  // What an op reads, in its regions too.
  ArrayRef<Value> getReads(Operation *op) {
    auto [it, inserted] = reads.try_emplace(op);
    if (inserted) {
      llvm::SetVector<Value> all(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), all);
      it->second = all.takeVector();
    }
    return it->second;
  }

  double getCost(ValueClass &valueClass) {
    llvm::DenseSet<Value> restored;
    double ns = 0;
    for (Operation *op : valueClass.ops)
      ns += getCost(op, restored);
    for (Value value : valueClass.values)
      if (isa<BlockArgument>(value) && !getLayout(value).isIdentity())
        ns += estimateMoveNs(getBytes(value));
    return ns;
  }

  double getTotalCost() {
    llvm::DenseSet<Value> restored;
    double ns = 0;
    for (Operation &op : func.getBody().front())
      ns += getCost(&op, restored);
    for (Value argument : func.getArguments())
      if (!getLayout(argument).isIdentity())
        ns += estimateMoveNs(getBytes(argument));
    return ns;
  }

  // Gives one class after the other the candidate that costs least, until none changes.
  void descend() {
    constexpr int mostSweeps = 6;
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
      bool changed = false;
      for (auto &[id, valueClass] : classes) {
        if (valueClass.candidates.size() == 1)
          continue;
        Candidate before = valueClass.chosen, best = before;
        double bestCost = getCost(valueClass);
        for (const Candidate &candidate : valueClass.candidates) {
          if (candidate == before)
            continue;
          valueClass.chosen = candidate;
          if (double cost = getCost(valueClass); cost < bestCost * margin)
            best = candidate, bestCost = cost;
        }
        valueClass.chosen = best;
        changed |= !(best == before);
      }
      if (!changed)
        return;
    }
  }

  func::FuncOp func;
  MLIRContext *context;
  LayoutAttr identity;
  UnionFind valueSets, dims;
  SmallVector<Value> values;
  llvm::DenseMap<Value, int64_t> valueIds, firstDim;
  ConstantAnalysis analysis; // nothing is changed while the solver is at work
  llvm::DenseMap<Value, bool> constants;
  llvm::DenseMap<Operation *, LayoutRule> rules;
  // Of each op what it costs in the few combinations of layouts that are tried again and again.
  llvm::DenseMap<Operation *, SmallVector<std::pair<SmallVector<LayoutAttr>, std::optional<double>>, 2>> costs;
  llvm::DenseMap<Operation *, SmallVector<Value>> reads;
  llvm::MapVector<int64_t, ValueClass> classes;
  llvm::DenseMap<Value, ValueClass *> classOf;
  llvm::DenseMap<std::pair<Value, int64_t>, LayoutAttr> layouts;
};

// Changes all ops to the layouts the solver chose.
class LayoutRewriter {
public:
  LayoutRewriter(func::FuncOp func, LayoutSolver &solver) : func(func), solver(solver), rewriter(func.getContext()) {}

  void rewrite() {
    SmallVector<Operation *> ops = llvm::to_vector(llvm::make_pointer_range(func.getBody().front()));
    // All decisions first: they are made of values and ops that the rewriting replaces.
    struct Change {
      Operation *op;
      SmallVector<LayoutAttr> operands, results;
    };
    SmallVector<Change> changes;
    for (Operation *op : ops) {
      Change change{op, {}, {}};
      solver.getLayouts(op, change.operands, change.results);
      auto moves = [](LayoutAttr layout) { return !layout.isIdentity(); };
      bool readsMoved = false; // in a region
      op->walk([&](Operation *inner) {
        readsMoved |= llvm::any_of(inner->getOperands(), [&](Value value) { return moves(solver.getLayout(value)); });
      });
      if (readsMoved || llvm::any_of(change.operands, moves) || llvm::any_of(change.results, moves))
        changes.push_back(change);
    }
    for (Operation *op : ops)
      if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()))
        noteLayoutOf(op->getResult(0), getNotedLayout(op->getLoc()));
    SmallVector<Operation *> replaced;
    for (Change &change : changes) {
      auto packable = dyn_cast<PackableOpInterface>(change.op);
      if (!packable || !packable.acceptsLayouts(change.operands, change.results)) {
        keep(change.op, change.results);
        continue;
      }
      SmallVector<Value> values;
      for (auto [value, layout] : llvm::zip(change.op->getOperands(), change.operands))
        values.push_back(layout.isIdentity() ? value : getLaidOut(value, layout, change.op));
      rewriter.setInsertionPoint(change.op);
      if (change.op->getNumResults() == 1)
        change.op->setLoc(noteLayout(change.op->getLoc(), stackLayouts(getNoted(change.op->getResult(0)), change.results[0])));
      SmallVector<Value> results = packable.applyLayouts(rewriter, values, change.operands, change.results);
      for (auto [old, value, layout] : llvm::zip(change.op->getResults(), results, change.results)) {
        if (layout.isIdentity())
          rewriter.replaceAllUsesWith(old, value);
        else
          laidOut[{old, layout}] = value;
      }
      replaced.push_back(change.op);
    }
    for (Operation *op : llvm::reverse(replaced))
      rewriter.eraseOp(op);
  }

private:
  // Reports want the layouts of all rounds in one: what a value's location said before this round, and says of what is made of it.
  void noteLayoutOf(Value value, LayoutAttr layout) {
    noted[value] = layout ? layout : LayoutAttr::getIdentity(func.getContext());
    value.getDefiningOp()->setLoc(noteLayout(value.getLoc(), noted[value]));
  }
  LayoutAttr getNoted(Value value) {
    LayoutAttr layout = noted.lookup(value);
    return layout ? layout : LayoutAttr::getIdentity(func.getContext());
  }

  // `loc` of a value that is moved since `op` takes or gives it as it is, whatever the layout.
  static Location explainRule(Operation *op, Location loc) {
    StringRef why = isa<PackableOpInterface>(op) ? " cannot follow this layout" : " has no rule for layouts";
    return explainMove(loc, MoveReason::Rule, op->getName().getStringRef() + why);
  }

  // An op that takes values as they are only; regions may read values from outside.
  void keep(Operation *op, ArrayRef<LayoutAttr> results) {
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands()) {
        LayoutAttr layout = solver.getLayout(operand.get());
        // Arguments are there as they are; so is what was moved into its layout behind an op that does not know layouts.
        auto it = laidOut.find({operand.get(), layout});
        if (layout.isIdentity() || it == laidOut.end() || isMoved.contains(operand.get()))
          continue;
        Value &restored = original[operand.get()];
        if (!restored) {
          rewriter.setInsertionPointAfterValue(it->second);
          Location loc = isa<func::ReturnOp>(inner)
                             ? explainMove(inner->getLoc(), MoveReason::Edge,
                                           "result " + Twine(operand.getOperandNumber()) + " is wanted as the program has it")
                             : explainRule(op, inner->getLoc());
          restored = restore(loc, operand.get(), it->second, layout);
        }
        rewriter.modifyOpInPlace(inner, [&] { operand.set(restored); });
      }
    });
    for (auto [result, layout] : llvm::zip(op->getResults(), results))
      if (!layout.isIdentity())
        (void)getLaidOut(result, layout, op);
  }

  // `value` as it was, from what it became. Of memory that nothing was written to, other memory is as good.
  Value restore(Location loc, Value value, Value moved, LayoutAttr layout) {
    auto type = cast<RankedTensorType>(value.getType());
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
    return undoLayout(rewriter, noteLayout(loc, getNoted(value)), moved, layout, type);
  }

  // `value` in its layout, for `op`: as an op before computed it, or moved here.
  Value getLaidOut(Value value, LayoutAttr layout, Operation *op) {
    Value &found = laidOut[{value, layout}];
    if (!found) {
      rewriter.setInsertionPointAfterValue(value);
      Operation *producer = value.getDefiningOp();
      Location loc = producer
                         ? explainRule(producer, op->getLoc())
                         : explainMove(op->getLoc(), MoveReason::Edge, describeOrigin(value) + " comes as the program has it");
      found = relayout(rewriter, noteLayout(loc, stackLayouts(getNoted(value), layout)), value, layout);
      isMoved.insert(value);
    }
    return found;
  }

  func::FuncOp func;
  LayoutSolver &solver;
  IRRewriter rewriter;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> laidOut;
  llvm::DenseMap<Value, Value> original;   // values of changed ops, moved back
  llvm::DenseSet<Value> isMoved;           // values that are computed as they are, and moved into their layout
  llvm::DenseMap<Value, LayoutAttr> noted; // what earlier rounds have chosen
};

struct PropagateLayouts : public impl::PropagateLayoutsBase<PropagateLayouts> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    // A candidate moves one dimension and keeps the order of the others: two rounds reach what one does not. Rounds end when
    // what is there is best, so that the pass changes nothing of its own result; two are usual.
    constexpr int mostRounds = 8;
    for (int round = 0; round < mostRounds; ++round) {
      LayoutSolver solver(func);
      solver.solve();
      if (!solver.changesLayouts())
        return solver.explainCosts();
      LayoutRewriter(func, solver).rewrite();
    }
  }
};

} // namespace
} // namespace mlir::tpp

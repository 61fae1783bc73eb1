// The solver of tpp-propagate-layouts. It groups the values of a function into classes, collects the layouts that each class benefits from,
// and chooses the layouts of all classes by estimated cost.
#ifndef TPP_LOWERING_LAYOUT_LAYOUTSOLVER_H
#define TPP_LOWERING_LAYOUT_LAYOUTSOLVER_H

#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {

// Chooses the layout of every value of a function with one block. The function must not change while the solver is in use.
class LayoutSolver {
public:
  // With `winograd`, convolutions cost what Winograd's algorithm costs where it is faster.
  LayoutSolver(func::FuncOp func, bool winograd);

  void solve();

  bool changesLayouts();
  LayoutAttr getLayout(Value value);
  // The layouts of an op's operands and results. A constant operand gets the layout that matches the other tensors of the op, because it is
  // moved only once.
  void getLayouts(Operation *op, SmallVectorImpl<LayoutAttr> &operands, SmallVectorImpl<LayoutAttr> &results);

  // Records, at each copy of the program that stays although another layout avoids it, the estimated cost with and without the copy.
  void explainCosts();

private:
  // Disjoint sets of integers. The smallest member is the representative of its set.
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

  // A layout for a whole class. Dimensions are the representatives of sets of tied dimensions. Without tiles, columnDim is innermost in every value;
  // none: the identity.
  struct Candidate {
    MatrixTiles tiles;
    bool isIdentity() const { return tiles.columnDim < 0 && tiles.rowDim < 0; }
    auto asTuple() const { return std::tuple(tiles.columnDim, tiles.columns, tiles.rowDim, tiles.rows); }
    bool operator==(const Candidate &other) const { return asTuple() == other.asTuple(); }
  };

  struct ValueClass {
    SmallVector<Value> values;
    llvm::SetVector<Operation *> ops; // that read or write one of the values
    SmallVector<Candidate> candidates = {Candidate()};
    Candidate chosen;
  };

  // Whether a choice of this cost replaces the current one: it is cheaper by more than the estimate of kernels can resolve (margin), or it is cheaper at
  // all and takes less time to move data by as much.
  static bool isBetter(const CostEstimate &cost, const CostEstimate &current) {
    constexpr double margin = 0.99;
    return cost.ns < current.ns * margin || (cost.ns < current.ns && cost.moveNs < current.moveNs * margin);
  }

  // Collects the arguments and results of ops that are tensors of static shape and rank >= 2 and not constant. A vector has only one layout.
  void collectValues();
  // Unites the values and the dimensions that the ops' rules tie, and forms the classes.
  void tie();
  // Gives each class its candidates: the identity, then all tiles, then the other wishes with the largest weights.
  void collectWishes();
  // Coordinate descent: gives each class in turn its cheapest candidate, until no class changes or the maximum of sweeps is reached.
  void descend();

  bool isConstant(Value value);
  const LayoutRule &getRule(PackableOpInterface op);
  // The operands of an op and the values from outside that its regions use.
  ArrayRef<Value> getReads(Operation *op);
  LayoutAttr getLayout(Value value, Candidate candidate);
  // The layout of a value whose dimensions have these names, in tiles that name dimensions.
  LayoutAttr makeLayout(Value value, ArrayRef<int64_t> names, MatrixTiles tiles);

  // Estimated time of an op with the current layouts of its operands and results: its own time if it accepts them, else that in the identity layout and
  // the time to move its results and the values it reads. A value is moved to a layout once for all its readers; `moved` holds the values and layouts
  // whose move is counted already.
  CostEstimate getCost(Operation *op, llvm::DenseSet<std::pair<Value, Attribute>> &moved);
  // The time of the op itself; nullopt if it does not accept these layouts.
  std::optional<CostEstimate> getOwnCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results);
  // The time to move a value from one layout to another.
  double getMoveNs(Value value, LayoutAttr from, LayoutAttr to);
  CostEstimate getCost(ValueClass &valueClass);
  CostEstimate getTotalCost();
  // Compares the cost with and without the copy that `op` is. Empty if `op` is not a copy, moves nothing, or moves data in every layout.
  std::string explainCost(Operation *op);

  func::FuncOp func;
  bool winograd;
  MLIRContext *context;
  tpp_machine machine;
  LayoutAttr identity;
  UnionFind valueSets, dims;
  SmallVector<Value> values;
  llvm::DenseMap<Value, int64_t> valueIds, firstDim;
  ConstantAnalysis analysis; // stays valid, because the function does not change while the solver is in use
  llvm::DenseMap<Value, bool> constants;
  llvm::DenseMap<Operation *, LayoutRule> rules;
  // Cache per op: its own time for each combination of layouts tried so far. There are few combinations, and each is tried many times.
  llvm::DenseMap<Operation *, SmallVector<std::pair<SmallVector<LayoutAttr>, std::optional<CostEstimate>>, 2>> costs;
  llvm::DenseMap<Operation *, SmallVector<Value>> reads;
  llvm::MapVector<int64_t, ValueClass> classes;
  llvm::DenseMap<Value, ValueClass *> classOf;
  llvm::DenseMap<Value, SmallVector<std::pair<Candidate, LayoutAttr>, 4>> layouts;
};

} // namespace mlir::tpp

#endif

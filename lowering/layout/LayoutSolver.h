// What tpp-propagate-layouts decides by: the classes of values of a function, what each would like, and the choice for all at once.
#ifndef TPP_LOWERING_LAYOUT_LAYOUTSOLVER_H
#define TPP_LOWERING_LAYOUT_LAYOUTSOLVER_H

#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/PackableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {

// Finds the layout of every value of a function with one block. It may not change before the last question.
class LayoutSolver {
public:
  explicit LayoutSolver(func::FuncOp func);

  void solve();

  bool changesLayouts();
  LayoutAttr getLayout(Value value);
  // The layouts of an op's operands and results. Constants lie as the op would like them: they are moved once.
  void getLayouts(Operation *op, SmallVectorImpl<LayoutAttr> &operands, SmallVectorImpl<LayoutAttr> &results);

  // Says at the transpositions of the program that stay what is cheaper with them.
  void explainCosts();

private:
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

  // Ties, and differences that the estimate cannot know, keep what is there.
  static constexpr double margin = 0.99;

  // Every tensor that is computed in the function's body; vectors have one layout only.
  void collectValues();
  void tie();
  void collectWishes();
  // Gives one class after the other the candidate that costs least, until none changes.
  void descend();

  bool isConstant(Value value);
  const LayoutRule &getRule(PackableOpInterface op);
  // What an op reads, in its regions too.
  ArrayRef<Value> getReads(Operation *op);
  LayoutAttr getLayout(Value value, Candidate candidate);
  LayoutAttr makeLayout(Value value, Candidate candidate);

  // What an op costs with the layouts its operands and results have now: its own time, or that of moving its results and what it reads.
  // Values that are moved back, once for all ops that read them, are `restored`.
  double getCost(Operation *op, llvm::DenseSet<Value> &restored);
  // The time of the op itself; none where it does not take these layouts.
  std::optional<double> getOwnCost(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results);
  double getCost(ValueClass &valueClass);
  double getTotalCost();
  // Empty where `op` moves nothing, or would in every layout.
  std::string explainCost(Operation *op);

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

} // namespace mlir::tpp

#endif

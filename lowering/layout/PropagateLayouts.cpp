// Decides the layout of every value of a function at once.
//
// Values that ops tie together (elementwise, pads, pools, residual additions, reshapes) form one class; dimensions that are the same
// to all of them are one dimension of the class. Contractions take operands in any layout, so classes meet there: each contraction
// says which dimension of each of its operands would best lie innermost, and what it costs with what it gets. A class either stays as
// it is or puts one of those dimensions innermost in all of its values; what is chosen costs least, the bytes counted that are then
// moved at the program's edges and where an op cannot follow. All ops change at once; values are moved only on edges whose two ends
// differ.
#include "lowering/Passes.h"
#include "lowering/analysis/Moves.h"
#include "lowering/layout/LayoutSolver.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

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

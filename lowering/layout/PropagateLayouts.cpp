// Chooses the layouts of all values of a function together.
//
// Values that ops tie together (elementwise ops, pads, pools, residual additions, reshapes) form one class. Dimensions that are the same in
// all of these values are one dimension of the class. A contraction accepts its operands in any layout, so classes meet at contractions. Each
// contraction says which dimension of each of its operands is best innermost, and estimates its time for given layouts. A class either keeps
// the identity layout or makes one of those dimensions innermost in all of its values. The solver minimizes the estimated total time. This
// includes the time to move values at the arguments and results of the program and at ops that do not accept the chosen layouts. All ops
// change together. A value is moved only between a producer and a consumer that use different layouts.
#include "lowering/Passes.h"
#include "lowering/analysis/Moves.h"
#include "lowering/layout/LayoutSolver.h"
#include "lowering/layout/OperandTiles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PROPAGATELAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// Rewrites all ops to the layouts that the solver chose.
class LayoutRewriter {
public:
  LayoutRewriter(func::FuncOp func, LayoutSolver &solver) : func(func), solver(solver), rewriter(func.getContext()) {}

  void rewrite() {
    SmallVector<Operation *> ops = llvm::to_vector(llvm::make_pointer_range(func.getBody().front()));
    // Collect all decisions before the first rewrite: they refer to values and ops that rewriting replaces.
    struct Change {
      Operation *op;
      SmallVector<LayoutAttr> operands, results;
    };
    SmallVector<Change> changes;
    for (Operation *op : ops) {
      Change change{op, {}, {}};
      solver.getLayouts(op, change.operands, change.results);
      auto moves = [](LayoutAttr layout) { return !layout.isIdentity(); };
      bool readsMoved = false; // the op or one of its regions reads a value that changes its layout
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
        values.push_back(isReplaced(value) || !layout.isIdentity() ? getLaidOut(value, layout, change.op) : value);
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
  // Records the layout that `value` got in earlier rounds, in `noted` and in its location. Reports need the layouts of all rounds as one.
  void noteLayoutOf(Value value, LayoutAttr layout) {
    noted[value] = layout ? layout : LayoutAttr::getIdentity(func.getContext());
    value.getDefiningOp()->setLoc(noteLayout(value.getLoc(), noted[value]));
  }
  LayoutAttr getNoted(Value value) {
    LayoutAttr layout = noted.lookup(value);
    return layout ? layout : LayoutAttr::getIdentity(func.getContext());
  }

  // `loc` with the reason for a move: `op` reads or writes the value only in the identity layout, or does not accept this layout.
  static Location explainRule(Operation *op, Location loc) {
    StringRef why = isa<PackableOpInterface>(op) ? " does not support this layout" : " has no layout rule";
    return explainMove(loc, MoveReason::Rule, op->getName().getStringRef() + why);
  }

  // Keeps `op` in the identity layout: moves the values that it and its regions read back, and its results into their layouts.
  void keep(Operation *op, ArrayRef<LayoutAttr> results) {
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands()) {
        LayoutAttr layout = solver.getLayout(operand.get());
        // Values in `isMoved` still exist in the identity layout, and so do values that nothing has moved yet.
        auto it = laidOut.find({operand.get(), layout});
        if (layout.isIdentity() || it == laidOut.end() || isMoved.contains(operand.get()))
          continue;
        Value &restored = original[operand.get()];
        if (!restored) {
          rewriter.setInsertionPointAfterValue(it->second);
          Location loc = isa<func::ReturnOp>(inner)
                             ? explainMove(inner->getLoc(), MoveReason::Edge,
                                           "result " + Twine(operand.getOperandNumber()) + " must have the program's layout")
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

  // Returns `value` in the identity layout, from its replacement `moved`. An empty tensor has no contents, so a new one replaces it.
  Value restore(Location loc, Value value, Value moved, LayoutAttr layout) {
    auto type = cast<RankedTensorType>(value.getType());
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
    return changeLayout(rewriter, noteLayout(loc, getNoted(value)), moved, layout, LayoutAttr::getIdentity(func.getContext()),
                        type);
  }

  // Whether a rewritten op computes `value` in another layout, so that the original will be erased.
  bool isReplaced(Value value) {
    LayoutAttr layout = solver.getLayout(value);
    return !layout.isIdentity() && laidOut.count({value, layout}) && !isMoved.contains(value);
  }

  // Returns `value` in `layout`, for `op`: the result of a rewritten op if there is one, else a move created here.
  Value getLaidOut(Value value, LayoutAttr layout, Operation *op) {
    if (Value found = laidOut.lookup({value, layout}))
      return found;
    LayoutAttr chosen = solver.getLayout(value);
    bool replaced = isReplaced(value);
    Value from = replaced ? laidOut.lookup({value, chosen}) : value;
    rewriter.setInsertionPointAfterValue(from);
    // A layout other than that of the value is one that `op` requires.
    Operation *producer = value.getDefiningOp();
    Location loc = !producer ? explainMove(op->getLoc(), MoveReason::Edge, describeOrigin(value) + " has the program's layout")
                   : layout != chosen && isa<ContractOp>(op)
                       ? explainMove(op->getLoc(), MoveReason::Contraction,
                                     "operand A, " + describeOrigin(value) + ", in the tiles that the packing strategy chose")
                       : explainRule(producer, op->getLoc());
    loc = noteLayout(loc, stackLayouts(getNoted(value), layout));
    Value moved = changeLayout(rewriter, loc, from, replaced ? chosen : LayoutAttr::getIdentity(func.getContext()), layout,
                               cast<RankedTensorType>(value.getType()));
    if (layout == chosen)
      isMoved.insert(value);
    return laidOut[{value, layout}] = moved;
  }

  func::FuncOp func;
  LayoutSolver &solver;
  IRRewriter rewriter;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> laidOut;
  llvm::DenseMap<Value, Value> original;   // results of rewritten ops, moved back to the identity layout
  llvm::DenseSet<Value> isMoved;           // values that exist in the identity layout and were moved into their layout
  llvm::DenseMap<Value, LayoutAttr> noted; // layouts that earlier rounds chose
};

struct PropagateLayouts : public impl::PropagateLayoutsBase<PropagateLayouts> {
  using PropagateLayoutsBase::PropagateLayoutsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    // A candidate moves one dimension and keeps the order of the others, so some layouts need two rounds. The rounds end when the
    // solver changes nothing, which makes the pass idempotent. Two rounds are usual.
    constexpr int mostRounds = 8;
    for (int round = 0; round < mostRounds; ++round) {
      if (failed(chooseOperandTiles(func))) // in each round: groups and channels may have become dimensions of their own
        return signalPassFailure();
      LayoutSolver solver(func, winograd);
      solver.solve();
      if (!solver.changesLayouts())
        return solver.explainCosts();
      LayoutRewriter(func, solver).rewrite();
    }
  }
};

} // namespace
} // namespace mlir::tpp

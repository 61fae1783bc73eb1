// The order in which the tasks of a contraction are computed: what it is, which one a machine's caches ask for, and its indices in code.
//
// A task multiplies one block of rows of A with one block of columns of B. Tasks are a grid, one for each batch; batches are outermost,
// whatever the order. A thread computes consecutive tasks (scf.forall becomes a static schedule), so all orders are sequences of tasks.
#ifndef TPP_LOWERING_MACHINE_TILEORDER_H
#define TPP_LOWERING_MACHINE_TILEORDER_H

#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

// The tasks of a contraction.
struct TaskGrid {
  int64_t rows = 1, columns = 1, batches = 1;
  int64_t aBytes = 0, bBytes = 0, cBytes = 0; // of a task's block of each operand
  double taskNs = 0;                          // of a task's arithmetic
};

// What a sequence of tasks runs on.
struct TaskCaches {
  int64_t l2Bytes = 0; // of each thread
  int64_t l3Bytes = 0; // shared; 0: there is none
  int64_t threads = 1;
};

// Rows: all columns of a block of rows, then the next rows. Columns: all rows of a block of columns, then the next columns.
// Blocked: columns (or rows) in groups of `group` blocks, of which the last may be smaller; within a group all columns of a block of rows (all rows
// of a block of columns), so that a cache which holds the group has it from memory once.
// Curve: a Hilbert curve over the grid, whatever its sides: two tasks that follow one another share a block of rows or of columns, and
// any number of them in a row touch few blocks of either.
struct TaskOrder {
  LoopOrder kind = LoopOrder::Rows; // never Auto
  bool groupsRows = false;
  int64_t group = 0;

  // One loop over all tasks of a batch, and not one for each side of the grid.
  bool isSequence() const { return kind == LoopOrder::Blocked || kind == LoopOrder::Curve; }
};

// A curve is a table of its tasks' positions; so many may stand in the code (256 KiB).
inline constexpr int64_t maxCurveTasks = 1 << 16;

// The tasks of a curve over a grid, in order, each as row * columns + column.
SmallVector<int32_t> getCurve(int64_t rows, int64_t columns);

// The order that is asked for; for Auto the one by which the bytes that come from behind the second-level cache, and those from behind
// the third, take least time, as long as a simpler one takes no more than a little longer. `simple` is Rows or Columns. A grid that is one row
// or one column of tasks has only these orders, and one of two by two no groups; a curve over more than maxCurveTasks is Blocked.
TaskOrder chooseTaskOrder(LoopOrder asked, LoopOrder simple, const TaskGrid &grid, const TaskCaches &caches);

// Nanoseconds that a contraction waits for the caches, by that estimate (in the tests of choices).
double estimateWaitNs(const TaskOrder &order, const TaskGrid &grid, const TaskCaches &caches);

// Row and column of task number `task` of a sequence; `table` holds the positions of a curve.
std::pair<Value, Value> emitTask(RewriterBase &rewriter, Location loc, const TaskOrder &order, const TaskGrid &grid, Value task,
                                 Value table);

} // namespace mlir::tpp

#endif

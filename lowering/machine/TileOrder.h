// The order in which the tasks of a contraction are computed: the available orders, the choice for a machine's caches, and the code that
// computes a task's indices.
//
// A task multiplies one block of rows of A with one block of columns of B. The tasks of each batch form a grid. Batches are outermost in
// every order. A thread computes consecutive tasks (scf.forall gets a static schedule), so every order is a sequence of tasks.
#ifndef TPP_LOWERING_MACHINE_TILEORDER_H
#define TPP_LOWERING_MACHINE_TILEORDER_H

#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

// The tasks of a contraction: a grid of rows x columns for each batch.
struct TaskGrid {
  int64_t rows = 1, columns = 1, batches = 1;
  int64_t aBytes = 0, bBytes = 0, cBytes = 0; // size of one task's block of each operand
  double taskNs = 0;                          // time of one task's arithmetic
};

// The threads and caches that tasks run on.
struct TaskCaches {
  int64_t l2Bytes; // per thread
  int64_t l3Bytes; // shared by all threads; 0: no L3
  int64_t threads;
  double l3Gbs, memoryGbs; // bandwidth of one thread

  TaskCaches(const tpp_machine &machine, int64_t threads)
      : l2Bytes(machine.l2_bytes), l3Bytes(machine.l3_bytes), threads(threads), l3Gbs(machine.l3_gbs),
        memoryGbs(machine.memory_gbs) {}
};

// An order of the tasks of one batch.
// Rows: all blocks of columns for one block of rows, then the next block of rows. Columns: all blocks of rows for one block of columns, then
// the next block of columns.
// Blocked: the blocks of columns (or of rows, with `groupsRows`) are cut into groups of `group` blocks; the last group may be smaller. Within
// a group of columns the order is Rows (within a group of rows, Columns). A cache that holds a group loads it from memory once.
// Curve: a Hilbert curve over a grid with sides of any length. Consecutive tasks share a block of rows or of columns, and every run of
// consecutive tasks touches few blocks of both.
struct TaskOrder {
  LoopOrder kind = LoopOrder::Rows; // never Auto
  bool groupsRows = false;
  int64_t group = 0;

  // Whether the code is one loop over all tasks of a batch, instead of one loop for each side of the grid.
  bool isSequence() const { return kind == LoopOrder::Blocked || kind == LoopOrder::Curve; }
};

// Maximum number of tasks of a curve. The generated code stores a curve as a table of task positions, at most 256 KiB.
inline constexpr int64_t maxCurveTasks = 1 << 16;

// The tasks of the curve over a grid, in order; each is row * columns + column.
SmallVector<int32_t> getCurve(int64_t rows, int64_t columns);

// Returns the order `asked`. For Auto, returns the order with the least estimated wait for bytes from L3 and from memory; a simpler order
// wins if its wait is only slightly longer. `simple` (Rows or Columns) is the default. A grid with one row or one column of tasks gets only
// Rows or Columns. Blocked needs at least three blocks along a side; else the result is `simple`. A curve over more than maxCurveTasks
// becomes Blocked.
TaskOrder chooseTaskOrder(LoopOrder asked, LoopOrder simple, const TaskGrid &grid, const TaskCaches &caches);

// The estimate that Auto uses: nanoseconds that a contraction waits for bytes from L3 and memory. Public for tests.
double estimateWaitNs(const TaskOrder &order, const TaskGrid &grid, const TaskCaches &caches);

// Emits code for the row and column of task number `task` in a Blocked or Curve order. `table` contains the positions of a curve.
std::pair<Value, Value> emitTask(RewriterBase &rewriter, Location loc, const TaskOrder &order, const TaskGrid &grid, Value task,
                                 Value table);

} // namespace mlir::tpp

#endif

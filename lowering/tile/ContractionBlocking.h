// The division of a contraction on buffers into loops around brgemm tiles: all decisions of tpp-tile-contractions, without the code.
#ifndef TPP_LOWERING_TILE_CONTRACTIONBLOCKING_H
#define TPP_LOWERING_TILE_CONTRACTIONBLOCKING_H

#include "lowering/analysis/Contractions.h"
#include "lowering/machine/TileOrder.h"

namespace mlir::tpp {

// A loop over tasks: `count` steps, and the distance of a step in every operand, in elements.
struct TaskLoop {
  enum Kind { Outer, RowBlocks, ColumnBlocks }; // RowBlocks and ColumnBlocks divide m and n; the last block may be smaller
  Kind kind;
  int64_t count;
  SmallVector<int64_t, 4> strides;
};

// A task multiplies a block of rows of A with a block of columns of B. If there are several KC blocks of the reduction, all tasks are computed
// for one block, then for the next.
struct ContractionBlocking {
  ContractionDim m, n, k;  // of a tile; k is one KC block
  ContractionDim kcBlocks; // extent 1: one block
  ContractionDim aPanels;  // extent > 1: A has tiles, and k is this many panels of A one after the other; B has no such panels
  SmallVector<ContractionDim> batch; // other reductions that brgemm computes as its batch by stride: none or one
  SmallVector<ContractionDim> steps; // other reductions that are one sequential loop in each task
  // Byte offsets of the batch entries, if brgemm's batch is a table; else empty.
  SmallVector<int64_t> aOffsets, bOffsets;
  int64_t mc = 1, nc = 1;                               // rows and columns of a task
  SmallVector<TaskLoop> batches, rowLoops, columnLoops; // largest stride in C first; blocks of rows and columns last
  TaskGrid grid;
  TaskOrder order;
  bool streamed = false; // C is written with non-temporal stores
  bool reusesB = false;  // the steps of the row loops use the same B, one soon after the other
  int64_t workNs = 1;    // estimated time of the tasks of one KC block on one thread
};

// Chooses the blocking of `op`. Sizes and order are taken from `packing`; those that it leaves open are chosen for the caches. Emits an error if
// packing.kc does not divide the contiguous run of k.
FailureOr<ContractionBlocking> chooseBlocking(ContractOp op, const ContractionInfo &contraction, const Packing &packing,
                                              const TaskCaches &caches);

} // namespace mlir::tpp

#endif

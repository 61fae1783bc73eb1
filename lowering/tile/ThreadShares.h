// How evenly the tasks of a parallel loop are divided among threads, and the number of blocks for which they are divided evenly.
#ifndef TPP_LOWERING_TILE_THREADSHARES_H
#define TPP_LOWERING_TILE_THREADSHARES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::tpp {

/// One of the nested loops over tasks: `extent` units of work in blocks of `block`, of which the last may be smaller.
struct TaskBlocks {
  int64_t extent, block;
};

int64_t countTasks(ArrayRef<TaskBlocks> loops);

/// The work of the thread that gets most of it, relative to an equal share (1: all get the same), if the iterations of the nested `loops`, the first of
/// them outermost, are divided as tpp-lower-parallel-loops divides them: consecutive ones, equally many or one more. Work is proportional to the units of
/// all loops.
double getLargestShare(ArrayRef<TaskBlocks> loops, int64_t threads);

/// The smallest number of blocks from `fewest` to `most` whose largest share is nearly the least of all. `getShare` returns that of a number of
/// blocks.
int64_t chooseBlockCount(int64_t fewest, int64_t most, function_ref<double(int64_t)> getShare);

} // namespace mlir::tpp

#endif

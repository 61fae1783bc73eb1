// Simulates the division of tasks among threads (see ThreadShares.h).
#include "lowering/tile/ThreadShares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace mlir::tpp {

int64_t countTasks(ArrayRef<TaskBlocks> loops) {
  int64_t tasks = 1;
  for (const TaskBlocks &loop : loops)
    tasks *= llvm::divideCeil(loop.extent, loop.block);
  return tasks;
}

double getLargestShare(ArrayRef<TaskBlocks> loops, int64_t threads) {
  int64_t tasks = countTasks(loops);
  double work = 1;
  for (const TaskBlocks &loop : loops)
    work *= static_cast<double>(loop.extent);
  // With as many tasks, a thread gets at most one part in `manyTasks` more than another.
  constexpr int64_t manyTasks = 64;
  if (threads == 1 || work == 0 || tasks / threads >= manyTasks)
    return 1;
  double largest = 0;
  int64_t task = 0;
  for (int64_t thread = 0; thread < std::min(threads, tasks); ++thread) {
    double share = 0;
    for (int64_t end = task + tasks / threads + (thread < tasks % threads); task < end; ++task) {
      double units = 1;
      int64_t number = task;
      for (const TaskBlocks &loop : llvm::reverse(loops)) {
        int64_t count = llvm::divideCeil(loop.extent, loop.block);
        units *= static_cast<double>(std::min(loop.block, loop.extent - number % count * loop.block));
        number /= count;
      }
      share += units;
    }
    largest = std::max(largest, share);
  }
  return largest * static_cast<double>(threads) / work;
}

int64_t chooseBlockCount(int64_t fewest, int64_t most, function_ref<double(int64_t)> getShare) {
  constexpr double nearly = 1.02; // further blocks cost about as much
  int64_t chosen = fewest;
  double least = getShare(fewest);
  for (int64_t blocks = fewest + 1; blocks <= most && least > nearly; ++blocks)
    if (double share = getShare(blocks); share * nearly < least)
      chosen = blocks, least = share;
  return chosen;
}

} // namespace mlir::tpp

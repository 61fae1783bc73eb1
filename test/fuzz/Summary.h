// What the workers of a run have found, and its summary.
#ifndef TPP_TEST_FUZZ_SUMMARY_H
#define TPP_TEST_FUZZ_SUMMARY_H

#include "Check.h"

namespace tpp::fuzz {

// A worker's results, in memory shared with its parent: a crash of the worker loses nothing.
struct Shared {
  static constexpr int mostKinds = 128, mostFailedSeeds = 32;
  struct Kind {
    char name[48];
    int64_t programs;
  };
  int64_t seed; // being checked
  int64_t checked, failed, exactElements, elements, changedLayouts, withWinograd, withGroups, withPadding;
  int64_t failedSeeds[mostFailedSeeds]; // the first ones
  double worstShare;
  char message[4096];    // of the seed that fails
  Kind kinds[mostKinds]; // of operations, in the order in which they occur

  static Shared *create(); // null if there is no memory
  // Counts a program for each kind of operation in it.
  void count(const Program &program);
  void addFailure() {
    if (failed < mostFailedSeeds)
      failedSeeds[failed] = seed;
    ++failed;
  }
  void addReport(const Report &report);
};

// Prints the totals of all workers of a run of `seeds` seeds. Returns the number of kinds of operations in the programs.
size_t summarize(int64_t seeds, llvm::ArrayRef<Shared *> shared);

} // namespace tpp::fuzz

#endif

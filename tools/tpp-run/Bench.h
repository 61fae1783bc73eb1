// Times a call: every call on its own, so that minimum, median and spread can be told, with bursts of the peak loop in between.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpp::run {

class PeakMeter;

// Steady clock, in seconds.
double secondsNow();

struct Summary {
  size_t count = 0;
  double min = 0, median = 0, p95 = 0;
};

// Minimum, median (mean of the middle two) and 95th percentile (nearest rank). `samples` is not empty.
Summary summarize(std::vector<double> samples);

struct BenchOptions {
  double minSeconds = 1;   // time for at least this long ...
  int64_t repetitions = 0; // ... or, when not 0, exactly this often
  bool cold = false;       // evict the caches of all threads' cores before each call
  int threads = 1;
};

// Warms up with at least three calls and 20 ms, then times. A warm call's time runs from the end of one call to the end of the
// next and thus includes one reading of the clock (about 20 ns). `peak` may be null.
Summary bench(llvm::function_ref<void()> call, PeakMeter *peak, const BenchOptions &options);

// Reads twice the size of the last-level cache on every thread, so that nothing else stays cached.
class CacheEvictor {
public:
  explicit CacheEvictor(int threads);
  void evict();

private:
  int threads;
  std::vector<uint64_t> memory;
};

} // namespace tpp::run

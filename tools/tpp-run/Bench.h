// Times calls one by one, so that minimum, median and spread are known. Runs bursts of the peak loop between the timed calls.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpp::run {

class PeakMeter;

// Time of the steady clock, in seconds.
double secondsNow();

// Statistics of the timed calls; times are in seconds.
struct Summary {
  size_t count = 0;
  double min = 0, median = 0, p95 = 0;
};

// Computes minimum, median (the mean of the middle two for an even count) and 95th percentile (nearest rank). `samples` must not be
// empty.
Summary summarize(std::vector<double> samples);

struct BenchOptions {
  double minSeconds = 1;   // time for at least this long ...
  int64_t repetitions = 0; // ... or, when not 0, exactly this often
  bool cold = false;       // evict the caches of all threads' cores before each call
  int threads = 1;
};

// Warms up with at least three calls and at least 20 ms, then times calls. With warm caches, the time of a call is measured from the
// end of the previous call to its own end, so it includes one clock reading (about 20 ns). `peak` may be null: then no bursts run.
Summary bench(llvm::function_ref<void()> call, PeakMeter *peak, const BenchOptions &options);

// Evicts all other data from the caches: every thread reads a buffer of twice the size of the last-level cache.
class CacheEvictor {
public:
  explicit CacheEvictor(int threads);
  void evict();

private:
  int threads;
  std::vector<uint64_t> memory;
};

} // namespace tpp::run

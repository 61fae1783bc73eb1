// Measures the peak of this machine's vector units with short bursts of register-only multiply-adds on all threads at once.
//
// The clock drifts by several percent within minutes, so a peak is comparable only with work that is timed at the same time. The caller
// runs bursts before, between and after its timed calls; the fastest burst is the peak.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace tpp::run {

// A loop that saturates the multiply-add units with one instruction set.
struct PeakLoop {
  const char *type;        // contraction type as CompileReport::flopsType names it: f32, f64, bf16, f16, i8
  const char *instruction; // shown with the peak in reports
  bool (*runsHere)();
  double operationsPerIteration;
  void (*run)(int64_t iterations);
};

// Times all loops for a type, a fraction of a millisecond each, and returns the fastest one. Returns null if there is no loop for the type;
// the caller then reports no peak. For types narrower than f32 the f32 loops are candidates as well, because kernels may convert to f32:
// on some machines the bf16 dot product has half the rate of f32 multiply-add. Matrix units (AMX, SME) are not measured.
const PeakLoop *peakLoop(llvm::StringRef type);

class PeakMeter {
public:
  // Calibrates the length of a burst to about 0.3 ms.
  PeakMeter(const PeakLoop &loop, int threads);

  // Runs one burst on all threads at the same time and updates the best rate.
  void burst();

  double gflops() const { return best * 1e-9; }
  const PeakLoop &measured() const { return loop; }

private:
  struct Span {
    alignas(64) double begin, end;
  };
  const PeakLoop &loop;
  int64_t iterations;
  double best = 0;
  std::vector<Span> spans; // one per thread
};

} // namespace tpp::run

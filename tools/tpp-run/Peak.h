// What this machine's vector units can do: short bursts of multiply-adds on registers alone, on all threads at once.
//
// The clock drifts by several percent within minutes, so a peak is only comparable with work that is timed in the same moments:
// the caller runs bursts before, between and after its timed calls, and the best of them is the peak.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace tpp::run {

// One way to keep the multipliers of one instruction set busy.
struct PeakLoop {
  const char *type;        // contraction type as CompileReport::flopsType names it: f32, f64, bf16, f16, i8
  const char *instruction; // shown beside the number
  bool (*runsHere)();
  double operationsPerIteration;
  void (*run)(int64_t iterations);
};

// The loop that is fastest on this machine for a type, by measuring all of them for a fraction of a millisecond; null for a type
// nobody contracts in (the caller then reports no peak). Types narrower than f32 compete with f32, to which kernels may convert
// them: on some machines the bf16 dot product has half the rate of f32's multiply-add. Matrix units (AMX, SME) do not count.
const PeakLoop *peakLoop(llvm::StringRef type);

class PeakMeter {
public:
  // Calibrates the length of a burst to about 0.3 ms.
  PeakMeter(const PeakLoop &loop, int threads);

  // Runs one burst on all threads simultaneously and keeps it if it is the best.
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
  std::vector<Span> spans; // one a thread
};

} // namespace tpp::run

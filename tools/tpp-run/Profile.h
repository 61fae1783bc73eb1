// Profiles a call: times every kernel invocation with two clock readings.
#pragma once
#include "Report.h"
#include "lowering/compile/CompileModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace tpp::run {

class PeakMeter;

// One kernel invocation. Times are in seconds since the start of the call.
struct Invocation {
  size_t slot;   // index into CompileReport::slots
  int64_t batch; // batch entries, if the kernel is a brgemm
  double begin, end;
};

// The invocations of the fastest of several calls.
struct Profile {
  size_t calls = 0; // number of calls that were timed
  double seconds = 0;
  std::vector<std::vector<Invocation>> threads; // per thread, in chronological order
};

// Profiles calls for half a second, at least three calls. Replaces the model's kernels by timing wrappers meanwhile; a wrapper adds about
// 50 ns per invocation. No other call of the model may run at the same time. `peak` may be null: then no bursts run.
Profile profileCalls(mlir::tpp::CompiledModel &model, llvm::function_ref<void()> call, PeakMeter *peak, int threads);

// Sums up the time of each kernel over all threads and sorts the kernels by it, longest first. Rates are per thread. `peakGflops` is the
// peak of all threads for the type `peakType`, or 0 if it is unknown.
ProfileSummary summarizeProfile(const Profile &profile, const mlir::tpp::CompileReport &report, double peakGflops,
                                llvm::StringRef peakType);

// Writes the profile in Chrome's trace format, which ui.perfetto.dev opens.
llvm::Error writeTrace(const Profile &profile, const mlir::tpp::CompileReport &report, llvm::StringRef model,
                       llvm::StringRef path);

} // namespace tpp::run

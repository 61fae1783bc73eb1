// Where the time of a call goes: every invocation of a kernel between two readings of the clock.
#pragma once
#include "Report.h"
#include "lowering/emit/CompileModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace tpp::run {

class PeakMeter;

// One invocation; seconds since the call began.
struct Invocation {
  size_t slot;   // of the model's kernels
  int64_t batch; // entries, of a brgemm
  double begin, end;
};

// The fastest of many calls.
struct Profile {
  size_t calls = 0; // of which this is the fastest
  double seconds = 0;
  std::vector<std::vector<Invocation>> threads; // in the order of time
};

// Calls for half a second, and at least three times. `peak` may be null. The model calls its own kernels again afterwards. Each invocation
// takes some 50 ns longer than without; no other call may run at the same time.
Profile profileCalls(mlir::tpp::CompiledModel &model, llvm::function_ref<void()> call, PeakMeter *peak, int threads);

// The kernels with their sums over all threads, those that take longest first. Rates are of one thread; `peakGflops` is of all threads, 0
// where it is not known, and of the type `peakType`.
ProfileSummary summarizeProfile(const Profile &profile, const mlir::tpp::CompileReport &report, double peakGflops,
                                llvm::StringRef peakType);

// In the format of Chrome's traces, which ui.perfetto.dev opens.
llvm::Error writeTrace(const Profile &profile, const mlir::tpp::CompileReport &report, llvm::StringRef model,
                       llvm::StringRef path);

} // namespace tpp::run

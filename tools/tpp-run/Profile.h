// Reports the time of a call's kernels: as a table, and as a trace.
#pragma once
#include "Report.h"
#include "lowering/compile/KernelTimes.h"

namespace tpp::run {

class PeakMeter;

// Times kernels for half a second of calls. `peak` may be null: then no bursts run.
llvm::Expected<mlir::tpp::KernelTimes> profileCalls(mlir::tpp::CompiledModel &model, llvm::function_ref<llvm::Error()> call,
                                                    PeakMeter *peak);

// Sums up the times. Rates are per thread. `peakGflops` is the peak of all threads for the type `peakType`, or 0 if it is unknown.
ProfileSummary summarizeProfile(const mlir::tpp::KernelTimes &times, const mlir::tpp::CompileReport &report, int threads,
                                double peakGflops, llvm::StringRef peakType);

// Writes the times in Chrome's trace format, which ui.perfetto.dev opens.
llvm::Error writeTrace(const mlir::tpp::KernelTimes &times, const mlir::tpp::CompileReport &report, llvm::StringRef model,
                       llvm::StringRef path);

} // namespace tpp::run

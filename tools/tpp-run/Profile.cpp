// See Profile.h.
#include "Profile.h"
#include "Peak.h"
#include "lowering/compile/LoadedModel.h"
#include "lowering/report/MoveReport.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>

namespace tpp::run {

llvm::Expected<mlir::tpp::KernelTimes> profileCalls(mlir::tpp::CompiledModel &model, llvm::function_ref<llvm::Error()> call,
                                                    PeakMeter *peak) {
  constexpr double leastSeconds = 0.5, secondsPerBurst = 0.005;
  bool isFirst = true;
  return mlir::tpp::timeKernels(*model.loaded(), call, leastSeconds, [&](double undisturbed) {
    if (!peak || (!isFirst && undisturbed < secondsPerBurst))
      return false;
    isFirst = false;
    peak->burst();
    return true;
  });
}

ProfileSummary summarizeProfile(const mlir::tpp::KernelTimes &times, const mlir::tpp::CompileReport &report, int threads,
                                double peakGflops, llvm::StringRef peakType) {
  ProfileSummary summary;
  summary.calls = times.calls;
  summary.seconds = times.seconds;
  summary.threads = std::max(threads, int(times.threads.size())); // some may have had nothing to do
  for (const mlir::tpp::KernelTime &time : mlir::tpp::sumKernelTimes(times, report.slots)) {
    ProfileSummary::Kernel kernel{time.name, time.provider, time.what, time.calls, time.seconds, {}, {}};
    summary.kernelSeconds += time.seconds;
    if (time.flops > 0)
      kernel.gflops = time.flops * 1e-9 / std::max(time.seconds, 1e-9);
    if (kernel.gflops && peakGflops > 0 && time.flopsType == peakType)
      kernel.percentOfPeak = 100 * *kernel.gflops * summary.threads / peakGflops;
    summary.kernels.push_back(std::move(kernel));
  }
  return summary;
}

// Converts seconds to microseconds, rounded to whole nanoseconds.
static double microseconds(double seconds) { return std::round(seconds * 1e9) / 1e3; }

llvm::Error writeTrace(const mlir::tpp::KernelTimes &times, const mlir::tpp::CompileReport &report, llvm::StringRef model,
                       llvm::StringRef path) {
  return mlir::tpp::writeFile(path, [&](llvm::raw_ostream &stream) {
    llvm::json::OStream json(stream);
    auto event = [&](const char *kind, llvm::StringRef name, size_t thread, llvm::function_ref<void()> rest) {
      json.object([&] {
        json.attribute("ph", kind);
        json.attribute("name", name);
        json.attribute("pid", 1);
        json.attribute("tid", int64_t(thread));
        rest();
      });
    };
    auto label = [&](const char *kind, size_t thread, const std::string &text) {
      event("M", kind, thread, [&] { json.attributeObject("args", [&] { json.attribute("name", text); }); });
    };
    json.object([&] {
      json.attribute("displayTimeUnit", "ns");
      json.attributeArray("traceEvents", [&] {
        label("process_name", 0, llvm::json::fixUTF8(model));
        for (auto [thread, invocations] : llvm::enumerate(times.threads)) {
          label("thread_name", thread, "thread " + std::to_string(thread));
          for (const mlir::tpp::Invocation &invocation : invocations) {
            const auto &slot = report.slots[invocation.slot];
            event("X", slot.what, thread, [&] {
              json.attribute("ts", microseconds(invocation.begin));
              json.attribute("dur", microseconds(invocation.end - invocation.begin));
              json.attributeObject("args", [&] {
                json.attribute("kernel", slot.name);
                if (double flops = invocation.countFlops(report.slots); flops > 0) {
                  if (slot.isBatched)
                    json.attribute("batch", invocation.batch);
                  json.attribute("gflops", flops / std::max(invocation.end - invocation.begin, 1e-9) * 1e-9);
                }
              });
            });
          }
        }
      });
    });
    stream << '\n';
  });
}

} // namespace tpp::run

// Times kernel invocations through wrapper kernels, and writes traces. See Profile.h.
#include "Profile.h"
#include "Bench.h"
#include "Peak.h"
#include "lowering/report/MoveReport.h"
#include "tpp/types.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>

namespace tpp::run {
namespace {

// The invocations of one thread, aligned to its own cache line to avoid false sharing.
struct alignas(64) ThreadLog {
  std::vector<Invocation> invocations;
};

// The logs of all threads that invoke kernels. A thread adds its log at its first invocation.
class Recorder {
public:
  ThreadLog &ofThisThread() {
    thread_local size_t recorder = 0;
    thread_local ThreadLog *log = nullptr;
    if (recorder != number) {
      std::lock_guard<std::mutex> lock(guard);
      log = &logs.emplace_back();
      recorder = number;
    }
    return *log;
  }
  std::deque<ThreadLog> &all() { return logs; }

private:
  static size_t next() {
    static std::atomic<size_t> count{0};
    return ++count;
  }
  const size_t number = next();
  std::mutex guard; // protects `logs`; its elements belong to their threads
  std::deque<ThreadLog> logs;
};

// Replaces a kernel: calls it and records begin and end. `head` comes first, because compiled code finds the entry point in a kernel's
// first word.
struct TimedKernel {
  tpp_kernel head;
  const tpp_kernel *kernel;
  size_t slot;
  Recorder *recorder;

  static void enter(const tpp_kernel *self, const tpp_args *args) {
    const auto &timed = *reinterpret_cast<const TimedKernel *>(self);
    double begin = secondsNow();
    timed.kernel->entry(timed.kernel, args);
    timed.recorder->ofThisThread().invocations.push_back({timed.slot, args->batch, begin, secondsNow()});
  }
};

} // namespace

Profile profileCalls(mlir::tpp::CompiledModel &model, llvm::function_ref<void()> call, PeakMeter *peak, int threads) {
  constexpr double leastSeconds = 0.5, secondsPerBurst = 0.005;
  constexpr size_t leastCalls = 3;
  Recorder recorder;
  std::vector<std::unique_ptr<TimedKernel>> timed;
  std::vector<const tpp_kernel *> own;
  model.replaceKernels([&](size_t slot, const tpp_kernel *kernel) {
    own.push_back(kernel);
    timed.push_back(std::make_unique<TimedKernel>(TimedKernel{{&TimedKernel::enter}, kernel, slot, &recorder}));
    return &timed.back()->head;
  });
  auto restore = llvm::make_scope_exit([&] { model.replaceKernels([&](size_t slot, const tpp_kernel *) { return own[slot]; }); });

  call(); // warms up the caches and grows the logs to their final capacity
  Profile best;
  double total = 0, sinceBurst = secondsPerBurst;
  while (total < leastSeconds || best.calls < leastCalls) {
    if (peak && sinceBurst >= secondsPerBurst) {
      peak->burst();
      sinceBurst = 0;
      call(); // untimed: the burst may have displaced the model's data
    }
    for (ThreadLog &log : recorder.all())
      log.invocations.clear();
    double begin = secondsNow();
    call();
    double seconds = secondsNow() - begin;
    total += seconds;
    sinceBurst += seconds;
    if (best.calls++ > 0 && seconds >= best.seconds)
      continue;
    best.seconds = seconds;
    best.threads.clear();
    for (const ThreadLog &log : recorder.all()) {
      best.threads.push_back(log.invocations);
      for (Invocation &invocation : best.threads.back()) {
        invocation.begin -= begin;
        invocation.end -= begin;
      }
    }
    best.threads.resize(std::max(best.threads.size(), size_t(std::max(threads, 1)))); // some may have had nothing to do
  }
  return best;
}

// Multiplications and additions of one invocation, over all entries of its batch.
static double countFlops(const mlir::tpp::CompileReport::Slot &slot, const Invocation &invocation) {
  return double(slot.flopsOfEntry) * double(invocation.batch);
}

ProfileSummary summarizeProfile(const Profile &profile, const mlir::tpp::CompileReport &report, double peakGflops,
                                llvm::StringRef peakType) {
  ProfileSummary summary;
  summary.calls = profile.calls;
  summary.seconds = profile.seconds;
  summary.threads = int(profile.threads.size());
  // Kernels of the same size that differ only in strides or post-ops share one line.
  std::map<std::pair<std::string, std::string>, ProfileSummary::Kernel> kernels;
  for (const auto &thread : profile.threads)
    for (const Invocation &invocation : thread) {
      const auto &slot = report.slots[invocation.slot];
      ProfileSummary::Kernel &kernel = kernels[{slot.what, slot.name}];
      double flops = countFlops(slot, invocation), seconds = invocation.end - invocation.begin;
      kernel.what = slot.what;
      kernel.name = slot.name;
      kernel.provider = slot.provider;
      ++kernel.calls;
      kernel.seconds += seconds;
      summary.kernelSeconds += seconds;
      if (flops > 0) {
        kernel.gflops = kernel.gflops.value_or(0) + flops * 1e-9; // sum of GFLOP; divided by the seconds below
        if (peakGflops > 0 && slot.flopsType == peakType)
          kernel.percentOfPeak = 0;
      }
    }
  for (auto &[key, kernel] : kernels) {
    if (kernel.gflops) {
      kernel.gflops = *kernel.gflops / std::max(kernel.seconds, 1e-9);
      if (kernel.percentOfPeak)
        kernel.percentOfPeak = 100 * *kernel.gflops * summary.threads / peakGflops;
    }
    summary.kernels.push_back(kernel);
  }
  llvm::stable_sort(summary.kernels, [](const auto &a, const auto &b) { return a.seconds > b.seconds; });
  return summary;
}

// Converts seconds to microseconds, rounded to whole nanoseconds.
static double microseconds(double seconds) { return std::round(seconds * 1e9) / 1e3; }

llvm::Error writeTrace(const Profile &profile, const mlir::tpp::CompileReport &report, llvm::StringRef model,
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
        for (auto [thread, invocations] : llvm::enumerate(profile.threads)) {
          label("thread_name", thread, "thread " + std::to_string(thread));
          for (const Invocation &invocation : invocations) {
            const auto &slot = report.slots[invocation.slot];
            event("X", slot.what, thread, [&] {
              json.attribute("ts", microseconds(invocation.begin));
              json.attribute("dur", microseconds(invocation.end - invocation.begin));
              json.attributeObject("args", [&] {
                json.attribute("kernel", slot.name);
                if (double flops = countFlops(slot, invocation); flops > 0) {
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

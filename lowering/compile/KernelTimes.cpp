//===- KernelTimes.cpp - times kernels through wrappers -----------------------------------------------------------------------===//

#include "lowering/compile/KernelTimes.h"

#include "lowering/compile/LoadedModel.h"
#include "tpp/types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>

using namespace mlir;
using tpp::Invocation;

static double secondsNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {
/// The invocations of one thread, aligned to its own cache line to avoid false sharing.
struct alignas(64) ThreadLog {
  std::vector<Invocation> invocations;
};

/// The logs of all threads that invoke kernels. A thread adds its log at its first invocation.
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

/// Replaces a kernel: calls it and records begin and end. `head` comes first, because compiled code finds the entry point in a kernel's
/// first word.
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

llvm::Expected<tpp::KernelTimes> tpp::timeKernels(LoadedModel &model, llvm::function_ref<llvm::Error()> call, double leastSeconds,
                                                  llvm::function_ref<bool(double)> disturb) {
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

  if (llvm::Error error = call()) // warms up the caches and grows the logs to their final capacity
    return std::move(error);
  KernelTimes best;
  double total = 0, undisturbed = 0;
  while (total < leastSeconds || best.calls < leastCalls) {
    if (disturb(undisturbed)) {
      undisturbed = 0;
      if (llvm::Error error = call())
        return std::move(error);
    }
    for (ThreadLog &log : recorder.all())
      log.invocations.clear();
    double begin = secondsNow();
    if (llvm::Error error = call())
      return std::move(error);
    double seconds = secondsNow() - begin;
    total += seconds;
    undisturbed += seconds;
    if (best.calls++ > 0 && seconds >= best.seconds)
      continue;
    best.seconds = seconds;
    best.threads.clear();
    for (const ThreadLog &log : recorder.all()) {
      if (log.invocations.empty())
        continue;
      best.threads.push_back(log.invocations);
      for (Invocation &invocation : best.threads.back()) {
        invocation.begin -= begin;
        invocation.end -= begin;
      }
    }
  }
  return best;
}

std::vector<tpp::KernelTime> tpp::sumKernelTimes(const KernelTimes &times, ArrayRef<CompileReport::Slot> slots) {
  std::map<std::pair<std::string, std::string>, KernelTime> kernels;
  for (const auto &thread : times.threads)
    for (const Invocation &invocation : thread) {
      const CompileReport::Slot &slot = slots[invocation.slot];
      KernelTime &kernel = kernels[{slot.what, slot.name}];
      kernel.what = slot.what;
      kernel.name = slot.name;
      kernel.provider = slot.provider;
      kernel.flopsType = slot.flopsType;
      ++kernel.calls;
      kernel.seconds += invocation.end - invocation.begin;
      kernel.flops += invocation.countFlops(slots);
    }
  std::vector<KernelTime> sorted;
  for (auto &[key, kernel] : kernels)
    sorted.push_back(std::move(kernel));
  llvm::stable_sort(sorted, [](const KernelTime &a, const KernelTime &b) { return a.seconds > b.seconds; });
  return sorted;
}

// Timing loop, statistics and cache eviction. See Bench.h.
#include "Bench.h"
#include "Peak.h"
#include "tpp/machine.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace tpp::run {

double secondsNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  size_t count = samples.size(), middle = count / 2;
  Summary summary;
  summary.count = count;
  summary.min = samples.front();
  summary.median = count % 2 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  summary.p95 = samples[static_cast<size_t>(std::ceil(0.95 * double(count))) - 1];
  return summary;
}

// Falls back to 32 MiB if the system does not report its caches.
static size_t lastLevelCacheBytes() {
  const std::vector<host_cache> caches = host_caches();
  return caches.empty() ? size_t(32) << 20 : size_t(caches.back().bytes);
}

CacheEvictor::CacheEvictor(int threads) : threads(threads), memory(2 * lastLevelCacheBytes() / sizeof(uint64_t), 1) {}

void CacheEvictor::evict() {
  // Each core has private caches, so every thread reads the whole buffer.
  auto read = [](void *evictor, tpp_team *, int32_t, int32_t) {
    uint64_t sum = 0;
    const auto &words = static_cast<CacheEvictor *>(evictor)->memory;
    for (size_t line = 0; line < words.size(); line += 8)
      sum += words[line];
    asm volatile("" : : "r"(sum)); // keeps the compiler from removing the reads
  };
  tpp_run_team(threads, read, this);
}

static void bursts(PeakMeter *peak, int count) {
  for (int i = 0; peak && i < count; ++i)
    peak->burst();
}

Summary bench(llvm::function_ref<void()> call, PeakMeter *peak, const BenchOptions &options) {
  constexpr int edgeBursts = 10;            // this many before, and again after, the timed calls
  constexpr double secondsPerBurst = 0.005; // seconds of timed calls between two bursts
  std::optional<CacheEvictor> evictor;
  if (options.cold)
    evictor.emplace(options.threads);
  double warmupEnd = secondsNow() + 0.02;
  for (int i = 0; i < 3 || secondsNow() < warmupEnd; ++i)
    call();
  bursts(peak, edgeBursts);
  call(); // untimed: the bursts used the threads and may have displaced the model's data

  std::vector<double> samples;
  samples.reserve(options.repetitions ? size_t(options.repetitions) : 1 << 16);
  double total = 0, sinceBurst = 0, before = secondsNow();
  auto enough = [&] {
    return options.repetitions ? int64_t(samples.size()) >= options.repetitions
                               : total >= options.minSeconds && samples.size() >= 3;
  };
  while (!enough()) {
    if (evictor) {
      evictor->evict();
      before = secondsNow();
    }
    call();
    double now = secondsNow();
    samples.push_back(now - before);
    total += now - before;
    sinceBurst += now - before;
    before = now;
    if (peak && sinceBurst >= secondsPerBurst) {
      peak->burst();
      sinceBurst = 0;
      before = secondsNow();
    }
  }
  bursts(peak, edgeBursts);
  return summarize(std::move(samples));
}

} // namespace tpp::run

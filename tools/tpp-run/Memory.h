// Measures the peak of the process's anonymous memory: heap, stacks and private pages, but not mapped files.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace tpp::run {

// RssAnon of this process in bytes, or nothing if the system does not report it (only Linux does).
std::optional<int64_t> anonymousBytes();

// Samples the anonymous memory every millisecond from a thread, and in each call of sample(). Sampling is needed because the kernel's own
// high-water mark includes mapped model files. Call stop() before timing anything.
class AnonymousMemoryPeak {
public:
  AnonymousMemoryPeak();
  ~AnonymousMemoryPeak() { stop(); }
  AnonymousMemoryPeak(const AnonymousMemoryPeak &) = delete;

  void sample();
  void stop();
  std::optional<int64_t> bytes() const;

private:
  std::atomic<int64_t> peak{-1};
  std::atomic<bool> stopped{false};
  std::thread poller;
};

} // namespace tpp::run

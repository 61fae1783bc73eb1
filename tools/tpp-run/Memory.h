// How much anonymous memory (heap, stacks, private pages; not mapped files) the process had at its highest.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace tpp::run {

// RssAnon of this process, or nothing where the system does not tell (it does not exist outside Linux).
std::optional<int64_t> anonymousBytes();

// The kernel keeps a high-water mark of all resident memory only, mapped model files included, so the anonymous part is sampled
// every millisecond from a thread, and by whoever calls sample(). Stop it before timing anything.
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

// Samples /proc/self/status. See Memory.h.
#include "Memory.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tpp::run {

std::optional<int64_t> anonymousBytes() {
  std::FILE *file = std::fopen("/proc/self/status", "r");
  if (!file)
    return std::nullopt;
  std::optional<int64_t> bytes;
  char line[256];
  while (std::fgets(line, sizeof line, file))
    if (std::strncmp(line, "RssAnon:", 8) == 0)
      bytes = std::strtoll(line + 8, nullptr, 10) * 1024;
  std::fclose(file);
  return bytes;
}

AnonymousMemoryPeak::AnonymousMemoryPeak() {
  sample();
  if (peak < 0)
    return;
  poller = std::thread([this] {
    while (!stopped) {
      sample();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
}

void AnonymousMemoryPeak::sample() {
  int64_t now = anonymousBytes().value_or(-1), before = peak;
  while (now > before && !peak.compare_exchange_weak(before, now))
    ;
}

void AnonymousMemoryPeak::stop() {
  if (!poller.joinable())
    return;
  sample();
  stopped = true;
  poller.join();
}

std::optional<int64_t> AnonymousMemoryPeak::bytes() const {
  if (peak < 0)
    return std::nullopt;
  return peak.load();
}

} // namespace tpp::run

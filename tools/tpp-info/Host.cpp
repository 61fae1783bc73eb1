// tpp-info host: prints the CPU, its entry in tpp/machines.def, and the core count and cache sizes that the operating system reports.
#include "Info.h"
#include "tpp/machine.hpp"

#include <cstdio>
#include <fstream>
#include <sched.h>
#include <thread>

namespace tpp::info {

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

int availableCores() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  return int(std::thread::hardware_concurrency());
}

int printHost(const Arguments &arguments) {
  if (!takesNothing("host", arguments))
    return 1;
  std::printf("host\n  %-12s%s\n  %-12s%s\n", "cpu", cpuName().c_str(), "machine", host_machine().name);
  std::printf("  %-12s%d available\n", "cores", availableCores());
  for (const host_cache &cache : host_caches())
    std::printf("  L%-11lld%lldK%s%s\n", static_cast<long long>(cache.level), static_cast<long long>(cache.bytes >> 10),
                cache.cores.empty() ? "" : ", shared by cores ", cache.cores.c_str());
  return 0;
}

} // namespace tpp::info

// tpp-info host: prints the CPU, core count and cache sizes that the kernels' cost model and the packing strategies use.
#include "Info.h"
#include "lowering/machine/HostCaches.h"

#include <cstdio>
#include <fstream>
#include <sched.h>
#include <thread>

namespace tpp::info {

static std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

static int availableCores() {
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
  std::printf("host\n  %-12s%s\n  %-12s%d available\n", "cpu", cpuName().c_str(), "cores", availableCores());
  int level = 0;
  for (const HostCache &cache : getHostCaches())
    std::printf("  L%-11d%lldK%s%s\n", ++level, static_cast<long long>(cache.bytes >> 10),
                cache.cores.empty() ? "" : ", shared by cores ", cache.cores.c_str());
  return 0;
}

} // namespace tpp::info

// tpp-info host: the machine as the kernel's cost model and the packing strategies see it.
#include "Info.h"

#include <cstdio>
#include <fstream>
#include <sched.h>
#include <thread>

namespace tpp::info {

static std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

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
  for (int index = 0;; ++index) {
    std::string directory = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string level = firstLine(directory + "level"), type = firstLine(directory + "type");
    if (level.empty())
      break;
    if (type != "Instruction")
      std::printf("  L%-11s%s, shared by cores %s\n", level.c_str(), firstLine(directory + "size").c_str(),
                  firstLine(directory + "shared_cpu_list").c_str());
  }
  return 0;
}

} // namespace tpp::info

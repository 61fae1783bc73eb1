// Reads cache sizes from sysfs, else from sysconf (see HostCaches.h).
#include "lowering/machine/HostCaches.h"

#include <fstream>
#include <unistd.h>

namespace tpp {

static std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Linux's sysfs reports, for every level, the size of the cache that one core can use. glibc's sysconf does not on AMD processors: it reports
// the sum of all L3 caches of a socket, for example 384 MiB where one core can use 32 MiB.
static std::vector<HostCache> readSysfs() {
  std::vector<HostCache> caches;
  for (int index = 0;; ++index) {
    const std::string directory = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = firstLine(directory + "type");
    if (type.empty())
      return caches;
    int64_t kibibytes = 0;
    std::ifstream(directory + "size") >> kibibytes; // "32768K"
    if (type != "Instruction" && kibibytes > 0)
      caches.push_back({kibibytes << 10, firstLine(directory + "shared_cpu_list")});
  }
}

std::vector<HostCache> getHostCaches() {
  std::vector<HostCache> caches = readSysfs();
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (caches.empty())
    for (int name : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
      if (const long bytes = sysconf(name); bytes > 0)
        caches.push_back({bytes, ""});
#endif
  return caches;
}

} // namespace tpp

// See HostCaches.h.
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

// Linux tells of every cache the size of the one that a core reaches. glibc's sysconf does not on AMD's processors: it adds up the third levels of
// a whole socket, 384 MiB where a core has 32.
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

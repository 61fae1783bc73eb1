// The caches of this machine. Without LLVM: tpp-info, which is built without it, prints them.
#ifndef TPP_LOWERING_MACHINE_HOSTCACHES_H
#define TPP_LOWERING_MACHINE_HOSTCACHES_H

#include <cstdint>
#include <string>
#include <vector>

namespace tpp {

struct HostCache {
  int64_t bytes;
  std::string cores; // that share it, as in "0-3"; empty where the system does not tell
};

/// The data caches that one core reaches, from the first level on; what the system does not tell is left out.
std::vector<HostCache> getHostCaches();

} // namespace tpp

#endif

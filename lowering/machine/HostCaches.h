// Reads the cache sizes of this machine. Does not depend on LLVM, since tpp-info prints them and is built without LLVM.
#ifndef TPP_LOWERING_MACHINE_HOSTCACHES_H
#define TPP_LOWERING_MACHINE_HOSTCACHES_H

#include <cstdint>
#include <string>
#include <vector>

namespace tpp {

struct HostCache {
  int64_t bytes;
  std::string cores; // the cores that share it, as in "0-3"; empty if unknown
};

/// The data caches of one core (the first), from L1 upwards. Caches that the system does not report are missing.
std::vector<HostCache> getHostCaches();

} // namespace tpp

#endif

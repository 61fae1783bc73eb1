// What the processor and the operating system say about this machine.
#include "tpp/machine.hpp"
#include "tpp/machines.h"
#include "tpp/types.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#endif

namespace tpp {

static std::string first_line(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Linux's sysfs reports, for every level, the size of the cache that one core can use. glibc's sysconf does not on AMD processors: it reports
// the sum of all L3 caches of a socket, for example 384 MiB where one core can use 32 MiB.
static std::vector<host_cache> read_sysfs() {
  std::vector<host_cache> caches;
  for (int index = 0;; ++index) {
    const std::string directory = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = first_line(directory + "type");
    if (type.empty())
      return caches;
    int64_t kibibytes = 0, ways = 0, level = 0;
    std::ifstream(directory + "level") >> level;
    std::ifstream(directory + "size") >> kibibytes; // "32768K"
    std::ifstream(directory + "ways_of_associativity") >> ways;
    if (type != "Instruction" && kibibytes > 0)
      caches.push_back({level, kibibytes << 10, ways, first_line(directory + "shared_cpu_list")});
  }
}

std::vector<host_cache> host_caches() {
  std::vector<host_cache> caches = read_sysfs();
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (caches.empty())
    for (int64_t level : {1, 2, 3}) {
      constexpr int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
      if (const long bytes = sysconf(names[level - 1]); bytes > 0)
        caches.push_back({level, bytes, 0, ""});
    }
#endif
  return caches;
}

#if defined(__x86_64__) || defined(__i386__)

// Vendor, family and model as CPUID reports them (the extended ones added).
struct cpu_id {
  char vendor[13] = "";
  int64_t family = 0, model = 0;
};

static cpu_id read_cpu_id() {
  cpu_id id;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
    return id;
  memcpy(id.vendor, &ebx, 4);
  memcpy(id.vendor + 4, &edx, 4);
  memcpy(id.vendor + 8, &ecx, 4);
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
    return id;
  const int64_t family = eax >> 8 & 15;
  id.family = family == 15 ? family + (eax >> 20 & 255) : family;
  id.model = (eax >> 4 & 15) | (family == 15 || family == 6 ? eax >> 12 & 0xf0 : 0);
  return id;
}

// The best instruction set of #tpp.target that this machine has.
static const char *host_isa() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return "avx2";
  return __builtin_cpu_supports("sse4.2") ? "sse4" : "portable";
}

// The entry of machines.def for this processor; false if there is none.
static bool find_entry(tpp_machine *machine) {
  const cpu_id id = read_cpu_id();
#define TPP_MACHINE_CPU(entry, maker, of_family, first, last)                                                                    \
  if (strcmp(id.vendor, maker) == 0 && id.family == of_family && id.model >= first && id.model <= last) {                        \
    tpp_machine_set_##entry(machine);                                                                                            \
    return true;                                                                                                                 \
  }
#include "tpp/machines.def"
  return false;
}

#else

static const char *host_isa() {
#if defined(__aarch64__)
  return "neon";
#else
  return "portable";
#endif
}

static bool find_entry(tpp_machine *) { return false; }

#endif

static tpp_machine describe_host() {
  tpp_machine machine;
  // A virtual machine may hide the instruction set that the processor has.
  if (!find_entry(&machine) || strcmp(machine.isa, host_isa()) != 0)
    tpp_machine_find(host_isa(), &machine);
  const std::vector<host_cache> caches = host_caches();
  if (!caches.empty())
    machine.l3_bytes = 0; // unless it is reported
  for (const host_cache &cache : caches) {
    if (cache.level == 1)
      machine.l1_bytes = cache.bytes, machine.l1_ways = cache.ways > 0 ? cache.ways : machine.l1_ways;
    else if (cache.level == 2)
      machine.l2_bytes = cache.bytes, machine.l2_ways = cache.ways > 0 ? cache.ways : machine.l2_ways;
    else if (cache.level == 3)
      machine.l3_bytes = cache.bytes;
  }
  if (machine.l3_bytes == 0)
    machine.l3_gbs = machine.memory_gbs, machine.l3_ns = machine.memory_ns;
  machine.cores = std::max<int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
  return machine;
}

#if defined(__x86_64__) && defined(__linux__)
// The features of AMX in EDX of CPUID(7, 0), if Linux lets this process use the tile registers; else 0. A process must ask before it does
// (Linux's documentation, x86/xstate).
static uint32_t amx_features() {
  constexpr long request_permission = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  constexpr uint32_t tile = 1u << 24;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (edx & tile) == 0 ||
      syscall(SYS_arch_prctl, request_permission, tile_data) != 0)
    return 0;
  return edx;
}

bool host_has_amx(int32_t type) {
  static const uint32_t features = amx_features();
  constexpr uint32_t bf16 = 1u << 22, int8 = 1u << 25;
  return (features & (type == TPP_TYPE_bf16 ? bf16 : type == TPP_TYPE_i8 ? int8 : 0)) != 0;
}
#else
bool host_has_amx(int32_t) { return false; }
#endif

const tpp_machine &host_machine() {
  static const tpp_machine host = describe_host();
  return host;
}

} // namespace tpp

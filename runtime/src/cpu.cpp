// Whether this processor has the features that compiled code uses.
#include "status.h"

#include "tpp/tpp.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace {

enum class support { unknown, no, yes };

#if defined(__x86_64__) || defined(__i386__)

struct registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// All zero where the processor has no such leaf.
registers cpuid(uint32_t leaf, uint32_t subleaf) {
  registers r;
  if (!__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx))
    return {};
  return r;
}

// XCR0: the register states that the operating system saves.
uint64_t saved_states() {
  constexpr uint32_t osxsave = 1u << 27;
  if (!(cpuid(1, 0).ecx & osxsave))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

enum class state : uint64_t { none = 0, avx = 0x6, avx512 = 0xe6 };

struct feature {
  const char *name;
  uint32_t leaf, subleaf;
  uint32_t registers::*reg;
  unsigned bit;
  state needed;
};

const feature features[] = {
#define TPP_X86_FEATURE(name, leaf, subleaf, reg, bit, state_name) {name, leaf, subleaf, &registers::reg, bit, state::state_name},
#include "tpp/cpu_features.def"
};

constexpr size_t feature_count = sizeof features / sizeof *features;

// Of each feature, asked once: in a virtual machine, each CPUID instruction is a call of the hypervisor.
struct supported_features {
  bool supported[feature_count];

  supported_features() {
    const uint64_t saved = saved_states();
    for (size_t i = 0; i < feature_count; ++i) {
      const feature &f = features[i];
      const bool has = cpuid(f.leaf, f.subleaf).*f.reg >> f.bit & 1;
      supported[i] = has && (saved & uint64_t(f.needed)) == uint64_t(f.needed);
    }
  }
};

support find_support(const char *name, size_t length) {
  static const supported_features host;
  for (size_t i = 0; i < feature_count; ++i)
    if (strlen(features[i].name) == length && memcmp(features[i].name, name, length) == 0)
      return host.supported[i] ? support::yes : support::no;
  return support::unknown;
}

#else

support find_support(const char *, size_t) { return support::unknown; }

#endif

// Appends a name to a comma-separated list of at most `bytes` bytes; a name that does not fit is left out.
void append_name(char *list, size_t bytes, const char *name, size_t length) {
  size_t used = strlen(list);
  const char *separator = used ? ", " : "";
  if (used + strlen(separator) + length + 1 > bytes)
    return;
  used += strlen(strcpy(list + used, separator));
  memcpy(list + used, name, length);
  list[used + length] = '\0';
}

} // namespace

extern "C" tpp_status tpp_check_cpu(const char *names) {
  if (!names)
    return tpp::fail(TPP_STATUS_NULL_POINTER, "the list of features is null");
  char missing[512] = "";
  for (const char *name = names; *name;) {
    size_t length = strcspn(name, ",");
    switch (find_support(name, length)) {
    case support::unknown:
      return tpp::fail(TPP_STATUS_UNSUPPORTED_CPU, "this version of the runtime does not know the processor feature '%.*s'",
                       int(length < 64 ? length : 64), name);
    case support::no:
      append_name(missing, sizeof missing, name, length);
      break;
    case support::yes:
      break;
    }
    name += length;
    name += *name == ',';
  }
  if (missing[0])
    return tpp::fail(TPP_STATUS_UNSUPPORTED_CPU, "the processor or the operating system has no %s", missing);
  return TPP_STATUS_OK;
}

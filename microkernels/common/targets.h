// The Highway targets that this library is compiled for, and how an entry of kernels.def selects its target.
//
// Include this before any header of Highway. An entry names its target by a word: avx3, avx2, sse4, neon, portable; or amxbf16,
// amxint8, avx512bf16 or avx512vnni, which are compiled as avx3 and contain instructions of that extension, or avxvnni, compiled as avx2. For each word
//   TPP_UK_BUILT_<word>(tokens) expands to `tokens` if the target is part of this build, else to nothing;
//   TPP_UK_BIT_<word> is Highway's bit of the target, to be tested against machine_targets().
// `portable` is the target that the compiler's own flags guarantee. It runs wherever the library does.
#pragma once

// Disabled targets: those that add no instruction the kernels use (SSSE3 next to SSE4, AVX3_DL next to AVX3), and those whose vector length
// is unknown at compile time, because kernels hold their accumulators in arrays. Such machines run the NEON or the portable kernels.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
// With g++ before 12.3, Highway would replace its 128-bit portable target by one without shuffles, because of a compiler bug in 16-bit
// MulHigh (GCC PR 106322). No kernel uses MulHigh, and the tests run the portable kernels with that compiler, too.
#ifndef HWY_BROKEN_EMU128
#define HWY_BROKEN_EMU128 0
#endif
#include "hwy/detect_targets.h"
#include "hwy/targets.h"
#include "tpp/machine.hpp"
#include "tpp/types.h"

#define TPP_UK_BIT_avx3 HWY_AVX3
// Extensions that no target of Highway has. These bits belong to no x86 target of it.
#define TPP_UK_BIT_avx512bf16 (int64_t{1} << 56)
#define TPP_UK_BIT_avx512vnni (int64_t{1} << 57)
#define TPP_UK_BIT_avxvnni (int64_t{1} << 58)
#define TPP_UK_BIT_amxbf16 (int64_t{1} << 59)
#define TPP_UK_BIT_amxint8 (int64_t{1} << 60)
#define TPP_UK_BIT_avx2 HWY_AVX2
#define TPP_UK_BIT_sse4 HWY_SSE4
#define TPP_UK_BIT_neon HWY_NEON
#define TPP_UK_BIT_portable HWY_STATIC_TARGET

#define TPP_UK_BUILT_portable(...) __VA_ARGS__
#if HWY_TARGETS & HWY_AVX3
#define TPP_UK_BUILT_avx3(...) __VA_ARGS__
#else
#define TPP_UK_BUILT_avx3(...)
#endif
#define TPP_UK_BUILT_amxbf16(...) TPP_UK_BUILT_avx3(__VA_ARGS__)
#define TPP_UK_BUILT_amxint8(...) TPP_UK_BUILT_avx3(__VA_ARGS__)
#define TPP_UK_BUILT_avx512bf16(...) TPP_UK_BUILT_avx3(__VA_ARGS__)
#define TPP_UK_BUILT_avx512vnni(...) TPP_UK_BUILT_avx3(__VA_ARGS__)
#if HWY_TARGETS & HWY_AVX2
#define TPP_UK_BUILT_avx2(...) __VA_ARGS__
#else
#define TPP_UK_BUILT_avx2(...)
#endif
#define TPP_UK_BUILT_avxvnni(...) TPP_UK_BUILT_avx2(__VA_ARGS__)
#if HWY_TARGETS & HWY_SSE4
#define TPP_UK_BUILT_sse4(...) __VA_ARGS__
#else
#define TPP_UK_BUILT_sse4(...)
#endif
#if HWY_TARGETS & HWY_NEON
#define TPP_UK_BUILT_neon(...) __VA_ARGS__
#else
#define TPP_UK_BUILT_neon(...)
#endif

namespace tpp {
// The bits of all targets that this machine can execute, part of this build or not: Highway's, and those of the extensions. Cached,
// because Highway queries the processor at each call: about 16 us on a virtual machine.
inline int64_t machine_targets() {
  static const int64_t targets = [] {
    int64_t bits = hwy::SupportedTargets();
#if defined(__x86_64__)
    __builtin_cpu_init();
    if ((bits & HWY_AVX3) != 0 && __builtin_cpu_supports("avx512bf16"))
      bits |= TPP_UK_BIT_avx512bf16;
    if ((bits & HWY_AVX3) != 0 && __builtin_cpu_supports("avx512vnni"))
      bits |= TPP_UK_BIT_avx512vnni;
    if ((bits & TPP_UK_BIT_avx512bf16) != 0 && host_has_amx(TPP_TYPE_bf16)) // sums are rounded with AVX512-BF16
      bits |= TPP_UK_BIT_amxbf16;
    if ((bits & HWY_AVX3) != 0 && host_has_amx(TPP_TYPE_i8))
      bits |= TPP_UK_BIT_amxint8;
    if ((bits & HWY_AVX2) != 0 && __builtin_cpu_supports("avxvnni"))
      bits |= TPP_UK_BIT_avxvnni;
#endif
    return bits;
  }();
  return targets;
}
} // namespace tpp

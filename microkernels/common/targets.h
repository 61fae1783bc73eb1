// Which of Highway's targets this library is compiled for, and how a row of kernels.def finds its target.
//
// Include this before any header of Highway. A row names its target by a word (avx3, avx2, sse4, neon, portable):
//   TPP_UK_BUILT_<word>(tokens) expands to `tokens` where this build holds that target, else to nothing;
//   TPP_UK_BIT_<word> is Highway's bit of it, to be tested against machine_targets().
// `portable` is the target that the compiler's own flags guarantee: it runs wherever the library does.
#pragma once

// Left out: targets that add no instruction our kernels use (SSSE3 and AVX3_DL, beside SSE4 and AVX3), and those whose vectors
// have no size at compile time (a kernel holds its accumulators in arrays); such machines run NEON or the portable rows.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
// With g++ before 12.3 Highway would give up its 128-bit portable target for one without shuffles, because of a compiler bug in
// 16-bit MulHigh (GCC PR 106322), which no kernel uses; the tests run the portable rows with that compiler too.
#ifndef HWY_BROKEN_EMU128
#define HWY_BROKEN_EMU128 0
#endif
#include "hwy/detect_targets.h"
#include "hwy/targets.h"

#define TPP_UK_BIT_avx3 HWY_AVX3
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
#if HWY_TARGETS & HWY_AVX2
#define TPP_UK_BUILT_avx2(...) __VA_ARGS__
#else
#define TPP_UK_BUILT_avx2(...)
#endif
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
// Highway's bits of the targets that this machine runs, whether this build holds them or not. Highway itself asks the processor at each call,
// which takes a virtual machine some 16 us.
inline int64_t machine_targets() {
  static const int64_t targets = hwy::SupportedTargets();
  return targets;
}
} // namespace tpp

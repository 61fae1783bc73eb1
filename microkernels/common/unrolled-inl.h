// Loops that are unrolled when they are compiled, and what is inlined.
#if defined(TPP_MICROKERNELS_COMMON_UNROLLED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_UNROLLED_INL_H
#undef TPP_MICROKERNELS_COMMON_UNROLLED_INL_H
#else
#define TPP_MICROKERNELS_COMMON_UNROLLED_INL_H
#endif

#include "hwy/highway.h"

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// Whether vectors of this target are emulated. Each is a loop over lanes: hundreds of them in one function take the compiler minutes.
#undef TPP_IS_EMULATED
#define TPP_IS_EMULATED (HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR)

// For functions of many vector instructions: inlined, unless vectors are emulated.
#undef TPP_INLINE
#if TPP_IS_EMULATED
#define TPP_INLINE HWY_NOINLINE
#else
#define TPP_INLINE HWY_INLINE
#endif

#define TPP_LAMBDA(index) [&](auto index) HWY_ATTR __attribute__((always_inline))

// Calls f(0) ... f(N - 1), all inlined. The elements of an array that f indexes become registers.
template <int N, class F> HWY_INLINE void unrolled(F f) {
#ifdef __clang__
#pragma clang loop unroll(full)
#else
#pragma GCC unroll 128
#endif
  for (int i = 0; i < N; ++i)
    f(i);
}

// The same with constants as arguments, integral_constant<0> and so on. f is compiled for each, which takes several times as long.
template <class F, int... I> HWY_INLINE void call_each(std::integer_sequence<int, I...>, F f) {
  (f(std::integral_constant<int, I>()), ...);
}
template <int N, class F> HWY_INLINE void static_for(F f) { call_each(std::make_integer_sequence<int, N>(), f); }

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

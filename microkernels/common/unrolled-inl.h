// Loops that are unrolled when they are compiled.
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

// Calls f(integral_constant<0>) ... f(integral_constant<N - 1>), all inlined. Accumulators become registers without the compiler's loop
// passes, which took most of the compile time.
template <class F, int... I> HWY_INLINE void call_each(std::integer_sequence<int, I...>, F f) {
  (f(std::integral_constant<int, I>()), ...);
}
template <int N, class F> HWY_INLINE void unrolled(F f) { call_each(std::make_integer_sequence<int, N>(), f); }
#define TPP_LAMBDA(index) [&](auto index) HWY_ATTR __attribute__((always_inline))

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

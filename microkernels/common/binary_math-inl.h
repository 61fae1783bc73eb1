// The binary kinds on f32 vectors, with the special values of kinds.def. Used by the binary and reduce kernels and by brgemm's post-ops.

#if defined(TPP_MICROKERNELS_COMMON_BINARY_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_BINARY_MATH_INL_H
#undef TPP_MICROKERNELS_COMMON_BINARY_MATH_INL_H
#else
#define TPP_MICROKERNELS_COMMON_BINARY_MATH_INL_H
#endif

#include "hwy/highway.h"

#include "tpp/types.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// The larger of x and y; NaN if either is NaN (then their sum is); +0 is larger than -0. Equal values differ at most in the sign of zero,
// so And (for the maximum) and Or (for the minimum) of their bits choose correctly. The hardware's maximum treats these cases differently
// from target to target.
template <class D, class V> HWY_INLINE V MaximumOf(D d, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V ordered = hn::IfThenElse(hn::Eq(x, y), hn::And(x, y), hn::Max(x, y));
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), ordered);
}
template <class D, class V> HWY_INLINE V MinimumOf(D d, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V ordered = hn::IfThenElse(hn::Eq(x, y), hn::Or(x, y), hn::Min(x, y));
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), ordered);
}

// MaximumOf and MinimumOf for a y that is neither NaN nor zero: one instruction each on x86.
template <class D, class V> HWY_INLINE V LimitFromBelow(D, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenElse(hn::Lt(x, y), y, x);
}
template <class D, class V> HWY_INLINE V LimitFromAbove(D, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenElse(hn::Gt(x, y), y, x);
}

template <int kKind, class D, class V> HWY_INLINE V ApplyBinary(D d, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (kKind == TPP_BINARY_add)
    return hn::Add(x, y);
  else if constexpr (kKind == TPP_BINARY_sub)
    return hn::Sub(x, y);
  else if constexpr (kKind == TPP_BINARY_mul)
    return hn::Mul(x, y);
  else if constexpr (kKind == TPP_BINARY_div)
    return hn::Div(x, y);
  else if constexpr (kKind == TPP_BINARY_max)
    return MaximumOf(d, x, y);
  else {
    static_assert(kKind == TPP_BINARY_min, "kind has no vector implementation");
    return MinimumOf(d, x, y);
  }
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

// Parts of post-ops on vectors that native kernels share: loads of operands, and steps on integers. Vectors of i32 are kept as vectors of f32 with the
// same bits, so that one buffer holds the values before and after a `convert`.
#if defined(TPP_MICROKERNELS_COMMON_POST_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_POST_STEPS_INL_H
#undef TPP_MICROKERNELS_COMMON_POST_STEPS_INL_H
#else
#define TPP_MICROKERNELS_COMMON_POST_STEPS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/known_type-inl.h"
#include "microkernels/common/post_ops.hpp"
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// Loads `count` lanes of the operand of a step, converted to f32 unless the step is applied to integers.
template <class D> HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> load_operand(D d, const post_step &step, const char *from, int count) {
  if (step.of_integers)
    return load_typed<TPP_TYPE_f32>(d, from, count); // moves the bits unchanged
  hwy::HWY_NAMESPACE::Vec<D> loaded = hwy::HWY_NAMESPACE::Zero(d);
  with_type(
      step.type, TPP_LAMBDA(known) {
        constexpr int kType = known;
        loaded = load_typed<kType>(d, from, count);
      });
  return loaded;
}
// The same for an operand that has one element for all columns.
template <class D> HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> spread_operand(D d, const post_step &step, const char *from) {
  namespace hn = hwy::HWY_NAMESPACE;
  const double element = load_double(step.type, from, 0);
  if (step.of_integers)
    return hn::BitCast(d, hn::Set(hn::RebindToSigned<D>(), static_cast<int32_t>(element)));
  return hn::Set(d, static_cast<float>(element));
}

// A binary kind on integers.
template <int kind, class D, class V> HWY_INLINE V apply_to_integers(D d, V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  const auto a = hn::BitCast(di, x), b = hn::BitCast(di, y);
  if constexpr (kind == TPP_BINARY_add)
    return hn::BitCast(d, hn::Add(a, b));
  else if constexpr (kind == TPP_BINARY_sub)
    return hn::BitCast(d, hn::Sub(a, b));
  else if constexpr (kind == TPP_BINARY_mul)
    return hn::BitCast(d, hn::Mul(a, b));
  else if constexpr (kind == TPP_BINARY_max)
    return hn::BitCast(d, hn::Max(a, b));
  else if constexpr (kind == TPP_BINARY_min)
    return hn::BitCast(d, hn::Min(a, b));
  else {
    static_assert(kind == TPP_BINARY_div, "a new kind needs a case");
    return x; // rejected (scalar_post_ops.hpp)
  }
}
template <class D, class V> HWY_INLINE V relu_of_integers(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Max(hn::BitCast(di, x), hn::Zero(di)));
}
// i32 to f32.
template <class D, class V> HWY_INLINE V convert_integers(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::ConvertTo(d, hn::BitCast(hn::RebindToSigned<D>(), x));
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

// Vectors of an element type that is known when a kernel runs: one switch selects the code for a whole loop.

#if defined(TPP_MICROKERNELS_COMMON_KNOWN_TYPE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_KNOWN_TYPE_INL_H
#undef TPP_MICROKERNELS_COMMON_KNOWN_TYPE_INL_H
#else
#define TPP_MICROKERNELS_COMMON_KNOWN_TYPE_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/kinds.hpp"
#include "microkernels/common/typed_vector-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// Loads and stores of vectors of any type that operands of post-ops and results may have, converted to and from f32. `count` lanes are accessed.
template <int kType, class D> HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> load_typed(D d, const char *from, int count) {
  const auto *elements = reinterpret_cast<const typename Element<kType>::T *>(from);
  return count == static_cast<int>(hwy::HWY_NAMESPACE::MaxLanes(d))
             ? LoadTyped<kType>(d, elements)
             : LoadTypedFirst<kType>(d, elements, static_cast<size_t>(count));
}
template <int kType, class D> HWY_INLINE void store_typed(D d, hwy::HWY_NAMESPACE::Vec<D> value, char *to, int count) {
  auto *elements = reinterpret_cast<typename Element<kType>::T *>(to);
  if (count == static_cast<int>(hwy::HWY_NAMESPACE::MaxLanes(d)))
    StoreTyped<kType>(value, d, elements);
  else
    StoreTypedFirst<kType>(value, d, elements, static_cast<size_t>(count));
}
// Calls f with a type that is known when the kernel runs: f(integral_constant<type>).
template <class F> HWY_INLINE void with_type(int32_t type, F f) {
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_f32:
    return f(std::integral_constant<int, TPP_TYPE_f32>());
  case TPP_TYPE_bf16:
    return f(std::integral_constant<int, TPP_TYPE_bf16>());
  case TPP_TYPE_f16:
    return f(std::integral_constant<int, TPP_TYPE_f16>());
  case TPP_TYPE_i32:
    return f(std::integral_constant<int, TPP_TYPE_i32>());
  case TPP_TYPE_i8:
    return f(std::integral_constant<int, TPP_TYPE_i8>());
  case TPP_TYPE_u8:
    return f(std::integral_constant<int, TPP_TYPE_u8>());
  case TPP_TYPE_f64: // rejected (reference.cpp)
    break;
  }
  not_supported();
}
// The same for the types of images, f32 and bf16.
template <class F> HWY_INLINE void with_image_type(int32_t type, F f) {
  if (type == TPP_TYPE_f32)
    f(std::integral_constant<int, TPP_TYPE_f32>());
  else
    f(std::integral_constant<int, TPP_TYPE_bf16>());
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

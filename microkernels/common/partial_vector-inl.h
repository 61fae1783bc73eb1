// Loads and stores of the first n lanes of a vector that access no byte after them, so that an operand may end at an unmapped page.
//
// Highway's MaskedLoad and BlendedStore access the whole vector on targets without masked memory instructions (SSE4, NEON, and AVX2 for
// elements below 32 bits). On these targets the lanes are copied through the stack. Both functions are for tails: n < Lanes(d).

#if defined(TPP_MICROKERNELS_COMMON_PARTIAL_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_PARTIAL_VECTOR_INL_H
#undef TPP_MICROKERNELS_COMMON_PARTIAL_VECTOR_INL_H
#else
#define TPP_MICROKERNELS_COMMON_PARTIAL_VECTOR_INL_H
#endif

#include "hwy/highway.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// True if the target has masked load and store instructions for elements of T.
template <class T> constexpr bool HasMaskedMemory() {
  return (HWY_TARGET == HWY_AVX3) || (HWY_TARGET == HWY_AVX3_DL) || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);
}

// The lanes from n on are zero.
template <class D, class T = hwy::HWY_NAMESPACE::TFromD<D>>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> LoadFirst(D d, const T *from, size_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (HasMaskedMemory<T>()) {
    return hn::MaskedLoad(hn::FirstN(d, n), d, from);
  } else {
    HWY_ALIGN T lanes[hn::MaxLanes(d)] = {};
    std::memcpy(lanes, from, n * sizeof(T));
    return hn::Load(d, lanes);
  }
}

template <class D, class T = hwy::HWY_NAMESPACE::TFromD<D>>
HWY_INLINE void StoreFirst(hwy::HWY_NAMESPACE::Vec<D> v, D d, T *to, size_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (HasMaskedMemory<T>()) {
    hn::BlendedStore(v, hn::FirstN(d, n), d, to);
  } else {
    HWY_ALIGN T lanes[hn::MaxLanes(d)];
    hn::Store(v, d, lanes);
    std::memcpy(to, lanes, n * sizeof(T));
  }
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

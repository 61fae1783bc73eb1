// Loads and stores of the first n lanes that touch no byte behind them, so that an operand may end at a page that is not mapped.
//
// Highway's MaskedLoad and BlendedStore touch the whole vector on targets without masked memory instructions (SSE4, NEON, and
// AVX2 for elements below 32 bits); there a copy through the stack does it. Both are for tails: n < Lanes(d).

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

// True where masked memory operations on elements of T are instructions of the target.
template <class T> constexpr bool HasMaskedMemory() {
  return (HWY_TARGET == HWY_AVX3) || (HWY_TARGET == HWY_AVX3_DL) || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);
}

// Lanes from n on are zero.
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

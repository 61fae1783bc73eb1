// Accesses to whole vectors and to the first lanes of vectors, of a type that is converted to and from f32, and ways to keep the compiler from undoing
// the order of a kernel.

#if defined(TPP_MICROKERNELS_COMMON_VECTOR_ACCESS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_VECTOR_ACCESS_INL_H
#undef TPP_MICROKERNELS_COMMON_VECTOR_ACCESS_INL_H
#else
#define TPP_MICROKERNELS_COMMON_VECTOR_ACCESS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/typed_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// Hides from the compiler how a value was computed. Otherwise it keeps each of a tile's up to 36 offsets in memory, outside of the loop over
// vectors, and loads one for each access.
template <class T> HWY_INLINE T opaque(T value) {
  asm volatile("" : "+r"(value));
  return value;
}

// A barrier for the compiler. Without it, transforms are interleaved, and their values do not fit the registers.
HWY_INLINE void keep_order() { asm volatile("" ::: "memory"); }

// The same, which also keeps the computation of `value` before it. Otherwise the compiler moves the loads that follow before the computation, where they
// need more registers than there are.
template <class V> HWY_INLINE void keep_order(V &value) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
  asm volatile("" : "+v"(value.raw) : : "memory");
#elif HWY_TARGET == HWY_NEON
  asm volatile("" : "+w"(value.raw) : : "memory");
#endif
}

template <int kType> struct whole_vectors_of {
  using D = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  using T = typename Element<kType>::T;
  HWY_INLINE whole_vectors_of() = default;
  HWY_INLINE explicit whole_vectors_of(size_t) {}
  HWY_INLINE V load(const char *from) const { return LoadTyped<kType>(D(), reinterpret_cast<const T *>(from)); }
  HWY_INLINE void store(V value, char *to) const { StoreTyped<kType>(value, D(), reinterpret_cast<T *>(to)); }
};
template <int kType> struct parts_of_vectors_of {
  using D = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  using T = typename Element<kType>::T;
  first_lanes<hwy::HWY_NAMESPACE::Rebind<T, D>> lanes;

  HWY_INLINE explicit parts_of_vectors_of(size_t count) : lanes(count) {}
  HWY_INLINE V load(const char *from) const { return Element<kType>::Widen(D(), lanes.load(reinterpret_cast<const T *>(from))); }
  HWY_INLINE void store(V value, char *to) const { lanes.store(Element<kType>::Narrow(D(), value), reinterpret_cast<T *>(to)); }
};
using whole_vectors = whole_vectors_of<TPP_TYPE_f32>;
using parts_of_vectors = parts_of_vectors_of<TPP_TYPE_f32>;

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

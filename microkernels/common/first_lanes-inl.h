// Loads and stores of the first lanes of a vector that access no byte after them, so that an operand may end at an unmapped page.

#if defined(TPP_MICROKERNELS_COMMON_FIRST_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_FIRST_LANES_INL_H
#undef TPP_MICROKERNELS_COMMON_FIRST_LANES_INL_H
#else
#define TPP_MICROKERNELS_COMMON_FIRST_LANES_INL_H
#endif

#include "hwy/highway.h"

#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// The first `count` lanes of a vector, count <= lanes. Masked memory instructions access no other lane. Highway's MaskedLoad and
// BlendedStore access the whole vector on targets without them (SSE4, NEON, and AVX2 for elements below 32 bits); there, the lanes are
// copied through the stack.
template <class D> class first_lanes {
  using T = hwy::HWY_NAMESPACE::TFromD<D>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr bool masked =
      HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);
  std::conditional_t<masked, hwy::HWY_NAMESPACE::Mask<D>, size_t> first_;

public:
  HWY_INLINE explicit first_lanes(size_t count) {
    if constexpr (masked)
      first_ = hwy::HWY_NAMESPACE::FirstN(D(), count);
    else
      first_ = count;
  }

  // The lanes after the first `count` are 0.
  HWY_INLINE V load(const T *from) const {
    if constexpr (masked)
      return hwy::HWY_NAMESPACE::MaskedLoad(first_, D(), from);
    else
      return load_copied(from, first_);
  }
  HWY_INLINE void store(V value, T *to) const {
    if constexpr (masked)
      hwy::HWY_NAMESPACE::BlendedStore(value, first_, D(), to);
    else
      store_copied(value, to, first_);
  }

private:
  static constexpr size_t most = hwy::HWY_NAMESPACE::MaxLanes(D());

  // A few lanes are copied one by one, which is faster than a call of memcpy.
  static HWY_INLINE void copy(const T *from, size_t count, T *to) {
    if constexpr (most > 4)
      std::memcpy(to, from, count * sizeof(T));
    else
      for (size_t i = 0; i < most; ++i)
        if (i < count)
          to[i] = from[i];
  }
  // Not inlined: the copies would be most of the code of every brgemm tile.
  static HWY_NOINLINE V load_copied(const T *from, size_t count) {
    HWY_ALIGN T lanes[most] = {};
    copy(from, count, lanes);
    return hwy::HWY_NAMESPACE::Load(D(), lanes);
  }
  static HWY_NOINLINE void store_copied(V value, T *to, size_t count) {
    HWY_ALIGN T lanes[most];
    hwy::HWY_NAMESPACE::Store(value, D(), lanes);
    copy(lanes, count, to);
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

// The 1-D transforms of Winograd's algorithm on vectors, with common subexpressions computed once, and the addresses of a tile's elements.

#if defined(TPP_MICROKERNELS_COMMON_WINOGRAD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_WINOGRAD_INL_H
#undef TPP_MICROKERNELS_COMMON_WINOGRAD_INL_H
#else
#define TPP_MICROKERNELS_COMMON_WINOGRAD_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/common/vector_access-inl.h"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// The coefficients of the transforms, in registers: the compiler cannot know the values, which it would load again for each use.
template <class D> struct coefficients {
  hwy::HWY_NAMESPACE::Vec<D> two, four, eight;

  HWY_INLINE explicit coefficients(D d) {
    static constexpr float values[] = {2.0f, 4.0f, 8.0f};
    const float *from = opaque(&values[0]);
    two = hwy::HWY_NAMESPACE::Set(d, from[0]);
    four = hwy::HWY_NAMESPACE::Set(d, from[1]);
    eight = hwy::HWY_NAMESPACE::Set(d, from[2]);
  }
};

// y = B^T * x. Each coefficient is one multiply-add.
template <class D, class V> TPP_INLINE void TransformInput(const coefficients<D> &, const V (&x)[4], V (&y)[4]) {
  namespace hn = hwy::HWY_NAMESPACE;
  y[0] = hn::Sub(x[0], x[2]);
  y[1] = hn::Add(x[1], x[2]);
  y[2] = hn::Sub(x[2], x[1]);
  y[3] = hn::Sub(x[1], x[3]);
}
template <class D, class V> TPP_INLINE void TransformInput(const coefficients<D> &by, const V (&x)[6], V (&y)[6]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V a = hn::NegMulAdd(by.four, x[2], x[4]), b = hn::NegMulAdd(by.four, x[1], x[3]);
  const V c = hn::Sub(x[4], x[2]), e = hn::Sub(x[3], x[1]);
  y[0] = hn::MulAdd(by.four, hn::Sub(x[0], x[2]), c);
  y[1] = hn::Add(a, b);
  y[2] = hn::Sub(a, b);
  y[3] = hn::MulAdd(by.two, e, c);
  y[4] = hn::NegMulAdd(by.two, e, c);
  y[5] = hn::NegMulAdd(by.four, e, hn::Sub(x[5], x[3]));
}

// y = A^T * x.
template <class D, class V> TPP_INLINE void TransformOutput(const coefficients<D> &, const V (&x)[4], V (&y)[2]) {
  namespace hn = hwy::HWY_NAMESPACE;
  y[0] = hn::Add(x[0], hn::Add(x[1], x[2]));
  y[1] = hn::Sub(hn::Sub(x[1], x[2]), x[3]);
}
template <class D, class V> TPP_INLINE void TransformOutput(const coefficients<D> &by, const V (&x)[6], V (&y)[4]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V sum = hn::Add(x[1], x[2]), difference = hn::Sub(x[1], x[2]);
  const V far_sum = hn::Add(x[3], x[4]), far_difference = hn::Sub(x[3], x[4]);
  y[0] = hn::Add(hn::Add(x[0], sum), far_sum);
  y[1] = hn::MulAdd(by.two, far_difference, difference);
  y[2] = hn::MulAdd(by.four, far_sum, sum);
  y[3] = hn::MulAdd(by.eight, far_difference, hn::Add(difference, x[5]));
}

// The multiples of a stride. An address with one of them takes no instruction of its own. Those that no element has may overflow.
struct multiples {
  int64_t one, three, five;

  HWY_INLINE explicit multiples(int64_t stride) : one(stride), three(opaque(times(stride, 3))), five(opaque(times(stride, 5))) {}
  HWY_INLINE int64_t operator[](int i) const { return i == 3 ? three : i == 5 ? five : times(one, i); }

private:
  static HWY_INLINE int64_t times(int64_t stride, int i) {
    return static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(i));
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

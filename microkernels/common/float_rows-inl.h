// Rows of f32, bf16 or f16, of types known when a kernel runs. Kernels of mixed types convert pieces of rows in L1 and compute on f32: that takes
// little longer than code for each combination of kind and types, whose compile time would be several times as long.

#if defined(TPP_MICROKERNELS_COMMON_FLOAT_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_FLOAT_ROWS_INL_H
#undef TPP_MICROKERNELS_COMMON_FLOAT_ROWS_INL_H
#else
#define TPP_MICROKERNELS_COMMON_FLOAT_ROWS_INL_H
#endif

#include "hwy/highway.h"

#include "microkernels/common/matrix.hpp"
#include "microkernels/common/typed_vector-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// Elements of a piece.
constexpr size_t float_piece = 256;

template <int kType> HWY_INLINE void WidenRow(const char *from, size_t n, float *to) {
  const hwy::HWY_NAMESPACE::ScalableTag<float> d;
  const auto *elements = reinterpret_cast<const typename Element<kType>::T *>(from);
  const size_t N = hwy::HWY_NAMESPACE::Lanes(d);
  size_t j = 0;
  for (; j + N <= n; j += N)
    hwy::HWY_NAMESPACE::StoreU(LoadTyped<kType>(d, elements + j), d, to + j);
  if (j < n)
    first_lanes<decltype(d)>(n - j).store(LoadTypedFirst<kType>(d, elements + j, n - j), to + j);
}
template <int kType> HWY_INLINE void NarrowRow(const float *from, size_t n, char *to) {
  const hwy::HWY_NAMESPACE::ScalableTag<float> d;
  auto *elements = reinterpret_cast<typename Element<kType>::T *>(to);
  const size_t N = hwy::HWY_NAMESPACE::Lanes(d);
  size_t j = 0;
  for (; j + N <= n; j += N)
    StoreTyped<kType>(hwy::HWY_NAMESPACE::LoadU(d, from + j), d, elements + j);
  if (j < n)
    StoreTypedFirst<kType>(first_lanes<decltype(d)>(n - j).load(from + j), d, elements + j, n - j);
}

// The n <= float_piece elements at `from` as floats: they themselves, or in `buffer`. If `splat`, all are the first.
HWY_INLINE const float *read_floats(int32_t type, const char *from, bool splat, size_t n, float *buffer) {
  if (type == TPP_TYPE_f32 && !splat)
    return reinterpret_cast<const float *>(from);
  const size_t count = splat ? 1 : n;
  if (type == TPP_TYPE_bf16)
    WidenRow<TPP_TYPE_bf16>(from, count, buffer);
  else if (type == TPP_TYPE_f16)
    WidenRow<TPP_TYPE_f16>(from, count, buffer);
  else
    buffer[0] = *reinterpret_cast<const float *>(from);
  for (size_t j = count; j < n; ++j)
    buffer[j] = buffer[0];
  return buffer;
}
// Writes n floats of `from` as elements of the type.
HWY_INLINE void write_floats(int32_t type, const float *from, size_t n, char *to) {
  if (type == TPP_TYPE_bf16)
    NarrowRow<TPP_TYPE_bf16>(from, n, to);
  else if (type == TPP_TYPE_f16)
    NarrowRow<TPP_TYPE_f16>(from, n, to);
  else
    std::memcpy(to, from, n * sizeof(float));
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

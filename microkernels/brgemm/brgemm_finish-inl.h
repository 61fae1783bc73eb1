// Post-ops that are too long to unroll over a tile's accumulators. They run on a stack buffer, step by step and vector by vector; then
// the result is stored to C.
#if defined(TPP_MICROKERNELS_BRGEMM_FINISH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#undef TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/kinds.hpp"
#include "microkernels/common/scalar.hpp"
#include "microkernels/common/typed_vector-inl.h"
#include "microkernels/common/unary_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of the types that operands of post-ops and C may have, converted to and from f32. `count` lanes are accessed.
template <int kType, class D> HWY_INLINE hn::Vec<D> load_typed(D d, const char *from, int count) {
  const auto *elements = reinterpret_cast<const typename Element<kType>::T *>(from);
  return count == static_cast<int>(hn::MaxLanes(d)) ? LoadTyped<kType>(d, elements)
                                                    : LoadTypedFirst<kType>(d, elements, static_cast<size_t>(count));
}
template <class D> HWY_INLINE hn::Vec<D> load_as_f32(D d, int32_t type, const char *from, int count) {
  switch (type) {
  case TPP_TYPE_bf16:
    return load_typed<TPP_TYPE_bf16>(d, from, count);
  case TPP_TYPE_i32:
    return load_typed<TPP_TYPE_i32>(d, from, count);
  case TPP_TYPE_i8:
    return load_typed<TPP_TYPE_i8>(d, from, count);
  case TPP_TYPE_u8:
    return load_typed<TPP_TYPE_u8>(d, from, count);
  default:
    return load_typed<TPP_TYPE_f32>(d, from, count);
  }
}
inline float element_as_f32(int32_t type, const char *from) {
  if (type != TPP_TYPE_i32)
    return load_float(type, from, 0);
  int32_t value;
  std::memcpy(&value, from, sizeof(value));
  return static_cast<float>(value);
}
template <int kType, class D> HWY_INLINE void store_typed(D d, hn::Vec<D> value, char *to, int count) {
  auto *elements = reinterpret_cast<typename Element<kType>::T *>(to);
  if (count == static_cast<int>(hn::MaxLanes(d)))
    StoreTyped<kType>(value, d, elements);
  else
    StoreTypedFirst<kType>(value, d, elements, static_cast<size_t>(count));
}
template <class D> HWY_INLINE void store_as(D d, int32_t type, hn::Vec<D> value, char *to, int count) {
  switch (type) {
  case TPP_TYPE_bf16:
    return store_typed<TPP_TYPE_bf16>(d, value, to, count);
  case TPP_TYPE_i8:
    return store_typed<TPP_TYPE_i8>(d, value, to, count);
  case TPP_TYPE_u8:
    return store_typed<TPP_TYPE_u8>(d, value, to, count);
  default:
    return store_typed<TPP_TYPE_f32>(d, value, to, count);
  }
}

template <int kKind, class D> HWY_INLINE hn::Vec<D> apply_post_op(D d, hn::Vec<D> x) {
  if constexpr (is_post_op(static_cast<tpp_unary_kind>(kKind)))
    return ApplyUnary<kKind>(d, x, hn::Zero(d));
  else
    not_supported();
}

template <class D> HWY_INLINE hn::Vec<D> apply_unary(D d, int32_t kind, hn::Vec<D> x) {
  switch (static_cast<tpp_unary_kind>(kind)) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case TPP_UNARY_##name:                                                                                                         \
    return apply_post_op<TPP_UNARY_##name>(d, x);
#include "tpp/kinds.def"
  }
  not_supported();
}

template <class D> HWY_INLINE hn::Vec<D> apply_binary(D d, int32_t kind, hn::Vec<D> x, hn::Vec<D> y) {
  switch (static_cast<tpp_binary_kind>(kind)) {
#define TPP_BINARY_KIND(name, value, formula, special_values)                                                                    \
  case TPP_BINARY_##name:                                                                                                        \
    return ApplyBinary<TPP_BINARY_##name>(d, x, y);
#include "tpp/kinds.def"
  }
  not_supported();
}

template <class D> HWY_INLINE hn::Vec<D> apply_binary_i32(D d, int32_t kind, hn::Vec<D> x, hn::Vec<D> y) {
  switch (static_cast<tpp_binary_kind>(kind)) {
  case TPP_BINARY_add:
    return hn::Add(x, y);
  case TPP_BINARY_sub:
    return hn::Sub(x, y);
  case TPP_BINARY_mul:
    return hn::Mul(x, y);
  case TPP_BINARY_max:
    return hn::Max(x, y);
  case TPP_BINARY_min:
    return hn::Min(x, y);
  case TPP_BINARY_div:
    break;
  }
  not_supported();
}

template <class SumD> HWY_INLINE hn::Vec<SumD> relu_of_sums(SumD d, hn::Vec<SumD> x) {
  if constexpr (hwy::IsFloat<hn::TFromD<SumD>>())
    return Relu(d, x);
  else
    return hn::Max(x, hn::Zero(d));
}

// Visits the vectors of a tile: f(row, vector, lanes that are columns of C).
template <class F> HWY_INLINE void for_each_vector(const brgemm_call &call, int lanes, int rows, int vectors, F f) {
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v)
      f(i, v, v == vectors - 1 ? call.tail : lanes);
}

// Reads C, of another type than the sums, into `buffer`.
template <class SumD> HWY_NOINLINE void load_c(SumD d, const brgemm_call &call, hn::TFromD<SumD> *buffer, int rows, int vectors) {
  if constexpr (hwy::IsFloat<hn::TFromD<SumD>>()) {
    const int lanes = static_cast<int>(hn::MaxLanes(d));
    for_each_vector(call, lanes, rows, vectors, [&](int i, int v, int count) HWY_ATTR {
      const char *from = call.c + i * call.plan->ldc + call.c_offset[v];
      hn::Store(load_as_f32(d, call.plan->c_type, from, count), d, buffer + (i * vectors + v) * lanes);
    });
  } else {
    not_supported();
  }
}

// The post-ops of f32 sums from step `s` on, and the store to C.
template <class D>
HWY_NOINLINE void finish_f32(D d, const brgemm_call &call, float *HWY_RESTRICT buffer, int rows, int vectors, int s) {
  const int lanes = static_cast<int>(hn::MaxLanes(d));
  const brgemm_plan &plan = *call.plan;
  for (; s < plan.post_count; ++s) {
    const brgemm_post_step &step = plan.post[s];
    if (step.mode == post_mode::unary && step.kind == TPP_UNARY_identity)
      continue;
    for_each_vector(call, lanes, rows, vectors, [&](int i, int v, int count) HWY_ATTR {
      float *at = buffer + (i * vectors + v) * lanes;
      const auto x = hn::Load(d, at);
      if (step.mode == post_mode::unary) {
        hn::Store(apply_unary(d, step.kind, x), d, at);
        return;
      }
      const char *operand = call.post[s] + i * step.row_stride;
      const auto y = step.mode == post_mode::spread ? hn::Set(d, element_as_f32(step.type, operand))
                                                    : load_as_f32(d, step.type, operand + call.post_offset[s][v], count);
      hn::Store(apply_binary(d, step.kind, x, y), d, at);
    });
  }
  for_each_vector(call, lanes, rows, vectors, [&](int i, int v, int count) HWY_ATTR {
    const auto x = hn::Load(d, buffer + (i * vectors + v) * lanes);
    char *to = call.c + i * plan.ldc + call.c_offset[v];
    if (call.streaming && plan.c_type == TPP_TYPE_f32)
      hn::Stream(x, d, reinterpret_cast<float *>(to));
    else
      store_as(d, plan.c_type, x, to, count);
  });
}

// The post-ops of i32 sums from step `s` on, in f32 after a `convert`, and the store to C.
template <class D>
HWY_NOINLINE void finish_i32(D d, const brgemm_call &call, int32_t *HWY_RESTRICT buffer, int rows, int vectors, int s) {
  const int lanes = static_cast<int>(hn::MaxLanes(d));
  const brgemm_plan &plan = *call.plan;
  for (; s < plan.post_count; ++s) {
    const brgemm_post_step &step = plan.post[s];
    if (step.mode == post_mode::unary && step.kind == TPP_UNARY_identity)
      continue;
    if (step.mode == post_mode::unary && step.kind == TPP_UNARY_convert) {
      const hn::RebindToFloat<D> df;
      auto *converted = reinterpret_cast<float *>(buffer);
      for (int at = 0; at < rows * vectors * lanes; at += lanes)
        hn::Store(hn::ConvertTo(df, hn::Load(d, buffer + at)), df, converted + at);
      return finish_f32(df, call, converted, rows, vectors, s + 1);
    }
    for_each_vector(call, lanes, rows, vectors, [&](int i, int v, int count) HWY_ATTR {
      int32_t *at = buffer + (i * vectors + v) * lanes;
      const auto x = hn::Load(d, at);
      if (step.mode == post_mode::unary) { // relu
        hn::Store(relu_of_sums(d, x), d, at);
        return;
      }
      const char *operand = call.post[s] + i * step.row_stride;
      const auto *from =
          reinterpret_cast<const int32_t *>(step.mode == post_mode::spread ? operand : operand + call.post_offset[s][v]);
      const auto y = step.mode == post_mode::spread ? hn::Set(d, *from)
                     : count == lanes               ? hn::LoadU(d, from)
                                                    : first_lanes<D>(static_cast<size_t>(count)).load(from);
      hn::Store(apply_binary_i32(d, step.kind, x, y), d, at);
    });
  }
  for_each_vector(call, lanes, rows, vectors, [&](int i, int v, int count) HWY_ATTR {
    const auto x = hn::Load(d, buffer + (i * vectors + v) * lanes);
    auto *to = reinterpret_cast<int32_t *>(call.c + i * plan.ldc + call.c_offset[v]);
    if (call.streaming)
      hn::Stream(x, d, to);
    else if (count == lanes)
      hn::StoreU(x, d, to);
    else
      first_lanes<D>(static_cast<size_t>(count)).store(x, to);
  });
}

// Applies the post-ops after the first plan.in_registers to `rows` rows of `vectors` vectors in `buffer`, then stores them to C.
template <class SumD>
HWY_INLINE void finish_tile(SumD d, const brgemm_call &call, hn::TFromD<SumD> *HWY_RESTRICT buffer, int rows, int vectors) {
  if constexpr (hwy::IsFloat<hn::TFromD<SumD>>())
    finish_f32(d, call, buffer, rows, vectors, call.plan->in_registers);
  else
    finish_i32(d, call, buffer, rows, vectors, call.plan->in_registers);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

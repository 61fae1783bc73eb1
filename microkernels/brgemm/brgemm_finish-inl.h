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
#include "microkernels/common/unary_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// Applies the post-ops after the first plan.in_registers to `rows` rows of `vectors` vectors in `buffer`, whose rows are `stride` floats
// apart, then stores them to C.
template <class D>
HWY_NOINLINE void finish_tile(D d, const brgemm_call &call, float *HWY_RESTRICT buffer, int stride, int rows, int vectors) {
  const int lanes = static_cast<int>(hn::MaxLanes(d));
  const brgemm_plan &plan = *call.plan;
  const first_lanes<D> tail(static_cast<size_t>(call.tail));
  const int full = call.tail == lanes ? vectors : vectors - 1; // whole vectors
  for (int s = plan.in_registers; s < plan.post_count; ++s) {
    const brgemm_post_step &step = plan.post[s];
    if (step.mode == post_mode::unary && step.kind == TPP_UNARY_identity)
      continue;
    for (int i = 0; i < rows; ++i) {
      const char *operand = call.post[s] + i * step.row_stride;
      for (int v = 0; v < vectors; ++v) {
        float *at = buffer + i * stride + v * lanes;
        const auto x = hn::Load(d, at);
        if (step.mode == post_mode::unary) {
          hn::Store(apply_unary(d, step.kind, x), d, at);
          continue;
        }
        auto y = hn::Zero(d);
        if (step.mode == post_mode::spread)
          y = hn::Set(d, *floats(operand));
        else if (v < full)
          y = hn::LoadU(d, floats(operand + call.post_offset[s][v]));
        else
          y = tail.load(floats(operand + call.post_offset[s][v]));
        hn::Store(apply_binary(d, step.kind, x, y), d, at);
      }
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int v = 0; v < vectors; ++v) {
      float *to = reinterpret_cast<float *>(call.c + i * plan.ldc + call.c_offset[v]);
      const auto x = hn::Load(d, buffer + i * stride + v * lanes);
      if (call.streaming)
        hn::Stream(x, d, to);
      else if (v < full)
        hn::StoreU(x, d, to);
      else
        tail.store(x, to);
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

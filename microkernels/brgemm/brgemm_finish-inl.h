// Post-ops that are too long to unroll over a tile's accumulators. They run on a stack buffer, step by step and vector by vector; then
// the result is stored to C. Also: loads and stores of the first lanes of a vector that access no byte after them.
#if defined(TPP_MICROKERNELS_BRGEMM_FINISH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#undef TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_FINISH_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/kinds.hpp"
#include "microkernels/common/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Set if masked loads of 32-bit lanes never fault. (Highway marks AVX2 as faulting because of its 8- and 16-bit lanes.)
#if !HWY_MEM_OPS_MIGHT_FAULT || HWY_TARGET == HWY_AVX2
#define TPP_MASKED_OPS_ARE_SAFE 1
#else
#define TPP_MASKED_OPS_ARE_SAFE 0
#endif

// The first `count` lanes of a vector, 1 <= count <= lanes.
template <class D> struct first_lanes {
#if TPP_MASKED_OPS_ARE_SAFE
  hn::Mask<D> mask;
  HWY_INLINE explicit first_lanes(int count) : mask(hn::FirstN(D(), static_cast<size_t>(count))) {}

  // The lanes after the first `count` are 0.
  HWY_INLINE hn::Vec<D> load(const float *from) const { return hn::MaskedLoad(mask, D(), from); }
  HWY_INLINE void store(hn::Vec<D> value, float *to) const { hn::BlendedStore(value, mask, D(), to); }
#else
  int count;
  HWY_INLINE explicit first_lanes(int count) : count(count) {}

  // Not inlined: the lane-by-lane code would be most of the code of every tile.
  HWY_NOINLINE hn::Vec<D> load(const float *from) const {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    for (int i = 0; i < static_cast<int>(hn::MaxLanes(D())); ++i)
      lanes[i] = i < count ? from[i] : 0.0f;
    return hn::Load(D(), lanes);
  }
  HWY_NOINLINE void store(hn::Vec<D> value, float *to) const {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    hn::Store(value, D(), lanes);
    for (int i = 0; i < count; ++i)
      to[i] = lanes[i];
  }
#endif
};
#undef TPP_MASKED_OPS_ARE_SAFE

template <class D> HWY_INLINE hn::Vec<D> apply_unary(D d, int32_t kind, hn::Vec<D> x) {
  switch (static_cast<tpp_unary_kind>(kind)) {
  case TPP_UNARY_identity:
    return x;
  case TPP_UNARY_relu:
    return Relu(d, x);
  case TPP_UNARY_gelu:
    return Gelu(d, x);
  case TPP_UNARY_gelu_tanh:
    return GeluTanh(d, x);
  case TPP_UNARY_tanh:
    return Tanh(d, x);
  case TPP_UNARY_sigmoid:
    return Sigmoid(d, x);
  case TPP_UNARY_silu:
    return Silu(d, x);
  case TPP_UNARY_exp:
    return Exp(d, x);
  case TPP_UNARY_zero:
  case TPP_UNARY_convert:
  case TPP_UNARY_transpose:
  case TPP_UNARY_leaky_relu:
  case TPP_UNARY_erf:
  case TPP_UNARY_log:
  case TPP_UNARY_sqrt:
  case TPP_UNARY_rsqrt:
  case TPP_UNARY_reciprocal:
  case TPP_UNARY_square:
  case TPP_UNARY_neg:
  case TPP_UNARY_abs:
  case TPP_UNARY_vnni_pack:
    break; // not activations
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
  const first_lanes<D> tail(call.tail);
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

// Post-ops that are too long to unroll over a tile's accumulators. They run on a stack buffer, step by step; then the result is stored to C.
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
#include "microkernels/common/post_steps-inl.h"
#include "microkernels/common/unary_math-inl.h"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Loads `count` lanes of the operand of step `s` in row i, vector v of the tile.
template <class D> HWY_INLINE hn::Vec<D> load_elements(D d, const brgemm_call &call, int s, int64_t i, int v, int count) {
  const post_step &step = call.plan->post[s];
  return load_operand(d, step, call.post[s] + i * step.row_stride + call.post_offset[s][v], count);
}
// The same for an operand that has one element for all columns of a row.
template <class D> HWY_INLINE hn::Vec<D> load_spread(D d, const brgemm_call &call, int s, int64_t i) {
  const post_step &step = call.plan->post[s];
  return spread_operand(d, step, call.post[s] + i * step.row_stride);
}

// Loads the operands of post-ops that are the same for all rows, for the `vectors` vectors of a column of tiles.
template <class D> HWY_NOINLINE void load_row_operands(D d, brgemm_call &call, int vectors) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  for (int s = call.plan->in_registers; s < call.plan->post_count; ++s) {
    const post_step &step = call.plan->post[s];
    if (step.mode == post_mode::unary || step.row_stride != 0)
      continue;
    for (int v = 0; v < vectors; ++v)
      hn::Store(step.mode == post_mode::spread ? load_spread(d, call, s, 0)
                                               : load_elements(d, call, s, 0, v, v == vectors - 1 ? call.tail : lanes),
                d, call.row_operands[s] + v * lanes);
  }
}

// The tile of `call` in a stack buffer: `rows` rows of `vectors` vectors of f32, or of i32 before a `convert`. The kind of a step is selected once
// for several vectors; selecting it for each vector takes several times as long as the arithmetic.
template <class D> struct tile_buffer {
  using V = hn::Vec<D>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));

  const brgemm_call &call;
  float *values;
  int rows, vectors;

  HWY_INLINE int columns_of(int v) const { return v == vectors - 1 ? call.tail : lanes; }

  template <int kind> static HWY_INLINE V apply_to_floats(V x, V y) { return ApplyBinary<kind>(D(), x, y); }

  // Steps that a block of vectors in registers goes through, one after the other: those with short arithmetic and without an operand for each
  // row, whose loads would be calls, around which no vector stays in its register.
  static bool in_block(const post_step &step) {
    if (step.mode != post_mode::unary)
      return step.row_stride == 0;
    return step.kind == TPP_UNARY_identity || step.kind == TPP_UNARY_relu || step.kind == TPP_UNARY_convert ||
           step.kind == TPP_UNARY_round;
  }

  // Applies steps [s, end) to R rows of N vectors, from row i and vector v on.
  template <int R, int N> HWY_INLINE void apply_to_block(int s, int end, int i, int v) const {
    const D d;
    const brgemm_plan &plan = *call.plan;
    float *at_block = values + (i * vectors + v) * lanes;
    const int64_t row = int64_t{vectors} * lanes;
    V x[R * N];
    unrolled<R * N>(TPP_LAMBDA(at) { x[at] = hn::Load(d, at_block + at / N * row + at % N * lanes); });
    for (; s < end; ++s) {
      const float *other = call.row_operands[s] + v * lanes;
      switch (plan.post[s].selector()) {
#define TPP_BINARY_KIND(name, value, formula, special_values)                                                                    \
  case post_step::binary_of_floats + TPP_BINARY_##name:                                                                          \
    unrolled<R * N>(TPP_LAMBDA(at) { x[at] = apply_to_floats<TPP_BINARY_##name>(x[at], hn::Load(d, other + at % N * lanes)); }); \
    break;                                                                                                                       \
  case post_step::binary_of_integers + TPP_BINARY_##name:                                                                        \
    unrolled<R * N>(                                                                                                             \
        TPP_LAMBDA(at) { x[at] = apply_to_integers<TPP_BINARY_##name>(d, x[at], hn::Load(d, other + at % N * lanes)); });        \
    break;
#include "tpp/kinds.def"
      case post_step::unary_of_integers + TPP_UNARY_convert:
        unrolled<R * N>(TPP_LAMBDA(at) { x[at] = convert_integers(d, x[at]); });
        break;
      case post_step::unary_of_integers + TPP_UNARY_relu:
        unrolled<R * N>(TPP_LAMBDA(at) { x[at] = relu_of_integers(d, x[at]); });
        break;
      case post_step::unary_of_floats + TPP_UNARY_relu:
        unrolled<R * N>(TPP_LAMBDA(at) { x[at] = Relu(d, x[at]); });
        break;
      case post_step::unary_of_floats + TPP_UNARY_round:
        unrolled<R * N>(TPP_LAMBDA(at) { x[at] = ApplyUnary<TPP_UNARY_round>(d, x[at], hn::Zero(d)); });
        break;
      default: // identity
        break;
      }
    }
    unrolled<R * N>(TPP_LAMBDA(at) { hn::Store(x[at], d, at_block + at / N * row + at % N * lanes); });
  }
  template <int N> HWY_NOINLINE void apply_to_columns(int s, int end, int v) const {
    constexpr int R = TPP_IS_EMULATED ? 1 : N == 1 ? 4 : N == 2 ? 3 : 2;
    int i = 0;
    for (; i + R <= rows; i += R)
      apply_to_block<R, N>(s, end, i, v);
    for (; i < rows; ++i)
      apply_to_block<1, N>(s, end, i, v);
  }
  void apply_in_blocks(int s, int end) const {
    int v = 0;
#if !TPP_IS_EMULATED
    for (; vectors - v >= 4; v += 4)
      apply_to_columns<4>(s, end, v);
    if (vectors - v == 3)
      return apply_to_columns<3>(s, end, v);
    if (vectors - v == 2)
      return apply_to_columns<2>(s, end, v);
#endif
    for (; v < vectors; ++v)
      apply_to_columns<1>(s, end, v);
  }

  // Applies binary step `s`, whose operand differs between rows.
  void apply_by_row(int s) const {
    const D d;
    const post_step &step = call.plan->post[s];
    HWY_ALIGN float others[brgemm_most_columns];
    for (int i = 0; i < rows; ++i) {
      float *at = values + i * vectors * lanes;
      for (int v = 0; v < vectors; ++v)
        hn::Store(step.mode == post_mode::spread ? load_spread(d, call, s, i) : load_elements(d, call, s, i, v, columns_of(v)), d,
                  others + v * lanes);
      const auto apply = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
        for (int v = 0; v < vectors; ++v, at += lanes)
          hn::Store(f(hn::Load(d, at), hn::Load(d, others + v * lanes)), d, at);
      };
      switch (step.selector()) {
#define TPP_BINARY_KIND(name, value, formula, special_values)                                                                    \
  case post_step::binary_of_floats + TPP_BINARY_##name:                                                                          \
    apply([](V x, V y) HWY_ATTR { return apply_to_floats<TPP_BINARY_##name>(x, y); });                                           \
    break;                                                                                                                       \
  case post_step::binary_of_integers + TPP_BINARY_##name:                                                                        \
    apply([](V x, V y) HWY_ATTR { return apply_to_integers<TPP_BINARY_##name>(D(), x, y); });                                    \
    break;
#include "tpp/kinds.def"
      default:
        not_supported();
      }
    }
  }

  // Applies unary step `s`.
  void apply_unary(int s) const {
    const D d;
    const auto map = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
      for (float *at = values, *end = values + rows * vectors * lanes; at < end; at += lanes)
        hn::Store(f(hn::Load(d, at)), d, at);
    };
    switch (call.plan->post[s].selector()) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case post_step::unary_of_floats + TPP_UNARY_##name:                                                                            \
    if constexpr (is_post_op(TPP_UNARY_##name))                                                                                  \
      return map([&](V x) HWY_ATTR { return ApplyUnary<TPP_UNARY_##name>(d, x, hn::Zero(d)); });                                 \
    break;
#include "tpp/kinds.def"
    }
    not_supported();
  }

  // Stores the tile to C, as elements of `kType`.
  template <int kType> void write_as() const {
    const D d;
    for (int v = 0; v < vectors; ++v) {
      const float *from = values + v * lanes;
      char *to = call.c + call.c_offset[v];
      const int count = columns_of(v);
      for (int i = 0; i < rows; ++i, from += vectors * lanes, to += call.plan->ldc)
        store_typed<kType>(d, hn::Load(d, from), to, count);
    }
  }
  void write() const {
    const D d;
    const brgemm_plan &plan = *call.plan;
    if (call.streaming) { // C has the type of the sums
      for (int i = 0; i < rows; ++i)
        for (int v = 0; v < vectors; ++v)
          hn::Stream(hn::Load(d, values + (i * vectors + v) * lanes), d,
                     reinterpret_cast<float *>(call.c + i * plan.ldc + call.c_offset[v]));
    } else if (plan.c_type == TPP_TYPE_i32) { // no post-op converts the sums: their bits are moved
      write_as<TPP_TYPE_f32>();
    } else {
      with_type(
          plan.c_type, TPP_LAMBDA(known) {
            constexpr int kType = known;
            write_as<kType>();
          });
    }
  }

  // Applies the post-ops that were not applied in registers, then stores to C.
  void finish() const {
    const brgemm_plan &plan = *call.plan;
    for (int s = plan.in_registers, end; s < plan.post_count; s = end) {
      for (end = s; end < plan.post_count && in_block(plan.post[end]);)
        ++end;
      if (end > s)
        apply_in_blocks(s, end);
      else if (plan.post[end].mode == post_mode::unary)
        apply_unary(end++);
      else
        apply_by_row(end++);
    }
    write();
  }
};

// Reads C, of another type than the sums, into `buffer`: `rows` rows of `vectors` vectors of f32.
template <class D> HWY_NOINLINE void load_c(D d, const brgemm_call &call, float *buffer, int rows, int vectors) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  with_type(
      call.plan->c_type, TPP_LAMBDA(known) {
        constexpr int kType = known;
        for (int i = 0; i < rows; ++i)
          for (int v = 0; v < vectors; ++v)
            hn::Store(load_typed<kType>(d, call.c + i * call.plan->ldc + call.c_offset[v], v == vectors - 1 ? call.tail : lanes),
                      d, buffer + (i * vectors + v) * lanes);
      });
}

// Applies the post-ops after the first plan.in_registers to `rows` rows of `vectors` vectors of sums in `buffer`, then stores them to C.
template <class D> HWY_NOINLINE void finish_tile(D, const brgemm_call &call, float *buffer, int rows, int vectors) {
  tile_buffer<D>{call, buffer, rows, vectors}.finish();
}

template <class SumD> HWY_INLINE hn::Vec<SumD> relu_of_sums(SumD d, hn::Vec<SumD> x) {
  if constexpr (hwy::IsFloat<hn::TFromD<SumD>>())
    return Relu(d, x);
  else
    return hn::Max(x, hn::Zero(d));
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

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
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/common/typed_vector-inl.h"
#include "microkernels/common/unary_math-inl.h"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Loads and stores of vectors of any type that operands of post-ops and C may have, converted to and from f32. `count` lanes are accessed.
template <int kType, class D> HWY_INLINE hn::Vec<D> load_typed(D d, const char *from, int count) {
  const auto *elements = reinterpret_cast<const typename Element<kType>::T *>(from);
  return count == static_cast<int>(hn::MaxLanes(d)) ? LoadTyped<kType>(d, elements)
                                                    : LoadTypedFirst<kType>(d, elements, static_cast<size_t>(count));
}
template <int kType, class D> HWY_INLINE void store_typed(D d, hn::Vec<D> value, char *to, int count) {
  auto *elements = reinterpret_cast<typename Element<kType>::T *>(to);
  if (count == static_cast<int>(hn::MaxLanes(d)))
    StoreTyped<kType>(value, d, elements);
  else
    StoreTypedFirst<kType>(value, d, elements, static_cast<size_t>(count));
}
// Calls f with a type that is known when the kernel runs: f(integral_constant<type>).
template <class F> HWY_INLINE void with_type(int32_t type, F f) {
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_f32:
    return f(std::integral_constant<int, TPP_TYPE_f32>());
  case TPP_TYPE_bf16:
    return f(std::integral_constant<int, TPP_TYPE_bf16>());
  case TPP_TYPE_f16:
    return f(std::integral_constant<int, TPP_TYPE_f16>());
  case TPP_TYPE_i32:
    return f(std::integral_constant<int, TPP_TYPE_i32>());
  case TPP_TYPE_i8:
    return f(std::integral_constant<int, TPP_TYPE_i8>());
  case TPP_TYPE_u8:
    return f(std::integral_constant<int, TPP_TYPE_u8>());
  case TPP_TYPE_f64: // rejected (reference.cpp)
    break;
  }
  not_supported();
}
// Loads and stores of sums of 32-bit integers, which are not converted.
template <class D> HWY_INLINE hn::Vec<D> load_integers(D d, const char *from, int count) {
  const auto *elements = reinterpret_cast<const int32_t *>(from);
  return count == static_cast<int>(hn::MaxLanes(d)) ? hn::LoadU(d, elements)
                                                    : first_lanes<D>(static_cast<size_t>(count)).load(elements);
}
template <class D> HWY_INLINE void store_integers(D d, hn::Vec<D> value, char *to, int count) {
  auto *elements = reinterpret_cast<int32_t *>(to);
  if (count == static_cast<int>(hn::MaxLanes(d)))
    hn::StoreU(value, d, elements);
  else
    first_lanes<D>(static_cast<size_t>(count)).store(value, elements);
}

// The tile of `call` in a stack buffer: `rows` rows of `vectors` vectors. Kind and types of a step are selected outside the loop over the buffer;
// selecting them inside takes several times as long as the arithmetic.
template <class D> struct tile_buffer {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr bool is_float = hwy::IsFloat<T>();

  const brgemm_call &call;
  T *values;
  int rows, vectors;

  // Visits the vectors: f(row, vector, lanes that are columns of C).
  template <class F> HWY_INLINE void for_each(int row_count, F f) const {
    for (int i = 0; i < row_count; ++i)
      for (int v = 0; v < vectors; ++v)
        f(i, v, v == vectors - 1 ? call.tail : lanes);
  }
  template <class F> HWY_INLINE void map(F f) const {
    const D d;
    for (T *at = values, *end = values + rows * vectors * lanes; at < end; at += lanes)
      hn::Store(f(d, hn::Load(d, at)), d, at);
  }

  // Reads `row_count` rows of elements of `type`: vector v of row i is at from + i * row_stride + offset[v].
  void read(int32_t type, const char *from, int64_t row_stride, const int64_t *offset, int row_count, T *to) const {
    const D d;
    const auto read_with = [&](auto load) HWY_ATTR __attribute__((always_inline)) {
      for_each(row_count, [&](int i, int v, int count) HWY_ATTR {
        hn::Store(load(from + i * row_stride + offset[v], count), d, to + (i * vectors + v) * lanes);
      });
    };
    if constexpr (!is_float) {
      read_with([&](const char *at, int count) HWY_ATTR { return load_integers(d, at, count); });
    } else {
      with_type(
          type, TPP_LAMBDA(known) {
            constexpr int kType = known;
            read_with([&](const char *at, int count) HWY_ATTR { return load_typed<kType>(d, at, count); });
          });
    }
  }

  // Stores the tile to C.
  void write() const {
    const D d;
    const brgemm_plan &plan = *call.plan;
    const auto write_with = [&](auto store) HWY_ATTR __attribute__((always_inline)) {
      for_each(rows, [&](int i, int v, int count) HWY_ATTR {
        store(hn::Load(d, values + (i * vectors + v) * lanes), call.c + i * plan.ldc + call.c_offset[v], count);
      });
    };
    if (call.streaming) // C has the type of the sums
      return write_with([&](V x, char *to, int) HWY_ATTR { hn::Stream(x, d, reinterpret_cast<T *>(to)); });
    if constexpr (!is_float) {
      write_with([&](V x, char *to, int count) HWY_ATTR { store_integers(d, x, to, count); });
    } else {
      with_type(
          plan.c_type, TPP_LAMBDA(known) {
            constexpr int kType = known;
            write_with([&](V x, char *to, int count) HWY_ATTR { store_typed<kType>(d, x, to, count); });
          });
    }
  }

  void apply_unary(int32_t kind) const {
    if constexpr (!is_float) {
      if (kind == TPP_UNARY_relu)
        return map([](D d, V x) HWY_ATTR { return hn::Max(x, hn::Zero(d)); });
      not_supported();
    } else {
      switch (static_cast<tpp_unary_kind>(kind)) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case TPP_UNARY_##name:                                                                                                         \
    if constexpr (is_post_op(TPP_UNARY_##name))                                                                                  \
      return map([](D d, V x) HWY_ATTR { return ApplyUnary<TPP_UNARY_##name>(d, x, hn::Zero(d)); });                             \
    break;
#include "tpp/kinds.def"
      }
      not_supported();
    }
  }

  // The other operand's rows are row_stride elements apart in `other`; 0 if all are the same.
  void apply_binary(int32_t kind, const T *other, int64_t row_stride) const {
    const D d;
    const auto combine = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
      T *at = values;
      for (int i = 0; i < rows; ++i)
        for (int v = 0; v < vectors; ++v, at += lanes)
          hn::Store(f(hn::Load(d, at), hn::Load(d, other + i * row_stride + v * lanes)), d, at);
    };
    switch (static_cast<tpp_binary_kind>(kind)) {
#define TPP_BINARY_KIND(name, value, formula, special_values)                                                                    \
  case TPP_BINARY_##name:                                                                                                        \
    if constexpr (is_float)                                                                                                      \
      return combine([&](V x, V y) HWY_ATTR { return ApplyBinary<TPP_BINARY_##name>(d, x, y); });                                \
    else if constexpr (TPP_BINARY_##name != TPP_BINARY_div)                                                                      \
      return combine([&](V x, V y) HWY_ATTR { return apply_to_integers<TPP_BINARY_##name>(x, y); });                             \
    break;
#include "tpp/kinds.def"
    }
    not_supported();
  }

  template <int kind> static HWY_INLINE V apply_to_integers(V x, V y) {
    if constexpr (kind == TPP_BINARY_add)
      return hn::Add(x, y);
    else if constexpr (kind == TPP_BINARY_sub)
      return hn::Sub(x, y);
    else if constexpr (kind == TPP_BINARY_mul)
      return hn::Mul(x, y);
    else if constexpr (kind == TPP_BINARY_max)
      return hn::Max(x, y);
    else {
      static_assert(kind == TPP_BINARY_min, "a new kind needs a case");
      return hn::Min(x, y);
    }
  }

  // Applies binary step `s`.
  void apply_binary_step(int s) const {
    const D d;
    const brgemm_post_step &step = call.plan->post[s];
    HWY_ALIGN T other[brgemm_tile_vectors * lanes];
    const int row_count = step.row_stride == 0 ? 1 : rows;
    if (step.mode == post_mode::elements) {
      read(step.type, call.post[s], step.row_stride, call.post_offset[s], row_count, other);
    } else {
      for (int i = 0; i < row_count; ++i) {
        const V y = hn::Set(d, element(step.type, call.post[s] + i * step.row_stride));
        for (int v = 0; v < vectors; ++v)
          hn::Store(y, d, other + (i * vectors + v) * lanes);
      }
    }
    apply_binary(step.kind, other, step.row_stride == 0 ? 0 : vectors * lanes);
  }
  static T element(int32_t type, const char *from) { return static_cast<T>(load_double(type, from, 0)); }

  // Applies the post-ops from step `s` on, then stores to C. Post-ops of i32 sums are in f32 after a `convert`.
  void finish(int s) const {
    const brgemm_plan &plan = *call.plan;
    for (; s < plan.post_count; ++s) {
      const brgemm_post_step &step = plan.post[s];
      if (step.mode != post_mode::unary) {
        apply_binary_step(s);
      } else if (!is_float && step.kind == TPP_UNARY_convert) {
        finish_converted(s + 1);
        return;
      } else if (step.kind != TPP_UNARY_identity) {
        apply_unary(step.kind);
      }
    }
    write();
  }
  void finish_converted(int s) const {
    if constexpr (!is_float) {
      const hn::RebindToFloat<D> df;
      auto *converted = reinterpret_cast<float *>(values);
      for (int at = 0; at < rows * vectors * lanes; at += lanes)
        hn::Store(hn::ConvertTo(df, hn::Load(D(), values + at)), df, converted + at);
      tile_buffer<decltype(df)>{call, converted, rows, vectors}.finish(s);
    }
  }
};

// Reads C, of another type than the sums, into `buffer`.
template <class SumD> HWY_NOINLINE void load_c(SumD, const brgemm_call &call, hn::TFromD<SumD> *buffer, int rows, int vectors) {
  tile_buffer<SumD>{call, buffer, rows, vectors}.read(call.plan->c_type, call.c, call.plan->ldc, call.c_offset, rows, buffer);
}

// Applies the post-ops after the first plan.in_registers to `rows` rows of `vectors` vectors in `buffer`, then stores them to C.
template <class SumD>
HWY_NOINLINE void finish_tile(SumD, const brgemm_call &call, hn::TFromD<SumD> *buffer, int rows, int vectors) {
  tile_buffer<SumD>{call, buffer, rows, vectors}.finish(call.plan->in_registers);
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

// Post-ops of images on a stack buffer: the vector of channels of each pixel of a tile, of at most 16. They run step by step, then the pixels that exist
// are stored.
#if defined(TPP_MICROKERNELS_COMMON_FINISH_PIXELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_FINISH_PIXELS_INL_H
#undef TPP_MICROKERNELS_COMMON_FINISH_PIXELS_INL_H
#else
#define TPP_MICROKERNELS_COMMON_FINISH_PIXELS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/pixel_post_ops.hpp"
#include "microkernels/common/post_steps-inl.h"
#include "microkernels/common/unary_math-inl.h"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// The kind and the type of a step are selected once for all pixels of the tile; selecting them for each vector takes several times as long as
// the arithmetic. kIntegers: the sums are i32, up to the step that converts them.
template <class D, bool kIntegers = false> struct finish_pixels {
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr int lanes = static_cast<int>(hwy::HWY_NAMESPACE::MaxLanes(D()));

  const pixel_call &call;
  float *values; // pixel (i, j) at (i * tile + j) * lanes
  int64_t tile;
  int64_t channel; // of the chunk: the first of the vector
  int count;       // channels of the vector

  // The vectors of a tile's pixels: that of pixel (i, j) is at first + i * row_step + j * column_step.
  struct vectors {
    const char *first;
    int64_t row_step, column_step;
  };
  // Calls f(address in `buffer`, address in `others`) for each pixel that exists.
  template <class F> HWY_INLINE void for_each_pixel(float *buffer, vectors others, F f) const {
    // Copies, which stay in registers: a store of a vector might change a member.
    const int64_t row_of_buffer = tile * lanes, width = call.cols * lanes;
    for (int64_t rows = call.rows; rows > 0; --rows, buffer += row_of_buffer, others.first += others.row_step) {
      const char *other = others.first;
      for (float *at = buffer, *end = buffer + width; at < end; at += lanes, other += others.column_step)
        f(at, other);
    }
  }

  // Applies unary step `s`.
  void apply_unary(int s) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    const auto map = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
      for (float *at = values, *end = values + call.rows * tile * lanes; at < end; at += lanes)
        hn::Store(f(hn::Load(d, at)), d, at);
    };
    switch (call.plan->post[s].selector()) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case post_step::unary_of_floats + TPP_UNARY_##name:                                                                            \
    if constexpr (is_post_op(TPP_UNARY_##name))                                                                                  \
      return map([&](V x) HWY_ATTR { return ApplyUnary<TPP_UNARY_##name>(d, x, hn::Zero(d)); });                                 \
    break;
#include "tpp/kinds.def"
    case post_step::unary_of_integers + TPP_UNARY_identity:
      return;
    case post_step::unary_of_integers + TPP_UNARY_relu:
      if constexpr (kIntegers)
        return map([&](V x) HWY_ATTR { return relu_of_integers(d, x); });
      break;
    case post_step::unary_of_integers + TPP_UNARY_convert:
      if constexpr (kIntegers)
        return map([&](V x) HWY_ATTR { return convert_integers(d, x); });
      break;
    }
    not_supported();
  }

  // The operand of binary step `s` as f32, or as i32 if the step is applied to integers: in place, or converted to `converted`.
  vectors operand_of(int s, float *converted) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    const post_step &step = call.plan->post[s];
    const vectors in_place = {call.post[s] + (step.mode == post_mode::elements ? channel * type_bytes(step.type) : 0),
                              call.plan->post_row_steps[s], step.row_stride};
    const int32_t type = step.of_integers ? int32_t{TPP_TYPE_f32} : step.type; // bits of i32 are moved unchanged
    if (step.mode == post_mode::elements && type == TPP_TYPE_f32 && count == lanes)
      return in_place;
    const bool same = in_place.row_step == 0 && in_place.column_step == 0;
    const auto convert = [&](auto load) HWY_ATTR __attribute__((always_inline)) {
      if (same)
        hn::Store(load(in_place.first), d, converted);
      else
        for_each_pixel(converted, in_place, [&](float *to, const char *from) HWY_ATTR __attribute__((always_inline)) {
          hn::Store(load(from), d, to);
        });
    };
    if (step.mode == post_mode::spread)
      convert([&](const char *from) HWY_ATTR { return spread_operand(d, step, from); });
    else
      with_type(
          type, TPP_LAMBDA(known) {
            constexpr int kType = known;
            const int elements = count;
            convert([&](const char *from) HWY_ATTR { return load_typed<kType>(d, from, elements); });
          });
    const int64_t distance = same ? 0 : lanes * 4;
    return {reinterpret_cast<const char *>(converted), tile * distance, distance};
  }

  // Applies binary step `s`.
  void apply_binary(int s) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    HWY_ALIGN float converted[16 * lanes];
    const vectors operand = operand_of(s, converted);
    const auto apply = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
      for_each_pixel(values, operand, [&](float *at, const char *other) HWY_ATTR __attribute__((always_inline)) {
        hn::Store(f(hn::Load(d, at), hn::LoadU(d, reinterpret_cast<const float *>(other))), d, at);
      });
    };
    switch (call.plan->post[s].selector()) {
#define TPP_BINARY_KIND(name, value, formula, special_values)                                                                    \
  case post_step::binary_of_floats + TPP_BINARY_##name:                                                                          \
    return apply([&](V x, V y) HWY_ATTR { return ApplyBinary<TPP_BINARY_##name>(d, x, y); });                                    \
  case post_step::binary_of_integers + TPP_BINARY_##name:                                                                        \
    if constexpr (kIntegers)                                                                                                     \
      return apply([&](V x, V y) HWY_ATTR { return apply_to_integers<TPP_BINARY_##name>(d, x, y); });                            \
    break;
#include "tpp/kinds.def"
    }
    not_supported();
  }

  // Stores the pixels that exist.
  template <int kType> void write() const {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    const int elements = count;
    const auto store = [&](auto f) HWY_ATTR __attribute__((always_inline)) {
      char *row = call.out + channel * static_cast<int64_t>(sizeof(typename Element<kType>::T));
      const int64_t row_step = call.plan->row_step, column_step = call.plan->column_step;
      const float *from = values;
      for (int64_t i = 0; i < call.rows; ++i, row += row_step, from += tile * lanes)
        for (int64_t j = 0; j < call.cols; ++j)
          f(hn::Load(d, from + j * lanes), row + j * column_step);
    };
    if (elements == lanes)
      store([&](V value, char *to) HWY_ATTR { store_typed<kType>(d, value, to, lanes); });
    else
      store([&](V value, char *to) HWY_ATTR { store_typed<kType>(d, value, to, elements); });
  }

  HWY_NOINLINE void run() const {
    const pixel_post_ops &plan = *call.plan;
    for (int s = plan.bias + 1; s < plan.post_count; ++s) // a bias is the first step
      if (plan.post[s].mode == post_mode::unary)
        apply_unary(s);
      else
        apply_binary(s);
    const auto write_as = TPP_LAMBDA(type) {
      constexpr int kType = type;
      write<kType>();
    };
    if constexpr (kIntegers)
      with_type(plan.type == TPP_TYPE_i32 ? int32_t{TPP_TYPE_f32} : plan.type, write_as); // no step converts sums that stay i32
    else
      with_image_type(plan.type, write_as);
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

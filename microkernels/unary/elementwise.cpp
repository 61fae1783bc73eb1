// The native element-wise kernels of kernels.def (TPP_UK_UNARY), compiled once per target: activations and conversions, computed on f32
// lanes, for any element types in memory; and activations of bf16 and f16 (TPP_UK_UNARY_FLOATS). Contract in unary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/unary/elementwise.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/float_rows-inl.h"
#include "microkernels/common/typed_vector-inl.h"
#include "microkernels/common/unary_math-inl.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/unary/native.hpp"

#include <type_traits>

#ifndef TPP_MICROKERNELS_UNARY_ELEMENTWISE_ONCE
#define TPP_MICROKERNELS_UNARY_ELEMENTWISE_ONCE
namespace tpp {
namespace {
using float_row = void (*)(const float *in, float *out, size_t cols, float alpha);

struct mixed_unary_plan {
  unary_plan operands;
  float_row row;
};
static_assert(sizeof(mixed_unary_plan) <= sizeof(microkernel::state), "");

const char *mixed_unary_reject(const tpp_unary_desc &desc, int32_t kind) {
  const int32_t types[] = {desc.in.type, desc.out.type};
  return native_unary_reject(desc, kind, are_mixed_floats(types));
}

void mixed_unary_prepare(microkernel *kernel, tpp_kernel_entry entry, float_row row) {
  native_unary_prepare(kernel, entry);
  const unary_plan operands = *reinterpret_cast<const unary_plan *>(kernel->state);
  new (kernel->state) mixed_unary_plan{operands, row};
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kKind, int kIn, int kOut> struct ElementWise {
  using TIn = typename Element<kIn>::T;
  using TOut = typename Element<kOut>::T;
  // Next to doubles, half a vector of floats.
  using D = std::conditional_t<kIn == TPP_TYPE_f64 || kOut == TPP_TYPE_f64, hn::Rebind<float, hn::ScalableTag<double>>,
                               hn::ScalableTag<float>>;
  using V = hn::Vec<D>;

  // One row of `cols` contiguous elements. Unrolling doubles the speed of kinds that are bound by loads and stores. Iterations of the
  // others overlap without it, and each copy of a polynomial adds seconds of compile time.
  static constexpr bool kUnroll = kKind == TPP_UNARY_relu || kKind == TPP_UNARY_convert || kKind == TPP_UNARY_leaky_relu ||
                                  kKind == TPP_UNARY_square || kKind == TPP_UNARY_neg || kKind == TPP_UNARY_abs;
  static TPP_INLINE void Row(const TIn *in, TOut *out, size_t cols, V alpha) {
    const D d;
    const size_t N = hn::Lanes(d);
    size_t j = 0;
    if constexpr (kUnroll) {
      for (; j + 4 * N <= cols; j += 4 * N) {
        const auto v0 = ApplyUnary<kKind>(d, LoadTyped<kIn>(d, in + j), alpha);
        const auto v1 = ApplyUnary<kKind>(d, LoadTyped<kIn>(d, in + j + N), alpha);
        const auto v2 = ApplyUnary<kKind>(d, LoadTyped<kIn>(d, in + j + 2 * N), alpha);
        const auto v3 = ApplyUnary<kKind>(d, LoadTyped<kIn>(d, in + j + 3 * N), alpha);
        StoreTyped<kOut>(v0, d, out + j);
        StoreTyped<kOut>(v1, d, out + j + N);
        StoreTyped<kOut>(v2, d, out + j + 2 * N);
        StoreTyped<kOut>(v3, d, out + j + 3 * N);
      }
    }
    for (; j + N <= cols; j += N)
      StoreTyped<kOut>(ApplyUnary<kKind>(d, LoadTyped<kIn>(d, in + j), alpha), d, out + j);
    if (j < cols)
      StoreTypedFirst<kOut>(ApplyUnary<kKind>(d, LoadTypedFirst<kIn>(d, in + j, cols - j), alpha), d, out + j, cols - j);
  }

  // Rows of exactly one vector, as in panels. A row takes a third of the time it takes in Row's loops.
  static TPP_INLINE void VectorRows(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, V alpha) {
    const D d;
    for (; rows > 0; --rows, in += in_step, out += out_step)
      StoreTyped<kOut>(ApplyUnary<kKind>(d, LoadTyped<kIn>(d, reinterpret_cast<const TIn *>(in)), alpha), d,
                       reinterpret_cast<TOut *>(out));
  }

  // One row whose elements are all kind(*in).
  static TPP_INLINE void SplatRow(const TIn *in, TOut *out, size_t cols, V alpha) {
    const D d;
    const size_t N = hn::Lanes(d);
    const auto one = ApplyUnary<kKind>(d, LoadTypedFirst<kIn>(d, in, 1), alpha);
    const auto v = hn::Set(d, hn::GetLane(one));
    size_t j = 0;
    for (; j + N <= cols; j += N)
      StoreTyped<kOut>(v, d, out + j);
    if (j < cols)
      StoreTypedFirst<kOut>(v, d, out + j, cols - j);
  }

  static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const unary_plan *>(kernel.state);
    const V alpha = hn::Set(D(), kernel.desc.unary.alpha);
    for (segment_walk<2> segment(kernel.desc.unary.n, plan.in, plan.out); !segment.done(); segment.advance()) {
      const char *from = static_cast<const char *>(args->a) + segment.offset(0);
      char *to = static_cast<char *>(args->c) + segment.offset(1);
      auto [rows, cols] = segment.rows_of(kernel.desc.unary.m);
      if (!plan.in.splat() && cols == static_cast<int64_t>(hn::Lanes(D()))) {
        VectorRows(from, plan.in.row_step, to, plan.out.row_step, rows, alpha);
        rows = 0;
      }
      for (; rows > 0; --rows) {
        if (plan.in.splat())
          SplatRow(reinterpret_cast<const TIn *>(from), reinterpret_cast<TOut *>(to), static_cast<size_t>(cols), alpha);
        else
          Row(reinterpret_cast<const TIn *>(from), reinterpret_cast<TOut *>(to), static_cast<size_t>(cols), alpha);
        from += plan.in.row_step;
        to += plan.out.row_step;
      }
    }
  }
};

template <int kKind> void FloatRow(const float *in, float *out, size_t cols, float alpha) {
  ElementWise<kKind, TPP_TYPE_f32, TPP_TYPE_f32>::Row(in, out, cols, hn::Set(hn::ScalableTag<float>(), alpha));
}

void MixedUnary(const tpp_kernel *self, const tpp_args *args) {
  const auto &kernel = *reinterpret_cast<const microkernel *>(self);
  const auto &plan = *reinterpret_cast<const mixed_unary_plan *>(kernel.state);
  const auto &[in, out] = plan.operands;
  const tpp_unary_desc &desc = kernel.desc.unary;
  HWY_ALIGN float buffers[2][float_piece];
  for (segment_walk<2> segment(desc.n, in, out); !segment.done(); segment.advance()) {
    const char *from = static_cast<const char *>(args->a) + segment.offset(0);
    char *to = static_cast<char *>(args->c) + segment.offset(1);
    for (auto [rows, cols] = segment.rows_of(desc.m); rows > 0; --rows) {
      for (int64_t j = 0; j < cols; j += int64_t{float_piece}) {
        const auto n = static_cast<size_t>(std::min<int64_t>(cols - j, int64_t{float_piece}));
        const float *x = read_floats(desc.in.type, from + j * in.column_step, in.splat(), n, buffers[0]);
        char *y = to + j * out.column_step;
        if (desc.out.type == TPP_TYPE_f32) {
          plan.row(x, reinterpret_cast<float *>(y), n, desc.alpha);
        } else {
          plan.row(x, buffers[1], n, desc.alpha);
          write_floats(desc.out.type, buffers[1], n, y);
        }
      }
      from += in.row_step;
      to += out.row_step;
    }
  }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_UNARY_DEFINE(name, cycles, KIND, IN, OUT)                                                                         \
  TPP_UK_FUNCTIONS(                                                                                                              \
      name, tpp_unary_desc,                                                                                                      \
      native_unary_reject(desc, TPP_UNARY_##KIND, desc.in.type == TPP_TYPE_##IN && desc.out.type == TPP_TYPE_##OUT),             \
      native_unary_cost(desc, cycles),                                                                                           \
      native_unary_prepare(kernel, HWY_NAMESPACE::ElementWise<TPP_UNARY_##KIND, TPP_TYPE_##IN, TPP_TYPE_##OUT>::Entry))
#define TPP_UK_UNARY(kind, types, in, out, ...)                                                                                  \
  TPP_UK_PER_TARGET(TPP_UK_UNARY_DEFINE, tpp_uk_unary_##kind##_##types, __VA_ARGS__, kind, in, out)
#define TPP_UK_UNARY_FLOATS_DEFINE(name, cycles, KIND)                                                                           \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, mixed_unary_reject(desc, TPP_UNARY_##KIND), native_unary_cost(desc, cycles),            \
                   mixed_unary_prepare(kernel, HWY_NAMESPACE::MixedUnary, HWY_NAMESPACE::FloatRow<TPP_UNARY_##KIND>))
#define TPP_UK_UNARY_FLOATS(kind, ...)                                                                                           \
  TPP_UK_PER_TARGET(TPP_UK_UNARY_FLOATS_DEFINE, tpp_uk_unary_##kind##_floats, __VA_ARGS__, kind)
#include "tpp/kernels.def"
#undef TPP_UK_UNARY_FLOATS_DEFINE
#undef TPP_UK_UNARY_DEFINE
} // namespace tpp

// The native binary kernels of kernels.def (TPP_UK_BINARY), compiled once per target: f32, and bf16 and f16 computed in f32. Contract in binary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/binary/floats.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/binary/binary.hpp"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/panel_walk.hpp"
#include "microkernels/common/typed_vector-inl.h"

#include <new>

#ifndef TPP_MICROKERNELS_BINARY_FLOATS_ONCE
#define TPP_MICROKERNELS_BINARY_FLOATS_ONCE
namespace tpp {
namespace {
struct binary_plan {
  walked_operand in0, in1, out;
};
static_assert(sizeof(binary_plan) <= sizeof(microkernel::state), "");

const char *native_binary_reject(const tpp_binary_desc &desc, int32_t kind, int32_t type) {
  const bool has_type = desc.in0.type == type && desc.in1.type == type && desc.out.type == type;
  if (const char *reason = other_kind_reason(desc.kind == kind, has_type))
    return reason;
  return desc.in0.vnni > 1 || desc.in1.vnni > 1 || desc.out.vnni > 1 ? "native binary kernels take no VNNI-blocked operand"
                                                                     : nullptr;
}

// entries[in0 is a splat][in1 is a splat]
void binary_prepare(microkernel *kernel, const tpp_kernel_entry (&entries)[2][2]) {
  const tpp_binary_desc &desc = kernel->desc.binary;
  auto *plan = new (kernel->state)
      binary_plan{walk_operand(desc.in0, desc.broadcast0, desc.n), walk_operand(desc.in1, desc.broadcast1, desc.n),
                  walk_operand(desc.out, TPP_BROADCAST_none, desc.n)};
  kernel->head.entry = entries[plan->in0.splat() ? 1 : 0][plan->in1.splat() ? 1 : 0];
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// One input along a row: its elements, or one element for all columns.
template <int kType, bool kSplat> struct RowInput {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  using T = typename Element<kType>::T;
  const T *from;
  V all;
  explicit HWY_INLINE RowInput(const char *row) : from(reinterpret_cast<const T *>(row)), all(hn::Zero(D())) {
    if (kSplat)
      all = hn::Set(D(), hn::GetLane(LoadTypedFirst<kType>(D(), from, 1)));
  }
  HWY_INLINE V At(size_t j) const { return kSplat ? all : LoadTyped<kType>(D(), from + j); }
  HWY_INLINE V FirstAt(size_t j, size_t n) const { return kSplat ? all : LoadTypedFirst<kType>(D(), from + j, n); }
};

template <int kKind, int kType> struct Binary {
  using T = typename Element<kType>::T;
  template <bool kSplat> using Input = RowInput<kType, kSplat>;

  template <bool kSplat0, bool kSplat1> static HWY_INLINE void Row(const char *in0, const char *in1, char *to, size_t cols) {
    const hn::ScalableTag<float> d;
    const size_t N = hn::Lanes(d);
    const Input<kSplat0> x(in0);
    const Input<kSplat1> y(in1);
    T *out = reinterpret_cast<T *>(to);
    size_t j = 0;
    for (; j + 4 * N <= cols; j += 4 * N) {
      const auto v0 = ApplyBinary<kKind>(d, x.At(j), y.At(j));
      const auto v1 = ApplyBinary<kKind>(d, x.At(j + N), y.At(j + N));
      const auto v2 = ApplyBinary<kKind>(d, x.At(j + 2 * N), y.At(j + 2 * N));
      const auto v3 = ApplyBinary<kKind>(d, x.At(j + 3 * N), y.At(j + 3 * N));
      StoreTyped<kType>(v0, d, out + j);
      StoreTyped<kType>(v1, d, out + j + N);
      StoreTyped<kType>(v2, d, out + j + 2 * N);
      StoreTyped<kType>(v3, d, out + j + 3 * N);
    }
    for (; j + N <= cols; j += N)
      StoreTyped<kType>(ApplyBinary<kKind>(d, x.At(j), y.At(j)), d, out + j);
    if (j < cols)
      StoreTypedFirst<kType>(ApplyBinary<kKind>(d, x.FirstAt(j, cols - j), y.FirstAt(j, cols - j)), d, out + j, cols - j);
  }

  // Rows of exactly one vector, as in panels. A row takes a third of the time it takes in Row's loops.
  template <bool kSplat0, bool kSplat1>
  static HWY_INLINE void VectorRows(const char *in0, const char *in1, char *out, int64_t rows, const binary_plan &plan) {
    const hn::ScalableTag<float> d;
    const int64_t step0 = plan.in0.row_step, step1 = plan.in1.row_step, step = plan.out.row_step;
    for (; rows > 0; --rows) {
      StoreTyped<kType>(ApplyBinary<kKind>(d, Input<kSplat0>(in0).At(0), Input<kSplat1>(in1).At(0)), d,
                        reinterpret_cast<T *>(out));
      in0 += step0;
      in1 += step1;
      out += step;
    }
  }

  template <bool kSplat0, bool kSplat1> static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const binary_plan *>(kernel.state);
    for (segment_walk<3> segment(kernel.desc.binary.n, plan.in0, plan.in1, plan.out); !segment.done(); segment.advance()) {
      const char *x = static_cast<const char *>(args->a) + segment.offset(0);
      const char *y = static_cast<const char *>(args->b) + segment.offset(1);
      char *to = static_cast<char *>(args->c) + segment.offset(2);
      auto [rows, cols] = segment.rows_of(kernel.desc.binary.m);
      if (cols == static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()))) {
        VectorRows<kSplat0, kSplat1>(x, y, to, rows, plan);
        rows = 0;
      }
      for (; rows > 0; --rows) {
        Row<kSplat0, kSplat1>(x, y, to, static_cast<size_t>(cols));
        x += plan.in0.row_step;
        y += plan.in1.row_step;
        to += plan.out.row_step;
      }
    }
  }
  static constexpr tpp_kernel_entry entries[2][2] = {{Entry<false, false>, Entry<false, true>},
                                                     {Entry<true, false>, Entry<true, true>}};
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_BINARY_DEFINE(name, ns, KIND, TYPE)                                                                               \
  TPP_UK_FUNCTIONS(name, tpp_binary_desc, native_binary_reject(desc, TPP_BINARY_##KIND, TPP_TYPE_##TYPE),                        \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in0, &desc.in1, &desc.out}), ns),                \
                   binary_prepare(kernel, HWY_NAMESPACE::Binary<TPP_BINARY_##KIND, TPP_TYPE_##TYPE>::entries))
#define TPP_UK_BINARY(kind, type, ...)                                                                                           \
  TPP_UK_PER_TARGET(TPP_UK_BINARY_DEFINE, tpp_uk_binary_##kind##_##type, __VA_ARGS__, kind, type)
#include "tpp/kernels.def"
#undef TPP_UK_BINARY_DEFINE
} // namespace tpp

// The native binary kernels of kernels.def, compiled once per target: of f32 (TPP_UK_BINARY), and of f32, bf16 and f16 in any combination
// (TPP_UK_BINARY_FLOATS). Contract in binary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/binary/floats.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/binary/binary.hpp"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/float_rows-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/panel_walk.hpp"

#include <new>

#ifndef TPP_MICROKERNELS_BINARY_FLOATS_ONCE
#define TPP_MICROKERNELS_BINARY_FLOATS_ONCE
namespace tpp {
namespace {
using float_row = void (*)(const float *in0, const float *in1, float *out, size_t cols);

struct binary_plan {
  walked_operand in0, in1, out;
  float_row row; // of kernels of mixed types
};
static_assert(sizeof(binary_plan) <= sizeof(microkernel::state), "");

const char *native_binary_reject(const tpp_binary_desc &desc, int32_t kind, bool mixed) {
  const int32_t types[] = {desc.in0.type, desc.in1.type, desc.out.type};
  if (const char *reason = other_kind_reason(desc.kind == kind, mixed ? are_mixed_floats(types) : are_f32(types)))
    return reason;
  return desc.in0.vnni > 1 || desc.in1.vnni > 1 || desc.out.vnni > 1 ? "native binary kernels take no VNNI-blocked operand"
                                                                     : nullptr;
}

binary_plan *store_plan(microkernel *kernel, float_row row) {
  const tpp_binary_desc &desc = kernel->desc.binary;
  return new (kernel->state)
      binary_plan{walk_operand(desc.in0, desc.broadcast0, desc.n), walk_operand(desc.in1, desc.broadcast1, desc.n),
                  walk_operand(desc.out, TPP_BROADCAST_none, desc.n), row};
}

// entries[in0 is a splat][in1 is a splat]
void binary_prepare(microkernel *kernel, const tpp_kernel_entry (&entries)[2][2]) {
  const binary_plan *plan = store_plan(kernel, nullptr);
  kernel->head.entry = entries[plan->in0.splat() ? 1 : 0][plan->in1.splat() ? 1 : 0];
}

void mixed_binary_prepare(microkernel *kernel, tpp_kernel_entry entry, float_row row) {
  store_plan(kernel, row);
  kernel->head.entry = entry;
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
template <bool kSplat> struct RowInput {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  const float *from;
  V all;
  explicit HWY_INLINE RowInput(const char *row)
      : from(reinterpret_cast<const float *>(row)), all(hn::Set(D(), kSplat ? *from : 0.0f)) {}
  HWY_INLINE V At(size_t j) const { return kSplat ? all : hn::LoadU(D(), from + j); }
  HWY_INLINE V FirstAt(size_t j, size_t n) const { return kSplat ? all : first_lanes<D>(n).load(from + j); }
};

template <int kKind> struct Binary {
  template <bool kSplat0, bool kSplat1> static HWY_INLINE void Row(const char *in0, const char *in1, char *to, size_t cols) {
    const hn::ScalableTag<float> d;
    const size_t N = hn::Lanes(d);
    const RowInput<kSplat0> x(in0);
    const RowInput<kSplat1> y(in1);
    float *out = reinterpret_cast<float *>(to);
    size_t j = 0;
    for (; j + 4 * N <= cols; j += 4 * N) {
      const auto v0 = ApplyBinary<kKind>(d, x.At(j), y.At(j));
      const auto v1 = ApplyBinary<kKind>(d, x.At(j + N), y.At(j + N));
      const auto v2 = ApplyBinary<kKind>(d, x.At(j + 2 * N), y.At(j + 2 * N));
      const auto v3 = ApplyBinary<kKind>(d, x.At(j + 3 * N), y.At(j + 3 * N));
      hn::StoreU(v0, d, out + j);
      hn::StoreU(v1, d, out + j + N);
      hn::StoreU(v2, d, out + j + 2 * N);
      hn::StoreU(v3, d, out + j + 3 * N);
    }
    for (; j + N <= cols; j += N)
      hn::StoreU(ApplyBinary<kKind>(d, x.At(j), y.At(j)), d, out + j);
    if (j < cols)
      first_lanes<decltype(d)>(cols - j).store(ApplyBinary<kKind>(d, x.FirstAt(j, cols - j), y.FirstAt(j, cols - j)), out + j);
  }

  // Rows of exactly one vector, as in panels. A row takes a third of the time it takes in Row's loops.
  template <bool kSplat0, bool kSplat1>
  static HWY_INLINE void VectorRows(const char *in0, const char *in1, char *out, int64_t rows, const binary_plan &plan) {
    const hn::ScalableTag<float> d;
    const int64_t step0 = plan.in0.row_step, step1 = plan.in1.row_step, step = plan.out.row_step;
    for (; rows > 0; --rows) {
      hn::StoreU(ApplyBinary<kKind>(d, RowInput<kSplat0>(in0).At(0), RowInput<kSplat1>(in1).At(0)), d,
                 reinterpret_cast<float *>(out));
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
  static void FloatRow(const float *in0, const float *in1, float *out, size_t cols) {
    Row<false, false>(reinterpret_cast<const char *>(in0), reinterpret_cast<const char *>(in1), reinterpret_cast<char *>(out),
                      cols);
  }
  static constexpr tpp_kernel_entry entries[2][2] = {{Entry<false, false>, Entry<false, true>},
                                                     {Entry<true, false>, Entry<true, true>}};
};

void MixedBinary(const tpp_kernel *self, const tpp_args *args) {
  const auto &kernel = *reinterpret_cast<const microkernel *>(self);
  const auto &plan = *reinterpret_cast<const binary_plan *>(kernel.state);
  const tpp_binary_desc &desc = kernel.desc.binary;
  HWY_ALIGN float buffers[3][float_piece];
  for (segment_walk<3> segment(desc.n, plan.in0, plan.in1, plan.out); !segment.done(); segment.advance()) {
    const char *x = static_cast<const char *>(args->a) + segment.offset(0);
    const char *y = static_cast<const char *>(args->b) + segment.offset(1);
    char *to = static_cast<char *>(args->c) + segment.offset(2);
    for (auto [rows, cols] = segment.rows_of(desc.m); rows > 0; --rows) {
      for (int64_t j = 0; j < cols; j += int64_t{float_piece}) {
        const auto n = static_cast<size_t>(std::min<int64_t>(cols - j, int64_t{float_piece}));
        const float *in0 = read_floats(desc.in0.type, x + j * plan.in0.column_step, plan.in0.splat(), n, buffers[0]);
        const float *in1 = read_floats(desc.in1.type, y + j * plan.in1.column_step, plan.in1.splat(), n, buffers[1]);
        char *out = to + j * plan.out.column_step;
        if (desc.out.type == TPP_TYPE_f32) {
          plan.row(in0, in1, reinterpret_cast<float *>(out), n);
        } else {
          plan.row(in0, in1, buffers[2], n);
          write_floats(desc.out.type, buffers[2], n, out);
        }
      }
      x += plan.in0.row_step;
      y += plan.in1.row_step;
      to += plan.out.row_step;
    }
  }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_BINARY_DEFINE(name, cycles, KIND)                                                                                 \
  TPP_UK_FUNCTIONS(name, tpp_binary_desc, native_binary_reject(desc, TPP_BINARY_##KIND, /*mixed=*/false),                        \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in0, &desc.in1, &desc.out}), cycles),            \
                   binary_prepare(kernel, HWY_NAMESPACE::Binary<TPP_BINARY_##KIND>::entries))
#define TPP_UK_BINARY(kind, types, ...) TPP_UK_PER_TARGET(TPP_UK_BINARY_DEFINE, tpp_uk_binary_##kind##_##types, __VA_ARGS__, kind)
#define TPP_UK_BINARY_FLOATS_DEFINE(name, cycles, KIND)                                                                          \
  TPP_UK_FUNCTIONS(name, tpp_binary_desc, native_binary_reject(desc, TPP_BINARY_##KIND, /*mixed=*/true),                         \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in0, &desc.in1, &desc.out}), cycles),            \
                   mixed_binary_prepare(kernel, HWY_NAMESPACE::MixedBinary, HWY_NAMESPACE::Binary<TPP_BINARY_##KIND>::FloatRow))
#define TPP_UK_BINARY_FLOATS(kind, ...)                                                                                          \
  TPP_UK_PER_TARGET(TPP_UK_BINARY_FLOATS_DEFINE, tpp_uk_binary_##kind##_floats, __VA_ARGS__, kind)
#include "tpp/kernels.def"
#undef TPP_UK_BINARY_FLOATS_DEFINE
#undef TPP_UK_BINARY_DEFINE
} // namespace tpp

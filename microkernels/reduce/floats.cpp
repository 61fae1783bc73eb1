// The native reduce kernels of kernels.def (TPP_UK_REDUCE), compiled once per target: f32, and bf16 and f16 reduced in f32. Contract in reduce.hpp.
//
// An addition takes several cycles, and two can start per cycle. So both directions keep up to eight accumulators: over rows, for
// adjacent columns (or for several rows of one vector, if a segment has few columns); over columns, for four rows at once.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/reduce/floats.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/panel_walk.hpp"
#include "microkernels/common/typed_vector-inl.h"
#include "microkernels/reduce/reduce.hpp"

#include <limits>
#include <new>

#ifndef TPP_MICROKERNELS_REDUCE_FLOATS_ONCE
#define TPP_MICROKERNELS_REDUCE_FLOATS_ONCE
namespace tpp {
namespace {
struct reduce_plan {
  walked_operand in, out;
};
static_assert(sizeof(reduce_plan) <= sizeof(microkernel::state), "");

const char *native_reduce_reject(const tpp_reduce_desc &desc, int32_t kind, int32_t in, int32_t out) {
  if (const char *reason = other_kind_reason(desc.kind == kind, desc.in.type == in && desc.out.type == out))
    return reason;
  if (const char *reason = reduce_reject_reason(desc))
    return reason;
  return desc.in.vnni > 1 ? "native reduce kernels take no VNNI-blocked operand" : nullptr;
}

void reduce_prepare(microkernel *kernel, tpp_kernel_entry over_rows, tpp_kernel_entry over_cols) {
  const tpp_reduce_desc &desc = kernel->desc.reduce;
  const bool rows = desc.axis == TPP_REDUCE_over_rows;
  new (kernel->state) reduce_plan{walk_operand(desc.in, TPP_BROADCAST_none, desc.n),
                                  walk_operand(desc.out, TPP_BROADCAST_none, rows ? desc.n : 1)};
  kernel->head.entry = rows ? over_rows : over_cols;
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kKind, int kIn, int kOut> struct Reduce {
  using TIn = typename Element<kIn>::T;
  using TOut = typename Element<kOut>::T;
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static_assert(kKind == TPP_REDUCE_sum || kKind == TPP_REDUCE_max, "kind has no kernel");

  static HWY_INLINE V Neutral() { return hn::Set(D(), kKind == TPP_REDUCE_sum ? 0.0f : -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE V Combine(V x, V y) {
    return ApplyBinary<kKind == TPP_REDUCE_sum ? TPP_BINARY_add : TPP_BINARY_max>(D(), x, y);
  }
  static HWY_INLINE V Load(const char *row, size_t col) { return LoadTyped<kIn>(D(), reinterpret_cast<const TIn *>(row) + col); }
  // The lanes from n on are neutral.
  static HWY_INLINE V LoadPart(const char *row, size_t col, size_t n) {
    const V part = LoadTypedFirst<kIn>(D(), reinterpret_cast<const TIn *>(row) + col, n);
    return kKind == TPP_REDUCE_sum ? part : hn::IfThenElse(hn::FirstN(D(), n), part, Neutral());
  }

  // Combines all lanes.
  static HWY_INLINE float Fold(V v) {
    const D d;
    if constexpr (hn::MaxLanes(D()) >= 8)
      v = Combine(v, hn::ConcatUpperUpper(d, v, v));
    if constexpr (hn::MaxLanes(D()) >= 16)
      v = Combine(v, hn::SwapAdjacentBlocks(v));
    v = Combine(v, hn::Shuffle1032(v));
    v = Combine(v, hn::Shuffle2301(v));
    return hn::GetLane(v);
  }

  // Reduces kVectors vectors of columns over all rows, kUnroll rows at a time. With kTail, the only vector has `tail` columns.
  template <int kVectors, int kUnroll, bool kTail>
  static HWY_INLINE void Columns(const char *in, int64_t row_step, int64_t rows, TOut *out, bool beta, size_t tail) {
    const D d;
    const size_t N = hn::Lanes(d);
    V acc[kUnroll][kVectors];
    for (int u = 0; u < kUnroll; ++u)
      for (int v = 0; v < kVectors; ++v)
        acc[u][v] = Neutral();
    int64_t i = 0;
    for (; i + kUnroll <= rows; i += kUnroll)
      for (int u = 0; u < kUnroll; ++u)
        for (int v = 0; v < kVectors; ++v) {
          const char *row = in + (i + u) * row_step;
          acc[u][v] = Combine(acc[u][v], kTail ? LoadPart(row, 0, tail) : Load(row, v * N));
        }
    for (; i < rows; ++i)
      for (int v = 0; v < kVectors; ++v)
        acc[0][v] = Combine(acc[0][v], kTail ? LoadPart(in + i * row_step, 0, tail) : Load(in + i * row_step, v * N));
    for (int v = 0; v < kVectors; ++v) {
      V sum = acc[0][v];
      for (int u = 1; u < kUnroll; ++u)
        sum = Combine(sum, acc[u][v]);
      if (kTail) {
        if (beta)
          sum = Combine(sum, LoadTypedFirst<kOut>(d, out, tail));
        StoreTypedFirst<kOut>(sum, d, out, tail);
      } else {
        if (beta)
          sum = Combine(sum, LoadTyped<kOut>(d, out + v * N));
        StoreTyped<kOut>(sum, d, out + v * N);
      }
    }
  }

  static void OverRows(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const reduce_plan *>(kernel.state);
    const tpp_reduce_desc &desc = kernel.desc.reduce;
    const bool beta = desc.beta != 0;
    const size_t N = hn::Lanes(D());
    for (segment_walk<2> segment(desc.n, plan.in, plan.out); !segment.done(); segment.advance()) {
      const char *from = static_cast<const char *>(args->a) + segment.offset(0);
      TOut *to = reinterpret_cast<TOut *>(static_cast<char *>(args->c) + segment.offset(1));
      const auto cols = static_cast<size_t>(segment.width());
      size_t j = 0;
      for (; j + 8 * N <= cols; j += 8 * N)
        Columns<8, 1, false>(from + j * sizeof(TIn), plan.in.row_step, desc.m, to + j, beta, 0);
      for (; j + 2 * N <= cols; j += 2 * N)
        Columns<2, 4, false>(from + j * sizeof(TIn), plan.in.row_step, desc.m, to + j, beta, 0);
      for (; j + N <= cols; j += N)
        Columns<1, 8, false>(from + j * sizeof(TIn), plan.in.row_step, desc.m, to + j, beta, 0);
      if (j < cols)
        Columns<1, 4, true>(from + j * sizeof(TIn), plan.in.row_step, desc.m, to + j, beta, cols - j);
    }
  }

  // Reduces kRows rows over all columns, kVectors vectors at a time.
  template <int kRows, int kVectors>
  static HWY_INLINE void Rows(const char *in, const walked_operand &operand, int64_t n, char *out, int64_t out_step, bool beta) {
    const size_t N = hn::Lanes(D());
    V acc[kRows][kVectors];
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        acc[r][v] = Neutral();
    for (segment_walk<1> segment(n, operand); !segment.done(); segment.advance()) {
      const char *from = in + segment.offset(0);
      const auto cols = static_cast<size_t>(segment.width());
      size_t j = 0;
      for (; j + kVectors * N <= cols; j += kVectors * N)
        for (int r = 0; r < kRows; ++r)
          for (int v = 0; v < kVectors; ++v)
            acc[r][v] = Combine(acc[r][v], Load(from + r * operand.row_step, j + v * N));
      for (; j + N <= cols; j += N)
        for (int r = 0; r < kRows; ++r)
          acc[r][0] = Combine(acc[r][0], Load(from + r * operand.row_step, j));
      if (j < cols)
        for (int r = 0; r < kRows; ++r)
          acc[r][0] = Combine(acc[r][0], LoadPart(from + r * operand.row_step, j, cols - j));
    }
    for (int r = 0; r < kRows; ++r) {
      V sum = acc[r][0];
      for (int v = 1; v < kVectors; ++v)
        sum = Combine(sum, acc[r][v]);
      TOut *to = reinterpret_cast<TOut *>(out + r * out_step);
      V value = hn::Set(D(), Fold(sum));
      if (beta)
        value = Combine(value, LoadTypedFirst<kOut>(D(), to, 1));
      StoreTypedFirst<kOut>(value, D(), to, 1);
    }
  }

  static void OverCols(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const reduce_plan *>(kernel.state);
    const tpp_reduce_desc &desc = kernel.desc.reduce;
    const bool beta = desc.beta != 0;
    const char *in = static_cast<const char *>(args->a);
    char *out = static_cast<char *>(args->c);
    int64_t i = 0;
    for (; i + 4 <= desc.m; i += 4)
      Rows<4, 2>(in + i * plan.in.row_step, plan.in, desc.n, out + i * plan.out.row_step, plan.out.row_step, beta);
    for (; i < desc.m; ++i)
      Rows<1, 8>(in + i * plan.in.row_step, plan.in, desc.n, out + i * plan.out.row_step, plan.out.row_step, beta);
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_REDUCE_DEFINE(name, ns, KIND, IN, OUT)                                                                            \
  TPP_UK_FUNCTIONS(name, tpp_reduce_desc, native_reduce_reject(desc, TPP_REDUCE_##KIND, TPP_TYPE_##IN, TPP_TYPE_##OUT),          \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in}), ns),                                       \
                   reduce_prepare(kernel, HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND, TPP_TYPE_##IN, TPP_TYPE_##OUT>::OverRows,     \
                                  HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND, TPP_TYPE_##IN, TPP_TYPE_##OUT>::OverCols))
#define TPP_UK_REDUCE(kind, types, in, out, ...)                                                                                 \
  TPP_UK_PER_TARGET(TPP_UK_REDUCE_DEFINE, tpp_uk_reduce_##kind##_##types, __VA_ARGS__, kind, in, out)
#include "tpp/kernels.def"
#undef TPP_UK_REDUCE_DEFINE
} // namespace tpp

// The native reduce kernels of kernels.def, compiled once per target: of f32 (TPP_UK_REDUCE), and of f32, bf16 and f16 in any combination
// (TPP_UK_REDUCE_FLOATS). Contract in reduce.hpp.
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
#include "microkernels/common/float_rows-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/panel_walk.hpp"
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

const char *native_reduce_reject(const tpp_reduce_desc &desc, int32_t kind, bool mixed) {
  const int32_t types[] = {desc.in.type, desc.out.type};
  if (const char *reason = other_kind_reason(desc.kind == kind, mixed ? are_mixed_floats(types) : are_f32(types)))
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

template <int kKind> struct Reduce {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static_assert(kKind == TPP_REDUCE_sum || kKind == TPP_REDUCE_max, "kind has no kernel");

  static HWY_INLINE V Neutral() { return hn::Set(D(), kKind == TPP_REDUCE_sum ? 0.0f : -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE V Combine(V x, V y) {
    return ApplyBinary<kKind == TPP_REDUCE_sum ? TPP_BINARY_add : TPP_BINARY_max>(D(), x, y);
  }
  static HWY_INLINE V Load(const char *row, size_t col) { return hn::LoadU(D(), reinterpret_cast<const float *>(row) + col); }
  // The lanes from n on are neutral.
  static HWY_INLINE V LoadPart(const char *row, size_t col, size_t n) {
    const V part = first_lanes<D>(n).load(reinterpret_cast<const float *>(row) + col);
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
  static HWY_INLINE void Columns(const char *in, int64_t row_step, int64_t rows, float *out, bool beta, size_t tail) {
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
          sum = Combine(sum, first_lanes<D>(tail).load(out));
        first_lanes<D>(tail).store(sum, out);
      } else {
        if (beta)
          sum = Combine(sum, hn::LoadU(d, out + v * N));
        hn::StoreU(sum, d, out + v * N);
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
      float *to = reinterpret_cast<float *>(static_cast<char *>(args->c) + segment.offset(1));
      const auto cols = static_cast<size_t>(segment.width());
      size_t j = 0;
      for (; j + 8 * N <= cols; j += 8 * N)
        Columns<8, 1, false>(from + j * sizeof(float), plan.in.row_step, desc.m, to + j, beta, 0);
      for (; j + 2 * N <= cols; j += 2 * N)
        Columns<2, 4, false>(from + j * sizeof(float), plan.in.row_step, desc.m, to + j, beta, 0);
      for (; j + N <= cols; j += N)
        Columns<1, 8, false>(from + j * sizeof(float), plan.in.row_step, desc.m, to + j, beta, 0);
      if (j < cols)
        Columns<1, 4, true>(from + j * sizeof(float), plan.in.row_step, desc.m, to + j, beta, cols - j);
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
      float *to = reinterpret_cast<float *>(out + r * out_step);
      float value = Fold(sum);
      if (beta)
        value = hn::GetLane(Combine(hn::Set(D(), value), hn::Set(D(), *to)));
      *to = value;
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

  // Of mixed types: a piece of a row at a time.
  static void MixedOverRows(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const reduce_plan *>(kernel.state);
    const tpp_reduce_desc &desc = kernel.desc.reduce;
    HWY_ALIGN float sums[float_piece], buffer[float_piece];
    for (segment_walk<2> segment(desc.n, plan.in, plan.out); !segment.done(); segment.advance())
      for (int64_t j = 0; j < segment.width(); j += int64_t{float_piece}) {
        const auto n = static_cast<size_t>(std::min<int64_t>(segment.width() - j, int64_t{float_piece}));
        const char *from = static_cast<const char *>(args->a) + segment.offset(0) + j * plan.in.column_step;
        char *to = static_cast<char *>(args->c) + segment.offset(1) + j * plan.out.column_step;
        for (size_t k = 0; k < n; k += hn::Lanes(D()))
          hn::Store(Neutral(), D(), sums + k);
        if (desc.beta != 0)
          CombineRow(read_floats(desc.out.type, to, false, n, buffer), n, sums);
        for (int64_t i = 0; i < desc.m; ++i, from += plan.in.row_step)
          CombineRow(read_floats(desc.in.type, from, false, n, buffer), n, sums);
        write_floats(desc.out.type, sums, n, to);
      }
  }
  // sums[j] = kind(sums[j], row[j]); the elements of `sums` from n to a multiple of the vector length become arbitrary.
  static HWY_INLINE void CombineRow(const float *row, size_t n, float *sums) {
    const size_t N = hn::Lanes(D());
    size_t j = 0;
    for (; j + N <= n; j += N)
      hn::Store(Combine(hn::Load(D(), sums + j), hn::LoadU(D(), row + j)), D(), sums + j);
    if (j < n)
      hn::Store(Combine(hn::Load(D(), sums + j), first_lanes<D>(n - j).load(row + j)), D(), sums + j);
  }

  static void MixedOverCols(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const reduce_plan *>(kernel.state);
    const tpp_reduce_desc &desc = kernel.desc.reduce;
    const size_t N = hn::Lanes(D());
    HWY_ALIGN float buffer[float_piece];
    for (int64_t i = 0; i < desc.m; ++i) {
      V sums[4] = {Neutral(), Neutral(), Neutral(), Neutral()};
      for (segment_walk<1> segment(desc.n, plan.in); !segment.done(); segment.advance())
        for (int64_t j = 0; j < segment.width(); j += int64_t{float_piece}) {
          const auto n = static_cast<size_t>(std::min<int64_t>(segment.width() - j, int64_t{float_piece}));
          const char *from =
              static_cast<const char *>(args->a) + segment.offset(0) + i * plan.in.row_step + j * plan.in.column_step;
          const auto *piece = reinterpret_cast<const char *>(read_floats(desc.in.type, from, false, n, buffer));
          size_t k = 0;
          for (; k + 4 * N <= n; k += 4 * N)
            for (size_t v = 0; v < 4; ++v)
              sums[v] = Combine(sums[v], Load(piece, k + v * N));
          for (; k + N <= n; k += N)
            sums[0] = Combine(sums[0], Load(piece, k));
          if (k < n)
            sums[0] = Combine(sums[0], LoadPart(piece, k, n - k));
        }
      float result = Fold(Combine(Combine(sums[0], sums[1]), Combine(sums[2], sums[3])));
      char *to = static_cast<char *>(args->c) + i * plan.out.row_step;
      if (desc.beta != 0)
        result = hn::GetLane(Combine(hn::Set(D(), result), hn::Set(D(), *read_floats(desc.out.type, to, false, 1, buffer))));
      write_floats(desc.out.type, &result, 1, to);
    }
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_REDUCE_DEFINE(name, cycles, KIND)                                                                                 \
  TPP_UK_FUNCTIONS(name, tpp_reduce_desc, native_reduce_reject(desc, TPP_REDUCE_##KIND, /*mixed=*/false),                        \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in}), cycles),                                   \
                   reduce_prepare(kernel, HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND>::OverRows,                                    \
                                  HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND>::OverCols))
#define TPP_UK_REDUCE(kind, types, ...) TPP_UK_PER_TARGET(TPP_UK_REDUCE_DEFINE, tpp_uk_reduce_##kind##_##types, __VA_ARGS__, kind)
#define TPP_UK_REDUCE_FLOATS_DEFINE(name, cycles, KIND)                                                                          \
  TPP_UK_FUNCTIONS(name, tpp_reduce_desc, native_reduce_reject(desc, TPP_REDUCE_##KIND, /*mixed=*/true),                         \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.in}), cycles),                                   \
                   reduce_prepare(kernel, HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND>::MixedOverRows,                               \
                                  HWY_NAMESPACE::Reduce<TPP_REDUCE_##KIND>::MixedOverCols))
#define TPP_UK_REDUCE_FLOATS(kind, ...)                                                                                          \
  TPP_UK_PER_TARGET(TPP_UK_REDUCE_FLOATS_DEFINE, tpp_uk_reduce_##kind##_floats, __VA_ARGS__, kind)
#include "tpp/kernels.def"
#undef TPP_UK_REDUCE_FLOATS_DEFINE
#undef TPP_UK_REDUCE_DEFINE
} // namespace tpp

// The native transpose rows of kernels.def (TPP_UK_TRANSPOSE), compiled once per target, for elements of four bytes whatever
// their type. Square tiles of as many rows as a vector has lanes are turned in registers; at the edges of an operand or panel the
// same code loads and stores parts. Contract in unary/unary.hpp.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/relayout/transpose.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/partial_vector-inl.h"
#include "microkernels/unary/native.hpp"

#ifndef TPP_MICROKERNELS_RELAYOUT_TRANSPOSE_ONCE
#define TPP_MICROKERNELS_RELAYOUT_TRANSPOSE_ONCE
namespace tpp {
namespace {
const char *transpose_reject_row(const tpp_unary_desc &desc, int64_t bytes) {
  if (desc.kind != TPP_UNARY_transpose)
    return "the kernel computes another kind";
  if (type_bytes(desc.out.type) != bytes)
    return "the kernel is for elements of another size";
  return native_unary_reject_reason(desc);
}

double transpose_cost(const tpp_unary_desc &desc, double ns_per_element) {
  return element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.out}), ns_per_element);
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

struct Transpose32 {
  using T = uint32_t;
  using D = hn::CappedTag<T, 16>;
  using V = hn::Vec<D>;
  static constexpr size_t N = hn::MaxLanes(D());
  static_assert(N == 4 || N == 8 || N == 16, "tiles of one, two or four 128-bit blocks");

  // Four rows become, in each 128-bit block, four columns: out[c] block b = column 4 b + c of rows 0..3.
  static HWY_INLINE void InBlocks(V &r0, V &r1, V &r2, V &r3) {
    const D d;
    const hn::RepartitionToWide<D> dw;
    const auto a = hn::BitCast(dw, hn::InterleaveLower(d, r0, r1)), b = hn::BitCast(dw, hn::InterleaveUpper(d, r0, r1));
    const auto e = hn::BitCast(dw, hn::InterleaveLower(d, r2, r3)), f = hn::BitCast(dw, hn::InterleaveUpper(d, r2, r3));
    r0 = hn::BitCast(d, hn::InterleaveLower(dw, a, e));
    r1 = hn::BitCast(d, hn::InterleaveUpper(dw, a, e));
    r2 = hn::BitCast(d, hn::InterleaveLower(dw, b, f));
    r3 = hn::BitCast(d, hn::InterleaveUpper(dw, b, f));
  }

  // Turns the tile in place.
  static HWY_INLINE void Turn(V (&rows)[N]) {
    const D d;
    for (size_t g = 0; g < N; g += 4)
      InBlocks(rows[g], rows[g + 1], rows[g + 2], rows[g + 3]);
    if constexpr (N == 8) {
      for (size_t c = 0; c < 4; ++c) {
        const V low = rows[c], high = rows[c + 4];
        rows[c] = hn::ConcatLowerLower(d, high, low);
        rows[c + 4] = hn::ConcatUpperUpper(d, high, low);
      }
    } else if constexpr (N == 16) {
      for (size_t c = 0; c < 4; ++c) {
        // A 4 x 4 transpose of blocks: halves first, then neighbours.
        const V g0 = rows[c], g1 = rows[c + 4], g2 = rows[c + 8], g3 = rows[c + 12];
        const V low02 = hn::ConcatLowerLower(d, g2, g0), low13 = hn::ConcatLowerLower(d, g3, g1);
        const V high02 = hn::ConcatUpperUpper(d, g2, g0), high13 = hn::ConcatUpperUpper(d, g3, g1);
        rows[c] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low13), low02);
        rows[c + 4] = hn::OddEvenBlocks(low13, hn::SwapAdjacentBlocks(low02));
        rows[c + 8] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high13), high02);
        rows[c + 12] = hn::OddEvenBlocks(high13, hn::SwapAdjacentBlocks(high02));
      }
    }
  }

  // in_rows x in_cols elements, both at most N.
  static HWY_INLINE void Tile(const char *in, int64_t in_step, char *out, int64_t out_step, size_t in_rows, size_t in_cols) {
    const D d;
    V rows[N];
    if (HWY_LIKELY(in_rows == N && in_cols == N)) {
      for (size_t r = 0; r < N; ++r)
        rows[r] = hn::LoadU(d, reinterpret_cast<const T *>(in + static_cast<int64_t>(r) * in_step));
      Turn(rows);
      for (size_t r = 0; r < N; ++r)
        hn::StoreU(rows[r], d, reinterpret_cast<T *>(out + static_cast<int64_t>(r) * out_step));
      return;
    }
    for (size_t r = 0; r < N; ++r) {
      const T *from = reinterpret_cast<const T *>(in + static_cast<int64_t>(r) * in_step);
      rows[r] = r >= in_rows ? hn::Zero(d) : in_cols == N ? hn::LoadU(d, from) : LoadFirst(d, from, in_cols);
    }
    Turn(rows);
    for (size_t r = 0; r < in_cols; ++r) {
      T *to = reinterpret_cast<T *>(out + static_cast<int64_t>(r) * out_step);
      if (in_rows == N)
        hn::StoreU(rows[r], d, to);
      else
        StoreFirst(rows[r], d, to, in_rows);
    }
  }

  static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const unary_plan *>(kernel.state);
    const int64_t m = kernel.desc.unary.m, n = kernel.desc.unary.n;
    constexpr auto most = static_cast<int64_t>(N);
    // Columns of the output (rows of the input) outside, so that a tile's output lines are completed one after the other.
    panel_cursor in(plan.in);
    for (int64_t i = 0, height; i < m; i += height) {
      height = std::min({m - i, in.columns_left(), most});
      const char *from = static_cast<const char *>(args->a) + in.offset();
      char *to = static_cast<char *>(args->c) + i * plan.out.row_step;
      panel_cursor out(plan.out);
      for (int64_t j = 0, width; j < n; j += width) {
        width = std::min({n - j, out.columns_left(), most});
        Tile(from + j * plan.in.row_step, plan.in.row_step, to + out.offset(), plan.out.row_step, static_cast<size_t>(width),
             static_cast<size_t>(height));
        out.advance(width);
      }
      in.advance(height);
    }
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

// The rows' functions, compiled for every machine: only the entries use the target's instructions.
namespace tpp {
#define TPP_UK_TRANSPOSE_DEFINE(name, bytes, ns)                                                                                 \
  static_assert(bytes == 4, "Transpose32 is the only tile");                                                                     \
  const char *name##_reject(const void *desc);                                                                                   \
  double name##_cost(const void *desc);                                                                                          \
  void name##_prepare(microkernel *kernel);                                                                                      \
  const char *name##_reject(const void *desc) {                                                                                  \
    return transpose_reject_row(*static_cast<const tpp_unary_desc *>(desc), bytes);                                              \
  }                                                                                                                              \
  double name##_cost(const void *desc) { return transpose_cost(*static_cast<const tpp_unary_desc *>(desc), ns); }                \
  void name##_prepare(microkernel *kernel) { native_unary_prepare(kernel, HWY_NAMESPACE::Transpose32::Entry); }
#define TPP_UK_TRANSPOSE(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_HERE_avx3(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_avx3, bytes, ns_avx3))                               \
      TPP_UK_HERE_avx2(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_avx2, bytes, ns_avx2))                           \
          TPP_UK_HERE_sse4(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_sse4, bytes, ns_sse4))                       \
              TPP_UK_HERE_neon(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_neon, bytes, ns_neon))                   \
                  TPP_UK_HERE_portable(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_portable, bytes, ns_portable))
#include "tpp/kernels.def"
#undef TPP_UK_TRANSPOSE_DEFINE
} // namespace tpp

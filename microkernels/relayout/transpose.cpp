// The native transpose kernels of kernels.def (TPP_UK_TRANSPOSE), compiled once per target, for elements of 1, 2, 4 and 8 bytes of any
// type. They transpose squares in registers; at the edges of an operand or panel, squares overlap, or parts of them are loaded and
// stored. Contract in unary/unary.hpp; which caches data passes through, and why: docs/decisions/relayouts.md.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/relayout/transpose.cpp"
#include "hwy/foreach_target.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/relayout/channels-inl.h"
#include "microkernels/relayout/direct-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "microkernels/relayout/streamed-inl.h"
#include "microkernels/unary/native.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kBytes> struct Transpose {
  template <int kCount> using Channels = relayout::Channels<kBytes, kCount>;

  // Transposes with non-temporal stores. Blocks have 64 rows of four lines each: from memory, lines of a row that are read together arrive
  // faster. Only if the output is one piece of more rows, a block has all of them.
  static HWY_INLINE void Streamed(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr int64_t most = 4 * transpose_block_rows;
    const bool aligned = OffsetInLine(out) == 0 && out_step % static_cast<int64_t>(kLineBytes) == 0;
    if (!aligned && rows > transpose_block_rows && rows <= most && out_step == rows * kBytes)
      relayout::Streamed<kBytes, most, 1>::Run(in, in_step, out, out_step, rows, cols);
    else
      relayout::Streamed<kBytes, transpose_block_rows, 4>::Run(in, in_step, out, out_step, rows, cols);
  }

  // Transposes rows x cols of the input, both inside one panel. Steps are bytes between rows.
  static HWY_INLINE void TransposePart(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols,
                                       bool streaming) {
    if (rows == 2 && out_step == 2 * kBytes)
      Channels<2>::Join(in, in_step, out, cols, streaming);
    else if (rows == 3 && out_step == 3 * kBytes)
      Channels<3>::Join(in, in_step, out, cols, streaming);
    else if (cols == 2 && in_step == 2 * kBytes)
      Channels<2>::Split(in, out, out_step, rows, streaming);
    else if (cols == 3 && in_step == 3 * kBytes)
      Channels<3>::Split(in, out, out_step, rows, streaming);
    else if (streaming && !TPP_IS_EMULATED) // emulated vectors have no non-temporal stores
      Streamed(in, in_step, out, out_step, rows, cols);
    else
      relayout::Direct<kBytes>::Run(in, in_step, out, out_step, rows, cols);
  }

  static void Entry(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const unary_plan *>(kernel.state);
    const int64_t m = kernel.desc.unary.m, n = kernel.desc.unary.n;
    const bool streaming = kernel.desc.unary.streaming != 0;
    panel_cursor in(plan.in);
    for (int64_t i = 0, height; i < m; i += height) {
      height = std::min(m - i, in.columns_left());
      const char *from = static_cast<const char *>(args->a) + in.offset();
      char *to = static_cast<char *>(args->c) + i * plan.out.row_step;
      panel_cursor out(plan.out);
      for (int64_t j = 0, width; j < n; j += width) {
        width = std::min(n - j, out.columns_left());
        TransposePart(from + j * plan.in.row_step, plan.in.row_step, to + out.offset(), plan.out.row_step, width, height,
                      streaming);
        out.advance(width);
      }
      in.advance(height);
    }
    if (streaming)
      hwy::FlushStream();
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_TRANSPOSE_DEFINE(name, cycles, bytes)                                                                             \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, native_unary_reject(desc, TPP_UNARY_transpose, type_bytes(desc.out.type) == (bytes)),   \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.out}), cycles *bytes / 4),                       \
                   native_unary_prepare(kernel, HWY_NAMESPACE::Transpose<bytes>::Entry))
#define TPP_UK_TRANSPOSE(types, bytes, ...)                                                                                      \
  TPP_UK_PER_TARGET(TPP_UK_TRANSPOSE_DEFINE, tpp_uk_unary_transpose_##types, __VA_ARGS__, bytes)
#include "tpp/kernels.def"
#undef TPP_UK_TRANSPOSE_DEFINE
} // namespace tpp

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
#include "microkernels/relayout/blocks-inl.h"
#include "microkernels/relayout/channels-inl.h"
#include "microkernels/relayout/runs-inl.h"
#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "microkernels/relayout/whole_lines-inl.h"
#include "microkernels/unary/native.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kBytes> struct Transpose : relayout::Squares<kBytes> {
  using Base = relayout::Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using Base::kVector;
  using Base::PrefetchForWrite;
  using Base::PrefetchToSecondLevel;
  using typename Base::D;
  using typename Base::T;
  using Blocks = relayout::Blocks<kBytes>;
  using Runs = relayout::Runs<kBytes>;
  template <int kUnit, bool kPermutes> using WholeLines = relayout::WholeLines<kBytes, kUnit, kPermutes>;
  template <int kCount> using Channels = relayout::Channels<kBytes, kCount>;

  // Input rows per step of StreamParts and StreamDense. With one-byte elements, 64 rows would fill only one line of an output row, which
  // is slower.
  static constexpr int64_t kRun = kBytes == 1 ? 256 : 64;

  // Lines to prefetch, `step` bytes apart; each call of Ask prefetches the next `count`. `line` is an address in the next line to
  // prefetch. The streaming paths pass that of the last byte needed, because rows are not cache-line aligned.
  struct Ahead {
    const char *line;
    int64_t step, lines;

    HWY_INLINE void Ask(int64_t count) {
      for (count = HWY_MIN(count, lines), lines -= count; count > 0; --count, line += step)
        PrefetchToSecondLevel(line);
    }
  };

  static HWY_INLINE void CopyVectors(const char *in, int64_t in_step, char *vectors, int64_t rows) {
    for (int64_t r = 0; r < rows; ++r)
      hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(in + r * in_step)), D(), reinterpret_cast<T *>(vectors + r * kVector));
  }

  // Transposes kLanes x kLanes elements. They go through a staging buffer, so that each input line is read once. If the distance
  // between rows in bytes is a power of two, more than a dozen lines share one L1 set, and each square would fetch them again. Each square
  // issues a few prefetches. All at once would queue, and delay the loads of the squares.
  static HWY_INLINE void TurnVectors(const char *in, int64_t in_step, char *out, int64_t out_step, Ahead &ahead) {
    HWY_ALIGN char vectors[kLanes * kVector];
    CopyVectors(in, in_step, vectors, kLanes);
    for (int64_t c = 0; c < kLanes; c += kBlock) {
      ahead.Ask(kBlock);
      Base::Square(vectors + c * kBytes, kVector, out + c * out_step, out_step);
    }
  }

  // Transposes any rows x cols of the input, at most kRun x kLanes, into `stage`. Each row of `stage` is written in whole vectors: bytes
  // after its last element are undefined, or overwritten by the next row. Not inlined, so that no other call pays for its stack frame.
  static HWY_NOINLINE void Stage(const char *in, int64_t in_step, char *stage, int64_t stage_step, int64_t rows, int64_t cols) {
    HWY_ALIGN char vectors[kRun * kVector];
    if (cols == kLanes)
      CopyVectors(in, in_step, vectors, rows);
    else
      for (int64_t r = 0; r < rows; ++r)
        StorePart(in + r * in_step, vectors + r * kVector, static_cast<size_t>(cols * kBytes));
    for (int64_t c = 0; c < cols; c += kBlock)
      for (int64_t r = 0; r < rows; r += kLanes) {
        const int64_t row = HWY_MAX(HWY_MIN(r, rows - kLanes), 0);
        Base::Square(vectors + row * kVector + c * kBytes, kVector, stage + c * stage_step + row * kBytes, stage_step);
      }
  }

  // Transposes with ordinary stores: one vector of columns for all rows, then the next vector of columns. If there are enough rows and
  // columns, the last vectors of a row or column overlap the ones before.
  static HWY_INLINE void Direct(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    for (int64_t j = 0; j < cols; j += kLanes) {
      const int64_t col = HWY_MAX(HWY_MIN(j, cols - kLanes), 0), width = HWY_MIN(kLanes, cols);
      for (int64_t i = 0; i < rows; i += kLanes) {
        const int64_t row = HWY_MAX(HWY_MIN(i, rows - kLanes), 0), height = HWY_MIN(kLanes, rows);
        const char *from = in + row * in_step + col * kBytes;
        char *to = out + col * out_step + row * kBytes;
        // The rows below are too far apart for the hardware prefetcher.
        Ahead next{from + kLanes * in_step, in_step, HWY_MIN(kLanes, rows - row - kLanes)};
        if (row + kLanes < rows)
          PrefetchForWrite(to + kLanes * kBytes, out_step, width);
        if (HWY_LIKELY(height == kLanes && width == kLanes)) {
          TurnVectors(from, in_step, to, out_step, next);
          continue;
        }
        HWY_ALIGN char stage[kLanes * kVector];
        Stage(from, in_step, stage, kVector, height, width);
        for (int64_t c = 0; c < width; ++c)
          StorePart(stage + c * kVector, to + c * out_step, static_cast<size_t>(height * kBytes));
      }
    }
  }

  // For inputs narrower than a cache line, and outputs not aligned to the element size. The output lines at the end of a run are
  // stored partially.
  static HWY_NOINLINE void StreamParts(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    HWY_ALIGN char stage[kLanes * kRun * kBytes];
    for (int64_t i = 0; i < rows; i += kRun) {
      const int64_t run = HWY_MIN(kRun, rows - i);
      for (int64_t j = 0; j < cols; j += kLanes) {
        const int64_t width = HWY_MIN(kLanes, cols - j);
        const char *from = in + i * in_step + j * kBytes;
        char *to = out + j * out_step + i * kBytes;
        Ahead next{from + 2 * kLineBytes - 1, in_step, j + kLanes < cols ? run : 0};
        next.Ask(run);
        Stage(from, in_step, stage, kRun * kBytes, run, width);
        for (int64_t c = 0; c < width; ++c)
          StreamBytes(stage + c * kRun * kBytes, to + c * out_step, static_cast<size_t>(run * kBytes));
      }
    }
  }

  // For outputs whose rows are contiguous: the staging buffer has the same layout and is streamed as one piece.
  static HWY_INLINE void StreamDense(const char *in, int64_t in_step, char *out, int64_t rows, int64_t cols) {
    HWY_ALIGN char stage[kLanes * kRun * kBytes + 64];
    for (int64_t j = 0; j < cols; j += kLanes) {
      const int64_t width = HWY_MIN(kLanes, cols - j);
      Ahead next{in + j * kBytes + 2 * kLineBytes - 1, in_step, j + kLanes < cols ? rows : 0};
      next.Ask(rows);
      Stage(in + j * kBytes, in_step, stage, rows * kBytes, rows, width);
      StreamBytes(stage, out + j * rows * kBytes, static_cast<size_t>(width * rows * kBytes));
    }
  }

  // Transposes with streaming stores. `in_place`: the rows do not conflict in L1, and there are enough for a tile of Runs, which reads the
  // input without a staging buffer.
  static HWY_INLINE void Streamed(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    const bool aligned = OffsetInLine(out) == 0 && out_step % static_cast<int64_t>(kLineBytes) == 0;
    const bool in_place = rows >= transpose_in_place_rows(kBytes) && transpose_reads_in_place(in_step, kBytes);
    if (!aligned && rows <= kRun && out_step == rows * kBytes)
      StreamDense(in, in_step, out, rows, cols);
    else if (Blocks::Worth(in_step, rows) && aligned && !in_place)
      StreamBlocks(in, in_step, out, out_step, rows, cols);
    else
      StreamTiles(in, in_step, out, out_step, rows, cols);
  }
  static HWY_INLINE void StreamBlocks(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    int64_t whole_rows = 0, whole_cols = 0;
    if (rows >= kLanes) {
      const int64_t run = HWY_MIN(Blocks::kMostRows, rows / kLanes * kLanes), lines = Blocks::Lines(run);
      const int64_t width = cols / kLanes / lines * lines;
      if (width > 0) {
        whole_rows = rows / run * run;
        whole_cols = width * kLanes;
        Blocks::Stream(in, in_step, out, out_step, whole_rows, width, run);
      }
    }
    if (whole_cols < cols && whole_rows > 0)
      StreamTiles(in + whole_cols * kBytes, in_step, out + whole_cols * out_step, out_step, whole_rows, cols - whole_cols);
    if (whole_rows < rows)
      StreamTiles(in + whole_rows * in_step, in_step, out + whole_rows * kBytes, out_step, rows - whole_rows, cols);
  }
  static HWY_NOINLINE void StreamTiles(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr int64_t line = kLineBytes, word = HWY_MAX(kBytes, 4);
    const auto begin = static_cast<int64_t>(OffsetInLine(out));
    const auto multiples_of = [=](int64_t unit) { return begin % unit == 0 && out_step % unit == 0; };
    if (cols < line / kBytes || !multiples_of(kBytes))
      StreamParts(in, in_step, out, out_step, rows, cols);
    else if (transpose_reads_in_place(in_step, kBytes))
      Runs::Stream(in, in_step, out, out_step, rows, cols);
    else if (multiples_of(line))
      WholeLines<line, false>::Stream(in, in_step, out, out_step, rows, cols);
    else if constexpr (HWY_TARGET != HWY_AVX3)
      WholeLines<kBytes, false>::Stream(in, in_step, out, out_step, rows, cols);
    else if (multiples_of(word))
      WholeLines<word, true>::Stream(in, in_step, out, out_step, rows, cols);
    else if (kBytes > 1 || (machine_targets() & HWY_AVX3_DL) != 0)
      WholeLines<kBytes, true>::Stream(in, in_step, out, out_step, rows, cols);
    else
      WholeLines<kBytes, false>::Stream(in, in_step, out, out_step, rows, cols);
  }

  // Transposes rows x cols of the input, both inside one panel. Steps are bytes between rows.
  static HWY_INLINE void TurnPart(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols,
                                  bool streaming) {
    if (rows == 2 && out_step == 2 * kBytes)
      Channels<2>::Join(in, in_step, out, cols, streaming);
    else if (rows == 3 && out_step == 3 * kBytes)
      Channels<3>::Join(in, in_step, out, cols, streaming);
    else if (cols == 2 && in_step == 2 * kBytes)
      Channels<2>::Split(in, out, out_step, rows, streaming);
    else if (cols == 3 && in_step == 3 * kBytes)
      Channels<3>::Split(in, out, out_step, rows, streaming);
    else if (streaming)
      Streamed(in, in_step, out, out_step, rows, cols);
    else
      Direct(in, in_step, out, out_step, rows, cols);
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
        TurnPart(from + j * plan.in.row_step, plan.in.row_step, to + out.offset(), plan.out.row_step, width, height, streaming);
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
#define TPP_UK_TRANSPOSE_DEFINE(name, ns, bytes)                                                                                 \
  TPP_UK_FUNCTIONS(name, tpp_unary_desc, native_unary_reject(desc, TPP_UNARY_transpose, type_bytes(desc.out.type) == (bytes)),   \
                   element_wise_ns(desc.m, desc.n, segment_count(desc.n, {&desc.out}), ns),                                      \
                   native_unary_prepare(kernel, HWY_NAMESPACE::Transpose<bytes>::Entry))
#define TPP_UK_TRANSPOSE(types, bytes, ...)                                                                                      \
  TPP_UK_PER_TARGET(TPP_UK_TRANSPOSE_DEFINE, tpp_uk_unary_transpose_##types, __VA_ARGS__, bytes)
#include "tpp/kernels.def"
#undef TPP_UK_TRANSPOSE_DEFINE
} // namespace tpp

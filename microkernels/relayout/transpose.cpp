// The native transpose rows of kernels.def (TPP_UK_TRANSPOSE), compiled once per target, for elements of 1, 2, 4 and 8 bytes whatever
// their type. Squares are turned in registers; at the edges of an operand or panel they overlap, or load and store parts. Contract in
// unary/unary.hpp, reasons for what goes through which cache in docs/decisions/relayouts.md.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/relayout/transpose.cpp"
#include "hwy/foreach_target.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
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

// A vector is a row of 128-bit blocks. Block b of vector r is loaded from row b * kBlock + r of the input, kBlock elements of it; a
// square is turned within the blocks, and then vector c holds column c of kLanes rows: with 512 bits a whole line of the output. That the
// blocks come from memory where they belong saves all shuffles between blocks, half of those that a square of kLanes rows takes.
template <int kBytes> struct Transpose {
  using T = hwy::UnsignedFromSize<kBytes>;
  using D = hn::CappedTag<T, 64 / kBytes>;
  using V = hn::Vec<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D()), kBlock = 16 / kBytes, kBlocks = kLanes / kBlock;
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4, "vectors of 128, 256 or 512 bits");
  // Rows of the input, each in a page of its own, that are read at the same time: twice as many take three times as long (4096 x 4096
  // elements of 2 or 4 bytes on Sapphire Rapids), and half as many leave shorter runs of each row of the output.
  static constexpr int64_t kRun = 64;
  // Bytes of a vector, which is what squares take of a row.
  static constexpr int64_t kVector = kLanes * kBytes;
  // Columns of the input (rows of the output) whose unfinished lines wait at the same time: 1 KiB of each row, as wide as the compiler's
  // tiles (lowering/tile/TileRelayouts.cpp), 8 to 64 KiB of lines.
  static constexpr int64_t kStrip = 1024 / kBytes;

  // Interleaving the halves of a list of kBlock vectors log2(kBlock) times turns the square in each block.
  template <size_t kStep = 1> static HWY_INLINE void Turn(V (&v)[kBlock]) {
    if constexpr (kStep < kBlock) {
      const D d;
      V next[kBlock];
      HWY_UNROLL(16)
      for (size_t i = 0; i < kBlock / 2; ++i) {
        next[2 * i] = hn::InterleaveLower(d, v[i], v[i + kBlock / 2]);
        next[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kBlock / 2]);
      }
      HWY_UNROLL(16)
      for (size_t i = 0; i < kBlock; ++i)
        v[i] = next[i];
      Turn<2 * kStep>(v);
    }
  }

  // One block from each of kBlocks rows, kBlock rows apart.
  static HWY_INLINE V LoadBlocks(const char *in, int64_t step) {
    const hn::CappedTag<T, kBlock> block;
    const auto load = [&](int64_t b) HWY_ATTR { return hn::LoadU(block, reinterpret_cast<const T *>(in + b * kBlock * step)); };
    if constexpr (kBlocks == 1) {
      return load(0);
    } else if constexpr (kBlocks == 2) {
      return hn::Combine(D(), load(1), load(0));
    } else {
      const hn::Half<D> half;
      return hn::Combine(D(), hn::Combine(half, load(3), load(2)), hn::Combine(half, load(1), load(0)));
    }
  }

  enum class Stores { kThroughCaches, kPastCaches };
  // kLanes x kBlock of the input.
  template <Stores kStores> static HWY_INLINE void Square(const char *in, int64_t in_step, char *out, int64_t out_step) {
    V v[kBlock];
    HWY_UNROLL(16)
    for (size_t r = 0; r < kBlock; ++r)
      v[r] = LoadBlocks(in + static_cast<int64_t>(r) * in_step, in_step);
    Turn(v);
    HWY_UNROLL(16)
    for (size_t c = 0; c < kBlock; ++c) {
      T *to = reinterpret_cast<T *>(out + static_cast<int64_t>(c) * out_step);
      if constexpr (kStores == Stores::kPastCaches)
        hn::Stream(v[c], D(), to);
      else
        hn::StoreU(v[c], D(), to);
    }
  }

  // Lines that are needed soon, `step` bytes apart, of which each call asks for the next few. `line` is where the last byte that is needed
  // lies: rows begin anywhere in a line.
  struct Ahead {
    const char *line;
    int64_t step, lines;
    bool both; // and where the first byte lies, a line earlier

    HWY_INLINE void Ask(int64_t count) {
      for (count = HWY_MIN(count, lines), lines -= count; count > 0; --count, line += step) {
        if (both)
          PrefetchToSecondLevel(line - (kLine - 1));
        PrefetchToSecondLevel(line);
      }
    }
  };
  static HWY_INLINE void PrefetchForWrite(const char *line, int64_t step, int64_t lines) {
    for (int64_t c = 0; c < lines; ++c)
      __builtin_prefetch(line + c * step, 1, 3);
  }
  static HWY_INLINE void PrefetchToSecondLevel(const char *line) { __builtin_prefetch(line, 0, 2); }

  static HWY_INLINE void CopyVectors(const char *in, int64_t in_step, char *vectors, int64_t rows) {
    for (int64_t r = 0; r < rows; ++r)
      hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(in + r * in_step)), D(), reinterpret_cast<T *>(vectors + r * kVector));
  }

  // A vector of each of kRows rows. They go through a buffer, so that each line of the input is read once: where rows are a power of two
  // apart, lines of more than a dozen share one set of the first-level cache, and each square would fetch them again. What is asked for
  // ahead is spread over the squares: as many at once would wait for each other, and the squares for them.
  template <int64_t kRows, Stores kStores>
  static HWY_INLINE void VectorsOf(const char *in, int64_t in_step, char *out, int64_t out_step, Ahead &ahead) {
    constexpr auto lanes = static_cast<int64_t>(kLanes), block = static_cast<int64_t>(kBlock);
    HWY_ALIGN char vectors[kRows * kVector];
    CopyVectors(in, in_step, vectors, kRows);
    for (int64_t c = 0; c < lanes; c += block) {
      ahead.Ask(kRows * block / lanes);
      HWY_UNROLL(1)
      for (int64_t r = 0; r < kRows; r += lanes)
        Square<kStores>(vectors + r * kVector + c * kBytes, kVector, out + c * out_step + r * kBytes, out_step);
    }
  }

  // Any rows x cols of the input, at most kRun x kLanes, to a buffer in which a whole vector of each row may be written: what is behind the
  // row's last element is no value of the input, or is overwritten by the next row. Not inlined: no other call pays for its stack.
  static HWY_NOINLINE void Stage(const char *in, int64_t in_step, char *stage, int64_t stage_step, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes), block = static_cast<int64_t>(kBlock);
    HWY_ALIGN char vectors[kRun * kVector];
    if (cols == lanes)
      CopyVectors(in, in_step, vectors, rows);
    else
      for (int64_t r = 0; r < rows; ++r)
        StorePart(in + r * in_step, vectors + r * kVector, static_cast<size_t>(cols * kBytes));
    for (int64_t c = 0; c < cols; c += block)
      for (int64_t r = 0; r < rows; r += lanes) {
        const int64_t row = HWY_MAX(HWY_MIN(r, rows - lanes), 0);
        Square<Stores::kThroughCaches>(vectors + row * kVector + c * kBytes, kVector, stage + c * stage_step + row * kBytes,
                                       stage_step);
      }
  }

  // Through the caches: a line of each row, all of it before the next line. Where there are enough rows and columns the last vectors of a row
  // or column overlap those before.
  static HWY_INLINE void Direct(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    for (int64_t j = 0; j < cols; j += lanes) {
      const int64_t col = HWY_MAX(HWY_MIN(j, cols - lanes), 0), width = HWY_MIN(lanes, cols);
      for (int64_t i = 0; i < rows; i += lanes) {
        const int64_t row = HWY_MAX(HWY_MIN(i, rows - lanes), 0), height = HWY_MIN(lanes, rows);
        const char *from = in + row * in_step + col * kBytes;
        char *to = out + col * out_step + row * kBytes;
        // The rows below are too far apart for the hardware to foresee.
        Ahead next{from + lanes * in_step, in_step, HWY_MIN(lanes, rows - row - lanes), false};
        if (row + lanes < rows)
          PrefetchForWrite(to + lanes * kBytes, out_step, width);
        if (HWY_LIKELY(height == lanes && width == lanes)) {
          VectorsOf<lanes, Stores::kThroughCaches>(from, in_step, to, out_step, next);
          continue;
        }
        HWY_ALIGN char stage[kLanes * kVector];
        Stage(from, in_step, stage, kVector, height, width);
        for (int64_t c = 0; c < width; ++c)
          StorePart(stage + c * kVector, to + c * out_step, static_cast<size_t>(height * kBytes));
      }
    }
  }

  // kRun rows of the input at a time, a vector of each, to an output whose rows begin at lines. Vectors of a whole line leave at once; parts
  // of lines would wait for the rest of theirs, more of them than a core can keep.
  static HWY_INLINE void StreamAligned(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    HWY_ALIGN char stage[kLanes * kRun * kBytes];
    for (int64_t i = 0; i < rows; i += kRun) {
      const int64_t run = HWY_MIN(kRun, rows - i);
      for (int64_t j = 0; j < cols; j += lanes) {
        const int64_t width = HWY_MIN(lanes, cols - j);
        const char *from = in + i * in_step + j * kBytes;
        char *to = out + j * out_step + i * kBytes;
        Ahead next{from + 2 * kLine - 1, in_step, j + lanes < cols ? run : 0, false};
        if (HWY_LIKELY(kVector == kLine && run == kRun && width == lanes)) {
          VectorsOf<kRun, Stores::kPastCaches>(from, in_step, to, out_step, next);
          continue;
        }
        next.Ask(run);
        Stage(from, in_step, stage, kRun * kBytes, run, width);
        for (int64_t c = 0; c < width; ++c)
          StreamBytes(stage + c * kRun * kBytes, to + c * out_step, static_cast<size_t>(run * kBytes));
      }
    }
  }

  // What of a row of the output is in the buffer: its last line, which the row's next run completes, and behind that a run.
  static constexpr int64_t kLine = kLineBytes, kStageStep = kLine + kRun * kBytes;
  struct Part {
    size_t bytes;
    bool first, last; // of the row
  };

  // Streams a part of a row of the output, which begins at `to`, out of its buffer. Lines of the output leave as a whole, wherever in them
  // the row begins: what a part leaves of its last line waits in `rest` for the next.
  static HWY_INLINE void StreamPart(char *stage, char *rest, char *to, Part part) {
    const size_t offset = OffsetInLine(to), end = offset + part.bytes;
    const char *from = stage + kLine - offset;
    to -= offset;
    size_t begin = 0;
    if (offset != 0 && part.first) {
      begin = kLine;
      StorePart(stage + kLine, to + offset, HWY_MIN(part.bytes, kLine - offset));
    }
    const size_t whole = end / kLine * kLine;
    if (whole > begin)
      StreamLines(from + begin, to + begin, (whole - begin) / kLine);
    if (whole == end || end < begin)
      return;
    if (part.last)
      StorePart(from + whole, to + whole, end - whole);
    else
      CopyLine(stage + part.bytes, rest);
  }
  static HWY_INLINE void CopyLine(const char *from, char *to) {
    const LineTag d;
    for (size_t i = 0; i < kLineBytes; i += hn::Lanes(d))
      hn::Store(hn::Load(d, reinterpret_cast<const uint8_t *>(from) + i), d, reinterpret_cast<uint8_t *>(to) + i);
  }

  // The same for rows of the output that begin anywhere: a strip of columns at a time, from the first row to the last. Not inlined: no other
  // call pays for its stack.
  static HWY_NOINLINE void StreamUnaligned(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows,
                                           int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    HWY_ALIGN char stage[kLanes * kStageStep];
    HWY_ALIGN char rests[kStrip * kLine];
    for (int64_t strip = 0; strip < cols; strip += kStrip) {
      const int64_t end = HWY_MIN(cols, strip + kStrip);
      for (int64_t i = 0; i < rows; i += kRun) {
        const int64_t run = HWY_MIN(kRun, rows - i);
        const Part part{static_cast<size_t>(run * kBytes), i == 0, i + run == rows};
        for (int64_t j = strip; j < end; j += lanes) {
          const int64_t width = HWY_MIN(lanes, end - j);
          const char *from = in + i * in_step + j * kBytes;
          char *to = out + j * out_step + i * kBytes, *rest = rests + (j - strip) * kLine;
          Ahead next{from + 2 * kLine - 1, in_step, run, false};
          if (j + lanes >= end)
            next = {in + (i + kRun) * in_step + strip * kBytes + kLine - 1, in_step, HWY_MIN(kRun, rows - i - run), true};
          // A line of which a part is stored: the store would wait for the rest of it.
          if (part.first)
            PrefetchForWrite(to, out_step, width);
          else
            for (int64_t c = 0; c < width; ++c)
              CopyLine(rest + c * kLine, stage + c * kStageStep);
          if (part.last)
            PrefetchForWrite(to + part.bytes - 1, out_step, width);
          if (HWY_LIKELY(run == kRun && width == lanes)) {
            for (int64_t r = 0; r < kRun; r += lanes)
              VectorsOf<lanes, Stores::kThroughCaches>(from + r * in_step, in_step, stage + kLine + r * kBytes, kStageStep, next);
          } else {
            next.Ask(kRun);
            Stage(from, in_step, stage + kLine, kStageStep, run, width);
          }
          if (HWY_LIKELY(!part.first && !part.last))
            StreamInner(stage, rest, to, out_step, width);
          else
            for (int64_t c = 0; c < width; ++c)
              StreamPart(stage + c * kStageStep, rest + c * kLine, to + c * out_step, part);
        }
      }
    }
  }
  // StreamPart of several rows whose part is a whole run, neither the first nor the last.
  static HWY_INLINE void StreamInner(const char *stage, char *rest, char *to, int64_t out_step, int64_t rows) {
    for (int64_t c = 0; c < rows; ++c, stage += kStageStep, rest += kLine, to += out_step) {
      const size_t offset = OffsetInLine(to);
      StreamLines(stage + kLine - offset, to - offset, kRun * kBytes / kLine);
      CopyLine(stage + kRun * kBytes, rest);
    }
  }
  // Rows of the output that follow each other do so in the buffer, and all leave as one.
  static HWY_INLINE void StreamDense(const char *in, int64_t in_step, char *out, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    HWY_ALIGN char stage[kLanes * kRun * kBytes + 64];
    for (int64_t j = 0; j < cols; j += lanes) {
      const int64_t width = HWY_MIN(lanes, cols - j);
      Ahead next{in + j * kBytes + 2 * kLine - 1, in_step, j + lanes < cols ? rows : 0, false};
      next.Ask(rows);
      Stage(in + j * kBytes, in_step, stage, rows * kBytes, rows, width);
      StreamBytes(stage, out + j * rows * kBytes, static_cast<size_t>(width * rows * kBytes));
    }
  }

  static HWY_INLINE void Streamed(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    if (OffsetInLine(out) == 0 && out_step % kLine == 0)
      StreamAligned(in, in_step, out, out_step, rows, cols);
    else if (rows <= kRun && out_step == rows * kBytes)
      StreamDense(in, in_step, out, rows, cols);
    else
      StreamUnaligned(in, in_step, out, out_step, rows, cols);
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
        const char *source = from + j * plan.in.row_step;
        if (streaming)
          Streamed(source, plan.in.row_step, to + out.offset(), plan.out.row_step, width, height);
        else
          Direct(source, plan.in.row_step, to + out.offset(), plan.out.row_step, width, height);
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

// The rows' functions, compiled for every machine: only the entries use the target's instructions.
namespace tpp {
#define TPP_UK_TRANSPOSE_DEFINE(name, bytes, ns)                                                                                 \
  const char *name##_reject(const void *desc);                                                                                   \
  double name##_cost(const void *desc);                                                                                          \
  void name##_prepare(microkernel *kernel);                                                                                      \
  const char *name##_reject(const void *desc) {                                                                                  \
    return transpose_reject_row(*static_cast<const tpp_unary_desc *>(desc), bytes);                                              \
  }                                                                                                                              \
  double name##_cost(const void *desc) { return transpose_cost(*static_cast<const tpp_unary_desc *>(desc), ns); }                \
  void name##_prepare(microkernel *kernel) { native_unary_prepare(kernel, HWY_NAMESPACE::Transpose<bytes>::Entry); }
#define TPP_UK_TRANSPOSE(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_HERE_avx3(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_avx3, bytes, ns_avx3))                               \
      TPP_UK_HERE_avx2(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_avx2, bytes, ns_avx2))                           \
          TPP_UK_HERE_sse4(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_sse4, bytes, ns_sse4))                       \
              TPP_UK_HERE_neon(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_neon, bytes, ns_neon))                   \
                  TPP_UK_HERE_portable(TPP_UK_TRANSPOSE_DEFINE(tpp_uk_unary_transpose_##types##_portable, bytes, ns_portable))
#include "tpp/kernels.def"
#undef TPP_UK_TRANSPOSE_DEFINE
} // namespace tpp

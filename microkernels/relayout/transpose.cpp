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
  // elements of 2 or 4 bytes on Sapphire Rapids), and half as many leave shorter runs of each row of the output. Of single bytes 64 are one
  // line, which costs more (4000 x 5000 on Zen 5: a third).
  static constexpr int64_t kRun = kBytes == 1 ? 256 : 64;
  // Bytes of a vector, which is what squares take of a row.
  static constexpr int64_t kVector = kLanes * kBytes, kLine = kLineBytes;
  // Columns of the input (rows of the output) whose unfinished lines wait at the same time: 1 KiB of each row, as wide as the compiler's
  // tiles (lowering/tile/TileRelayouts.cpp), but no more than 32 KiB of lines.
  static constexpr int64_t kStrip = HWY_MIN(1024 / kBytes, 512);

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

  // A vector of each of kLanes rows. They go through a buffer, so that each line of the input is read once: where rows are a power of two
  // apart, lines of more than a dozen share one set of the first-level cache, and each square would fetch them again. What is asked for
  // ahead is spread over the squares: as many at once would wait for each other, and the squares for them.
  static HWY_INLINE void TurnVectors(const char *in, int64_t in_step, char *out, int64_t out_step, Ahead &ahead) {
    constexpr auto lanes = static_cast<int64_t>(kLanes), block = static_cast<int64_t>(kBlock);
    HWY_ALIGN char vectors[kLanes * kVector];
    CopyVectors(in, in_step, vectors, lanes);
    for (int64_t c = 0; c < lanes; c += block) {
      ahead.Ask(block);
      Square<Stores::kThroughCaches>(vectors + c * kBytes, kVector, out + c * out_step, out_step);
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

  // To an output whose rows begin at lines, vectors of a whole line leave at once; parts of lines would wait for the rest of theirs, more of
  // them than a core can keep. A block is some lines of each of `run` rows. While it is turned, the one to its right, or the first one
  // below, is moved to a buffer, and lines a little farther on are asked for, row by row: asked for column by column they arrive half as
  // fast, and left in the cache until their block is turned, those of rows a power of two of bytes apart drive each other out.
  class Blocks {
  public:
    static constexpr int64_t kMostRows = HWY_MAX(kRun, 256 / kBytes);
    // Lines of each of `run` rows, a multiple of those that are moved at once.
    static constexpr int64_t Lines(int64_t run) { return HWY_MAX(256 / run / kUnit * kUnit, kUnit); }

    // rows x width lines, multiples of run x Lines(run).
    static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t width,
                                    int64_t run) {
      Blocks blocks(in, in_step, rows, width, run);
      for (int64_t i = 0; i < rows; i += run)
        for (int64_t j = 0; j < width; j += blocks.lines_)
          blocks.Turn(out + j * lanes * out_step + i * kBytes, out_step);
    }

  private:
    static constexpr auto lanes = static_cast<int64_t>(kLanes), block = static_cast<int64_t>(kBlock);
    static constexpr int64_t kAhead = 128; // lines from where they are asked for to where they are moved
    // Lines that are moved at once, and the columns of kLanes rows that are turned meanwhile.
    static constexpr int64_t kUnit = 4, kCols = HWY_MAX(block, kUnit);

    struct Cursor {
      const char *block, *row;
      int64_t line, r, left; // in the block, and blocks from it to the right end
    };

    HWY_INLINE Blocks(const char *in, int64_t in_step, int64_t rows, int64_t width, int64_t run)
        : step_(in_step), run_(run), lines_(Lines(run)), across_(width / lines_), move_{in, in, 0, 0, across_}, ask_(move_),
          moves_(rows * width / kUnit), asks_(moves_) {
      for (int64_t i = 0; i < kAhead; i += kUnit)
        Ask();
      for (int64_t i = 0; i < run_ * lines_; i += kUnit)
        Ask(), Move();
    }

    HWY_INLINE void Turn(char *out, int64_t out_step) {
      const char *vectors = buffers_[into_]; // `run` of each line, one after the other
      into_ ^= 1;
      for (int64_t l = 0; l < lines_; ++l, vectors += run_ * kLine)
        for (int64_t c = 0; c < lanes; c += kCols, out += kCols * out_step) {
          HWY_UNROLL(1)
          for (int64_t r = 0; r < run_; r += lanes) {
            HWY_UNROLL(4)
            for (int64_t i = 0; i < kCols; i += kUnit)
              Ask(), Move();
            HWY_UNROLL(4)
            for (int64_t d = 0; d < kCols; d += block)
              Square<Stores::kPastCaches>(vectors + r * kLine + (c + d) * kBytes, kLine, out + d * out_step + r * kBytes,
                                          out_step);
          }
        }
    }

    HWY_INLINE void Ask() {
      if (asks_ == 0)
        return;
      --asks_;
      HWY_UNROLL(4)
      for (int64_t i = 1; i <= kUnit; ++i) // where the last byte of each vector lies: rows begin anywhere in a line
        PrefetchToSecondLevel(ask_.row + (ask_.line + i) * kLine - 1);
      Advance(ask_);
    }
    HWY_INLINE void Move() {
      if (moves_ == 0)
        return;
      --moves_;
      HWY_UNROLL(4)
      for (int64_t i = move_.line; i < move_.line + kUnit; ++i)
        hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(move_.row + i * kLine)), D(),
                  reinterpret_cast<T *>(buffers_[into_] + (i * run_ + move_.r) * kLine));
      Advance(move_);
    }
    HWY_INLINE void Advance(Cursor &at) const {
      at.line += kUnit;
      if (at.line < lines_)
        return;
      at.line = 0;
      at.row += step_;
      if (++at.r < run_)
        return;
      at.r = 0;
      at.block += lines_ * kLine;
      if (--at.left == 0) {
        at.left = across_;
        at.block += run_ * step_ - across_ * lines_ * kLine;
      }
      at.row = at.block;
    }

    const int64_t step_, run_, lines_, across_; // across_: blocks of the same rows
    Cursor move_, ask_;
    int64_t moves_, asks_; // kUnit lines each, that are left
    int into_ = 0;
    HWY_ALIGN char buffers_[2][kMostRows * kUnit * kLine];
  };

  // Rows and columns that are no whole blocks leave through a buffer.
  static HWY_INLINE void StreamRest(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    HWY_ALIGN char stage[kLanes * kRun * kBytes];
    for (int64_t i = 0; i < rows; i += kRun) {
      const int64_t run = HWY_MIN(kRun, rows - i);
      for (int64_t j = 0; j < cols; j += lanes) {
        const int64_t width = HWY_MIN(lanes, cols - j);
        const char *from = in + i * in_step + j * kBytes;
        char *to = out + j * out_step + i * kBytes;
        Ahead next{from + 2 * kLine - 1, in_step, j + lanes < cols ? run : 0, false};
        next.Ask(run);
        Stage(from, in_step, stage, kRun * kBytes, run, width);
        for (int64_t c = 0; c < width; ++c)
          StreamBytes(stage + c * kRun * kBytes, to + c * out_step, static_cast<size_t>(run * kBytes));
      }
    }
  }

  static HWY_INLINE void StreamAligned(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    constexpr auto lanes = static_cast<int64_t>(kLanes);
    int64_t whole_rows = 0, whole_cols = 0;
    if (kVector == kLine && rows >= lanes) {
      const int64_t run = HWY_MIN(Blocks::kMostRows, rows / lanes * lanes), lines = Blocks::Lines(run);
      const int64_t width = cols / lanes / lines * lines;
      whole_rows = rows / run * run;
      whole_cols = width * lanes;
      if (width > 0)
        Blocks::Stream(in, in_step, out, out_step, whole_rows, width, run);
    }
    StreamRest(in + whole_cols * kBytes, in_step, out + whole_cols * out_step, out_step, whole_rows, cols - whole_cols);
    StreamRest(in + whole_rows * in_step, in_step, out + whole_rows * kBytes, out_step, rows - whole_rows, cols);
  }

  // What of a row of the output is in the buffer: its last line, which the row's next run completes, and behind that a run.
  static constexpr int64_t kStageStep = kLine + kRun * kBytes;
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
              TurnVectors(from + r * in_step, in_step, stage + kLine + r * kBytes, kStageStep, next);
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

  // Two or three numbers that follow each other, as the channels of an image's points do, and as many rows of them: `run` at a time, which
  // pass through a buffer where they are streamed.
  template <int kCount> class Channels {
  public:
    // Rows of the input to numbers beside each other.
    static HWY_NOINLINE void Join(const char *in, int64_t in_step, char *out, int64_t points, bool streaming) {
      HWY_ALIGN T stage[kCount * kPoints];
      for (int64_t i = 0; i < points; i += kPoints, in += kPoints * kBytes, out += kCount * kPoints * kBytes) {
        const int64_t run = HWY_MIN(kPoints, points - i);
        T *to = streaming ? stage : reinterpret_cast<T *>(out);
        int64_t p = 0;
        for (; p + lanes <= run; p += lanes) {
          const auto row = [&](int64_t c) HWY_ATTR { return hn::LoadU(D(), reinterpret_cast<const T *>(in + c * in_step) + p); };
          if constexpr (kCount == 2)
            hn::StoreInterleaved2(row(0), row(1), D(), to + p * kCount);
          else
            hn::StoreInterleaved3(row(0), row(1), row(2), D(), to + p * kCount);
        }
        for (; p < run; ++p)
          for (int64_t c = 0; c < kCount; ++c)
            to[p * kCount + c] = reinterpret_cast<const T *>(in + c * in_step)[p];
        if (streaming)
          StreamBytes(reinterpret_cast<const char *>(stage), out, static_cast<size_t>(run * kCount * kBytes));
      }
    }
    // And back.
    static HWY_NOINLINE void Split(const char *in, char *out, int64_t out_step, int64_t points, bool streaming) {
      HWY_ALIGN T stage[kCount * kPoints];
      for (int64_t i = 0; i < points; i += kPoints, in += kCount * kPoints * kBytes, out += kPoints * kBytes) {
        const int64_t run = HWY_MIN(kPoints, points - i);
        const T *from = reinterpret_cast<const T *>(in);
        const auto row = [&](int64_t c) { return streaming ? stage + c * kPoints : reinterpret_cast<T *>(out + c * out_step); };
        int64_t p = 0;
        for (; p + lanes <= run; p += lanes) {
          V v[3];
          if constexpr (kCount == 2)
            hn::LoadInterleaved2(D(), from + p * kCount, v[0], v[1]);
          else
            hn::LoadInterleaved3(D(), from + p * kCount, v[0], v[1], v[2]);
          for (int64_t c = 0; c < kCount; ++c)
            hn::StoreU(v[c], D(), row(c) + p);
        }
        for (; p < run; ++p)
          for (int64_t c = 0; c < kCount; ++c)
            row(c)[p] = from[p * kCount + c];
        for (int64_t c = 0; c < kCount && streaming; ++c)
          StreamBytes(reinterpret_cast<const char *>(row(c)), out + c * out_step, static_cast<size_t>(run * kBytes));
      }
    }

  private:
    static constexpr auto lanes = static_cast<int64_t>(kLanes);
    static constexpr int64_t kPoints = 16 * lanes;
  };

  // Rows x cols of the input.
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

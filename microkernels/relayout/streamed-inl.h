// Transposition with non-temporal stores, for any row stride of the input and any alignment of output rows.

#if defined(TPP_MICROKERNELS_RELAYOUT_STREAMED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_STREAMED_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_STREAMED_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_STREAMED_INL_H
#endif

#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "tpp/transpose_sizes.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {

// The input is divided into blocks of up to kRun rows and kLines cache lines of each row. Three stages are pipelined in software. While a
// block is transposed, the next one is copied, row by row, to a buffer in L1, and the lines of the one after it are prefetched into L2.
// Without the buffer, lines of rows that are a power of two of bytes apart would evict each other before they are transposed. Rows that map
// to different cache sets (transpose_reads_in_place) are read directly from the input, and their lines are prefetched into L1.
//
// Output rows that start at a cache line are stored in whole lines from registers. Others are collected, a few rows at a time, in a staging
// buffer. If several blocks share an output row, the line in which one of them ends is completed by the next one, so that it is stored
// once. If one block covers the output rows and they follow each other without gaps (whole_), the staging buffer has the same layout and
// is streamed as one piece.
template <int kBytes, int64_t kRun, int64_t kLines> class Streamed : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using Base::kVector;
  using typename Base::D;
  using typename Base::T;
  using typename Base::V;

public:
  // Transposes rows x cols of the input. Steps are bytes between rows.
  static HWY_NOINLINE void Run(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    Streamed(in, in_step, out, out_step, rows, cols).Run();
  }

private:
  static constexpr int64_t kLine = kLineBytes, kWidth = kLine / kBytes, kParts = kLine / kVector;
  // Output rows in the stage, and bytes between them: the end of the block above, then the block.
  static constexpr int64_t kGroup = HWY_MIN(16, kWidth), kStageStep = kLine + (kRun + kLanes) * kBytes;
  static constexpr int64_t kStrip = transpose_strip_columns(kBytes);
  static_assert(kRun >= kLanes && kStrip % (kLines * kWidth) == 0, "blocks are whole squares and divide a strip");

  // A range of rows and columns of the input.
  struct Block {
    int64_t row, col, rows, cols;
  };
  // Rows of a block that remain to be copied (or prefetched into L1).
  struct Moving {
    const char *from;
    char *to;
    int64_t rows, ahead, at[kLines]; // bytes from a row to the same row of the next block, and to each of its lines
    bool in_place;
  };

  HWY_INLINE Streamed(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols)
      : in_(in), out_(out), in_step_(in_step), out_step_(out_step), rows_(rows), cols_(cols),
        aligned_(OffsetInLine(out) == 0 && out_step % kLine == 0), whole_(rows <= kRun && out_step == rows * kBytes),
        in_place_(cols >= kWidth && transpose_reads_in_place(in_step, kBytes)), strip_(aligned_ ? cols : HWY_MIN(cols, kStrip)) {}

  HWY_INLINE void Run() {
    Block block = At(0, 0), next = Next(block);
    Start(block, next);
    Move(moving_, moving_.rows);
    while (block.rows > 0) {
      into_ ^= 1;
      const Block after = Next(next);
      Start(next, after);
      if (InPlace(block))
        TransposeBlock<true>(block);
      else
        TransposeBlock<false>(block);
      Move(moving_, moving_.rows);
      block = next, next = after;
    }
  }

  // Blocks follow each other across a strip of columns, then down. A strip is narrow if output rows are not aligned, so that the lines in
  // which its blocks end are still in the cache when they are completed.
  HWY_INLINE Block At(int64_t row, int64_t col) const {
    const int64_t end = HWY_MIN(col - col % strip_ + strip_, cols_);
    return {row, col, HWY_MIN(kRun, rows_ - row), HWY_MIN(kLines * kWidth, end - col)};
  }
  // The block after `block`. After the last one, a block without rows.
  HWY_INLINE Block Next(const Block &block) const {
    const int64_t right = block.col + block.cols, strip = block.col - block.col % strip_;
    if (block.rows == 0)
      return block;
    if (right < HWY_MIN(strip + strip_, cols_))
      return At(block.row, right);
    if (block.row + block.rows < rows_)
      return At(block.row + block.rows, strip);
    return right < cols_ ? At(0, right) : Block{block.row, block.col, 0, 0};
  }
  static HWY_INLINE int64_t Lines(const Block &block) { return (block.cols + kWidth - 1) / kWidth; }
  // The first column of a line. A line that would exceed the input overlaps the one before; a narrower input is one line.
  HWY_INLINE int64_t Column(const Block &block, int64_t line) const {
    return HWY_MAX(HWY_MIN(block.col + line * kWidth, cols_ - kWidth), 0);
  }
  HWY_INLINE bool InPlace(const Block &block) const { return in_place_ && block.rows >= kLanes; }

  HWY_INLINE void Start(const Block &block, const Block &next) {
    const char *from = in_ + block.row * in_step_ + block.col * kBytes;
    moving_ = {from, buffers_[into_], block.rows, in_ + next.row * in_step_ + next.col * kBytes - from, {}, InPlace(block)};
    for (int64_t l = 0; l < kLines; ++l)
      moving_.at[l] = (Column(block, HWY_MIN(l, HWY_MAX(Lines(block), 1) - 1)) - block.col) * kBytes;
  }
  // Copies `count` rows, and prefetches the same rows of the next block: the first byte of each, and the last one of each line, because rows
  // do not start at cache lines.
  HWY_INLINE void Move(Moving &m, int64_t count) const {
    for (count = HWY_MIN(count, m.rows), m.rows -= count; count > 0; --count, m.from += in_step_, m.to += kLine) {
      Base::PrefetchToSecondLevel(m.from + m.ahead);
      HWY_UNROLL(4)
      for (int64_t l = 0; l < kLines; ++l)
        Base::PrefetchToSecondLevel(m.from + m.ahead + (l + 1) * kLine - 1);
      if (m.in_place) {
        __builtin_prefetch(m.from, 0, 3);
        HWY_UNROLL(4)
        for (int64_t l = 0; l < kLines; ++l)
          __builtin_prefetch(m.from + m.at[l] + kLine - 1, 0, 3);
      } else if (HWY_UNLIKELY(cols_ < kWidth)) {
        StorePart(m.from, m.to, static_cast<size_t>(cols_ * kBytes));
      } else {
        // Lines of bytes are not read in address order (1, 3, 0, 2): in order, some processes take twice as long. The likely cause
        // is a hardware prefetcher that requests the next lines of each row one by one.
        HWY_UNROLL(4)
        for (int64_t i = 0; i < kLines; ++i) {
          const int64_t l = kBytes == 1 && kLines == 4 ? (2 * i + 1) % 5 : i;
          CopyLine(m.from + m.at[l], m.to + l * kRun * kLine);
        }
      }
    }
  }
  static HWY_INLINE void CopyLine(const char *from, char *to) {
    for (int64_t p = 0; p < kLine; p += kVector)
      hn::StoreU(hn::LoadU(D(), reinterpret_cast<const T *>(from + p)), D(), reinterpret_cast<T *>(to + p));
  }

  // Transposes a block from its buffer, or in place, while the next one is copied to the other buffer.
  template <bool kInPlace> HWY_INLINE void TransposeBlock(const Block &block) {
    Moving moving = moving_;
    const int64_t squares = (block.rows + kWidth - 1) / kWidth * ((block.cols + kBlock - 1) / kBlock);
    const int64_t moves = (moving.rows + squares - 1) / squares;
    const auto meanwhile = [&]() HWY_ATTR { Move(moving, moves); };
    const int64_t step = kInPlace ? in_step_ : kLine;
    for (int64_t l = 0; l < Lines(block); ++l) {
      const int64_t col = Column(block, l), width = HWY_MIN(kWidth, cols_);
      const char *from = kInPlace ? in_ + block.row * in_step_ + col * kBytes : buffers_[into_ ^ 1] + l * kRun * kLine;
      char *column = out_ + col * out_step_ + block.row * kBytes;
      // The first columns of a line that overlaps the one before are already done.
      int64_t c = (block.col + l * kWidth - col) / kBlock * kBlock;
      if (aligned_ && block.rows % kWidth == 0) {
        for (; c < width; c += kBlock)
          TransposeLines(from + c * kBytes, step, column + c * out_step_, block.rows, width - c, meanwhile);
        continue;
      }
      for (; c < width; c += kGroup)
        TransposeGroup(from + c * kBytes, step, column + c * out_step_, block, block.col % strip_ + l * kWidth + c,
                       HWY_MIN(kGroup, width - c), meanwhile);
    }
    moving_ = moving;
  }

  // Transposes up to kBlock columns of a block to whole lines of the output.
  template <class Meanwhile>
  HWY_INLINE void TransposeLines(const char *from, int64_t step, char *out, int64_t rows, int64_t cols,
                                 const Meanwhile &meanwhile) const {
    for (int64_t r = 0; r < rows; r += kWidth, from += kWidth * step, out += kLine) {
      meanwhile();
      V v[kParts][kBlock];
      HWY_UNROLL(4)
      for (int64_t p = 0; p < kParts; ++p)
        Base::Square(from + p * kLanes * step, step, v[p]);
      if (HWY_LIKELY(cols >= kBlock)) {
        HWY_UNROLL(16)
        for (int64_t k = 0; k < kBlock; ++k)
          StreamLine(v, k, out + k * out_step_);
      } else {
        for (int64_t k = 0; k < cols; ++k)
          StreamLine(v, k, out + k * out_step_);
      }
    }
  }
  static HWY_INLINE void StreamLine(const V (&v)[kParts][kBlock], int64_t k, char *to) {
    HWY_UNROLL(4)
    for (int64_t p = 0; p < kParts; ++p)
      hn::Stream(v[p][k], D(), reinterpret_cast<T *>(to) + p * kLanes);
  }

  // Transposes up to kGroup columns of a block through the stage. `place` numbers the columns of a strip.
  template <class Meanwhile>
  HWY_INLINE void TransposeGroup(const char *from, int64_t step, char *out, const Block &block, int64_t place, int64_t cols,
                                 const Meanwhile &meanwhile) {
    const bool first = block.row == 0, last = block.row + block.rows == rows_;
    const int64_t bytes = block.rows * kBytes, stage_step = whole_ ? bytes : kStageStep;
    char *stage = stage_ + kLine, *rests = rests_ + (aligned_ ? 0 : place) * kLine;
    for (int64_t k = 0; k < cols && !whole_; ++k) {
      // Lines that are stored in part are prefetched for writing: the stores would wait for the rest of the line.
      if (first)
        Base::PrefetchForWrite(out + k * out_step_);
      else
        CopyLine(rests + k * kLine, stage + k * stage_step - kLine);
      if (last)
        Base::PrefetchForWrite(out + k * out_step_ + bytes - 1);
    }
    // The last rows overlap the ones before. With fewer than kLanes rows, what follows a row in the stage is overwritten later, or unused.
    for (int64_t g = 0; g < cols; g += kBlock)
      for (int64_t r = 0; r < block.rows; r += kLanes) {
        if (r % kWidth == 0)
          meanwhile();
        const int64_t row = HWY_MAX(HWY_MIN(r, block.rows - kLanes), 0);
        Base::Square(from + row * step + g * kBytes, step, stage + g * stage_step + row * kBytes, stage_step);
      }
    if (whole_)
      return StreamBytes(stage, out, static_cast<size_t>(cols * bytes));
    for (int64_t k = 0; k < cols; ++k, out += out_step_, stage += stage_step) {
      const char *begin = first ? out : out - OffsetInLine(out), *end = out + bytes;
      if (!last)
        end -= OffsetInLine(end);
      if (end > begin)
        StreamBytes(stage + (begin - out), out + (begin - out), static_cast<size_t>(end - begin));
      CopyLine(stage + bytes - kLine, rests + k * kLine);
    }
  }

  const char *const in_;
  char *const out_;
  const int64_t in_step_, out_step_, rows_, cols_;
  const bool aligned_, whole_, in_place_; // output rows start at cache lines; they are one piece; the input is read in place
  const int64_t strip_;                   // columns of a strip
  Moving moving_{};
  int into_ = 0;
  HWY_ALIGN char buffers_[2][kLines * kRun * kLine]; // for each line of a block's rows, kRun lines
  HWY_ALIGN char stage_[kGroup * kStageStep + kLine];
  HWY_ALIGN char rests_[kStrip * kLine]; // the last line of the block above, for each column of a strip
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

// Streamed transposition in whole blocks, to an output whose rows are cache-line aligned.

#if defined(TPP_MICROKERNELS_RELAYOUT_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_BLOCKS_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_BLOCKS_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_BLOCKS_INL_H
#endif

#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {

// A vector is a whole line of the output, and a non-temporal store writes it at once. Parts of lines would wait in write-combining
// buffers for the rest, and a core has too few of these.
//
// A block is Lines(run) cache lines of each of `run` input rows. Three stages are pipelined in software:
//   - Ask prefetches lines to L2, row by row. Column by column, they would arrive at half the speed.
//   - Move copies the next block (to the right, or the first of the rows below) to a staging buffer.
//   - Turn transposes the current block from the other staging buffer and stores it.
// Without the staging buffers, lines of rows that are a power of two of bytes apart would evict each other from the cache before they are
// transposed.
template <int kBytes> class Blocks : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using typename Base::D;
  using typename Base::T;
  using typename Base::V;
  static constexpr int64_t kLine = kLineBytes;

public:
  static constexpr int64_t kMostRows = 64;
  // True if blocks are the fastest choice. They need vectors of a whole line. A block writes at most kMostRows elements of each output
  // row at a time, for small elements one or two lines. That only pays if an output row has no more elements and input rows are a
  // multiple of 4096 bytes apart; otherwise, inputs in L3 are transposed faster in tiles (WholeLines).
  static HWY_INLINE bool Worth(int64_t in_step, int64_t rows) {
    return Base::kVector == kLine && (kBytes >= 4 || (rows <= kMostRows && in_step % 4096 == 0));
  }
  // Lines of each of a block's `run` rows, a multiple of kUnit.
  static constexpr int64_t Lines(int64_t run) { return HWY_MAX(256 / run / kUnit * kUnit, kUnit); }

  // Transposes `rows` rows of `width` cache lines. `rows` must be a multiple of `run`, and `width` of Lines(run). Steps are bytes between
  // rows.
  static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t width,
                                  int64_t run) {
    Blocks blocks(in, in_step, rows, width, run, out_step == run * kBytes);
    for (int64_t i = 0; i < rows; i += run)
      for (int64_t j = 0; j < width; j += blocks.lines_)
        blocks.Turn(out + j * kLanes * out_step + i * kBytes, out_step);
  }

private:
  // Lines copied at a time, and columns of kLanes rows transposed per kCols / kUnit such copies.
  static constexpr int64_t kUnit = 4, kCols = HWY_MAX(kBlock, kUnit);

  struct Cursor {
    const char *block, *row;
    int64_t line, r, left; // line and row in the block; blocks from this one to the right end
  };

  // A dense output is written from its first byte to its last. The prefetch distance is then half a block, and elements of more than one
  // byte are read in the order 0, 2, ..., 1, 3, ... of a block's rows. Other outputs do better with a prefetch distance of a block and
  // rows in order.
  HWY_INLINE Blocks(const char *in, int64_t in_step, int64_t rows, int64_t width, int64_t run, bool dense)
      : step_(in_step), run_(run), lines_(Lines(run)), across_(width / lines_), every_(dense && kBytes > 1 ? 2 : 1),
        move_{in, in, 0, 0, across_}, ask_(move_), moves_(rows * width / kUnit), asks_(moves_) {
    for (int64_t i = 0; i < (dense ? 128 : 256); i += kUnit) // prefetch distance in lines
      Ask();
    for (int64_t i = 0; i < run_ * lines_; i += kUnit)
      Ask(), Move();
  }

  HWY_INLINE void Turn(char *out, int64_t out_step) {
    const char *vectors = buffers_[into_]; // for each line of a row, `run` vectors, one per row
    into_ ^= 1;
    for (int64_t l = 0; l < lines_; ++l, vectors += run_ * kLine)
      for (int64_t c = 0; c < kLanes; c += kCols, out += kCols * out_step) {
        HWY_UNROLL(1)
        for (int64_t r = 0; r < run_; r += kLanes) {
          HWY_UNROLL(4)
          for (int64_t i = 0; i < kCols; i += kUnit)
            Ask(), Move();
          HWY_UNROLL(4)
          for (int64_t d = 0; d < kCols; d += kBlock)
            StreamSquare(vectors + r * kLine + (c + d) * kBytes, out + d * out_step + r * kBytes, out_step);
        }
      }
  }

  static HWY_INLINE void StreamSquare(const char *vectors, char *out, int64_t out_step) {
    V v[kBlock];
    Base::Square(vectors, kLine, v);
    HWY_UNROLL(16)
    for (int64_t c = 0; c < kBlock; ++c)
      hn::Stream(v[c], D(), reinterpret_cast<T *>(out + c * out_step));
  }

  HWY_INLINE void Ask() {
    if (asks_ == 0)
      return;
    --asks_;
    HWY_UNROLL(4)
    for (int64_t i = 1; i <= kUnit; ++i) // of the last byte of each vector: rows are not cache-line aligned
      Base::PrefetchToSecondLevel(ask_.row + (ask_.line + i) * kLine - 1);
    Advance(ask_);
  }
  HWY_INLINE void Move() {
    if (moves_ == 0)
      return;
    --moves_;
    // Bytes are not read in address order: in order, some processes take twice as long (Zen 5). The likely cause is a hardware prefetcher
    // that requests the next lines of each row one by one, before Ask requests them together.
    constexpr int64_t order[2][kUnit] = {{0, 1, 2, 3}, {1, 3, 0, 2}};
    HWY_UNROLL(4)
    for (int64_t k = 0; k < kUnit; ++k) {
      const int64_t i = move_.line + order[kBytes == 1][k];
      hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(move_.row + i * kLine)), D(),
                reinterpret_cast<T *>(buffers_[into_] + (i * run_ + move_.r) * kLine));
    }
    Advance(move_);
  }
  HWY_INLINE void Advance(Cursor &at) const {
    at.line += kUnit;
    if (at.line < lines_)
      return;
    at.line = 0;
    at.row += every_ * step_;
    at.r += every_;
    if (at.r < run_)
      return;
    if (at.r == run_ && every_ > 1) { // the odd rows, from row 1 on
      at.r = 1;
      at.row = at.block + step_;
      return;
    }
    at.r = 0;
    at.block += lines_ * kLine;
    if (--at.left == 0) {
      at.left = across_;
      at.block += run_ * step_ - across_ * lines_ * kLine;
    }
    at.row = at.block;
  }

  const int64_t step_, run_, lines_, across_, every_; // across_: blocks per row of blocks
  Cursor move_, ask_;
  int64_t moves_, asks_; // remaining copies and prefetches, of kUnit lines each
  int into_ = 0;
  HWY_ALIGN char buffers_[2][kMostRows * kUnit * kLine];
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

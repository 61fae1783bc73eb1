// Transpositions of whole blocks past the caches, to an output whose rows begin at lines.

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

// To an output whose rows begin at lines, vectors of a whole line leave at once; parts of lines would wait for the rest of theirs, more of
// them than a core can keep. A block is some lines of each of `run` rows. While it is turned, the one to its right, or the first one
// below, is moved to a buffer, and lines a little farther on are asked for, row by row: asked for column by column they arrive half as
// fast, and left in the cache until their block is turned, those of rows a power of two of bytes apart drive each other out.
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
  // In vectors of a whole line; and a block leaves kMostRows elements of each row of the output one after the other: of small ones a line or two,
  // which are worth it where they are all that a row gets, and rows of the input are a multiple of 4096 bytes apart: others that the third-level
  // cache has are turned faster in tiles.
  static HWY_INLINE bool Worth(int64_t in_step, int64_t rows) {
    return Base::kVector == kLine && (kBytes >= 4 || (rows <= kMostRows && in_step % 4096 == 0));
  }
  // Lines of each of `run` rows, a multiple of those that are moved at once.
  static constexpr int64_t Lines(int64_t run) { return HWY_MAX(256 / run / kUnit * kUnit, kUnit); }

  // rows x width lines, multiples of run x Lines(run).
  static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t width,
                                  int64_t run) {
    Blocks blocks(in, in_step, rows, width, run, out_step == run * kBytes);
    for (int64_t i = 0; i < rows; i += run)
      for (int64_t j = 0; j < width; j += blocks.lines_)
        blocks.Turn(out + j * kLanes * out_step + i * kBytes, out_step);
  }

private:
  // Lines that are moved at once, and the columns of kLanes rows that are turned meanwhile.
  static constexpr int64_t kUnit = 4, kCols = HWY_MAX(kBlock, kUnit);

  struct Cursor {
    const char *block, *row;
    int64_t line, r, left; // in the block, and blocks from it to the right end
  };

  // Where the output is dense, it is written from its first byte to its last: lines are then asked for half a block ahead, and of larger elements
  // every second row comes first. Where its rows lie apart a block ahead is better, and rows as they follow.
  HWY_INLINE Blocks(const char *in, int64_t in_step, int64_t rows, int64_t width, int64_t run, bool dense)
      : step_(in_step), run_(run), lines_(Lines(run)), across_(width / lines_), every_(dense && kBytes > 1 ? 2 : 1),
        move_{in, in, 0, 0, across_}, ask_(move_), moves_(rows * width / kUnit), asks_(moves_) {
    for (int64_t i = 0; i < (dense ? 128 : 256); i += kUnit) // lines
      Ask();
    for (int64_t i = 0; i < run_ * lines_; i += kUnit)
      Ask(), Move();
  }

  HWY_INLINE void Turn(char *out, int64_t out_step) {
    const char *vectors = buffers_[into_]; // `run` of each line, one after the other
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
    for (int64_t i = 1; i <= kUnit; ++i) // where the last byte of each vector lies: rows begin anywhere in a line
      Base::PrefetchToSecondLevel(ask_.row + (ask_.line + i) * kLine - 1);
    Advance(ask_);
  }
  HWY_INLINE void Move() {
    if (moves_ == 0)
      return;
    --moves_;
    // Of bytes not as they follow: then some processes take twice as long (Zen 5), most likely since a prefetcher asks for the next lines of each row
    // one by one, before they are asked for together.
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
    if (at.r == run_ && every_ > 1) { // the rows between, from the second one
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

  const int64_t step_, run_, lines_, across_, every_; // across_: blocks of the same rows
  Cursor move_, ask_;
  int64_t moves_, asks_; // kUnit lines each, that are left
  int into_ = 0;
  HWY_ALIGN char buffers_[2][kMostRows * kUnit * kLine];
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

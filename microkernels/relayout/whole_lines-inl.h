// Streamed transposition through a staging buffer, to output rows of any alignment: every output line is stored as a whole.

#if defined(TPP_MICROKERNELS_RELAYOUT_WHOLE_LINES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_WHOLE_LINES_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_WHOLE_LINES_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_WHOLE_LINES_INL_H
#endif

#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "microkernels/relayout/tiles.hpp"
#include "tpp/transpose_sizes.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {

// One cache line of the output: consecutive elements of a column of the input.
template <int kBytes> struct Line : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using typename Base::D;
  using typename Base::T;
  static constexpr int64_t kElements = kLineBytes / kBytes, kParts = kLineBytes / Base::kVector;

  typename Base::V part[kParts];

  static HWY_INLINE Line Load(const T *from) {
    Line line;
    for (int64_t p = 0; p < kParts; ++p)
      line.part[p] = hn::LoadU(D(), from + p * Base::kLanes);
    return line;
  }
  HWY_INLINE void Store(T *to) const {
    for (int64_t p = 0; p < kParts; ++p)
      hn::Store(part[p], D(), to + p * Base::kLanes);
  }
  HWY_INLINE void Stream(T *to) const {
    for (int64_t p = 0; p < kParts; ++p)
      hn::Stream(part[p], D(), to + p * Base::kLanes);
  }
};

// If an output row begins inside a cache line, each of its lines joins the last elements of one group of kElements with the first
// elements of the next. Seams holds the offsets of kBlock output rows in their lines, each a multiple of kUnit bytes, and joins the
// lines. With kPermutes, units are selected from two lines in registers by a permutation, which needs AVX3 (for single bytes, a machine
// with AVX3_DL).
template <int kBytes, int kUnit, bool kPermutes> class Seams : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using Line = relayout::Line<kBytes>;
  using typename Base::D;
  using typename Base::T;
  static constexpr int64_t kElements = Line::kElements;

public:
  HWY_INLINE Seams(const char *row, int64_t step) {
    HWY_UNROLL(16)
    for (int64_t k = 0; k < kBlock; ++k)
      offset_[k] = static_cast<int64_t>(OffsetInLine(row + k * step));
  }

  // Bytes, or elements, of row k's first line before the row starts.
  HWY_INLINE int64_t Offset(int64_t k) const { return offset_[k]; }
  HWY_INLINE int64_t Before(int64_t k) const { return offset_[k] / kBytes; }

  // For each row k, joins the end of rests[k] and the beginning of lines[k] to one output line and calls take(k, line). lines[k] then
  // replaces rests[k].
  template <class Take> HWY_INLINE void Join(T *rests, const Line (&lines)[kBlock], Take take) const {
    if constexpr (kPermutes) {
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kBlock; ++k) {
        const Line rest = Line::Load(rests + k * kElements);
        lines[k].Store(rests + k * kElements);
        take(k, Line{{}, {Pick(rest.part[0], lines[k].part[0], static_cast<int64_t>(kLineBytes) - offset_[k])}});
      }
    } else {
      // All lines are stored before the first is loaded: a load that spans two stores waits until both have left the store queue.
      HWY_ALIGN T both[kBlock][2 * kElements];
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kBlock; ++k) {
        Line::Load(rests + k * kElements).Store(both[k]);
        lines[k].Store(both[k] + kElements);
        lines[k].Store(rests + k * kElements);
      }
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kBlock; ++k)
        take(k, Line::Load(both[k] + kElements - Before(k)));
    }
  }

private:
#if HWY_TARGET == HWY_AVX3
  using Unit = hwy::UnsignedFromSize<HWY_MIN(kUnit, 8)>;
  struct Table {
    constexpr Table() {
      for (size_t i = 0; i < sizeof(units) / sizeof(Unit); ++i)
        units[i] = static_cast<Unit>(i);
    }
    Unit units[2 * kLineBytes / sizeof(Unit)] = {};
  };
  static constexpr Table kTable{};

  // The line that starts `begin` bytes after the start of `first` in the concatenation of `first` and `second`. `begin` is at most 64.
  static HWY_INLINE typename Base::V Pick(typename Base::V first, typename Base::V second, int64_t begin) {
    __m512i units = _mm512_loadu_si512(reinterpret_cast<const char *>(kTable.units) + begin);
    if constexpr (sizeof(Unit) == 8)
      units = _mm512_permutex2var_epi64(first.raw, units, second.raw);
    else if constexpr (sizeof(Unit) == 4)
      units = _mm512_permutex2var_epi32(first.raw, units, second.raw);
    else if constexpr (sizeof(Unit) == 2)
      units = _mm512_permutex2var_epi16(first.raw, units, second.raw);
    else // VBMI: the AVX3 target may not use its intrinsic
      __asm__("vpermi2b %2, %1, %0" : "+v"(units) : "v"(first.raw), "v"(second.raw));
    return typename Base::V{units};
  }
#endif

  int64_t offset_[kBlock];
};

// A tile is kRun rows of a strip of columns. It is processed in columns of lines: one cache line, kWidth columns, of each row. A column
// of lines is copied to a staging buffer in L1 and transposed from there. Without the buffer, lines of rows that are a power of two of
// bytes apart would evict each other from the L1 sets they share. There are two buffers: while a column of lines is transposed from one,
// the next is copied to the other.
//
// Aligned output rows: tiles follow each other across the input. Two lines of each row are copied at a time, while the two after them are
// prefetched. Other output rows: tiles follow each other down a strip, so that the unfinished last lines of the output rows stay in the
// cache until the tile below. The lines of the next tile are prefetched row by row; but single bytes are prefetched as for aligned rows,
// because a tile of them has too many rows for L2.
template <int kBytes, int kUnit, bool kPermutes> class WholeLines : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using Line = relayout::Line<kBytes>;
  using Seams = relayout::Seams<kBytes, kUnit, kPermutes>;
  using typename Base::D;
  using typename Base::T;

public:
  // Transposes rows x cols of the input, which has at least as many columns as a line has elements. Each output row must begin a multiple
  // of kUnit bytes after the start of a line; kUnit is at least an element's size. Steps are bytes between rows.
  static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    WholeLines(in, in_step, out, out_step, rows, cols).Run();
  }

private:
  static constexpr int64_t kWidth = Line::kElements, kLine = kLineBytes;
  static constexpr bool kAligned = kUnit == kLine;
  // Bytes to unaligned output rows: longer runs gain less than an L1 that is left to the input lines.
  static constexpr int64_t kShort = kUnit == 1 && kPermutes ? 2 * kWidth : kWidth;
  static constexpr int64_t kRun = kBytes == 1 && !kAligned ? kShort : transpose_run_rows(kBytes);
  // kNear: prefetch lines while the previous ones are copied, not a tile ahead. kMoved: lines of each row copied at a time.
  static constexpr bool kNear = kAligned || kBytes == 1;
  static constexpr int64_t kMoved = kNear ? 2 : 1;
  static constexpr int64_t kStrip = (kAligned ? transpose_strip_bytes / 2 : transpose_strip_bytes) / kBytes;
  using Tile = tpp::relayout::Tile;
  using Tiles = tpp::relayout::Tiles<kWidth, kRun, kStrip, kAligned>;

  // Asking: lines of a tile that remain to be prefetched, row by row. Moving: rows whose kMoved lines remain to be copied.
  struct Asking {
    const char *row;
    int64_t rows, lines, line;
  };
  struct Moving {
    const char *row;
    int64_t rows, last, ahead; // last, ahead: bytes to the last of the kMoved lines, and to the next lines to copy
    char *to;
  };

  HWY_INLINE WholeLines(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols)
      : in_(in), out_(out), in_step_(in_step), out_step_(out_step), tiles_(rows, cols) {}

  HWY_INLINE void Run() {
    Tile tile = tiles_.First();
    if constexpr (!kNear) {
      asking_ = AskFor(tile);
      Ask(asking_, asking_.rows * asking_.lines);
    }
    moving_ = MoveFrom(tile, 0);
    Move(moving_, moving_.rows);
    while (tile.rows > 0) {
      const Tile next = tiles_.Next(tile);
      const int64_t lines = Tiles::Lines(tile), steps = (kWidth / kBlock) * ((tile.rows + kWidth - 1) / kWidth);
      int64_t asks = 0;
      if constexpr (!kNear) {
        asking_ = AskFor(next);
        // Prefetches per step, so that the whole next tile is prefetched before the copy of its first column of lines begins.
        asks = lines > 1 ? (asking_.rows * asking_.lines + (lines - 1) * steps - 1) / ((lines - 1) * steps) : 0;
      }
      for (int64_t line = 0; line < lines; line += kMoved) {
        const bool last = line + kMoved >= lines;
        if (!kNear && last)
          Ask(asking_, asking_.rows * asking_.lines);
        moving_ = last ? MoveFrom(next, 0) : MoveFrom(tile, line + kMoved);
        const int64_t count = HWY_MIN(kMoved, lines - line), moves = (moving_.rows + count * steps - 1) / (count * steps);
        for (int64_t l = 0; l < count; ++l)
          Turn(tile, line + l, buffers_[into_ ^ 1][l], asks, moves);
        Move(moving_, moving_.rows);
      }
      tile = next;
    }
  }

  HWY_INLINE Asking AskFor(const Tile &tile) const {
    return {in_ + tile.row * in_step_ + tile.col * kBytes, tile.rows, Tiles::Lines(tile), 0};
  }
  HWY_INLINE void Ask(Asking &asking, int64_t count) const {
    for (; count > 0 && asking.rows > 0; --count) {
      Base::PrefetchToSecondLevel(asking.row + asking.line * kLine);
      if (++asking.line == asking.lines) {
        asking.line = 0, --asking.rows;
        asking.row += in_step_;
      }
    }
  }
  HWY_INLINE Moving MoveFrom(const Tile &tile, int64_t line) {
    into_ ^= 1;
    // Prefetch for writing the output lines that are stored in part: the stores would wait for the rest of the line.
    for (int64_t l = line; l < HWY_MIN(line + kMoved, Tiles::Lines(tile)); ++l) {
      const char *column = out_ + tiles_.Column(tile, l) * out_step_ + tile.row * kBytes;
      if (!kAligned && tile.rows > 0 && tiles_.IsFirst(tile))
        Base::PrefetchForWrite(column, out_step_, kWidth);
      if (tiles_.IsLast(tile) && (!kAligned || tile.rows % kWidth != 0))
        Base::PrefetchForWrite(column + tile.rows * kBytes - 1, out_step_, kWidth);
    }
    const int64_t col = tiles_.Column(tile, line);
    const char *from = in_ + tile.row * in_step_ + col * kBytes, *then = from;
    if (line + kMoved < Tiles::Lines(tile))
      then = from + kMoved * kLine;
    else if (const Tile next = tiles_.Next(tile); next.rows > 0)
      then = in_ + next.row * in_step_ + next.col * kBytes;
    return {from, tile.rows, (tiles_.Column(tile, line + kMoved - 1) - col) * kBytes, then - from, buffers_[into_][0]};
  }
  HWY_INLINE void Move(Moving &moving, int64_t count) const {
    for (count = HWY_MIN(count, moving.rows), moving.rows -= count; count > 0;
         --count, moving.row += in_step_, moving.to += kLine) {
      for (int64_t l = 0; kNear && l < kMoved; ++l)
        Base::PrefetchToSecondLevel(moving.row + moving.ahead + l * kLine);
      MoveLine(moving.row, moving.to);
      if constexpr (kMoved == 2)
        MoveLine(moving.row + moving.last, moving.to + kRun * kLine);
    }
  }
  static HWY_INLINE void MoveLine(const char *from, char *to) {
    for (int64_t p = 0; p < Line::kParts; ++p)
      hn::Store(hn::LoadU(D(), reinterpret_cast<const T *>(from) + p * kLanes), D(), reinterpret_cast<T *>(to) + p * kLanes);
  }

  // Transposes a column of lines of the tile from the buffer. A step transposes kWidth rows of kBlock columns.
  HWY_INLINE void Turn(const Tile &tile, int64_t line, const char *buffer, int64_t asks, int64_t moves) {
    const int64_t col = tiles_.Column(tile, line), whole = tile.rows / kWidth * kWidth;
    const bool first = tiles_.IsFirst(tile), last = tiles_.IsLast(tile);
    char *column = out_ + col * out_step_ + tile.row * kBytes;
    Asking asking = asking_;
    Moving moving = moving_;
    for (int64_t c = 0; c < kWidth; c += kBlock, column += kBlock * out_step_) {
      const char *from = buffer + c * kBytes;
      T *rests = rests_[kAligned ? 0 : line * kWidth + c];
      T *to[kBlock]; // start of the output line that holds the tile's first element, for each output row
      const Seams seams(column, out_step_);
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kBlock; ++k)
        to[k] = reinterpret_cast<T *>(column + k * out_step_ - (kAligned ? 0 : seams.Offset(k)));
      int64_t r = 0;
      if (!kAligned && first) {
        if constexpr (!kNear)
          Ask(asking, asks);
        Move(moving, moves);
        StoreEdges(from, column, out_step_, rests, true, tile.rows);
        r = kWidth;
      }
      HWY_UNROLL(1)
      for (; r < whole; r += kWidth) {
        if constexpr (!kNear)
          Ask(asking, asks);
        Move(moving, moves);
        Line lines[kBlock];
        TurnLines(from + r * kLine, lines);
        if constexpr (!kAligned) {
          seams.Join(rests, lines, [&](int64_t k, const Line &joined) HWY_ATTR { joined.Stream(to[k] + r); });
          continue;
        }
        HWY_UNROLL(16)
        for (int64_t k = 0; k < kBlock; ++k)
          lines[k].Stream(to[k] + r);
      }
      if (r < tile.rows) {
        StoreEdges(from + r * kLine, column + r * kBytes, out_step_, rests, false, tile.rows - r);
        r += kWidth;
      }
      if (!kAligned && last)
        StoreRests(column + r * kBytes, out_step_, rests, tile.rows - r);
    }
    asking_ = asking;
    moving_ = moving;
  }

  // Transposes kWidth rows of kBlock columns from the buffer.
  static HWY_INLINE void TurnLines(const char *from, Line (&lines)[kBlock]) {
    HWY_UNROLL(1)
    for (int64_t p = 0; p < Line::kParts; ++p) {
      typename Base::V v[kBlock];
      Base::Square(from + p * kLanes * kLine, kLine, v);
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kBlock; ++k)
        lines[k].part[p] = v[k];
    }
  }

  // TurnLines and store where output rows begin here, or end after the next `left` elements. Of their lines, only bytes inside the rows
  // are stored.
  static HWY_NOINLINE void StoreEdges(const char *from, char *column, int64_t out_step, T *rests, bool begins, int64_t left) {
    Line lines[kBlock];
    TurnLines(from, lines);
    const Seams seams(column, out_step);
    const auto store = [&](int64_t k, const Line &joined) HWY_ATTR {
      StorePart(joined, column + k * out_step - seams.Offset(k), begins ? seams.Before(k) : 0,
                HWY_MIN(kWidth, left + seams.Before(k)));
    };
    if constexpr (!kAligned)
      return seams.Join(rests, lines, store);
    for (int64_t k = 0; k < kBlock; ++k)
      store(k, lines[k]);
  }
  // Stores what is left over of output rows that ended -left elements ago.
  static HWY_NOINLINE void StoreRests(char *column, int64_t out_step, T *rests, int64_t left) {
    Line lines[kBlock];
    for (int64_t k = 0; k < kBlock; ++k)
      lines[k] = Line::Load(rests + k * kWidth);
    const Seams seams(column, out_step);
    seams.Join(rests, lines, [&](int64_t k, const Line &joined) HWY_ATTR {
      StorePart(joined, column + k * out_step - seams.Offset(k), 0, left + seams.Before(k));
    });
  }
  static HWY_INLINE void StorePart(const Line &line, char *to, int64_t begin, int64_t end) {
    if (begin == 0 && end == kWidth)
      return line.Stream(reinterpret_cast<T *>(to));
    if (begin >= end)
      return;
#if HWY_TARGET == HWY_AVX3
    const auto mask = hn::AndNot(hn::FirstN(D(), static_cast<size_t>(begin)), hn::FirstN(D(), static_cast<size_t>(end)));
    hn::BlendedStore(line.part[0], mask, D(), reinterpret_cast<T *>(to));
#else
    HWY_ALIGN T elements[kWidth];
    line.Store(elements);
    HWY_NAMESPACE::StorePart(reinterpret_cast<const char *>(elements + begin), to + begin * kBytes,
                             static_cast<size_t>((end - begin) * kBytes));
#endif
  }

  const char *const in_;
  char *const out_;
  const int64_t in_step_, out_step_;
  const Tiles tiles_;
  Asking asking_{};
  Moving moving_{};
  int into_ = 0;
  HWY_ALIGN char buffers_[2][kMoved][kRun * kLine];
  HWY_ALIGN T rests_[kAligned ? 1 : kStrip][kWidth]; // the last kWidth elements of each output row of a strip
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

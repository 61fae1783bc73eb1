// Streamed transposition of inputs that are read in place, to output rows of any alignment: several lines of each output row at a time.

#if defined(TPP_MICROKERNELS_RELAYOUT_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_RELAYOUT_RUNS_INL_H
#undef TPP_MICROKERNELS_RELAYOUT_RUNS_INL_H
#else
#define TPP_MICROKERNELS_RELAYOUT_RUNS_INL_H
#endif

#include "microkernels/relayout/squares-inl.h"
#include "microkernels/relayout/stream_bytes-inl.h"
#include "microkernels/relayout/tiles.hpp"
#include "tpp/transpose_sizes.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace relayout {

// For inputs whose rows do not conflict in L1 (transpose_reads_in_place). A tile is kRun rows of a strip of columns; tiles follow each
// other down the strip. kGroup columns of a tile at a time are transposed to a staging buffer (a stage). For each output row, it holds
// the line that the tile above left over, then kRun elements.
//
// There are two stages, used alternately. While a group is transposed to one, the previous group is streamed from the other, in whole
// lines of the output, by unaligned loads. The delay of one group avoids stalls: an unaligned load spans two of the stores to the stage.
// If it followed them at once, it would wait until both have left the store queue, after the earlier stores to memory. The input is read
// in place, one cache line of each row of the tile after the other.
//
// Prefetch: Near prefetches the next kNear lines of each row to L1, 16 KiB for elements of one and two bytes. For larger elements, whose
// tiles have few rows, Far also prefetches the next tile to L2, row by row, because memory delivers sequential lines faster.
template <int kBytes> class Runs : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using typename Base::D;
  using typename Base::T;

public:
  // Transposes rows x cols of the input, which has at least as many columns as a line has elements. Steps are bytes between rows.
  static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    Runs(in, in_step, out, out_step, rows, cols).Run();
  }

private:
  static constexpr int64_t kLine = kLineBytes, kWidth = kLine / kBytes, kRun = transpose_in_place_rows(kBytes),
                           kLines = kRun / kWidth;
  // Columns of a group. A step transposes kWidth rows of a group and streams kLeave output rows of the previous group.
  static constexpr int64_t kGroup = HWY_MIN(16, kWidth), kLeave = kGroup / kLines;
  static constexpr bool kFar = kBytes >= 4;
  static constexpr int64_t kNear = kFar ? 1 : kBytes; // lines of each row prefetched at a time
  static constexpr int64_t kStrip = (kFar ? 2 : 1) * transpose_strip_bytes / kBytes;
  static_assert(kWidth % kGroup == 0 && kGroup % kLines == 0 && kNear <= 2);

  using Tile = tpp::relayout::Tile;
  using Tiles = tpp::relayout::Tiles<kWidth, kRun, kStrip, false>;

  struct Stage {
    // For each output row: what the tile above left over, the tile, and, if rows are joined, the beginning of the next output row.
    HWY_ALIGN T rows[kGroup][kWidth + kRun + kWidth];
  };

  HWY_INLINE Runs(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols)
      : in_(in), out_(out), in_step_(in_step), out_step_(out_step), tiles_(rows, cols),
        begins_(OffsetInLine(out) == 0 && out_step % kLine == 0), ends_(begins_ && rows % kWidth == 0),
        joins_(!ends_ && out_step == rows * kBytes && rows > kRun) {}

  HWY_INLINE void Run() {
    Tile tile = tiles_.First();
    Far far(*this, tile);
    far.Rest();
    Near near(*this, tile, 0);
    near.Rest();
    for (int64_t c = 0; c < kWidth; c += kGroup)
      AskForEdges(tile, 0, c);
    while (tile.rows > 0) {
      const Tile next = tiles_.Next(tile);
      far = Far(*this, next);
      for (int64_t line = 0, lines = Tiles::Lines(tile); line < lines; ++line) {
        if (line % kNear == 0)
          near = line + kNear < lines ? Near(*this, tile, line + kNear) : Near(*this, next, 0);
        const bool last = line + 1 == lines;
        for (int64_t c = 0; c < kWidth; c += kGroup) {
          AskForEdges(last ? next : tile, last ? 0 : line + 1, c);
          Turn(tile, line, c, far, near);
        }
        if (last || (line + 1) % kNear == 0)
          near.Rest();
      }
      far.Rest();
      tile = next;
    }
    leaving_.Some(0, kLines);
  }

  // Prefetches kNear lines of each row of a tile to L1.
  struct Near {
    HWY_INLINE Near(const Runs &runs, const Tile &tile, int64_t line) : step(runs.in_step_), rows(tile.rows), starts(line == 0) {
      const int64_t col = runs.tiles_.Column(tile, line);
      row = runs.in_ + tile.row * step + col * kBytes + kLine - 1;
      behind = (runs.tiles_.Column(tile, line + kNear - 1) - col) * kBytes;
    }
    // Prefetches as many rows as keep pace with the transposition of one square.
    HWY_INLINE void Some() {
      constexpr int64_t count = kBlock / kNear;
      if (HWY_UNLIKELY(rows < count))
        return Rest();
      HWY_UNROLL(16)
      for (int64_t i = 0; i < count; ++i, row += step)
        Row();
      rows -= count;
    }
    HWY_INLINE void Rest() {
      for (; rows > 0; --rows, row += step)
        Row();
    }

  private:
    HWY_INLINE void Row() const {
      __builtin_prefetch(row, 0, 3);
      if (kNear == 2)
        __builtin_prefetch(row + behind, 0, 3);
      if (starts)
        __builtin_prefetch(row - kLine + 1, 0, 3);
    }

    const char *row; // last byte of the line: rows are not cache-line aligned
    int64_t step, rows, behind;
    bool starts; // also prefetch the line that holds the first byte
  };

  // Prefetches all lines of a tile to L2, row by row. Does nothing for small elements.
  struct Far {
    HWY_INLINE Far(const Runs &runs, const Tile &tile)
        : row(runs.in_ + tile.row * runs.in_step_ + tile.col * kBytes), step(runs.in_step_), rows(kFar ? tile.rows : 0),
          lines(Tiles::Lines(tile)) {}
    HWY_INLINE void Some() {
      HWY_UNROLL(1)
      for (int64_t i = 0; i < kBlock; i += kAtOnce)
        if (rows > 0)
          Next();
    }
    HWY_INLINE void Rest() {
      while (rows > 0)
        Next();
    }

  private:
    static constexpr int64_t kAtOnce = HWY_MIN(4, kBlock);
    HWY_INLINE void Next() {
      const char *from = row + line * kLine;
      if (HWY_LIKELY(line + kAtOnce <= lines)) {
        HWY_UNROLL(4)
        for (int64_t i = 0; i < kAtOnce; ++i)
          Base::PrefetchToSecondLevel(from + i * kLine);
      } else {
        for (int64_t i = 0; i < lines - line; ++i)
          Base::PrefetchToSecondLevel(from + i * kLine);
      }
      line += kAtOnce;
      if (line >= lines)
        line = 0, --rows, row += step;
    }

    const char *row;
    int64_t step, rows, lines, line = 0;
  };

  // Transposes kGroup columns of a tile to one stage, and streams the previous group from the other.
  HWY_INLINE void Turn(const Tile &tile, int64_t line, int64_t c, Far &far, Near &near) {
    Stage &stage = stages_[into_];
    T *rests = rests_[line * kWidth + c];
    const int64_t col = tiles_.Column(tile, line) + c, in_step = in_step_;
    const char *from = in_ + tile.row * in_step + col * kBytes;
    const Leaving leaving = leaving_;
    HWY_UNROLL(16)
    for (int64_t k = 0; k < kGroup; ++k)
      CopyLine(rests + k * kWidth, stage.rows[k]);
    const int64_t whole = tile.rows / kWidth;
    int64_t q = 0;
    HWY_UNROLL(1)
    for (; q < whole; ++q, from += kWidth * in_step) {
      TurnSquares(from, in_step, stage, q, [&]() HWY_ATTR {
        if constexpr (kFar)
          far.Some();
        near.Some();
      });
      leaving.Some(q, q + 1);
    }
    if (q < kLines) {
      if (q * kWidth < tile.rows)
        TurnLast(from, in_step, tile.rows - q * kWidth, stage, q);
      leaving.Some(q, kLines);
    }
    HWY_UNROLL(16)
    for (int64_t k = 0; k < kGroup; ++k)
      CopyLine(stage.rows[k] + kRun, rests + k * kWidth);
    const bool first = tiles_.IsFirst(tile), last = tiles_.IsLast(tile);
    T *heads = heads_[kWidth + col - tile.col];
    if (joins_ && first)
      for (int64_t k = 0; k < kGroup; ++k)
        CopyLine(stage.rows[k] + kWidth, heads + k * kWidth);
    if (joins_ && last)
      for (int64_t k = 0; k < kGroup; ++k)
        CopyLine(heads + (k + 1) * kWidth, stage.rows[k] + kWidth + tile.rows);
    leaving_ = {out_ + col * out_step_ + tile.row * kBytes,
                out_step_,
                &stage,
                tile.rows,
                tiles_.Column(tile, 0) - col,
                tile.col + tile.cols - 1 - col,
                first,
                last,
                (first && !begins_) || (last && !ends_) || tile.rows < kRun,
                joins_};
    into_ ^= 1;
  }

  static HWY_INLINE void CopyLine(const T *from, T *to) {
    for (int64_t i = 0; i < kWidth; i += kLanes)
      hn::StoreU(hn::Load(D(), from + i), D(), to + i);
  }

  // Transposes kWidth rows of kGroup columns, and calls meanwhile() once per kBlock columns.
  template <typename Meanwhile>
  static HWY_INLINE void TurnSquares(const char *from, int64_t step, Stage &stage, int64_t q, const Meanwhile &meanwhile) {
    HWY_UNROLL(1)
    for (int64_t g = 0; g < kGroup; g += kBlock) {
      meanwhile();
      HWY_UNROLL(1)
      for (int64_t p = 0; p < kWidth; p += kLanes) {
        typename Base::V v[kBlock];
        Base::Square(from + p * step + g * kBytes, step, v);
        HWY_UNROLL(16)
        for (int64_t k = 0; k < kBlock; ++k)
          hn::Store(v[k], D(), stage.rows[g + k] + (q + 1) * kWidth + p);
      }
    }
  }
  // TurnSquares for fewer than kWidth rows.
  static HWY_NOINLINE void TurnLast(const char *from, int64_t step, int64_t rows, Stage &stage, int64_t q) {
    constexpr int64_t bytes = kGroup * kBytes;
    HWY_ALIGN char square[kWidth * bytes];
    for (int64_t r = 0; r < rows; ++r)
      StorePart(from + r * step, square + r * bytes, bytes);
    TurnSquares(square, bytes, stage, q, []() HWY_ATTR {});
  }

  // The group that is streamed from its stage.
  struct Leaving {
    char *column; // output address of the tile's first element in the group
    int64_t step;
    const Stage *stage;
    int64_t rows;
    int64_t first_col, last_col; // of the strip, relative to the group's first column
    bool first, last, edge, joins;

    // Streams the output rows [begin * kLeave, end * kLeave) of the group, while lines [begin, end) of the next one are transposed.
    HWY_INLINE void Some(int64_t begin, int64_t end) const {
      if (HWY_UNLIKELY(edge))
        return Edges(begin, end);
      char *row = column + begin * kLeave * step;
      HWY_UNROLL(1)
      for (int64_t k = begin * kLeave; k < end * kLeave; ++k, row += step) {
        const size_t offset = OffsetInLine(row);
        const T *source = stage->rows[k] + kWidth - offset / kBytes;
        T *target = reinterpret_cast<T *>(row - offset);
        HWY_UNROLL(16)
        for (int64_t i = 0; i < kRun; i += kLanes)
          hn::Stream(hn::LoadU(D(), source + i), D(), target + i);
      }
    }

  private:
    // Like Some, at the start or end of output rows. Their first and last lines are stored in part, or joined with the adjacent output
    // row.
    HWY_NOINLINE void Edges(int64_t begin, int64_t end) const {
      if (stage == nullptr)
        return;
      char *row = column + begin * kLeave * step;
      for (int64_t k = begin * kLeave; k < end * kLeave; ++k, row += step) {
        char *from = row, *to = row + rows * kBytes;
        if (!first)
          from -= OffsetInLine(from);
        else if (joins && k != first_col)
          from += (kLine - OffsetInLine(from)) % kLine;
        if (!last)
          to -= OffsetInLine(to);
        else if (joins && k != last_col)
          to += (kLine - OffsetInLine(to)) % kLine;
        StreamBytes(reinterpret_cast<const char *>(stage->rows[k] + kWidth) + (from - row), from, static_cast<size_t>(to - from));
      }
    }
  };

  // Prefetches for writing the output lines that are stored in part: the stores would wait for the rest of the line.
  HWY_INLINE void AskForEdges(const Tile &tile, int64_t line, int64_t c) const {
    if (ends_ || joins_)
      return;
    const char *column = out_ + (tiles_.Column(tile, line) + c) * out_step_ + tile.row * kBytes;
    if (!begins_ && tile.rows > 0 && tiles_.IsFirst(tile))
      Base::PrefetchForWrite(column, out_step_, kGroup);
    if (tiles_.IsLast(tile))
      Base::PrefetchForWrite(column + tile.rows * kBytes - 1, out_step_, kGroup);
  }

  const char *const in_;
  char *const out_;
  const int64_t in_step_, out_step_;
  const Tiles tiles_;
  const bool begins_, ends_; // output rows begin, and end, at cache lines
  const bool joins_;         // the last line of an output row is the first line of the next one; it is stored once
  Leaving leaving_{nullptr, 0, nullptr, 0, 0, 0, false, false, true, false};
  int into_ = 0;
  Stage stages_[2];
  HWY_ALIGN T heads_[kWidth + kStrip + 1][kWidth]; // first lines of a strip's output rows, after those of overlapping columns
  HWY_ALIGN T rests_[kStrip][kWidth];              // what the last tile left over of each output row
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

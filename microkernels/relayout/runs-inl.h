// Transpositions past the caches: some lines of each row of the output at a time, wherever its rows begin.

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

// A tile is kRun rows of a strip of columns; tiles follow each other down the strip. Some columns of a tile at a time are turned to a stage: for
// each row of the output a line of what the tile above left, and behind it kRun elements. While the next ones are turned, the lines of the output
// are streamed from the stage by loads that begin anywhere: right behind the stores such a load would wait until they have left the core, in line
// with all that is on its way to memory. Lines of the input are read where they are, a column of lines after the other (transpose_reads_in_place).
//
// Lines are asked for 16 KiB before they are turned; of large elements, whose tiles have few rows, also a tile before, row by row, as memory
// likes to be read.
template <int kBytes> class Runs : Squares<kBytes> {
  using Base = Squares<kBytes>;
  using Base::kBlock;
  using Base::kLanes;
  using typename Base::D;
  using typename Base::T;

public:
  // Rows x cols of the input: as many columns at least as a line has elements.
  static HWY_NOINLINE void Stream(const char *in, int64_t in_step, char *out, int64_t out_step, int64_t rows, int64_t cols) {
    Runs(in, in_step, out, out_step, rows, cols).Run();
  }

private:
  static constexpr int64_t kLine = kLineBytes, kWidth = kLine / kBytes, kRun = transpose_in_place_rows(kBytes),
                           kLines = kRun / kWidth;
  // Columns that are turned before the ones before are streamed: a step turns kWidth rows of them and streams kLeave rows of the latter.
  static constexpr int64_t kGroup = HWY_MIN(16, kWidth), kLeave = kGroup / kLines;
  static constexpr bool kFar = kBytes >= 4;
  static constexpr int64_t kNear = kFar ? 1 : kBytes; // lines of each row that are asked for at once
  static constexpr int64_t kStrip = (kFar ? 2 : 1) * transpose_strip_bytes / kBytes;
  static_assert(kWidth % kGroup == 0 && kGroup % kLines == 0 && kNear <= 2);

  using Tile = tpp::relayout::Tile;
  using Tiles = tpp::relayout::Tiles<kWidth, kRun, kStrip, false>;

  struct Stage {
    // What the tile above left, the tile, and where rows are joined the beginning of the next one.
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

  // kNear lines of each row of a tile that are still to be asked for.
  struct Near {
    HWY_INLINE Near(const Runs &runs, const Tile &tile, int64_t line) : step(runs.in_step_), rows(tile.rows), starts(line == 0) {
      const int64_t col = runs.tiles_.Column(tile, line);
      row = runs.in_ + tile.row * step + col * kBytes + kLine - 1;
      behind = (runs.tiles_.Column(tile, line + kNear - 1) - col) * kBytes;
    }
    // As many as keep up with the squares.
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

    const char *row; // the last byte of a line: rows begin anywhere in one
    int64_t step, rows, behind;
    bool starts; // the first line of a row of the tile, too
  };

  // Lines of a tile that are still to be asked for, row by row.
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

  // kGroup columns of a tile to the stage, while the ones before leave it.
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

  // kWidth rows of kGroup columns, and meanwhile something for each kBlock of them.
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
  // The same of fewer rows.
  static HWY_NOINLINE void TurnLast(const char *from, int64_t step, int64_t rows, Stage &stage, int64_t q) {
    constexpr int64_t bytes = kGroup * kBytes;
    HWY_ALIGN char square[kWidth * bytes];
    for (int64_t r = 0; r < rows; ++r)
      StorePart(from + r * step, square + r * bytes, bytes);
    TurnSquares(square, bytes, stage, q, []() HWY_ATTR {});
  }

  // What is in the stage that is not turned to.
  struct Leaving {
    char *column; // where the tile's first element belongs
    int64_t step;
    const Stage *stage;
    int64_t rows;
    int64_t first_col, last_col; // of the strip, counted from the stage's first one
    bool first, last, edge, joins;

    // Rows of the output whose lines leave while lines `begin` to `end` of the next ones are turned.
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
    // Where rows of the output begin or end the first and last lines leave in parts, or joined with the row before or behind.
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

  // Lines of the output of which a part is stored: the store would wait for the rest of them.
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
  const bool begins_, ends_; // whether rows of the output begin at lines, and end there
  const bool joins_; // whether the last line of a row of the output is the first one of the next row: both are stored at once
  Leaving leaving_{nullptr, 0, nullptr, 0, 0, 0, false, false, true, false};
  int into_ = 0;
  Stage stages_[2];
  HWY_ALIGN T heads_[kWidth + kStrip + 1]
                    [kWidth];         // the first line of each row of the output of a strip, behind those of overlapped columns
  HWY_ALIGN T rests_[kStrip][kWidth]; // what the last tile left of each
};

} // namespace relayout
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

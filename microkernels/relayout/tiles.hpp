// The tiles into which streamed transpositions split their input: some rows of a strip of columns each.
#pragma once

#include "hwy/base.h"

#include <cstdint>

namespace tpp::relayout {

// A range of rows and columns of the input.
struct Tile {
  int64_t row, col, rows, cols;
};

// Iterates over tiles of kRun rows and up to kStrip columns: strip by strip, or, with kAcross, all strips of the same rows before the
// next rows. Columns are processed kWidth at a time, one cache line of a row. If the last kWidth columns would exceed the input, they
// overlap the ones before; the input must have at least kWidth columns.
template <int64_t kWidth, int64_t kRun, int64_t kStrip, bool kAcross> class Tiles {
  static_assert(kRun % kWidth == 0 && kStrip % kWidth == 0, "tiles are whole lines in both directions");

public:
  HWY_INLINE Tiles(int64_t rows, int64_t cols) : rows_(rows), cols_(cols), strip_(EvenStrip(cols)) {}

  HWY_INLINE Tile First() const { return At(0, 0); }
  // The tile after `tile`. After the last one, a tile without rows.
  HWY_INLINE Tile Next(const Tile &tile) const {
    const int64_t below = tile.row + tile.rows, right = tile.col + tile.cols;
    if (kAcross)
      return right < cols_ ? At(tile.row, right) : below < rows_ ? At(below, 0) : Tile{};
    return below < rows_ ? At(below, tile.col) : right < cols_ ? At(0, right) : Tile{};
  }
  HWY_INLINE bool IsFirst(const Tile &tile) const { return tile.row == 0; }
  HWY_INLINE bool IsLast(const Tile &tile) const { return tile.row + tile.rows == rows_; }
  static HWY_INLINE int64_t Lines(const Tile &tile) { return (tile.cols + kWidth - 1) / kWidth; }
  HWY_INLINE int64_t Column(const Tile &tile, int64_t line) const { return HWY_MIN(tile.col + line * kWidth, cols_ - kWidth); }

private:
  // The width that makes all strips equal, rounded up to a multiple of kWidth.
  static HWY_INLINE int64_t EvenStrip(int64_t cols) {
    const int64_t strips = (cols + kStrip - 1) / kStrip;
    return ((cols + strips - 1) / strips + kWidth - 1) / kWidth * kWidth;
  }
  HWY_INLINE Tile At(int64_t row, int64_t col) const {
    return {row, col, HWY_MIN(kRun, rows_ - row), HWY_MIN(strip_, cols_ - col)};
  }

  const int64_t rows_, cols_, strip_;
};

} // namespace tpp::relayout

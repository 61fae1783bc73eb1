// How streamed transpositions divide their input: tiles of so many rows of a strip of columns.
#pragma once

#include "hwy/base.h"

#include <cstdint>

namespace tpp::relayout {

// Some rows and columns of the input.
struct Tile {
  int64_t row, col, rows, cols;
};

// Tiles of kRun rows of strips of up to kStrip columns, one strip after the other or, across, all strips of the same rows. Columns are turned
// kWidth at a time; the last ones overlap those before where they reached behind the input, which has kWidth at least.
template <int64_t kWidth, int64_t kRun, int64_t kStrip, bool kAcross> class Tiles {
  static_assert(kRun % kWidth == 0 && kStrip % kWidth == 0, "tiles are whole lines both ways");

public:
  HWY_INLINE Tiles(int64_t rows, int64_t cols) : rows_(rows), cols_(cols), strip_(EvenStrip(cols)) {}

  HWY_INLINE Tile First() const { return At(0, 0); }
  // No rows behind the last one.
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
  // As many columns as leave equal strips.
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

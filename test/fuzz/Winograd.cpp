// Error bounds of convolutions that the compiler may compute by Winograd's algorithm (Ops.h).
#include "Ops.h"

#include "lowering/analysis/Winograd.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

namespace {

using mlir::tpp::SmallMatrix;

// |matrix| * tile * |matrix|^T. The tile has as many rows and columns as the matrix has columns.
std::vector<double> transformMagnitudes(SmallMatrix matrix, const std::vector<double> &tile) {
  int64_t rows = matrix.rows, columns = matrix.columns;
  std::vector<double> half(rows * columns), result(rows * rows);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t k = 0; k < columns; ++k)
        half[i * columns + j] += std::fabs(matrix.at(i, k)) * tile[k * columns + j];
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < rows; ++j)
      for (int64_t k = 0; k < columns; ++k)
        result[i * rows + j] += half[i * columns + k] * std::fabs(matrix.at(j, k));
  return result;
}

// The largest errors of tiles of `tile` x `tile` outputs. Each of the results is a sum over the channels of transformed pixels times transformed filters,
// so the errors are bounded by the same sums of magnitudes, times the number of roundings that a term goes through.
class Bounds {
public:
  Bounds(const WinogradWindow &window, int64_t tile) : window(window), tile(tile), points((tile + 2) * (tile + 2)) {}

  void raise(std::vector<double> &errors) {
    transformFilters();
    for (int64_t n = 0; n < window.images; ++n)
      for (int64_t y = 0; y < window.height; y += tile)
        for (int64_t x = 0; x < window.width; x += tile)
          raiseTile(errors, n, y, x);
  }

private:
  void transformFilters() {
    SmallMatrix matrix = mlir::tpp::getWinogradFilterMatrix(tile);
    filters.reserve(window.features * window.channels);
    for (int64_t f = 0; f < window.features; ++f)
      for (int64_t c = 0; c < window.channels; ++c) {
        std::vector<double> taps;
        for (int64_t i = 0; i < 9; ++i)
          taps.push_back(std::fabs(window.filter(f, c, i / 3, i % 3)));
        filters.push_back(transformMagnitudes(matrix, taps));
      }
  }

  void raiseTile(std::vector<double> &errors, int64_t n, int64_t top, int64_t left) {
    int64_t size = tile + 2;
    std::vector<std::vector<double>> pixels;
    for (int64_t c = 0; c < window.channels; ++c) {
      std::vector<double> image;
      for (int64_t i = 0; i < points; ++i) {
        int64_t y = top + i / size, x = left + i % size;
        image.push_back(y < window.height + 2 && x < window.width + 2 ? std::fabs(window.pixel(n, c, y, x)) : 0);
      }
      pixels.push_back(transformMagnitudes(mlir::tpp::getWinogradInputMatrix(tile), image));
    }
    for (int64_t f = 0; f < window.features; ++f) {
      std::vector<double> products(points);
      for (int64_t c = 0; c < window.channels; ++c)
        for (int64_t i = 0; i < points; ++i)
          products[i] += pixels[c][i] * filters[f * window.channels + c][i];
      std::vector<double> sums = transformMagnitudes(mlir::tpp::getWinogradOutputMatrix(tile), products);
      for (int64_t i = 0; i < tile * tile; ++i) {
        int64_t y = top + i / tile, x = left + i % tile;
        if (y >= window.height || x >= window.width)
          continue;
        double &error = errors[window.result(n, f, y, x)];
        error = std::max(error, roundings() * unitRoundoff(Type::f32) * sums[i]);
      }
    }
  }

  // One for each channel, at most 5 for each transform of a row or column, and those of the matrices' elements.
  double roundings() const { return likely * static_cast<double>(window.channels + 6 * 5 + 2); }

  // Rounding errors are independent, and most are smaller than the largest one: sums of hundreds stay far below their bound. A wide bound would hide
  // defects, and end chains of convolutions (Generator::isUseful). In 220 programs, even the bound of the direct sums held.
  static constexpr double likely = 1.0 / 32;

  const WinogradWindow &window;
  int64_t tile, points;
  std::vector<std::vector<double>> filters; // of each feature and channel
};

} // namespace

void addWinogradErrors(const WinogradWindow &window, std::vector<double> &errors) {
  std::vector<double> largest(errors.size());
  for (int64_t tile : {2, 4})
    Bounds(window, tile).raise(largest);
  for (size_t i = 0; i < errors.size(); ++i)
    errors[i] += largest[i];
}

} // namespace tpp::fuzz

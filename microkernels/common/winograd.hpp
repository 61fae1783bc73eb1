// Winograd's algorithm F(t x t, 3 x 3), parts that winograd_input and winograd_output share: the matrices of its transforms (contract in
// tpp/types.h), the split of channels into chunks, and the cost of a kernel.
#pragma once
#include "microkernels/common/panel_walk.hpp"

namespace tpp {

// Whether the images of the transforms may have this type.
inline bool is_image_type(int32_t type) { return type == TPP_TYPE_f32 || type == TPP_TYPE_bf16; }

// Pixels of a tile per side, at most: t + 2.
enum { winograd_most_side = 6 };

// B^T in the first t + 2 rows and columns of `input`; A^T in the first t rows and t + 2 columns of `output`.
struct winograd_matrices {
  int input[winograd_most_side][winograd_most_side];
  int output[4][winograd_most_side];
};
inline const winograd_matrices &winograd_matrices_of(int32_t tile) {
  static constexpr winograd_matrices two = {{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
                                            {{1, 1, 1, 0}, {0, 1, -1, -1}}};
  static constexpr winograd_matrices four = {
      {{4, 0, -5, 0, 1, 0},
       {0, -4, -4, 1, 1, 0},
       {0, 4, -4, -1, 1, 0},
       {0, -2, -1, 2, 1, 0},
       {0, 2, -1, -2, 1, 0},
       {0, 4, 0, -5, 0, 1}},
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
  return tile == 2 ? two : four;
}

// out[rows x rows] = M * in[side x side] * M^T, in plain C++. Coefficients of 0 skip their elements.
template <int kRows>
void winograd_transform(const int (&matrix)[kRows][winograd_most_side], int rows, int side,
                        const double (&in)[winograd_most_side][winograd_most_side], double (&out)[kRows][kRows]) {
  double left[kRows][winograd_most_side] = {};
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < side; ++x)
      for (int k = 0; k < side; ++k)
        if (matrix[y][k] != 0)
          left[y][x] += matrix[y][k] * in[k][x];
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < rows; ++x) {
      out[y][x] = 0;
      for (int k = 0; k < side; ++k)
        if (matrix[x][k] != 0)
          out[y][x] += left[y][k] * matrix[x][k];
    }
}

// Native kernels process channels in chunks, each for all tiles. A chunk is contiguous in every operand, and has no more channels than the
// stand-ins for pixels outside of an image: zeros that are read in place of them, and memory that is written in place of them.
enum : int64_t { winograd_chunk = 256 };
alignas(64) inline constexpr float winograd_zeros[winograd_chunk] = {};

// The estimated nanoseconds of a native kernel, from its cycles per tile and vector.
inline double winograd_ns(int64_t tiles, int64_t channels, double segments, int64_t lanes, double of_vector) {
  constexpr double of_call = 30, of_tile = 10;
  const double of_segment = segments > 0 ? static_cast<double>(channels) / segments : 0;
  const double vectors = segments * static_cast<double>((static_cast<int64_t>(of_segment) + lanes - 1) / lanes);
  return (of_call + static_cast<double>(tiles) * (of_tile * segments + of_vector * vectors)) / current_machine().clock_ghz;
}

} // namespace tpp

// Block sizes of streamed transpositions (tpp_unary_desc::streaming). Shared by the kernels and by compilers, which split a large
// transposition into calls.
#ifndef TPP_TRANSPOSE_SIZES_HPP
#define TPP_TRANSPOSE_SIZES_HPP

#include <cstdint>

namespace tpp {

// Input rows of a block. Calls should have a multiple of it.
constexpr int64_t transpose_block_rows = 64;

// True if the input is read in place, not through a buffer: few lines of a block share an L1 set. Addresses a multiple of 4096 bytes apart
// do.
constexpr bool transpose_reads_in_place(int64_t in_step, int64_t element_bytes) {
  const int64_t power_of_two = in_step & -in_step, rows_apart = 256 / element_bytes;
  return power_of_two > 0 && power_of_two * rows_apart <= 4 * 4096;
}

// Maximum columns of the input that are transposed from the first row to the last before the next columns, if output rows are not
// cache-line aligned.
constexpr int64_t transpose_strip_columns(int64_t element_bytes) { return element_bytes > 4 ? 128 : 256; }

} // namespace tpp

#endif

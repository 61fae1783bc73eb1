// What streamed transpositions do at a time (tpp_unary_desc::streaming): the kernels, and compilers that divide a large one into calls, agree
// on it.
#ifndef TPP_TRANSPOSE_SIZES_HPP
#define TPP_TRANSPOSE_SIZES_HPP

#include <cstdint>

namespace tpp {

// Rows of the input, which are elements of each row of the output, that are turned at a time from where they lie: four lines of the output.
constexpr int64_t transpose_in_place_rows(int64_t element_bytes) { return 256 / element_bytes; }

// Whether rows of the input are turned from where they lie: as many of them share no set of the first-level cache more than a few times. Rows
// in_step bytes apart come back to the same set when they are a multiple of 4096 bytes apart.
constexpr bool transpose_reads_in_place(int64_t in_step, int64_t element_bytes) {
  const int64_t power_of_two = in_step & -in_step;
  return power_of_two > 0 && power_of_two * transpose_in_place_rows(element_bytes) <= 4 * 4096;
}

// The same of rows that are moved before they are turned: four lines of the output at least; of bytes three, of which two buffers of two lines of
// each row still fit the first-level cache. Calls had better have a multiple of it where rows of the output begin at lines.
constexpr int64_t transpose_run_rows(int64_t element_bytes) { return element_bytes > 1 ? 128 : 192; }

// Most bytes of each row of the input that are turned from the first row to the last, where rows of the output begin anywhere.
constexpr int64_t transpose_strip_bytes = 1024;

} // namespace tpp

#endif

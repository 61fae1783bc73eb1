// Block sizes of streamed transpositions (tpp_unary_desc::streaming). Shared by the kernels and by compilers, which split a large
// transposition into calls.
#ifndef TPP_TRANSPOSE_SIZES_HPP
#define TPP_TRANSPOSE_SIZES_HPP

#include <cstdint>

namespace tpp {

// Input rows that are transposed at a time if the input is read in place: as many elements of an output row, four cache lines of it.
constexpr int64_t transpose_in_place_rows(int64_t element_bytes) { return 256 / element_bytes; }

// True if the input is read in place, without a staging buffer: at most four of transpose_in_place_rows() rows, `in_step` bytes apart,
// start in the same L1 set. Addresses a multiple of 4096 bytes apart share an L1 set.
constexpr bool transpose_reads_in_place(int64_t in_step, int64_t element_bytes) {
  const int64_t power_of_two = in_step & -in_step;
  return power_of_two > 0 && power_of_two * transpose_in_place_rows(element_bytes) <= 4 * 4096;
}

// Input rows that are transposed at a time if they are copied to a staging buffer first: at least four lines of an output row, but three
// for bytes, so that two buffers of two lines of each input row still fit L1. Calls should have a multiple of it if output rows are
// cache-line aligned.
constexpr int64_t transpose_run_rows(int64_t element_bytes) { return element_bytes > 1 ? 128 : 192; }

// Maximum bytes of each input row in a strip, a range of columns that is transposed from the first row to the last. For outputs whose
// rows are not cache-line aligned.
constexpr int64_t transpose_strip_bytes = 1024;

} // namespace tpp

#endif

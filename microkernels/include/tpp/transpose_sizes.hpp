// What streamed transpositions do at a time (tpp_unary_desc::streaming): the kernels, and compilers that divide a large one into calls, agree
// on it.
#ifndef TPP_TRANSPOSE_SIZES_HPP
#define TPP_TRANSPOSE_SIZES_HPP

#include <cstdint>

namespace tpp {

// Rows of the input, which are elements of each row of the output, that are turned at a time: four lines of the output at least. Calls had
// better have a multiple of it.
constexpr int64_t transpose_run_rows(int64_t element_bytes) { return element_bytes > 2 ? 128 : 256 / element_bytes; }

// Most bytes of each row of the input that are turned from the first row to the last, where rows of the output begin anywhere.
constexpr int64_t transpose_strip_bytes = 1024;

} // namespace tpp

#endif

// The plan of a native grouped_conv, precomputed at dispatch: strides in bytes, how lanes read the input, and how the post-ops are applied.
#pragma once
#include "microkernels/common/pixel_post_ops.hpp"
#include "tpp/microkernels.hpp"

namespace tpp {

// What the lanes of a vector of outputs read from a pixel: the channel that they multiply with.
enum class lanes_read : int32_t {
  own,    // the channel of the lane: depthwise
  block,  // a channel within the lane's block of 16 bytes: groups of 2 or 4 channels
  table,  // any channel of a vector that begins with the first group: whole groups of few channels
  shared, // the same channel: all lanes belong to one group
};

struct grouped_conv_plan : pixel_post_ops {
  int64_t pixel, in_row;         // of the input: between pixels, and between rows of pixels
  int64_t column_pace, row_pace; // of the input: from one output to the next
  int64_t tap_column, tap_row;   // of the input: from one tap to the next
  int64_t filter_row;
  int64_t out_bytes; // of an element
  float most_offset; // of a requantization: sums of integers that start with a larger number may not be exact in f32
  lanes_read read;
  bool slides;        // outputs and columns of taps are one pixel apart
  bool slides_by_two; // a depthwise convolution, whose outputs are two pixels apart, and its three columns of taps one
};
static_assert(sizeof(grouped_conv_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

// The reject, cost and prepare functions of a native kernel for these types. `of_product`: cycles of a product of a vector; `conversions`: operations that
// convert a loaded vector to f32.
const char *native_grouped_conv_reject(const tpp_grouped_conv_desc &desc, int32_t in_type, int32_t filter_type);
double native_grouped_conv_ns(const tpp_grouped_conv_desc &desc, int64_t lanes, double of_product, int conversions);
void grouped_conv_prepare(microkernel *kernel, int64_t lanes, tpp_kernel_entry entry);

// From first to last - 1.
struct tap_range {
  int64_t first, last;
};

// The quotient, rounded up.
inline int64_t divide_up(int64_t dividend, int64_t divisor) {
  if (divisor == 1)
    return dividend;
  return dividend >= 0 ? (dividend + divisor - 1) / divisor : -(-dividend / divisor);
}
// The steps n of `step` from `start` on for which 0 <= start + n * step < extent.
inline tap_range steps_inside(int64_t start, int64_t step, int64_t extent) {
  return {divide_up(-start, step), divide_up(extent - start, step)};
}

} // namespace tpp

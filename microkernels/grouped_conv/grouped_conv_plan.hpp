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
  lanes_read read;
  bool slides; // outputs and columns of taps are one pixel apart
};
static_assert(sizeof(grouped_conv_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

inline grouped_conv_plan plan_grouped_conv(const tpp_grouped_conv_desc &desc, int64_t lanes) {
  grouped_conv_plan plan = {};
  plan_post_ops(desc, plan);
  plan.pixel = desc.in.ld * 4;
  plan.in_row = desc.in_row_stride * 4;
  plan.column_pace = desc.col_step * plan.pixel;
  plan.row_pace = desc.row_step * plan.in_row;
  plan.tap_column = desc.col_dilation * plan.pixel;
  plan.tap_row = desc.row_dilation * plan.in_row;
  plan.filter_row = desc.filter.ld * 4;
  plan.slides = desc.col_step == 1 && desc.col_dilation == 1 && desc.tap_cols >= 3;
  const int64_t inputs = desc.group_inputs, outputs = desc.group_outputs, groups = lanes / outputs;
  if (inputs == 1 && outputs == 1)
    plan.read = lanes_read::own;
  else if (inputs == outputs && (inputs == 2 || inputs == 4) && lanes % 4 == 0)
    plan.read = lanes_read::block;
  else if (groups >= 2 && groups * inputs <= lanes)
    plan.read = lanes_read::table;
  else
    plan.read = lanes_read::shared;
  return plan;
}

} // namespace tpp

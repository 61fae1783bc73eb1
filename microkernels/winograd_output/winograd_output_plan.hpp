// The plan of a native winograd_output, precomputed at dispatch: strides in bytes, and how the post-ops are applied.
#pragma once
#include "microkernels/common/pixel_post_ops.hpp"
#include "tpp/microkernels.hpp"

namespace tpp {

struct winograd_output_plan : pixel_post_ops {
  int64_t tile_step, point_step; // of the input
};
static_assert(sizeof(winograd_output_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

inline winograd_output_plan plan_winograd_output(const tpp_winograd_output_desc &desc) {
  winograd_output_plan plan = {};
  plan_post_ops(desc, desc.in.type, plan);
  plan.in_registers &= plan.bound < 0; // the kernel applies no bound in registers
  plan.tile_step = desc.in.ld * 4;
  plan.point_step = desc.in_point_stride * 4;
  return plan;
}

} // namespace tpp

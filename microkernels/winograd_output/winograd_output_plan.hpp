// The plan of a native winograd_output, precomputed at dispatch: strides in bytes, and how the post-ops are applied.
#pragma once
#include "microkernels/common/post_ops.hpp"
#include "tpp/microkernels.hpp"

namespace tpp {

struct winograd_output_plan {
  int64_t tile_step, point_step; // of the input
  int64_t column_step, row_step; // of the output: between pixels
  int32_t post_count;
  // The chains that follow most convolutions are applied in registers: a bias by channel, then a residual of f32, then relu; each of them may be
  // missing. Other chains run on a stack buffer (winograd_finish-inl.h); a bias that is their first step is added before.
  bool in_registers;
  bool relu;              // of the steps in registers
  int32_t bias, residual; // their steps; -1 if there is none
  post_step post[TPP_MAX_POST_OPS];
  int64_t post_row_steps[TPP_MAX_POST_OPS]; // between rows of pixels; post[s].row_stride is between pixels of a row
};
static_assert(sizeof(winograd_output_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

// One tile in one chunk of channels, or the part of it that a vector has.
struct winograd_output_call {
  const winograd_output_plan *plan;
  char *out;                          // of pixel (0, 0)
  int64_t rows, cols;                 // of pixels that exist
  const char *post[TPP_MAX_POST_OPS]; // operands of post-ops at pixel (0, 0)
};

inline winograd_output_plan plan_winograd_output(const tpp_winograd_output_desc &desc) {
  winograd_output_plan plan = {};
  plan.tile_step = desc.in.ld * 4;
  plan.point_step = desc.in_point_stride * 4;
  plan.column_step = desc.out.ld * 4;
  plan.row_step = desc.out_row_stride * 4;
  plan.post_count = desc.post_op_count;
  plan.bias = plan.residual = -1;
  int32_t taken = 0;
  for (int32_t s = 0; s < desc.post_op_count; ++s) {
    const tpp_post_op &op = desc.post_ops[s];
    plan.post[s] = make_post_step(op, /*of_integers=*/false);
    if (op.op_class == TPP_POST_OP_unary) {
      if (taken == s && op.kind == TPP_UNARY_relu && !plan.relu) {
        plan.relu = true;
        ++taken;
      }
      continue;
    }
    plan.post_row_steps[s] = desc.post_row_strides[s] * type_bytes(op.form.type);
    if (taken != s || plan.relu || plan.residual >= 0 || op.kind != TPP_BINARY_add || op.form.type != TPP_TYPE_f32)
      continue;
    if (op.broadcast == TPP_BROADCAST_none)
      plan.residual = s;
    else if (op.broadcast == TPP_BROADCAST_row && plan.post_row_steps[s] == 0 && plan.bias < 0)
      plan.bias = s;
    else
      continue;
    ++taken;
  }
  plan.in_registers = taken == desc.post_op_count;
  return plan;
}

} // namespace tpp

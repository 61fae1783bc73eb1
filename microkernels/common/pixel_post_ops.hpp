// How native kernels of images (winograd_output, grouped_conv) apply a chain of post-ops: precomputed at dispatch.
#pragma once
#include "microkernels/common/requantization.hpp"
#include "microkernels/common/typed_scalar.hpp"

#include <cstdint>

namespace tpp {

// The chains that follow most convolutions are applied in registers. To sums of f32: a bias by channel, then a residual of the output's type, then relu,
// then an upper bound (the minimum with one number, as of relu6); each of them may be missing. To sums of integers: a requantization. Other chains run
// on a stack buffer (finish_pixels-inl.h); a bias that is their first step is added before.
struct pixel_post_ops {
  int64_t column_step, row_step; // of the output: bytes between pixels
  int32_t type;                  // of the output
  int32_t post_count;
  bool in_registers;
  bool relu;                     // of the steps in registers
  int32_t bias, residual, bound; // their steps; -1 if there is none
  requantization requantized;
  post_step post[TPP_MAX_POST_OPS];
  int64_t post_row_steps[TPP_MAX_POST_OPS]; // between rows of pixels; post[s].row_stride is between pixels of a row
};

// A block of pixels in one vector or chunk of channels.
struct pixel_call {
  const pixel_post_ops *plan;
  char *out;                          // of pixel (0, 0)
  int64_t rows, cols;                 // of pixels that exist
  const char *post[TPP_MAX_POST_OPS]; // operands of post-ops at pixel (0, 0)
};

// Finds the steps in registers of sums of f32. Bias and bound have the type f32 or that of the factors.
template <class Desc> void plan_float_steps(const Desc &desc, int32_t factors, pixel_post_ops &plan) {
  int32_t taken = 0;
  for (int32_t s = 0; s < desc.post_op_count; ++s) {
    const tpp_post_op &op = desc.post_ops[s];
    const bool is_next = taken == s && plan.bound < 0;
    if (op.op_class == TPP_POST_OP_unary) {
      if (is_next && op.kind == TPP_UNARY_relu && !plan.relu) {
        plan.relu = true;
        ++taken;
      }
      continue;
    }
    if (!is_next)
      continue;
    const bool is_sum = op.kind == TPP_BINARY_add && !plan.relu && plan.residual < 0;
    const bool is_same = (op.form.type == TPP_TYPE_f32 || op.form.type == factors) && plan.post_row_steps[s] == 0; // for all rows
    if (is_sum && op.broadcast == TPP_BROADCAST_none && op.form.type == desc.out.type)
      plan.residual = s;
    else if (is_sum && is_same && op.broadcast == TPP_BROADCAST_row && plan.bias < 0)
      plan.bias = s;
    else if (op.kind == TPP_BINARY_min && is_same && op.broadcast == TPP_BROADCAST_scalar)
      plan.bound = s;
    else
      continue;
    ++taken;
  }
  plan.in_registers = taken == desc.post_op_count;
}

// Desc: a descriptor with out, out_row_stride, post_ops and post_row_strides. `factors`: the type whose products are summed.
template <class Desc> void plan_post_ops(const Desc &desc, int32_t factors, pixel_post_ops &plan) {
  plan.type = desc.out.type;
  plan.column_step = desc.out.ld * type_bytes(desc.out.type);
  plan.row_step = desc.out_row_stride * type_bytes(desc.out.type);
  plan.post_count = desc.post_op_count;
  plan.bias = plan.residual = plan.bound = -1;
  bool of_integers = !is_floating(factors), same_in_all_rows = true;
  for (int32_t s = 0; s < desc.post_op_count; ++s) {
    const tpp_post_op &op = desc.post_ops[s];
    plan.post[s] = make_post_step(op, of_integers);
    if (op.op_class == TPP_POST_OP_binary)
      plan.post_row_steps[s] = desc.post_row_strides[s] * type_bytes(op.form.type);
    else if (op.kind == TPP_UNARY_convert)
      of_integers = false;
    same_in_all_rows &= plan.post_row_steps[s] == 0;
  }
  if (is_floating(factors))
    return plan_float_steps(desc, factors, plan);
  if (same_in_all_rows && type_bytes(desc.out.type) == 1)
    plan.requantized = find_requantization(plan.post, 0, plan.post_count);
  plan.in_registers = plan.requantized.scale >= 0;
}

} // namespace tpp

// Post-ops on one element, in plain C++: what the references of brgemm, winograd_output and grouped_conv compute, and which steps they take.
#pragma once
#include "microkernels/common/matrix.hpp"
#include "microkernels/common/typed_scalar.hpp"

namespace tpp {

// Null if a step can be applied, else the reason why not. `floating`: the step computes in f32. `sums`: the type of the sums, f32 or i32.
inline const char *post_op_reject_reason(const tpp_post_op &op, bool floating, int32_t sums) {
  if (op.op_class == TPP_POST_OP_unary) {
    if (!is_unary_kind(op.kind) || !is_post_op(static_cast<tpp_unary_kind>(op.kind)))
      return "a unary post-op must be an activation";
    if (op.kind == TPP_UNARY_convert)
      return floating ? "convert is a post-op of i32 sums, once" : nullptr;
    const bool of_integers = op.kind == TPP_UNARY_identity || op.kind == TPP_UNARY_relu;
    return floating || of_integers ? nullptr : "an integer brgemm takes only identity and relu as unary post-ops";
  }
  if (op.kind == TPP_BINARY_div && !floating)
    return "integer division is not supported";
  const int32_t type = op.form.type;
  const bool is_float = type == TPP_TYPE_f32 || type == TPP_TYPE_bf16 || type == TPP_TYPE_f16;
  const bool is_integer = type == TPP_TYPE_i32 || type == TPP_TYPE_i8 || type == TPP_TYPE_u8;
  if (floating ? !is_float && !(sums == TPP_TYPE_i32 && is_integer) : type != TPP_TYPE_i32)
    return "a post-op's operand must be f32, bf16 or f16 (floating point) or i32 (integers)";
  return op.form.vnni > 1 ? "a post-op's operand cannot be VNNI-blocked" : nullptr;
}

// A step in f32, at (row, col) of the result. `operand` points to the operand of a binary step.
inline float apply_post_op(const tpp_post_op &op, const void *operand, int64_t row, int64_t col, float value) {
  if (op.op_class == TPP_POST_OP_unary)
    return scalar_unary(op.kind, value);
  const double other = load_double(op.form.type, operand, broadcast_offset(op.form, op.broadcast, row, col));
  return scalar_binary(op.kind, value, static_cast<float>(other));
}

// The post-ops of an image, whose descriptors have post_row_strides. Null if all can be applied to sums of f32, else the reason why not.
template <typename Desc> const char *image_post_ops_reject_reason(const Desc &desc) {
  for (int step = 0; step < desc.post_op_count; ++step)
    if (const char *reason = post_op_reject_reason(desc.post_ops[step], /*floating=*/true, TPP_TYPE_f32))
      return reason;
  return nullptr;
}

// All steps, for the sum at (row, col, channel) of the image.
template <typename Desc>
float apply_image_post_ops(const Desc &desc, const tpp_args &args, int64_t row, int64_t col, int64_t channel, float value) {
  for (int step = 0; step < desc.post_op_count; ++step) {
    const tpp_post_op &op = desc.post_ops[step];
    const auto *operand = static_cast<const char *>(args.post[step]);
    if (op.op_class == TPP_POST_OP_binary)
      operand += row * desc.post_row_strides[step] * type_bytes(op.form.type);
    value = apply_post_op(op, operand, col, channel, value);
  }
  return value;
}

} // namespace tpp

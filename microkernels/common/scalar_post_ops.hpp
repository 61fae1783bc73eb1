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
    return floating || of_integers ? nullptr : "sums of integers take only identity and relu as unary post-ops";
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

// The types of results, by those of the factors: floating-point sums are f32, and those of 8-bit integers i32.
inline bool is_byte(int32_t type) { return type == TPP_TYPE_i8 || type == TPP_TYPE_u8; }
inline bool is_small_float(int32_t type) { return type == TPP_TYPE_bf16 || type == TPP_TYPE_f16; }
inline bool is_float(int32_t type) { return type == TPP_TYPE_f32 || is_small_float(type); }

// A result has the type of the sums, or that of floating-point factors; if a step converts sums of integers, f32, bf16, f16, i8 or u8.
inline bool is_result_type(int32_t factors, int32_t result, bool converts) {
  if (is_float(factors))
    return result == TPP_TYPE_f32 || (is_small_float(factors) && result == factors);
  return converts ? is_float(result) || is_byte(result) : result == TPP_TYPE_i32;
}

// The index of the step that converts sums of i32 to f32; the number of steps if there is none.
template <typename Desc> int find_convert(const Desc &desc) {
  int step = 0;
  while (step < desc.post_op_count &&
         !(desc.post_ops[step].op_class == TPP_POST_OP_unary && desc.post_ops[step].kind == TPP_UNARY_convert))
    ++step;
  return step;
}

// Null if all post-ops can be applied to the sums of floating-point factors, or of integers; else the reason why not.
template <typename Desc> const char *post_ops_reject_reason(const Desc &desc, bool floating) {
  const int convert = find_convert(desc);
  for (int step = 0; step < desc.post_op_count; ++step)
    if (const char *reason =
            post_op_reject_reason(desc.post_ops[step], floating || step > convert, floating ? TPP_TYPE_f32 : TPP_TYPE_i32))
      return reason;
  return nullptr;
}

// A step in f32, at (row, col) of the result. `operand` points to the operand of a binary step.
inline float apply_post_op(const tpp_post_op &op, const void *operand, int64_t row, int64_t col, float value) {
  if (op.op_class == TPP_POST_OP_unary)
    return scalar_unary(op.kind, value);
  const double other = load_double(op.form.type, operand, broadcast_offset(op.form, op.broadcast, row, col));
  return scalar_binary(op.kind, value, static_cast<float>(other));
}

// A step in i32.
inline int32_t apply_integer_post_op(const tpp_post_op &op, const void *operand, int64_t row, int64_t col, int32_t value) {
  if (op.op_class == TPP_POST_OP_unary)
    return scalar_unary(op.kind, value);
  int32_t other;
  std::memcpy(&other, static_cast<const char *>(operand) + broadcast_offset(op.form, op.broadcast, row, col) * 4, sizeof(other));
  return scalar_binary(op.kind, value, other);
}

// The operand of a step at a row of pixels of an image, whose descriptor has post_row_strides.
template <typename Desc> const void *image_operand(const Desc &desc, const tpp_args &args, int step, int64_t row) {
  const tpp_post_op &op = desc.post_ops[step];
  if (op.op_class == TPP_POST_OP_unary)
    return nullptr;
  return static_cast<const char *>(args.post[step]) + row * desc.post_row_strides[step] * type_bytes(op.form.type);
}

// The steps from `first` on in f32, for the value at (row, col, channel) of the image.
template <typename Desc>
float apply_image_post_ops(const Desc &desc, const tpp_args &args, int64_t row, int64_t col, int64_t channel, float value,
                           int first = 0) {
  for (int step = first; step < desc.post_op_count; ++step)
    value = apply_post_op(desc.post_ops[step], image_operand(desc, args, step, row), col, channel, value);
  return value;
}
// The steps before `end` in i32.
template <typename Desc>
int32_t apply_integer_image_post_ops(const Desc &desc, const tpp_args &args, int64_t row, int64_t col, int64_t channel,
                                     int32_t value, int end) {
  for (int step = 0; step < end; ++step)
    value = apply_integer_post_op(desc.post_ops[step], image_operand(desc, args, step, row), col, channel, value);
  return value;
}

} // namespace tpp

// grouped_conv: out = post(sum over taps and input channels of a group of in * filter). Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "descriptor_parts.h"

#include <algorithm>
#include <stddef.h>
#include <string.h>

namespace tpp {
namespace {

// One dimension of the window of a block: its pixels from the first tap of the first output to the last tap of the last one.
struct window {
  const char *name; // "rows"
  int64_t outputs, step, taps, dilation;
};
window rows_of(const tpp_grouped_conv_desc &desc) {
  return {"rows", desc.height, desc.row_step, desc.tap_rows, desc.row_dilation};
}
window cols_of(const tpp_grouped_conv_desc &desc) {
  return {"columns", desc.width, desc.col_step, desc.tap_cols, desc.col_dilation};
}

// Returns false if the size does not fit in 63 bits.
bool compute_size(const window &of, int64_t *size) {
  int64_t outputs, taps;
  return !__builtin_mul_overflow(std::max<int64_t>(of.outputs, 1) - 1, of.step, &outputs) &&
         !__builtin_mul_overflow(of.taps - 1, of.dilation, &taps) && !__builtin_add_overflow(outputs, taps, size) &&
         !__builtin_add_overflow(*size, 1, size);
}

tpp_status check_window(const window &of, int64_t *size) {
  return compute_size(of, size) ? TPP_STATUS_OK
                                : fail(TPP_STATUS_OVERFLOW, "the %s of the window do not fit in 63 bits", of.name);
}

int64_t in_channels_of(const tpp_grouped_conv_desc &desc) { return desc.channels / desc.group_outputs * desc.group_inputs; }
int64_t filter_rows_of(const tpp_grouped_conv_desc &desc) { return desc.tap_rows * desc.tap_cols * desc.group_inputs; }

bool has_border(const tpp_grouped_conv_desc &desc) { return desc.struct_size > offsetof(tpp_grouped_conv_desc, border); }

// Checks the value of pixels outside of the input, whose type is known.
tpp_status check_border(const tpp_grouped_conv_desc &desc) {
  if (!has_border(desc))
    return TPP_STATUS_OK;
  const bool of_bytes = desc.in.type == TPP_TYPE_i8 || desc.in.type == TPP_TYPE_u8;
  if (!of_bytes && desc.border != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "border is %d, must be 0 unless the input is of 8-bit integers", desc.border);
  const int32_t low = desc.in.type == TPP_TYPE_i8 ? INT8_MIN : 0, high = desc.in.type == TPP_TYPE_i8 ? INT8_MAX : UINT8_MAX;
  if (of_bytes && (desc.border < low || desc.border > high))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "border is %d, must be %d to %d for an input of %s", desc.border, low, high,
                type_name(desc.in.type));
  if (desc.reserved != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "reserved is %d, must be 0", desc.reserved);
  return TPP_STATUS_OK;
}

// Checks all sizes but those of the window.
tpp_status check_sizes(const tpp_grouped_conv_desc &desc) {
  TPP_RETURN_IF_FAILED(check_size("height", desc.height));
  TPP_RETURN_IF_FAILED(check_size("width", desc.width));
  TPP_RETURN_IF_FAILED(check_size("channels", desc.channels));
  TPP_RETURN_IF_FAILED(check_size("in_height", desc.in_height));
  TPP_RETURN_IF_FAILED(check_size("in_width", desc.in_width));
  TPP_RETURN_IF_FAILED(check_positive("group_inputs", desc.group_inputs));
  TPP_RETURN_IF_FAILED(check_positive("group_outputs", desc.group_outputs));
  TPP_RETURN_IF_FAILED(check_positive("tap_rows", desc.tap_rows));
  TPP_RETURN_IF_FAILED(check_positive("tap_cols", desc.tap_cols));
  TPP_RETURN_IF_FAILED(check_positive("row_step", desc.row_step));
  TPP_RETURN_IF_FAILED(check_positive("col_step", desc.col_step));
  TPP_RETURN_IF_FAILED(check_positive("row_dilation", desc.row_dilation));
  TPP_RETURN_IF_FAILED(check_positive("col_dilation", desc.col_dilation));
  if (desc.channels % desc.group_outputs != 0)
    return fail(TPP_STATUS_INVALID_SIZE, "channels is %" PRId64 ", must be a multiple of group_outputs, which is %" PRId64,
                desc.channels, desc.group_outputs);
  int64_t product;
  if (__builtin_mul_overflow(desc.channels / desc.group_outputs, desc.group_inputs, &product))
    return fail(TPP_STATUS_OVERFLOW, "the channels of the input do not fit in 63 bits");
  if (__builtin_mul_overflow(desc.tap_rows, desc.tap_cols, &product) ||
      __builtin_mul_overflow(product, desc.group_inputs, &product))
    return fail(TPP_STATUS_OVERFLOW, "the rows of the filter do not fit in 63 bits");
  return check_provider(desc.provider);
}

// Checks the input, and that kernels may compute the offset of every pixel of the window, with the strides that it has in canonical form.
tpp_status check_input(const tpp_grouped_conv_desc &desc, int64_t rows, int64_t cols) {
  const int64_t channels = in_channels_of(desc);
  int64_t bytes = 0;
  const operand in = {"in", desc.in_width, channels, role::input};
  TPP_RETURN_IF_FAILED(check_matrix(desc.in, in, &bytes));
  TPP_RETURN_IF_FAILED(check_stack(desc.in, in, bytes, {"in_row_stride", "rows of pixels", desc.in_row_stride, desc.in_height}));
  tpp_matrix form = desc.in;
  int64_t row_stride = desc.in_row_stride;
  canonicalize_matrix(form, desc.in_width, channels);
  canonicalize_stride(row_stride, desc.in_height, desc.in_width, channels);
  const operand all = {"the window of in", std::max(desc.in_width, cols), channels, role::input};
  TPP_RETURN_IF_FAILED(check_matrix(form, all, &bytes));
  return check_stack(form, all, bytes,
                     {"in_row_stride in the window", "rows of pixels", row_stride, std::max(desc.in_height, rows)});
}

} // namespace

tpp_status validate(const tpp_grouped_conv_desc &desc) {
  TPP_RETURN_IF_FAILED(check_sizes(desc));
  int64_t rows = 0, cols = 0;
  TPP_RETURN_IF_FAILED(check_window(rows_of(desc), &rows));
  TPP_RETURN_IF_FAILED(check_window(cols_of(desc), &cols));
  TPP_RETURN_IF_FAILED(check_range("top", desc.top, rows));
  TPP_RETURN_IF_FAILED(check_range("left", desc.left, cols));
  TPP_RETURN_IF_FAILED(check_input(desc, rows, cols));
  TPP_RETURN_IF_FAILED(check_border(desc));
  TPP_RETURN_IF_FAILED(check_matrix(desc.filter, {"filter", filter_rows_of(desc), desc.channels, role::input}));
  int64_t bytes = 0;
  const operand out = {"out", desc.width, desc.channels, role::output};
  TPP_RETURN_IF_FAILED(check_matrix(desc.out, out, &bytes));
  TPP_RETURN_IF_FAILED(check_stack(desc.out, out, bytes, {"out_row_stride", "rows of pixels", desc.out_row_stride, desc.height}));
  return check_image_post_ops(image_post_ops_of(desc), desc.height, desc.width, desc.channels);
}

void canonicalize(const tpp_grouped_conv_desc &desc, tpp_grouped_conv_desc &key) {
  memcpy(&key, &desc, key_bytes(desc)); // an old caller's descriptor ends before the border, which `key` has as 0
  key.struct_size = sizeof(key);
  if (desc.height == 0 || desc.width == 0 || desc.channels == 0) { // nothing is read or written
    key.height = key.width = key.channels = key.in_height = key.in_width = 0;
    key.group_inputs = key.group_outputs = key.tap_rows = key.tap_cols = 1;
  }
  // Steps and dilations that multiply only 0.
  if (key.height <= 1)
    key.row_step = 1;
  if (key.width <= 1)
    key.col_step = 1;
  if (key.tap_rows == 1)
    key.row_dilation = 1;
  if (key.tap_cols == 1)
    key.col_dilation = 1;
  // Pixels after the window are not read. Without any pixel, the place of the window does not matter.
  int64_t rows = 0, cols = 0;
  if (compute_size(rows_of(key), &rows) && compute_size(cols_of(key), &cols)) {
    key.in_height = std::min(key.in_height, rows - key.top);
    key.in_width = std::min(key.in_width, cols - key.left);
  }
  if (key.in_height <= 0 || key.in_width <= 0)
    key.in_height = key.in_width = key.top = key.left = 0;
  // Without a pixel outside of the input, their value does not matter.
  if (key.channels == 0 || (key.in_height == rows && key.in_width == cols))
    key.border = 0;
  canonicalize_matrix(key.in, key.in_width, in_channels_of(key));
  canonicalize_matrix(key.filter, filter_rows_of(key), key.channels);
  canonicalize_matrix(key.out, key.width, key.channels);
  canonicalize_stride(key.in_row_stride, key.in_height, key.in_width, in_channels_of(key));
  canonicalize_stride(key.out_row_stride, key.height, key.width, key.channels);
  canonicalize_image_post_ops(key.post_ops, key.post_row_strides, desc.post_op_count, key.height, key.width, key.channels);
}

void describe(const tpp_grouped_conv_desc &desc, text &out) {
  out.append("grouped_conv %" PRId64 "x%" PRId64 " to %" PRId64 "x%" PRId64 "x%" PRId64, desc.tap_rows, desc.tap_cols,
             desc.height, desc.width, desc.channels);
  if (desc.group_inputs != 1 || desc.group_outputs != 1)
    out.append(" groups of %" PRId64 "x%" PRId64, desc.group_inputs, desc.group_outputs);
  if (desc.row_step != 1 || desc.col_step != 1)
    out.append(" steps %" PRId64 "x%" PRId64, desc.row_step, desc.col_step);
  if (desc.row_dilation != 1 || desc.col_dilation != 1)
    out.append(" dilations %" PRId64 "x%" PRId64, desc.row_dilation, desc.col_dilation);
  out.append(" of %" PRId64 "x%" PRId64, desc.in_height, desc.in_width);
  if (desc.top != 0 || desc.left != 0)
    out.append(" after %" PRId64 "x%" PRId64, desc.top, desc.left);
  if (desc.border != 0)
    out.append(" border %d", desc.border);
  out.append(" ");
  describe_matrix(desc.in, out);
  out.append(" every %" PRId64 ", ", desc.in_row_stride);
  describe_matrix(desc.filter, out);
  out.append(" -> ");
  describe_matrix(desc.out, out);
  out.append(" every %" PRId64, desc.out_row_stride);
  describe_image_post_ops(image_post_ops_of(desc), out);
  describe_provider(desc.provider, out);
}

} // namespace tpp

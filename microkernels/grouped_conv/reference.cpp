// grouped_conv in plain C++: every size, layout and post-op. It defines what the kernels compute (contract in grouped_conv.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/scalar_post_ops.hpp"
#include "microkernels/grouped_conv/grouped_conv.hpp"

namespace tpp {
namespace {

// The sum of products of one output, in `Sum` (double or int64_t). Those of pixels outside of the image, if these are 0, are left out. The types of the
// image and the filter are compiled in because most of a reference's time is spent here.
template <class Sum, tpp_type In, tpp_type Filter>
Sum convolve(const tpp_grouped_conv_desc &desc, const tpp_args &args, int64_t i, int64_t j, int64_t channel) {
  const int64_t first_input = channel / desc.group_outputs * desc.group_inputs;
  Sum sum = 0;
  for (int64_t y = 0; y < desc.tap_rows; ++y) {
    const int64_t row = i * desc.row_step + y * desc.row_dilation - desc.top;
    for (int64_t x = 0; x < desc.tap_cols; ++x) {
      const int64_t col = j * desc.col_step + x * desc.col_dilation - desc.left;
      const bool inside = row >= 0 && row < desc.in_height && col >= 0 && col < desc.in_width;
      if (!inside && desc.border == 0)
        continue;
      for (int64_t c = 0; c < desc.group_inputs; ++c) {
        const double pixel =
            inside ? load_double(In, args.a, row * desc.in_row_stride + element_offset(desc.in, col, first_input + c))
                   : desc.border;
        const int64_t tap = (y * desc.tap_cols + x) * desc.group_inputs + c;
        sum += static_cast<Sum>(pixel) * static_cast<Sum>(load_double(Filter, args.b, element_offset(desc.filter, tap, channel)));
      }
    }
  }
  return sum;
}

// One output whose sum is f32.
float float_output(const tpp_grouped_conv_desc &desc, const tpp_args &args, int64_t i, int64_t j, int64_t channel) {
  const double sum = desc.in.type == TPP_TYPE_f32 ? convolve<double, TPP_TYPE_f32, TPP_TYPE_f32>(desc, args, i, j, channel)
                                                  : convolve<double, TPP_TYPE_bf16, TPP_TYPE_bf16>(desc, args, i, j, channel);
  return apply_image_post_ops(desc, args, i, j, channel, static_cast<float>(sum));
}
// One output whose sum is i32, up to the step that converts it.
int32_t integer_output(const tpp_grouped_conv_desc &desc, const tpp_args &args, int64_t i, int64_t j, int64_t channel) {
  const int64_t sum = desc.in.type == TPP_TYPE_i8 ? convolve<int64_t, TPP_TYPE_i8, TPP_TYPE_i8>(desc, args, i, j, channel)
                                                  : convolve<int64_t, TPP_TYPE_u8, TPP_TYPE_i8>(desc, args, i, j, channel);
  const auto wrapped = static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(sum)));
  return apply_integer_image_post_ops(desc, args, i, j, channel, wrapped, find_convert(desc));
}

void compute_output(const tpp_grouped_conv_desc &desc, const tpp_args &args, int64_t i, int64_t j, int64_t channel) {
  const int64_t at = i * desc.out_row_stride + element_offset(desc.out, j, channel);
  if (is_float(desc.in.type))
    return store_double(desc.out.type, args.c, at, static_cast<double>(float_output(desc, args, i, j, channel)));
  const int32_t value = integer_output(desc, args, i, j, channel);
  if (desc.out.type == TPP_TYPE_i32)
    return store_wrapped(TPP_TYPE_i32, args.c, at, value);
  const float converted = apply_image_post_ops(desc, args, i, j, channel, static_cast<float>(value), find_convert(desc) + 1);
  store_double(desc.out.type, args.c, at, static_cast<double>(converted));
}

} // namespace

const char *grouped_conv_reject_reason(const tpp_grouped_conv_desc &desc) {
  const int32_t in = desc.in.type;
  const bool floating = in == TPP_TYPE_f32 || in == TPP_TYPE_bf16;
  const bool converts = find_convert(desc) < desc.post_op_count;
  if (!(floating || is_byte(in)) || desc.filter.type != (floating ? in : TPP_TYPE_i8) ||
      !is_result_type(in, desc.out.type, converts))
    return "grouped_conv takes f32 and f32 to f32, bf16 and bf16 to f32 or bf16, and i8 or u8 and i8 to i32 (after convert to "
           "f32, bf16, "
           "f16, i8 or u8)";
  if (desc.in.vnni > 1 || desc.filter.vnni > 1 || desc.out.vnni > 1)
    return "grouped_conv takes no VNNI-blocked operand";
  return post_ops_reject_reason(desc, floating);
}

void grouped_conv_reference(const tpp_grouped_conv_desc &desc, const tpp_args &args) {
  for (int64_t i = 0; i < desc.height; ++i)
    for (int64_t j = 0; j < desc.width; ++j)
      for (int64_t channel = 0; channel < desc.channels; ++channel)
        compute_output(desc, args, i, j, channel);
}

TPP_UK_FUNCTIONS(
    tpp_uk_grouped_conv_reference, tpp_grouped_conv_desc, grouped_conv_reject_reason(desc),
    reference_ns(static_cast<double>(desc.height) * static_cast<double>(desc.width) * static_cast<double>(desc.channels) *
                 (static_cast<double>(desc.tap_rows) * static_cast<double>(desc.tap_cols) *
                      static_cast<double>(desc.group_inputs) +
                  desc.post_op_count)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      grouped_conv_reference(reinterpret_cast<const microkernel *>(self)->desc.grouped_conv, *args);
    })

} // namespace tpp

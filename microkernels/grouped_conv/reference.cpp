// grouped_conv in plain C++: every size, layout and post-op. It defines what the kernels compute (contract in grouped_conv.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/scalar_post_ops.hpp"
#include "microkernels/grouped_conv/grouped_conv.hpp"

namespace tpp {
namespace {

// The sum of products of one output. Those of pixels outside of the image are left out.
double convolve(const tpp_grouped_conv_desc &desc, const float *in, const float *filter, int64_t i, int64_t j, int64_t channel) {
  const int64_t first_input = channel / desc.group_outputs * desc.group_inputs;
  double sum = 0;
  for (int64_t y = 0; y < desc.tap_rows; ++y) {
    const int64_t row = i * desc.row_step + y * desc.row_dilation - desc.top;
    if (row < 0 || row >= desc.in_height)
      continue;
    for (int64_t x = 0; x < desc.tap_cols; ++x) {
      const int64_t col = j * desc.col_step + x * desc.col_dilation - desc.left;
      if (col < 0 || col >= desc.in_width)
        continue;
      for (int64_t c = 0; c < desc.group_inputs; ++c) {
        const double pixel = static_cast<double>(in[row * desc.in_row_stride + element_offset(desc.in, col, first_input + c)]);
        const int64_t tap = (y * desc.tap_cols + x) * desc.group_inputs + c;
        sum += pixel * static_cast<double>(filter[element_offset(desc.filter, tap, channel)]);
      }
    }
  }
  return sum;
}

} // namespace

const char *grouped_conv_reject_reason(const tpp_grouped_conv_desc &desc) {
  if (!are_f32({desc.in.type, desc.filter.type, desc.out.type}))
    return "grouped_conv takes f32 and f32 to f32";
  if (desc.in.vnni > 1 || desc.filter.vnni > 1 || desc.out.vnni > 1)
    return "grouped_conv takes no VNNI-blocked operand";
  return image_post_ops_reject_reason(desc);
}

void grouped_conv_reference(const tpp_grouped_conv_desc &desc, const tpp_args &args) {
  const auto *in = static_cast<const float *>(args.a), *filter = static_cast<const float *>(args.b);
  auto *out = static_cast<float *>(args.c);
  for (int64_t i = 0; i < desc.height; ++i)
    for (int64_t j = 0; j < desc.width; ++j)
      for (int64_t channel = 0; channel < desc.channels; ++channel) {
        const auto sum = static_cast<float>(convolve(desc, in, filter, i, j, channel));
        out[i * desc.out_row_stride + element_offset(desc.out, j, channel)] =
            apply_image_post_ops(desc, args, i, j, channel, sum);
      }
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

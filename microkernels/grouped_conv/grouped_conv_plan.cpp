// What the native grouped_conv kernels of all types and targets share: plan, reject and cost.
#include "microkernels/grouped_conv/grouped_conv_plan.hpp"
#include "microkernels/grouped_conv/grouped_conv.hpp"
#include "tpp/grouped_conv_limits.h"
#include "tpp/machine.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace tpp {
namespace {

int64_t products_of(const tpp_grouped_conv_desc &desc) { return desc.tap_rows * desc.tap_cols * desc.group_inputs; }

grouped_conv_plan plan_grouped_conv(const tpp_grouped_conv_desc &desc, int64_t lanes) {
  const int64_t in_bytes = type_bytes(desc.in.type);
  grouped_conv_plan plan = {};
  plan_post_ops(desc, desc.in.type, plan);
  plan.pixel = desc.in.ld * in_bytes;
  plan.in_row = desc.in_row_stride * in_bytes;
  plan.column_pace = desc.col_step * plan.pixel;
  plan.row_pace = desc.row_step * plan.in_row;
  plan.tap_column = desc.col_dilation * plan.pixel;
  plan.tap_row = desc.row_dilation * plan.in_row;
  plan.filter_row = desc.filter.ld * type_bytes(desc.filter.type);
  plan.out_bytes = type_bytes(desc.out.type);
  plan.slides = desc.col_step == 1 && desc.col_dilation == 1 && desc.tap_cols >= 3;
  if (!is_floating(desc.in.type))
    plan.most_offset = static_cast<float>(TPP_GROUPED_CONV_EXACT -
                                          products_of(desc) * tpp_grouped_conv_largest_product(desc.in.type == TPP_TYPE_u8));
  const int64_t inputs = desc.group_inputs, outputs = desc.group_outputs, groups = lanes / outputs;
  if (inputs == 1 && outputs == 1)
    plan.read = lanes_read::own;
  else if (inputs == outputs && (inputs == 2 || inputs == 4) && lanes % 4 == 0)
    plan.read = lanes_read::block;
  else if (groups >= 2 && groups * inputs <= lanes)
    plan.read = lanes_read::table;
  else
    plan.read = lanes_read::shared;
  plan.slides_by_two = plan.read == lanes_read::own && desc.col_step == 2 && desc.col_dilation == 1 && desc.tap_cols == 3;
  return plan;
}

} // namespace

const char *native_grouped_conv_reject(const tpp_grouped_conv_desc &desc, int32_t in_type, int32_t filter_type) {
  if (const char *reason = grouped_conv_reject_reason(desc))
    return reason;
  if (desc.in.type != in_type || desc.filter.type != filter_type)
    return "the kernel is for other types";
  const int64_t inputs = desc.channels / desc.group_outputs * desc.group_inputs;
  if (columns_in_panel(desc.in, 0, inputs) < inputs || columns_in_panel(desc.out, 0, desc.channels) < desc.channels)
    return "the kernel takes panels of the filter only";
  if (columns_in_panel(desc.filter, 0, desc.channels) < desc.channels && desc.filter.panel % desc.group_outputs != 0)
    return "the kernel takes panels of whole groups";
  if (desc.tap_cols > TPP_GROUPED_CONV_TAP_COLUMNS)
    return "the kernel takes at most 128 columns of taps";
  if (!is_floating(in_type) && products_of(desc) > tpp_grouped_conv_exact_products(in_type == TPP_TYPE_u8))
    return "the kernel takes filters of 8-bit integers whose sums are at most 2^24";
  return nullptr;
}

double native_grouped_conv_ns(const tpp_grouped_conv_desc &desc, int64_t lanes, double of_product, int conversions) {
  const grouped_conv_plan plan = plan_grouped_conv(desc, lanes);
  const int64_t groups = plan.read == lanes_read::own ? lanes : std::max<int64_t>(1, lanes / desc.group_outputs);
  const int64_t width = plan.read == lanes_read::shared ? desc.group_outputs : groups * desc.group_outputs;
  const double vectors = static_cast<double>((desc.channels + width - 1) / width) *
                         static_cast<double>((plan.read == lanes_read::shared ? (width + lanes - 1) / lanes : 1));
  constexpr double of_call = 100, of_strip = 15, pixels = 10;
  // A product converts a pixel, or a part of one, and the part of an output in a weight of the strip.
  const double pixels_of_product = plan.slides ? 1.0 / 3 : plan.slides_by_two ? 2.0 / 3 : 1;
  const double converted = 1 + conversions * (pixels_of_product + 1 / pixels);
  const double of_output = static_cast<double>(products_of(desc)) * of_product * static_cast<double>(lanes) * converted;
  // A load, an operation and a store for each output that is finished in memory.
  const double of_post_ops = 2 + (plan.in_registers ? 0.5 : 3) * desc.post_op_count;
  const double strips = std::ceil(static_cast<double>(desc.width) / pixels);
  return (of_call + static_cast<double>(desc.height) * vectors *
                        (strips * of_strip + static_cast<double>(desc.width) * (of_output + of_post_ops))) /
         current_machine().clock_ghz;
}

void grouped_conv_prepare(microkernel *kernel, int64_t lanes, tpp_kernel_entry entry) {
  new (kernel->state) grouped_conv_plan(plan_grouped_conv(kernel->desc.grouped_conv, lanes));
  kernel->head.entry = entry;
}

} // namespace tpp

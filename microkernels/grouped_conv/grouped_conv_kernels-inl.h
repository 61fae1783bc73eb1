// The native grouped_conv kernels, for the target being compiled. Contract in grouped_conv.hpp.
//
// Strips cover the width evenly: a short one would wait for its sums. A strip is computed for several rows, so that L1 holds the rows of the input that
// the next row reads again, and in the vectors of a few cache lines, because selecting and starting its function takes as long as some of its outputs.
#if defined(TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_KERNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_KERNELS_INL_H
#undef TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_KERNELS_INL_H
#else
#define TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_KERNELS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/grouped_conv/grouped_conv_strip-inl.h"
#include "tpp/grouped_conv_limits.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int kIn, int kFilter> struct GroupedConv : GroupedConvStrip<kIn, kFilter> {
  using Base = GroupedConvStrip<kIn, kFilter>;
  using Base::kEdge;
  using Base::kFewest;
  using Base::kIntegers;
  using Base::kLanes;
  using Base::kOnlyFew;
  using typename Base::D;
  using typename Base::Filter;
  using typename Base::form;
  using typename Base::In;
  using typename Base::requantizer;
  using typename Base::strip;
  using typename Base::V;
  using typename Base::vector_channels;
  // Rows that are computed for one vector after the other, and most vectors for which they are computed by one call of a strip's function.
  static constexpr int64_t kRows = 8;
  static constexpr int kVectors = 8;

  using StripFunction = void (*)(const strip &);
  template <lanes_read kRead, form kForm, int kCount = kFewest> static StripFunction ExactStrip(int64_t count) {
    if constexpr (kCount < Base::template kMost<kRead>)
      if (count > kCount)
        return ExactStrip<kRead, kForm, kCount + 1>(count);
    return Base::template Strip<kRead, whole_vectors_of, kCount, kForm>;
  }
  template <lanes_read kRead> static StripFunction StripOf(const strip &at, bool whole, bool exact) {
    constexpr int kFew = 4, kMany = Base::template kMost<kRead>;
    if (!whole)
      return at.count <= kFew ? Base::template Strip<kRead, parts_of_vectors_of, kFew, form::any>
                              : Base::template Strip<kRead, parts_of_vectors_of, kMany, form::any>;
    if (!exact)
      return at.count <= kFew ? Base::template Strip<kRead, whole_vectors_of, kFew, form::any>
                              : Base::template Strip<kRead, whole_vectors_of, kMany, form::any>;
    if constexpr (kOnlyFew)
      return nullptr; // no strip is exact
    else if (kRead == lanes_read::own && at.plan->slides && at.desc->tap_cols == 3)
      return ExactStrip<lanes_read::own, form::three>(at.count);
    else if (kRead == lanes_read::own && at.plan->slides_by_two)
      return ExactStrip<lanes_read::own, form::three_by_two>(at.count);
    else
      return ExactStrip<kRead, form::whole>(at.count);
  }
  static StripFunction StripOf(const strip &at, bool whole, bool exact) {
    switch (at.plan->read) {
    case lanes_read::own:
      return StripOf<lanes_read::own>(at, whole, exact);
    case lanes_read::block:
      return StripOf<lanes_read::block>(at, whole, exact);
    case lanes_read::table:
      return StripOf<lanes_read::table>(at, whole, exact);
    case lanes_read::shared:
      break;
    }
    return StripOf<lanes_read::shared>(at, whole, exact);
  }
  // Whether a strip is long enough for a function of its own, and only its edges read outside of the image.
  static bool IsExact(const strip &at) {
    if (kOnlyFew || at.count < kFewest)
      return false;
    if (at.plan->slides_by_two)
      return at.pixels.first <= kEdge && at.pixels.last >= 2 * at.count + 1 - kEdge;
    for (int64_t x = 0; x < at.desc->tap_cols;) {
      const bool slides = at.plan->slides && x + 3 <= at.desc->tap_cols;
      if (at.taps[x].first - at.column > kEdge || at.taps[x].last - at.column < at.count + (slides ? 2 : 0) - kEdge)
        return false;
      x += slides ? 3 : 1;
    }
    return true;
  }

  // The number of output channels of the vector that begins with output channel `channel`.
  static int64_t OutputsAt(const tpp_grouped_conv_desc &desc, const grouped_conv_plan &plan, int64_t channel) {
    int64_t outputs = std::min<int64_t>(kLanes, columns_in_panel(desc.filter, channel, desc.channels));
    for (int32_t s = 0; s < desc.post_op_count; ++s)
      if (varies_by_column(desc.post_ops[s]))
        outputs = std::min(outputs, columns_in_panel(desc.post_ops[s].form, channel, desc.channels));
    const int64_t of_group = desc.group_outputs;
    if (plan.read == lanes_read::shared || outputs < of_group || channel % of_group != 0) // within one group
      return std::min(outputs, of_group - channel % of_group);
    return outputs - outputs % of_group;
  }
  // Sets the channels of that vector.
  static void SetChannels(const tpp_args &args, const tpp_grouped_conv_desc &desc, const grouped_conv_plan &plan, int64_t channel,
                          vector_channels &to) {
    constexpr int64_t in_bytes = sizeof(In), filter_bytes = sizeof(Filter);
    to.first = channel;
    to.outputs = OutputsAt(desc, plan, channel);
    to.inputs = std::max<int64_t>(1, to.outputs / desc.group_outputs) * desc.group_inputs;
    to.in = static_cast<const char *>(args.a) + channel / desc.group_outputs * desc.group_inputs * in_bytes -
            desc.top * plan.in_row - desc.left * plan.pixel;
    to.filter = static_cast<const char *>(args.b) + column_offset(desc.filter, channel) * filter_bytes;
    to.out = static_cast<char *>(args.c) + channel * plan.out_bytes;
    for (int32_t s = 0; s < plan.post_count; ++s) {
      if (plan.post[s].mode == post_mode::unary)
        continue;
      to.post[s] = static_cast<const char *>(args.post[s]);
      if (plan.post[s].mode == post_mode::elements)
        to.post[s] += column_offset(desc.post_ops[s].form, channel) * type_bytes(plan.post[s].type);
    }
    to.bias = plan.bias >= 0 ? to.post[plan.bias] : nullptr;
    to.residual = plan.residual >= 0 ? to.post[plan.residual] : nullptr;
    if (kIntegers && plan.in_registers)
      LoadRequantizer(args, desc, plan, to);
  }

  static void Run(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const grouped_conv_plan *>(kernel.state);
    const tpp_grouped_conv_desc &desc = kernel.desc.grouped_conv;
    if (desc.height == 0 || desc.width == 0)
      return;
    // Pixels that no output needs are not read.
    const int64_t needed = (desc.width - 1) * desc.col_step + (desc.tap_cols - 1) * desc.col_dilation + 1 - desc.left;
    const int64_t in_width = std::max<int64_t>(0, std::min(desc.in_width, needed));
    tap_range taps[TPP_GROUPED_CONV_TAP_COLUMNS], tap_rows[kRows];
    for (int64_t x = 0; x < desc.tap_cols; ++x)
      taps[x] = steps_inside(x * desc.col_dilation - desc.left, desc.col_step, in_width);
    strip at = {};
    at.desc = &desc;
    at.plan = &plan;
    at.taps = taps;
    at.tap_rows = tap_rows;
    at.in_registers = plan.in_registers;
    at.border = static_cast<float>(desc.border);
    if (plan.bound >= 0) {
      at.bound = load_float(plan.post[plan.bound].type, args->post[plan.bound], 0);
      at.in_registers &= at.bound < 0 || at.bound > 0; // bounds of 0 and NaN: only the code in memory has their rules
    }
    const int64_t most = plan.read == lanes_read::own || plan.read == lanes_read::shared
                             ? Base::template kMost<lanes_read::own>
                             : Base::template kMost<lanes_read::block>;
    const int64_t strips = (desc.width + most - 1) / most;
    constexpr int64_t channels_of_lines = 4 * TPP_LINE_BYTES / sizeof(In);
    vector_channels vectors[kVectors];
    for (int64_t channel = 0; channel < desc.channels;) {
      int count = 0;
      for (const int64_t first = channel; count < kVectors && channel < std::min(desc.channels, first + channels_of_lines);
           ++count) {
        SetChannels(*args, desc, plan, channel, vectors[count]);
        channel += vectors[count].outputs;
      }
      for (int64_t s = 0; s < strips; ++s) {
        at.column = desc.width * s / strips;
        at.count = desc.width * (s + 1) / strips - at.column;
        at.pixels.first = desc.left - at.column * desc.col_step;
        at.pixels.last = at.pixels.first + in_width;
        const bool exact = IsExact(at);
        for (at.row = 0; at.row < desc.height; at.row += at.rows) {
          at.rows = std::min(kRows, desc.height - at.row);
          for (int64_t row = 0; row < at.rows; ++row) {
            tap_range range = steps_inside((at.row + row) * desc.row_step - desc.top, desc.row_dilation, desc.in_height);
            tap_rows[row] = {std::max<int64_t>(range.first, 0), std::min(range.last, desc.tap_rows)};
          }
          for (at.vectors = vectors; at.vectors != vectors + count; at.vectors = at.vectors_end)
            RunStrip(vectors + count, exact, at);
        }
      }
    }
  }

  // The operands of the requantization for a vector of channels.
  static HWY_NOINLINE void LoadRequantizer(const tpp_args &args, const tpp_grouped_conv_desc &desc, const grouped_conv_plan &plan,
                                           vector_channels &channels) {
    const D d;
    requantizer &to = channels.quantize;
    const requantization &chain = plan.requantized;
    const auto operand = [&](int32_t s) HWY_ATTR {
      const post_step &step = plan.post[s];
      const char *from = static_cast<const char *>(args.post[s]);
      if (step.mode == post_mode::spread)
        return spread_operand(d, step, from);
      return load_operand(d, step, from + column_offset(desc.post_ops[s].form, channels.first) * type_bytes(step.type),
                          static_cast<int>(channels.outputs));
    };
    V offset = hn::Zero(d);
    if (chain.offset >= 0) {
      offset = convert_integers(d, operand(chain.offset));
      if (plan.post[chain.offset].kind == TPP_BINARY_sub)
        offset = hn::Neg(offset);
    }
    to.is_exact = hn::AllTrue(d, hn::Le(hn::Abs(offset), hn::Set(d, plan.most_offset)));
    hn::Store(offset, d, to.offset);
    hn::Store(operand(chain.scale), d, to.scale);
    hn::Store(chain.bias >= 0 ? operand(chain.bias) : hn::Set(d, -0.0f), d, to.bias); // -0 changes no number that it is added to
    if (chain.zero_point >= 0)
      hn::Store(operand(chain.zero_point), d, to.zero_point);
  }

  // Whether all lanes of a vector are in use.
  static bool IsWhole(const grouped_conv_plan &plan, const vector_channels &channels) {
    return channels.outputs == kLanes && (plan.read == lanes_read::shared || channels.inputs == kLanes);
  }
  // Computes a strip in the vectors from at.vectors to `end` that are alike, and sets at.vectors_end.
  static void RunStrip(const vector_channels *end, bool exact, strip &at) {
    const grouped_conv_plan &plan = *at.plan;
    at.in = at.row * plan.row_pace + at.column * plan.column_pace;
    at.out = at.row * plan.row_step + at.column * plan.column_step;
    if (plan.residual >= 0)
      at.residual = at.row * plan.post_row_steps[plan.residual] + at.column * plan.post[plan.residual].row_stride;
    const bool whole = IsWhole(plan, *at.vectors);
    at.vectors_end = at.vectors + 1;
    while (at.vectors_end != end && IsWhole(plan, *at.vectors_end) == whole)
      ++at.vectors_end;
    StripOf(at, whole, exact)(at);
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

// The native grouped_conv kernels of kernels.def, compiled once per target. Contract in grouped_conv.hpp.
//
// A strip of neighbouring outputs of one row, in one vector of output channels, is accumulated in registers over all taps. If outputs and taps are one
// pixel apart, a loaded pixel serves three neighbouring taps. Strips cover the width evenly: a short one would wait for its sums. A strip is computed
// for several rows, so that L1 holds the rows of the input that the next row reads again, and in the vectors of one cache line.
//
// What a lane multiplies with depends on the groups: see lanes_read.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/grouped_conv/f32.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/finish_pixels-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/common/vector_access-inl.h"
#include "microkernels/grouped_conv/grouped_conv.hpp"
#include "microkernels/grouped_conv/grouped_conv_plan.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>

#ifndef TPP_MICROKERNELS_GROUPED_CONV_F32_ONCE
#define TPP_MICROKERNELS_GROUPED_CONV_F32_ONCE
namespace tpp {
namespace {
constexpr int64_t most_tap_cols = 128;

const char *native_grouped_conv_reject(const tpp_grouped_conv_desc &desc) {
  if (const char *reason = grouped_conv_reject_reason(desc))
    return reason;
  if (desc.in.type != TPP_TYPE_f32)
    return "the kernel is for other types";
  const int64_t inputs = desc.channels / desc.group_outputs * desc.group_inputs;
  if (columns_in_panel(desc.in, 0, inputs) < inputs || columns_in_panel(desc.out, 0, desc.channels) < desc.channels)
    return "the kernel takes panels of the filter only";
  if (columns_in_panel(desc.filter, 0, desc.channels) < desc.channels && desc.filter.panel % desc.group_outputs != 0)
    return "the kernel takes panels of whole groups";
  return desc.tap_cols <= most_tap_cols ? nullptr : "the kernel takes at most 128 columns of taps";
}
double native_grouped_conv_ns(const tpp_grouped_conv_desc &desc, int64_t lanes, double of_product) {
  const grouped_conv_plan plan = plan_grouped_conv(desc, lanes);
  const int64_t groups = plan.read == lanes_read::own ? lanes : std::max<int64_t>(1, lanes / desc.group_outputs);
  const int64_t width = plan.read == lanes_read::shared ? desc.group_outputs : groups * desc.group_outputs;
  const double vectors = static_cast<double>((desc.channels + width - 1) / width) *
                         static_cast<double>((plan.read == lanes_read::shared ? (width + lanes - 1) / lanes : 1));
  const double products = static_cast<double>(desc.tap_rows * desc.tap_cols) * static_cast<double>(desc.group_inputs);
  // A load, an operation and a store for each output that is finished in memory.
  const double of_pixel = 2 + (plan.in_registers ? 0.5 : 3) * desc.post_op_count;
  constexpr double of_call = 100, of_strip = 15, pixels = 10;
  const double strips = std::ceil(static_cast<double>(desc.width) / pixels);
  return (of_call + static_cast<double>(desc.height) * vectors *
                        (strips * of_strip +
                         static_cast<double>(desc.width) * (products * of_product * static_cast<double>(lanes) + of_pixel))) /
         current_machine().clock_ghz;
}

void grouped_conv_prepare(microkernel *kernel, int64_t lanes, tpp_kernel_entry entry) {
  new (kernel->state) grouped_conv_plan(plan_grouped_conv(kernel->desc.grouped_conv, lanes));
  kernel->head.entry = entry;
}

// From first to last - 1.
struct tap_range {
  int64_t first, last;
};

// The quotient, rounded up.
inline int64_t divide_up(int64_t dividend, int64_t divisor) {
  if (divisor == 1)
    return dividend;
  return dividend >= 0 ? (dividend + divisor - 1) / divisor : -(-dividend / divisor);
}
// The steps n of `step` from `start` on for which 0 <= start + n * step < extent.
inline tap_range steps_inside(int64_t start, int64_t step, int64_t extent) {
  return {divide_up(-start, step), divide_up(extent - start, step)};
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

struct GroupedConv {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  // Most outputs of a strip: accumulators, three filters and a pixel fill the registers, of which AVX-512 and NEON have 32.
  static constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
  // The portable kernel has functions for few outputs only: its vectors are arrays, which need much code.
  static constexpr bool kPortable = HWY_TARGET == HWY_STATIC_TARGET;
  template <lanes_read kRead>
  static constexpr int kMost = kPortable                                                 ? 4
                               : kManyRegisters                                          ? 14
                               : kRead == lanes_read::own || kRead == lanes_read::shared ? 12
                                                                                         : 10;
  // Fewest outputs of a strip that has functions of its own, and the pixels at its ends that may be outside of the image.
  static constexpr int kFewest = 5, kEdge = 2;
  // Rows that are computed for one vector after the other.
  static constexpr int64_t kRows = 8;

  // A strip in one vector of output channels.
  struct strip {
    const tpp_grouped_conv_desc *desc;
    const grouped_conv_plan *plan;
    const tap_range *taps;     // of each column of taps: the outputs at which it reads the image
    const tap_range *tap_rows; // of each row of outputs: the rows of taps that read the image
    // At the first output, and in the first channel:
    const char *in; // the pixel that the first tap reads, which may be outside of the image
    const char *filter, *bias, *residual;
    char *out;
    float bound;
    bool in_registers;
    int64_t column, count; // outputs of the strip
    int64_t row, rows;
    int64_t inputs, outputs;            // channels of the vector
    const char *post[TPP_MAX_POST_OPS]; // of row 0
  };

  template <lanes_read kRead, class Access> class Reader {
    using I = std::conditional_t<kRead == lanes_read::block, hn::Repartition<uint8_t, D>, hn::RebindToSigned<D>>;

  public:
    HWY_INLINE explicit Reader(const strip &at) : access_(static_cast<size_t>(at.inputs)) {
      if constexpr (kRead == lanes_read::block || kRead == lanes_read::table) {
        using T = hn::TFromD<I>;
        constexpr int kEntries = 4 / sizeof(T); // of each lane
        HWY_ALIGN T first[kLanes * kEntries];
        for (int i = 0; i < kLanes * kEntries; ++i) {
          const int64_t lane = i / kEntries < at.outputs ? i / kEntries : 0;
          const int64_t channel = lane / at.desc->group_outputs * at.desc->group_inputs;
          first[i] = static_cast<T>(kRead == lanes_read::block ? channel * 4 % 16 + i % kEntries : channel);
        }
        first_ = hn::Load(I(), first);
      }
      set_channel(0);
    }
    // From now on, lanes read channel `channel` of their group.
    HWY_INLINE void set_channel(int64_t channel) {
      if constexpr (kRead == lanes_read::shared)
        offset_ = channel * 4;
      else if constexpr (kRead == lanes_read::block)
        channel_ = hn::Add(first_, hn::Set(I(), static_cast<uint8_t>(channel * 4)));
      else if constexpr (kRead == lanes_read::table)
        channel_ = hn::Add(first_, hn::Set(I(), static_cast<int32_t>(channel)));
    }
    HWY_INLINE V load(const char *pixel) const {
      if constexpr (kRead == lanes_read::shared)
        return hn::Set(D(), *reinterpret_cast<const float *>(pixel + offset_));
      else if constexpr (kRead == lanes_read::block)
        return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(I(), access_.load(pixel)), channel_));
      else if constexpr (kRead == lanes_read::table)
        return hn::TableLookupLanes(access_.load(pixel), hn::IndicesFromVec(D(), channel_));
      else
        return access_.load(pixel);
    }

  private:
    Access access_;
    int64_t offset_ = 0;
    hn::Vec<I> first_, channel_;
  };

  // Whether position `i` of `count` may be outside of the image. In most strips, only a few pixels at the ends can be: those of an edge.
  template <bool kExact> static constexpr bool MayBeOutside(int i, int count, int edge) {
    return !kExact || i < edge || i >= count - edge;
  }

  // Adds the products of three neighbouring columns of taps, in one row of taps and one channel, to the sums. `pixel`: of the first tap and output.
  // Of the strip's pixels, those from `first` to `last` - 1 are read.
  template <bool kExact, int kCount, class Reader>
  static HWY_INLINE void AddThreeTaps(const Reader &reader, const char *pixel, int64_t step, int64_t three_steps, int64_t first,
                                      int64_t last, V w0, V w1, V w2, V (&sums)[kCount]) {
    unrolled<kCount + 2>(TPP_LAMBDA(q) {
      if (!MayBeOutside<kExact>(q, kCount + 2, kEdge) || (q >= first && q < last)) {
        const V value = reader.load(pixel + (q % 4 == 3 ? three_steps : q % 4 * step));
        if constexpr (q < kCount)
          sums[q] = hn::MulAdd(value, w0, sums[q]);
        if constexpr (q >= 1 && q <= kCount)
          sums[q - 1] = hn::MulAdd(value, w1, sums[q - 1]);
        if constexpr (q >= 2)
          sums[q - 2] = hn::MulAdd(value, w2, sums[q - 2]);
      }
      if constexpr (q % 4 == 3)
        pixel = opaque(pixel + 4 * step);
      if constexpr (q >= 2)
        keep_order(sums[q - 2]);
    });
  }
  // The same for one column of taps.
  template <bool kExact, int kCount, class Reader>
  static HWY_INLINE void AddTap(const Reader &reader, const char *pixel, int64_t step, int64_t three_steps, int64_t first,
                                int64_t last, V w, V (&sums)[kCount]) {
    unrolled<kCount>(TPP_LAMBDA(p) {
      if (!MayBeOutside<kExact>(p, kCount, kEdge) || (p >= first && p < last))
        sums[p] = hn::MulAdd(reader.load(pixel + (p % 4 == 3 ? three_steps : p % 4 * step)), w, sums[p]);
      if constexpr (p % 4 == 3)
        pixel = opaque(pixel + 4 * step);
      keep_order(sums[p]);
    });
  }

  // Applies the post-ops after a bias, and stores the outputs of one row after the other.
  struct outputs_of_strip {
    // Copies, which stay in registers or on the stack, as in Strip.
    char *out;
    const char *residual;
    int64_t row_step, step, residual_row, residual_step;
    V bound;
    bool in_registers, relu, bounded;

    HWY_INLINE explicit outputs_of_strip(const strip &at)
        : out(at.out), residual(at.residual), row_step(at.plan->row_step), step(at.plan->column_step), residual_row(0),
          residual_step(0), bound(hn::Set(D(), at.bound)), in_registers(at.in_registers), relu(at.plan->relu),
          bounded(at.plan->bound >= 0) {
      if (residual != nullptr) {
        residual_row = at.plan->post_row_steps[at.plan->residual];
        residual_step = at.plan->post[at.plan->residual].row_stride;
      }
    }

    template <bool kExact, class Access, int kCount>
    HWY_INLINE void store(const strip &at, int64_t row, const Access &outputs, V (&sums)[kCount]) {
      const D d;
      if (!in_registers) {
        HWY_ALIGN float values[kCount * kLanes];
        unrolled<kCount>(TPP_LAMBDA(p) { hn::Store(sums[p], d, values + p * kLanes); });
        return FinishInMemory(at, row, kCount, values);
      }
      const int64_t count = at.count;
      if (residual != nullptr) {
        const char *other = residual;
        unrolled<kCount>(TPP_LAMBDA(p) {
          if (kExact || p < count)
            sums[p] = hn::Add(sums[p], outputs.load(other));
          other = opaque(other + residual_step);
        });
        residual += residual_row;
      }
      if (relu)
        unrolled<kCount>(TPP_LAMBDA(p) { sums[p] = Relu(d, sums[p]); });
      if (bounded)
        unrolled<kCount>(TPP_LAMBDA(p) { sums[p] = hn::IfThenElse(hn::Gt(sums[p], bound), bound, sums[p]); });
      char *to = out;
      const int64_t three_steps = 3 * step;
      unrolled<kCount>(TPP_LAMBDA(p) {
        if (kExact || p < count)
          outputs.store(sums[p], to + (p % 4 == 3 ? three_steps : p % 4 * step));
        if constexpr (p % 4 == 3)
          to = opaque(to + 4 * step);
      });
      out += row_step;
    }
  };
  // `values`: a vector for each of `stride` outputs.
  static HWY_NOINLINE void FinishInMemory(const strip &at, int64_t row, int64_t stride, float *values) {
    const grouped_conv_plan &plan = *at.plan;
    pixel_call call;
    call.plan = &plan;
    call.out = at.out + row * plan.row_step;
    call.rows = 1;
    call.cols = at.count;
    for (int32_t s = 0; s < plan.post_count; ++s)
      if (plan.post[s].mode != post_mode::unary)
        call.post[s] = at.post[s] + (at.row + row) * plan.post_row_steps[s] + at.column * plan.post[s].row_stride;
    finish_pixels<D>{call, values, stride, 0, static_cast<int>(at.outputs)}.run();
  }

  // How a strip is computed. whole: kCount outputs, of which only an edge may read outside of the image. three: the same for three neighbouring
  // columns of taps and one channel, which takes no loops over them. any: at most kCount outputs, which may read outside anywhere.
  enum class form { whole, three, any };

  template <lanes_read kRead, class Access, int kCount, form kForm> static HWY_NOINLINE void Strip(const strip &at) {
    constexpr bool kExact = kForm != form::any;
    const D d;
    // Copies, which stay in registers: a store of an output might change what a pointer points to.
    const grouped_conv_plan &plan = *at.plan;
    const int64_t tap_cols = at.desc->tap_cols, count = at.count, pixel_step = plan.pixel, column_pace = plan.column_pace;
    const int64_t tap_column = plan.tap_column, tap_row = plan.tap_row, row_pace = plan.row_pace;
    const int64_t channels = kRead == lanes_read::own ? 1 : at.desc->group_inputs;
    const int64_t filter_row = plan.filter_row, filter_column = channels * filter_row, filter_rows = tap_cols * filter_column;
    const tap_range *const taps = at.taps;
    const int64_t first_output = at.column, slides = plan.slides ? tap_cols - 2 : 0;
    const Access outputs(static_cast<size_t>(at.outputs));
    Reader<kRead, Access> reader(at);
    const V bias = at.bias != nullptr ? outputs.load(at.bias) : hn::Zero(d);
    const char *in = at.in;
    const tap_range *rows_of_taps = at.tap_rows;
    outputs_of_strip finish(at);
    // Of a single run of three columns of taps.
    const tap_range only = {taps[0].first - first_output, taps[0].last - first_output};
    const int64_t three_pixels = 3 * pixel_step;
    for (int64_t row = 0; row < at.rows; ++row, in += row_pace) {
      const tap_range rows = rows_of_taps[row];
      V sums[kCount];
      unrolled<kCount>(TPP_LAMBDA(p) { sums[p] = bias; });
      const char *pixels = in + rows.first * tap_row, *filters = at.filter + rows.first * filter_rows;
      // Three columns of taps, whose first pixels exist for the outputs of `range`.
      const auto add_three_taps = [&](tap_range range) HWY_ATTR __attribute__((always_inline)) {
        const int64_t first = range.first, end = kExact ? range.last : std::min(range.last, count + 2);
        const char *pixel = pixels, *filter_of_row = filters;
        for (int64_t y = rows.first; y < rows.last; ++y, pixel += tap_row, filter_of_row += filter_rows) {
          const char *filter = filter_of_row;
          for (int64_t c = 0; c < channels; ++c, filter += filter_row) {
            reader.set_channel(c);
            AddThreeTaps<kExact>(reader, pixel, pixel_step, three_pixels, first, end, outputs.load(filter),
                                 outputs.load(filter + filter_column), outputs.load(filter + 2 * filter_column), sums);
          }
        }
      };
      if constexpr (kForm == form::three) {
        add_three_taps(only);
      } else {
        int64_t x = 0;
        for (; x < slides; x += 3, pixels += 3 * pixel_step, filters += 3 * filter_column)
          add_three_taps({taps[x].first - first_output, taps[x].last - first_output});
        for (; x < tap_cols; ++x, pixels += tap_column, filters += filter_column) {
          const int64_t first = taps[x].first - first_output, last = taps[x].last - first_output;
          const int64_t end = kExact ? last : std::min(last, count), three_steps = 3 * column_pace;
          const char *pixel = pixels, *filter_of_row = filters;
          for (int64_t y = rows.first; y < rows.last; ++y, pixel += tap_row, filter_of_row += filter_rows) {
            const char *filter = filter_of_row;
            for (int64_t c = 0; c < channels; ++c, filter += filter_row) {
              reader.set_channel(c);
              AddTap<kExact>(reader, pixel, column_pace, three_steps, first, end, outputs.load(filter), sums);
            }
          }
        }
      }
      finish.template store<kExact>(at, row, outputs, sums);
    }
  }

  using StripFunction = void (*)(const strip &);
  template <lanes_read kRead, form kForm, int kCount = kFewest> static StripFunction ExactStrip(int64_t count) {
    if constexpr (kCount < kMost<kRead>)
      if (count > kCount)
        return ExactStrip<kRead, kForm, kCount + 1>(count);
    return Strip<kRead, whole_vectors, kCount, kForm>;
  }
  template <lanes_read kRead> static StripFunction StripOf(const strip &at, bool whole, bool exact) {
    constexpr int kFew = 4, kMany = kMost<kRead>;
    if (!whole)
      return at.count <= kFew ? Strip<kRead, parts_of_vectors, kFew, form::any>
                              : Strip<kRead, parts_of_vectors, kMany, form::any>;
    if (!exact)
      return at.count <= kFew ? Strip<kRead, whole_vectors, kFew, form::any> : Strip<kRead, whole_vectors, kMany, form::any>;
    if constexpr (kPortable)
      return nullptr; // no strip is exact
    else if (kRead == lanes_read::own && at.plan->slides && at.desc->tap_cols == 3)
      return ExactStrip<lanes_read::own, form::three>(at.count);
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
  // Whether only edges of a strip read outside of the image.
  static bool IsExact(const strip &at) {
    if (kPortable || at.count < kFewest)
      return false;
    for (int64_t x = 0; x < at.desc->tap_cols;) {
      const bool slides = at.plan->slides && x + 3 <= at.desc->tap_cols;
      if (at.taps[x].first - at.column > kEdge || at.taps[x].last - at.column < at.count + (slides ? 2 : 0) - kEdge)
        return false;
      x += slides ? 3 : 1;
    }
    return true;
  }

  // The channels of the vector that begins with output channel `channel`.
  struct vector_channels {
    int64_t first, inputs, outputs;
  };
  static vector_channels ChannelsAt(const tpp_grouped_conv_desc &desc, const grouped_conv_plan &plan, int64_t channel) {
    int64_t outputs = std::min<int64_t>(kLanes, columns_in_panel(desc.filter, channel, desc.channels));
    for (int32_t s = 0; s < desc.post_op_count; ++s)
      if (varies_by_column(desc.post_ops[s]))
        outputs = std::min(outputs, columns_in_panel(desc.post_ops[s].form, channel, desc.channels));
    const int64_t of_group = desc.group_outputs;
    if (plan.read == lanes_read::shared || outputs < of_group || channel % of_group != 0) // within one group
      outputs = std::min(outputs, of_group - channel % of_group);
    else
      outputs -= outputs % of_group;
    return {channel, std::max<int64_t>(1, outputs / of_group) * desc.group_inputs, outputs};
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
    tap_range taps[most_tap_cols], tap_rows[kRows];
    for (int64_t x = 0; x < desc.tap_cols; ++x)
      taps[x] = steps_inside(x * desc.col_dilation - desc.left, desc.col_step, in_width);
    strip at = {};
    at.desc = &desc;
    at.plan = &plan;
    at.taps = taps;
    at.tap_rows = tap_rows;
    at.in_registers = plan.in_registers;
    if (plan.bound >= 0) {
      at.bound = *static_cast<const float *>(args->post[plan.bound]);
      at.in_registers &= at.bound < 0 || at.bound > 0; // the order of zeros and NaN are rules of their own
    }
    const int64_t most =
        plan.read == lanes_read::own || plan.read == lanes_read::shared ? kMost<lanes_read::own> : kMost<lanes_read::block>;
    const int64_t strips = (desc.width + most - 1) / most;
    constexpr int64_t line = 16;
    for (int64_t channel = 0; channel < desc.channels;) {
      // The vectors of about one cache line.
      vector_channels vectors[4];
      int count = 0;
      for (const int64_t first = channel; count < 4 && channel < desc.channels && channel < first + line; ++count) {
        vectors[count] = ChannelsAt(desc, plan, channel);
        channel += vectors[count].outputs;
      }
      for (int64_t s = 0; s < strips; ++s) {
        at.column = desc.width * s / strips;
        at.count = desc.width * (s + 1) / strips - at.column;
        const bool exact = IsExact(at);
        for (at.row = 0; at.row < desc.height; at.row += at.rows) {
          at.rows = std::min(kRows, desc.height - at.row);
          for (int64_t row = 0; row < at.rows; ++row) {
            tap_range range = steps_inside((at.row + row) * desc.row_step - desc.top, desc.row_dilation, desc.in_height);
            tap_rows[row] = {std::max<int64_t>(range.first, 0), std::min(range.last, desc.tap_rows)};
          }
          for (int v = 0; v < count; ++v)
            RunStrip(*args, vectors[v], exact, at);
        }
      }
    }
  }

  static void RunStrip(const tpp_args &args, vector_channels channels, bool exact, strip &at) {
    const tpp_grouped_conv_desc &desc = *at.desc;
    const grouped_conv_plan &plan = *at.plan;
    at.inputs = channels.inputs;
    at.outputs = channels.outputs;
    at.in = static_cast<const char *>(args.a) + channels.first / desc.group_outputs * desc.group_inputs * 4 +
            at.row * plan.row_pace - desc.top * plan.in_row + at.column * plan.column_pace - desc.left * plan.pixel;
    at.filter = static_cast<const char *>(args.b) + column_offset(desc.filter, channels.first) * 4;
    at.out = static_cast<char *>(args.c) + channels.first * 4 + at.row * plan.row_step + at.column * plan.column_step;
    for (int32_t s = 0; s < plan.post_count; ++s) {
      if (plan.post[s].mode == post_mode::unary)
        continue;
      at.post[s] = static_cast<const char *>(args.post[s]);
      if (plan.post[s].mode == post_mode::elements)
        at.post[s] += column_offset(desc.post_ops[s].form, channels.first) * type_bytes(plan.post[s].type);
    }
    at.bias = plan.bias >= 0 ? at.post[plan.bias] : nullptr;
    at.residual = plan.residual < 0 ? nullptr
                                    : at.post[plan.residual] + at.row * plan.post_row_steps[plan.residual] +
                                          at.column * plan.post[plan.residual].row_stride;
    const bool whole = at.outputs == kLanes && (plan.read == lanes_read::shared || at.inputs == kLanes);
    StripOf(at, whole, exact)(at);
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_GROUPED_CONV_DEFINE(name, cycles, ...)                                                                            \
  TPP_UK_FUNCTIONS(name, tpp_grouped_conv_desc, native_grouped_conv_reject(desc),                                                \
                   native_grouped_conv_ns(desc, HWY_NAMESPACE::GroupedConv::kLanes, cycles),                                     \
                   grouped_conv_prepare(kernel, HWY_NAMESPACE::GroupedConv::kLanes, HWY_NAMESPACE::GroupedConv::Run))
#define TPP_UK_GROUPED_CONV_HERE_f32(...) __VA_ARGS__
#define TPP_UK_GROUPED_CONV_HERE_bf16(...)
#define TPP_UK_GROUPED_CONV_HERE_u8i8i32(...)
#define TPP_UK_GROUPED_CONV_HERE_i8i8i32(...)
#define TPP_UK_GROUPED_CONV(types, in_type, filter_type, cycles, conversions)                                                    \
  TPP_UK_GROUPED_CONV_HERE_##types(TPP_UK_PER_TARGET(TPP_UK_GROUPED_CONV_DEFINE, tpp_uk_grouped_conv_##types, cycles, ))
#include "tpp/kernels.def"
#undef TPP_UK_GROUPED_CONV_DEFINE
} // namespace tpp

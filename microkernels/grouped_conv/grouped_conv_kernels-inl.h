// The native grouped_conv kernels, for the target being compiled. Contract in grouped_conv.hpp.
//
// A strip of neighbouring outputs of one row, in one vector of output channels, is accumulated in registers over all taps. If outputs and taps are
// one pixel apart, a loaded pixel serves three neighbouring taps; if outputs of three columns of taps are two pixels apart, one or two. Strips cover
// the width evenly: a short one would wait for its sums. A strip is computed for several rows, so that L1 holds the rows of the input that the next
// row reads again, and in the vectors of one cache line.
//
// Pixels and filters are converted to f32 when they are loaded. Products and sums are f32, also those of 8-bit integers, which are exact: kernels take
// only filters whose sums are below 2^24.
//
// What a lane multiplies with depends on the groups: see lanes_read.
#if defined(TPP_MICROKERNELS_GROUPED_CONV_KERNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_GROUPED_CONV_KERNELS_INL_H
#undef TPP_MICROKERNELS_GROUPED_CONV_KERNELS_INL_H
#else
#define TPP_MICROKERNELS_GROUPED_CONV_KERNELS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/binary_math-inl.h"
#include "microkernels/common/finish_pixels-inl.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/common/vector_access-inl.h"
#include "microkernels/grouped_conv/grouped_conv_plan.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kIn, kFilter: types of the input and the filter.
template <int kIn, int kFilter> struct GroupedConv {
  using In = typename Element<kIn>::T;
  using Filter = typename Element<kFilter>::T;
  // Whether outputs are sums of integers, which may have a border.
  static constexpr bool kIntegers = kIn == TPP_TYPE_u8 || kIn == TPP_TYPE_i8;
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  // Most outputs of a strip: accumulators, three filters and a pixel fill the registers, of which AVX-512 and NEON have 32.
  static constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
  // Kernels that have functions for few outputs only: the portable ones, whose vectors are arrays, which need much code, and those of types that the
  // target has no instructions for, which are not fast anyway.
  static constexpr bool kOnlyFew = HWY_TARGET == HWY_STATIC_TARGET || (HWY_TARGET == HWY_SSE4 && kIn != TPP_TYPE_f32);
  template <lanes_read kRead>
  static constexpr int kMost = kOnlyFew                                                  ? 4
                               : kManyRegisters                                          ? 14
                               : kRead == lanes_read::own || kRead == lanes_read::shared ? 12
                                                                                         : 10;
  // Fewest outputs of a strip that has functions of its own, and the pixels at its ends that may be outside of the image.
  static constexpr int kFewest = 5, kEdge = 2;
  // Rows that are computed for one vector after the other.
  static constexpr int64_t kRows = 8;

  // The operands of a requantization for one vector of output channels.
  struct requantizer {
    HWY_ALIGN float offset[kLanes]; // the sums start with it
    HWY_ALIGN float scale[kLanes];
    HWY_ALIGN float bias[kLanes];
    HWY_ALIGN float zero_point[kLanes];
    bool is_exact; // sums that start with the offset are
  };

  // A strip in one vector of output channels.
  struct strip {
    const tpp_grouped_conv_desc *desc;
    const grouped_conv_plan *plan;
    const tap_range *taps;       // of each column of taps: the outputs at which it reads the image
    const tap_range *tap_rows;   // of each row of outputs: the rows of taps that read the image
    const requantizer *quantize; // of sums of integers; null if the post-ops are another chain
    // At the first output, and in the first channel:
    const char *in; // the pixel that the first tap reads, which may be outside of the image
    const char *filter, *bias, *residual;
    char *out;
    float bound, border;
    bool in_registers;
    int64_t column, count; // outputs of the strip
    tap_range pixels;      // of a row: those of the image that any output needs, counted from the first one that the strip reads
    int64_t row, rows;
    int64_t inputs, outputs;            // channels of the vector
    const char *post[TPP_MAX_POST_OPS]; // of row 0
  };

  // Loads pixels. Access: whole_vectors_of or parts_of_vectors_of.
  template <lanes_read kRead, template <int> class Access> class Reader {
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
        offset_ = channel * static_cast<int64_t>(sizeof(In));
      else if constexpr (kRead == lanes_read::block)
        channel_ = hn::Add(first_, hn::Set(I(), static_cast<uint8_t>(channel * 4)));
      else if constexpr (kRead == lanes_read::table)
        channel_ = hn::Add(first_, hn::Set(I(), static_cast<int32_t>(channel)));
    }
    HWY_INLINE V load(const char *pixel) const {
      if constexpr (kRead == lanes_read::shared)
        return Spread(*reinterpret_cast<const In *>(pixel + offset_));
      else if constexpr (kRead == lanes_read::block)
        return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(I(), access_.load(pixel)), channel_));
      else if constexpr (kRead == lanes_read::table)
        return hn::TableLookupLanes(access_.load(pixel), hn::IndicesFromVec(D(), channel_));
      else
        return access_.load(pixel);
    }

  private:
    static HWY_INLINE V Spread(In element) {
      if constexpr (kIn == TPP_TYPE_f32)
        return hn::Set(D(), element);
      else if constexpr (kIn == TPP_TYPE_bf16)
        return hn::BitCast(D(), hn::Set(hn::RebindToUnsigned<D>(), static_cast<uint32_t>(element) << 16));
      else
        return hn::ConvertTo(D(), hn::Set(hn::RebindToSigned<D>(), int32_t{element}));
    }

    Access<kIn> access_;
    int64_t offset_ = 0;
    hn::Vec<I> first_, channel_;
  };

  // Whether position `i` of `count` may be outside of the image. In most strips, only a few pixels at the ends can be: those of an edge.
  template <bool kExact> static constexpr bool MayBeOutside(int i, int count, int edge) {
    return !kExact || i < edge || i >= count - edge;
  }

  // Calls f(value) with pixel `q` of `count`, of which those from `first` to `last` - 1 are inside of the image: its value at `from`, or the border. Products
  // of floats with the border, which is 0, are left out.
  template <bool kExact, class Reader, class F>
  static HWY_INLINE void WithPixel(const strip &at, const Reader &reader, const char *from, int q, int count, int64_t first,
                                   int64_t last, F f) {
    const bool inside = !MayBeOutside<kExact>(q, count, kEdge) || (q >= first && q < last);
    if constexpr (kIntegers)
      f(inside ? reader.load(from) : hn::Set(D(), at.border));
    else if (inside)
      f(reader.load(from));
  }

  // Whether an output reads pixel `q` of its strip with its first tap.
  template <int kStep, int kCount> static constexpr bool IsOutput(int q) {
    return q >= 0 && q % kStep == 0 && q / kStep < kCount;
  }

  // Adds the products of three neighbouring columns of taps, in one row of taps and one channel, to the sums, of outputs kStep pixels apart. `pixel`: of
  // the first tap and output. Of the strip's pixels, those from `first` to `last` - 1 are read.
  template <bool kExact, int kStep, int kCount, class Reader>
  static TPP_INLINE void AddThreeTaps(const strip &at, const Reader &reader, const char *pixel, int64_t step, int64_t three_steps,
                                      int64_t first, int64_t last, V w0, V w1, V w2, V (&sums)[kCount]) {
    constexpr int kPixels = (kCount - 1) * kStep + 3;
    static_for<kPixels>(TPP_LAMBDA(q) {
      const auto multiply = [&](V value) HWY_ATTR __attribute__((always_inline)) {
        if constexpr (IsOutput<kStep, kCount>(q))
          sums[q / kStep] = hn::MulAdd(value, w0, sums[q / kStep]);
        if constexpr (IsOutput<kStep, kCount>(q - 1))
          sums[(q - 1) / kStep] = hn::MulAdd(value, w1, sums[(q - 1) / kStep]);
        if constexpr (IsOutput<kStep, kCount>(q - 2))
          sums[(q - 2) / kStep] = hn::MulAdd(value, w2, sums[(q - 2) / kStep]);
      };
      WithPixel<kExact>(at, reader, pixel + (q % 4 == 3 ? three_steps : q % 4 * step), q, kPixels, first, last, multiply);
      if constexpr (q % 4 == 3)
        pixel = opaque(pixel + 4 * step);
      if constexpr (IsOutput<kStep, kCount>(q - 2))
        keep_order(sums[(q - 2) / kStep]);
    });
  }
  // The same for one column of taps.
  template <bool kExact, int kCount, class Reader>
  static TPP_INLINE void AddTap(const strip &at, const Reader &reader, const char *pixel, int64_t step, int64_t three_steps,
                                int64_t first, int64_t last, V w, V (&sums)[kCount]) {
    static_for<kCount>(TPP_LAMBDA(p) {
      WithPixel<kExact>(at, reader, pixel + (p % 4 == 3 ? three_steps : p % 4 * step), p, kCount, first, last,
                        [&](V value) HWY_ATTR __attribute__((always_inline)) { sums[p] = hn::MulAdd(value, w, sums[p]); });
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
    bool in_registers, relu, bounded, rounds;

    HWY_INLINE explicit outputs_of_strip(const strip &at)
        : out(at.out), residual(at.residual), row_step(at.plan->row_step), step(at.plan->column_step), residual_row(0),
          residual_step(0), bound(hn::Set(D(), at.bound)), in_registers(at.in_registers), relu(at.plan->relu),
          bounded(at.plan->bound >= 0), rounds(at.plan->requantized.zero_point >= 0) {
      if (residual != nullptr) {
        residual_row = at.plan->post_row_steps[at.plan->residual];
        residual_step = at.plan->post[at.plan->residual].row_stride;
      }
    }

    template <bool kExact, template <int> class Access, int kCount>
    HWY_INLINE void store(const strip &at, int64_t row, const Access<TPP_TYPE_f32> &floats, V (&sums)[kCount]) {
      if (!in_registers) {
        HWY_ALIGN float values[kCount * kLanes];
        static_for<kCount>(TPP_LAMBDA(p) { hn::Store(BitsOfSum(sums[p]), D(), values + p * kLanes); });
        return FinishInMemory(at, row, kCount, values);
      }
      if constexpr (kIntegers) {
        quantize(*at.quantize, sums);
        if (at.plan->type == TPP_TYPE_u8)
          write<kExact>(at, Access<TPP_TYPE_u8>(static_cast<size_t>(at.outputs)), sums);
        else
          write<kExact>(at, Access<TPP_TYPE_i8>(static_cast<size_t>(at.outputs)), sums);
      } else {
        if (kIn != TPP_TYPE_f32 && at.plan->type == kIn)
          add_and_write<kExact>(at, Access<kIn>(static_cast<size_t>(at.outputs)), sums);
        else
          add_and_write<kExact>(at, floats, sums);
      }
      out += row_step;
    }

  private:
    template <int kCount> HWY_INLINE void quantize(const requantizer &with, V (&sums)[kCount]) {
      const D d;
      const V scale = hn::Load(d, with.scale), bias = hn::Load(d, with.bias);
      static_for<kCount>(TPP_LAMBDA(p) { sums[p] = hn::Add(hn::Mul(sums[p], scale), bias); });
      if (rounds) {
        const V zero_point = hn::Load(d, with.zero_point);
        static_for<kCount>(TPP_LAMBDA(p) { sums[p] = hn::Add(hn::Round(sums[p]), zero_point); });
      }
    }
    // Outputs: accesses to the type of outputs.
    template <bool kExact, class Outputs, int kCount>
    HWY_INLINE void add_and_write(const strip &at, const Outputs &outputs, V (&sums)[kCount]) {
      const D d;
      const int64_t count = at.count;
      if (residual != nullptr) {
        const char *other = residual;
        static_for<kCount>(TPP_LAMBDA(p) {
          if (kExact || p < count)
            sums[p] = hn::Add(sums[p], outputs.load(other));
          other = opaque(other + residual_step);
        });
        residual += residual_row;
      }
      if (relu)
        static_for<kCount>(TPP_LAMBDA(p) { sums[p] = Relu(d, sums[p]); });
      if (bounded)
        static_for<kCount>(TPP_LAMBDA(p) { sums[p] = LimitFromAbove(d, sums[p], bound); });
      write<kExact>(at, outputs, sums);
    }
    template <bool kExact, class Outputs, int kCount>
    HWY_INLINE void write(const strip &at, const Outputs &outputs, V (&sums)[kCount]) {
      const int64_t count = at.count;
      char *to = out;
      const int64_t three_steps = 3 * step;
      static_for<kCount>(TPP_LAMBDA(p) {
        if (kExact || p < count)
          outputs.store(sums[p], to + (p % 4 == 3 ? three_steps : p % 4 * step));
        if constexpr (p % 4 == 3)
          to = opaque(to + 4 * step);
      });
    }
  };
  // A sum as the post-ops in memory take it: that of integers as the bits of an i32.
  static HWY_INLINE V BitsOfSum(V sum) {
    if constexpr (kIntegers)
      return hn::BitCast(D(), hn::NearestInt(sum));
    else
      return sum;
  }
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
    finish_pixels<D, kIntegers>{call, values, stride, 0, static_cast<int>(at.outputs)}.run();
  }

  // What sums start with: a bias, or the offset of a requantization.
  template <template <int> class Access> static HWY_INLINE V Start(const strip &at, const Access<TPP_TYPE_f32> &floats) {
    if constexpr (kIntegers)
      return at.in_registers ? hn::Load(D(), at.quantize->offset) : hn::Zero(D());
    if (at.bias == nullptr)
      return hn::Zero(D());
    if constexpr (kIn != TPP_TYPE_f32)
      if (at.plan->post[at.plan->bias].type == kIn)
        return Access<kIn>(static_cast<size_t>(at.outputs)).load(at.bias);
    return floats.load(at.bias);
  }
  // The products of the border with the taps of rows outside of the image: all but those of `inside`.
  template <class Weights> static HWY_NOINLINE V SumOutside(const strip &at, tap_range inside, Weights weights) {
    V sum = hn::Zero(D());
    const int64_t in_row = at.desc->tap_cols * at.desc->group_inputs;
    const char *filter = at.filter;
    for (int64_t y = 0; y < at.desc->tap_rows; ++y)
      for (int64_t x = 0; x < in_row; ++x, filter += at.plan->filter_row)
        if (y < inside.first || y >= inside.last)
          sum = hn::Add(sum, weights.load(filter));
    return hn::Mul(sum, hn::Set(D(), at.border));
  }

  // How a strip is computed. whole: kCount outputs, of which only an edge may read outside of the image. three: the same for three neighbouring
  // columns of taps and one channel, which takes no loops over them. three_by_two: the same for outputs that are two pixels apart. any: at most kCount
  // outputs, which may read outside anywhere.
  enum class form { whole, three, three_by_two, any };

  template <lanes_read kRead, template <int> class Access, int kCount, form kForm>
  static HWY_NOINLINE void Strip(const strip &at) {
    constexpr bool kExact = kForm != form::any;
    // Copies, which stay in registers: a store of an output might change what a pointer points to.
    const grouped_conv_plan &plan = *at.plan;
    const int64_t tap_cols = at.desc->tap_cols, count = at.count, pixel_step = plan.pixel, column_pace = plan.column_pace;
    const int64_t tap_column = plan.tap_column, tap_row = plan.tap_row, row_pace = plan.row_pace;
    const int64_t channels = kRead == lanes_read::own ? 1 : at.desc->group_inputs;
    const int64_t filter_row = plan.filter_row, filter_column = channels * filter_row, filter_rows = tap_cols * filter_column;
    const tap_range *const taps = at.taps;
    const int64_t first_output = at.column, slides = plan.slides ? tap_cols - 2 : 0;
    const Access<kFilter> weights(static_cast<size_t>(at.outputs));
    const Access<TPP_TYPE_f32> floats(static_cast<size_t>(at.outputs));
    Reader<kRead, Access> reader(at);
    const V start = Start(at, floats);
    const char *in = at.in;
    const tap_range *rows_of_taps = at.tap_rows;
    outputs_of_strip finish(at);
    const tap_range image = at.pixels;
    const int64_t three_pixels = 3 * pixel_step;
    for (int64_t row = 0; row < at.rows; ++row, in += row_pace) {
      const tap_range rows = rows_of_taps[row];
      V sums[kCount];
      static_for<kCount>(TPP_LAMBDA(p) { sums[p] = start; });
      if constexpr (kIntegers)
        if (at.border != 0 && (rows.first > 0 || rows.last < at.desc->tap_rows)) {
          const V outside = hn::Add(start, SumOutside(at, rows, weights));
          static_for<kCount>(TPP_LAMBDA(p) { sums[p] = outside; });
        }
      const char *pixels = in + rows.first * tap_row, *filters = at.filter + rows.first * filter_rows;
      // Three columns of taps. `range`: the pixels of the strip that exist, counted from the one of the first tap and output.
      const auto add_three_taps = [&](tap_range range) HWY_ATTR __attribute__((always_inline)) {
        constexpr int kStep = kForm == form::three_by_two ? 2 : 1;
        const int64_t first = range.first, end = kExact ? range.last : std::min(range.last, count + 2);
        const char *pixel = pixels, *filter_of_row = filters;
        for (int64_t y = rows.first; y < rows.last; ++y, pixel += tap_row, filter_of_row += filter_rows) {
          const char *filter = filter_of_row;
          for (int64_t c = 0; c < channels; ++c, filter += filter_row) {
            reader.set_channel(c);
            AddThreeTaps<kExact, kStep>(at, reader, pixel, pixel_step, three_pixels, first, end, weights.load(filter),
                                        weights.load(filter + filter_column), weights.load(filter + 2 * filter_column), sums);
          }
        }
      };
      if constexpr (kForm == form::three || kForm == form::three_by_two) {
        add_three_taps(image);
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
              AddTap<kExact>(at, reader, pixel, column_pace, three_steps, first, end, weights.load(filter), sums);
            }
          }
        }
      }
      finish.template store<kExact>(at, row, floats, sums);
    }
  }

  using StripFunction = void (*)(const strip &);
  template <lanes_read kRead, form kForm, int kCount = kFewest> static StripFunction ExactStrip(int64_t count) {
    if constexpr (kCount < kMost<kRead>)
      if (count > kCount)
        return ExactStrip<kRead, kForm, kCount + 1>(count);
    return Strip<kRead, whole_vectors_of, kCount, kForm>;
  }
  template <lanes_read kRead> static StripFunction StripOf(const strip &at, bool whole, bool exact) {
    constexpr int kFew = 4, kMany = kMost<kRead>;
    if (!whole)
      return at.count <= kFew ? Strip<kRead, parts_of_vectors_of, kFew, form::any>
                              : Strip<kRead, parts_of_vectors_of, kMany, form::any>;
    if (!exact)
      return at.count <= kFew ? Strip<kRead, whole_vectors_of, kFew, form::any>
                              : Strip<kRead, whole_vectors_of, kMany, form::any>;
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
  // Whether only edges of a strip read outside of the image.
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
    tap_range taps[grouped_conv_most_tap_cols], tap_rows[kRows];
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
    const int64_t most =
        plan.read == lanes_read::own || plan.read == lanes_read::shared ? kMost<lanes_read::own> : kMost<lanes_read::block>;
    const int64_t strips = (desc.width + most - 1) / most;
    constexpr int64_t line = TPP_LINE_BYTES / sizeof(In);
    requantizer quantizers[kIntegers ? 4 : 1];
    for (int64_t channel = 0; channel < desc.channels;) {
      // The vectors of about one cache line.
      vector_channels vectors[4];
      int count = 0;
      for (const int64_t first = channel; count < 4 && channel < desc.channels && channel < first + line; ++count) {
        vectors[count] = ChannelsAt(desc, plan, channel);
        if (kIntegers && plan.in_registers)
          LoadRequantizer(*args, desc, plan, vectors[count], quantizers[count]);
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
          for (int v = 0; v < count; ++v) {
            if (kIntegers && plan.in_registers) {
              at.quantize = &quantizers[v];
              at.in_registers = at.quantize->is_exact;
            }
            RunStrip(*args, vectors[v], exact, at);
          }
        }
      }
    }
  }

  // The operands of the requantization for a vector of channels.
  static HWY_NOINLINE void LoadRequantizer(const tpp_args &args, const tpp_grouped_conv_desc &desc, const grouped_conv_plan &plan,
                                           vector_channels channels, requantizer &to) {
    const D d;
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

  static void RunStrip(const tpp_args &args, vector_channels channels, bool exact, strip &at) {
    const tpp_grouped_conv_desc &desc = *at.desc;
    const grouped_conv_plan &plan = *at.plan;
    constexpr int64_t in_bytes = sizeof(In), filter_bytes = sizeof(Filter);
    at.inputs = channels.inputs;
    at.outputs = channels.outputs;
    at.in = static_cast<const char *>(args.a) + channels.first / desc.group_outputs * desc.group_inputs * in_bytes +
            at.row * plan.row_pace - desc.top * plan.in_row + at.column * plan.column_pace - desc.left * plan.pixel;
    at.filter = static_cast<const char *>(args.b) + column_offset(desc.filter, channels.first) * filter_bytes;
    at.out =
        static_cast<char *>(args.c) + channels.first * plan.out_bytes + at.row * plan.row_step + at.column * plan.column_step;
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

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

// A strip of a grouped convolution, for the target being compiled: neighbouring outputs of one row, in one vector of output channels, which are summed in
// registers over all taps. If outputs and taps are one pixel apart, a loaded pixel serves three neighbouring taps; if outputs of three columns of taps are
// two pixels apart, one or two.
//
// Pixels and filters are converted to f32 when they are loaded. Products and sums are f32, also those of 8-bit integers, which are exact: kernels take
// only filters whose sums are below 2^24.
//
// What a lane multiplies with depends on the groups: see lanes_read.
#if defined(TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_STRIP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_STRIP_INL_H
#undef TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_STRIP_INL_H
#else
#define TPP_MICROKERNELS_GROUPED_CONV_GROUPED_CONV_STRIP_INL_H
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
template <int kIn, int kFilter> struct GroupedConvStrip {
  using In = typename Element<kIn>::T;
  using Filter = typename Element<kFilter>::T;
  // Whether outputs are sums of integers, which may have a border.
  static constexpr bool kIntegers = kIn == TPP_TYPE_u8 || kIn == TPP_TYPE_i8;
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  // Most outputs of a strip. 16 registers hold 12 accumulators, three filters and a pixel, or 10 accumulators and what a shuffle of pixels needs. With 32
  // registers (AVX-512, NEON) more than 14 would fit, but rows of 14, 28, 56 and 112 pixels are whole strips of 14.
  static constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
  // Kernels that have functions for few outputs only: those whose vectors are arrays, which need much code, and those of types that the target has no
  // instructions for, which are not fast anyway.
  static constexpr bool kOnlyFew = TPP_IS_EMULATED || (HWY_TARGET == HWY_SSE4 && kIn != TPP_TYPE_f32);
  template <lanes_read kRead>
  static constexpr int kMost = kOnlyFew                                                  ? 4
                               : kManyRegisters                                          ? 14
                               : kRead == lanes_read::own || kRead == lanes_read::shared ? 12
                                                                                         : 10;
  // Fewest outputs of a strip that has functions of its own, and the pixels at its ends that may be outside of the image.
  static constexpr int kFewest = 5, kEdge = 2;

  // The operands of a requantization for one vector of output channels.
  struct requantizer {
    HWY_ALIGN float offset[kLanes]; // the sums start with it
    HWY_ALIGN float scale[kLanes];
    HWY_ALIGN float bias[kLanes];
    HWY_ALIGN float zero_point[kLanes];
    bool is_exact; // sums that start with the offset are
  };

  // The channels of a vector of outputs, and where their first elements are.
  struct vector_channels {
    int64_t first, inputs, outputs;
    const char *in; // the pixel that the first tap of the first output reads, which may be outside of the image
    const char *filter, *bias, *residual;
    char *out;
    const char *post[TPP_MAX_POST_OPS];
    requantizer quantize; // of sums of integers, if this is what the post-ops do
  };

  // A strip, in some vectors of output channels.
  struct strip {
    const tpp_grouped_conv_desc *desc;
    const grouped_conv_plan *plan;
    const vector_channels *vectors, *vectors_end;
    const tap_range *taps;     // of each column of taps: the outputs at which it reads the image
    const tap_range *tap_rows; // of each row of outputs: the rows of taps that read the image
    int64_t in, out, residual; // bytes from the first output of vector_channels to that of the strip
    float bound, border;
    bool in_registers;
    int64_t column, count; // outputs of the strip
    tap_range pixels;      // of a row: those of the image that any output needs, counted from the first one that the strip reads
    int64_t row, rows;
  };

  // Loads pixels. Access: whole_vectors_of or parts_of_vectors_of.
  template <lanes_read kRead, template <int> class Access> class Reader {
    using I = std::conditional_t<kRead == lanes_read::block, hn::Repartition<uint8_t, D>, hn::RebindToSigned<D>>;

  public:
    HWY_INLINE Reader(const tpp_grouped_conv_desc &desc, const vector_channels &channels)
        : access_(static_cast<size_t>(channels.inputs)) {
      if constexpr (kRead == lanes_read::block || kRead == lanes_read::table) {
        using T = hn::TFromD<I>;
        constexpr int kEntries = 4 / sizeof(T); // of each lane
        HWY_ALIGN T first[kLanes * kEntries];
        for (int i = 0; i < kLanes * kEntries; ++i) {
          const int64_t lane = i / kEntries < channels.outputs ? i / kEntries : 0;
          const int64_t channel = lane / desc.group_outputs * desc.group_inputs;
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

  // Which of kCount pixels are inside of the image: those from `first` to `last` - 1. In most strips, only the pixels of the two edges can be outside; then
  // kExact is true.
  template <bool kExact, int kCount> class PixelsInside {
  public:
    HWY_INLINE PixelsInside(int64_t first, int64_t last) : bits_(BitsBefore(last) & ~BitsBefore(first)) {}
    HWY_INLINE bool has(int q) const {
      if (kExact && q >= kEdge && q < kCount - kEdge)
        return true;
      return (bits_ >> q & 1) != 0;
    }

  private:
    static_assert(kCount < 32, "a bit for each pixel");
    static HWY_INLINE uint32_t BitsBefore(int64_t end) {
      return (uint32_t{1} << std::min<int64_t>(std::max<int64_t>(end, 0), 31)) - 1;
    }

    uint32_t bits_;
  };

  // Calls f(value) with a pixel: its value at `from` if it is inside of the image, else the border. Products of floats with the border, which is 0, are
  // left out.
  template <class Reader, class F>
  static HWY_INLINE void WithPixel(const strip &at, const Reader &reader, const char *from, bool inside, F f) {
    if constexpr (kIntegers)
      f(inside ? reader.load(from) : hn::Set(D(), at.border));
    else if (inside)
      f(reader.load(from));
  }

  // Distances in bytes to the pixels after one. Addresses add one of them, or twice or four times one, to a pointer.
  struct pixel_steps {
    int64_t one, three, five, seven;
    HWY_INLINE explicit pixel_steps(int64_t one) : one(one), three(3 * one), five(5 * one), seven(7 * one) {}
    HWY_INLINE const char *to(int q, const char *first) const {
      switch (q) {
      case 1:
        return first + one;
      case 2:
        return first + 2 * one;
      case 3:
        return first + three;
      case 4:
        return first + 4 * one;
      case 5:
        return first + five;
      case 6:
        return first + 2 * three;
      case 7:
        return first + seven;
      }
      return first;
    }
  };

  // Pixels that kCount outputs, kStep pixels apart, read with three neighbouring taps.
  template <int kStep, int kCount> static constexpr int PixelsOf() { return (kCount - 1) * kStep + 3; }
  // Whether an output reads pixel `q` of its strip with its first tap.
  template <int kStep, int kCount> static constexpr bool IsOutput(int q) {
    return q >= 0 && q % kStep == 0 && q / kStep < kCount;
  }

  // Adds the products of three neighbouring columns of taps, in one row of taps and one channel, to the sums, of outputs kStep pixels apart. `pixel`: of
  // the first tap and output.
  template <int kStep, int kCount, class Reader, class Inside>
  static TPP_INLINE void AddThreeTaps(const strip &at, const Reader &reader, const char *pixel, const pixel_steps &steps,
                                      const Inside &inside, V w0, V w1, V w2, V (&sums)[kCount]) {
    static_for<PixelsOf<kStep, kCount>()>(TPP_LAMBDA(q) {
      const auto multiply = [&](V value) HWY_ATTR __attribute__((always_inline)) {
        if constexpr (IsOutput<kStep, kCount>(q))
          sums[q / kStep] = hn::MulAdd(value, w0, sums[q / kStep]);
        if constexpr (IsOutput<kStep, kCount>(q - 1))
          sums[(q - 1) / kStep] = hn::MulAdd(value, w1, sums[(q - 1) / kStep]);
        if constexpr (IsOutput<kStep, kCount>(q - 2))
          sums[(q - 2) / kStep] = hn::MulAdd(value, w2, sums[(q - 2) / kStep]);
      };
      WithPixel(at, reader, steps.to(q % 8, pixel), inside.has(q), multiply);
      if constexpr (q % 8 == 7)
        pixel = opaque(pixel + 8 * steps.one);
      if constexpr (IsOutput<kStep, kCount>(q - 2))
        keep_order(sums[(q - 2) / kStep]);
    });
  }
  // The same for one column of taps.
  template <int kCount, class Reader, class Inside>
  static TPP_INLINE void AddTap(const strip &at, const Reader &reader, const char *pixel, const pixel_steps &steps,
                                const Inside &inside, V w, V (&sums)[kCount]) {
    static_for<kCount>(TPP_LAMBDA(p) {
      WithPixel(at, reader, steps.to(p % 8, pixel), inside.has(p),
                [&](V value) HWY_ATTR __attribute__((always_inline)) { sums[p] = hn::MulAdd(value, w, sums[p]); });
      if constexpr (p % 8 == 7)
        pixel = opaque(pixel + 8 * steps.one);
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

    HWY_INLINE outputs_of_strip(const strip &at, const vector_channels &channels)
        : out(channels.out + at.out), residual(channels.residual), row_step(at.plan->row_step), step(at.plan->column_step),
          residual_row(0), residual_step(0), bound(hn::Set(D(), at.bound)),
          in_registers(at.in_registers && (!kIntegers || channels.quantize.is_exact)), relu(at.plan->relu),
          bounded(at.plan->bound >= 0), rounds(at.plan->requantized.zero_point >= 0) {
      if (residual != nullptr) {
        residual += at.residual;
        residual_row = at.plan->post_row_steps[at.plan->residual];
        residual_step = at.plan->post[at.plan->residual].row_stride;
      }
    }

    template <bool kExact, template <int> class Access, int kCount>
    HWY_INLINE void store(const strip &at, const vector_channels &channels, int64_t row, const Access<TPP_TYPE_f32> &floats,
                          V (&sums)[kCount]) {
      if (!in_registers) {
        HWY_ALIGN float values[kCount * kLanes];
        static_for<kCount>(TPP_LAMBDA(p) { hn::Store(BitsOfSum(sums[p]), D(), values + p * kLanes); });
        return FinishInMemory(at, channels, row, kCount, values);
      }
      if constexpr (kIntegers) {
        quantize(channels.quantize, sums);
        if (at.plan->type == TPP_TYPE_u8)
          write<kExact>(at, Access<TPP_TYPE_u8>(static_cast<size_t>(channels.outputs)), sums);
        else
          write<kExact>(at, Access<TPP_TYPE_i8>(static_cast<size_t>(channels.outputs)), sums);
      } else {
        if (kIn != TPP_TYPE_f32 && at.plan->type == kIn)
          add_and_write<kExact>(at, Access<kIn>(static_cast<size_t>(channels.outputs)), sums);
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
  static HWY_NOINLINE void FinishInMemory(const strip &at, const vector_channels &channels, int64_t row, int64_t stride,
                                          float *values) {
    const grouped_conv_plan &plan = *at.plan;
    pixel_call call;
    call.plan = &plan;
    call.out = channels.out + at.out + row * plan.row_step;
    call.rows = 1;
    call.cols = at.count;
    for (int32_t s = 0; s < plan.post_count; ++s)
      if (plan.post[s].mode != post_mode::unary)
        call.post[s] = channels.post[s] + (at.row + row) * plan.post_row_steps[s] + at.column * plan.post[s].row_stride;
    finish_pixels<D, kIntegers>{call, values, stride, 0, static_cast<int>(channels.outputs)}.run();
  }

  // What sums start with: a bias, or the offset of a requantization.
  template <template <int> class Access>
  static HWY_INLINE V Start(const strip &at, const vector_channels &channels, const Access<TPP_TYPE_f32> &floats) {
    if constexpr (kIntegers)
      return at.in_registers && channels.quantize.is_exact ? hn::Load(D(), channels.quantize.offset) : hn::Zero(D());
    const char *const bias = channels.bias;
    if (bias == nullptr)
      return hn::Zero(D());
    if constexpr (kIn != TPP_TYPE_f32)
      if (at.plan->post[at.plan->bias].type == kIn)
        return Access<kIn>(static_cast<size_t>(channels.outputs)).load(bias);
    return floats.load(bias);
  }
  // The products of the border with the taps of rows outside of the image: all but those of `inside`.
  template <class Weights>
  static HWY_NOINLINE V SumOutside(const strip &at, const vector_channels &channels, tap_range inside, Weights weights) {
    V sum = hn::Zero(D());
    const int64_t in_row = at.desc->tap_cols * at.desc->group_inputs;
    const char *filter = channels.filter;
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
    const int64_t inputs = kRead == lanes_read::own ? 1 : at.desc->group_inputs;
    const int64_t filter_row = plan.filter_row, filter_column = inputs * filter_row, filter_rows = tap_cols * filter_column;
    const tap_range *const taps = at.taps;
    const int64_t first_output = at.column, slides = plan.slides ? tap_cols - 2 : 0;
    const tap_range *rows_of_taps = at.tap_rows;
    const tap_range image = at.pixels;
    const pixel_steps pixel_steps_in(pixel_step), output_steps_in(column_pace);
    for (const vector_channels *vector = at.vectors; vector != at.vectors_end; ++vector) {
      const vector_channels &channels = *vector;
      const Access<kFilter> weights(static_cast<size_t>(channels.outputs));
      const Access<TPP_TYPE_f32> floats(static_cast<size_t>(channels.outputs));
      Reader<kRead, Access> reader(*at.desc, channels);
      const V start = Start(at, channels, floats);
      const char *in = channels.in + at.in;
      outputs_of_strip finish(at, channels);
      for (int64_t row = 0; row < at.rows; ++row, in += row_pace) {
        const tap_range rows = rows_of_taps[row];
        V sums[kCount];
        static_for<kCount>(TPP_LAMBDA(p) { sums[p] = start; });
        if constexpr (kIntegers)
          if (at.border != 0 && (rows.first > 0 || rows.last < at.desc->tap_rows)) {
            const V outside = hn::Add(start, SumOutside(at, channels, rows, weights));
            static_for<kCount>(TPP_LAMBDA(p) { sums[p] = outside; });
          }
        const char *pixels = in + rows.first * tap_row, *filters = channels.filter + rows.first * filter_rows;
        // Three columns of taps. `range`: the pixels of the strip that exist, counted from the one of the first tap and output.
        const auto add_three_taps = [&](tap_range range) HWY_ATTR __attribute__((always_inline)) {
          constexpr int kStep = kForm == form::three_by_two ? 2 : 1;
          const PixelsInside<kExact, PixelsOf<kStep, kCount>()> inside(range.first,
                                                                       kExact ? range.last : std::min(range.last, count + 2));
          const char *pixel = pixels, *filter_of_row = filters;
          for (int64_t y = rows.first; y < rows.last; ++y, pixel += tap_row, filter_of_row += filter_rows) {
            const char *filter = filter_of_row;
            for (int64_t c = 0; c < inputs; ++c, filter += filter_row) {
              reader.set_channel(c);
              filter = opaque(filter);
              AddThreeTaps<kStep>(at, reader, opaque(pixel), pixel_steps_in, inside, weights.load(filter),
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
            const int64_t last = taps[x].last - first_output;
            const PixelsInside<kExact, kCount> inside(taps[x].first - first_output, kExact ? last : std::min(last, count));
            const char *pixel = pixels, *filter_of_row = filters;
            for (int64_t y = rows.first; y < rows.last; ++y, pixel += tap_row, filter_of_row += filter_rows) {
              const char *filter = filter_of_row;
              for (int64_t c = 0; c < inputs; ++c, filter += filter_row) {
                reader.set_channel(c);
                AddTap(at, reader, opaque(pixel), output_steps_in, inside, weights.load(filter), sums);
              }
            }
          }
        }
        finish.template store<kExact>(at, channels, row, floats, sums);
      }
    }
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

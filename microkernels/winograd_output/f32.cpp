// The native winograd_output kernels of kernels.def, compiled once per target: one for each tile (TPP_UK_WINOGRAD_OUTPUT). Contract in
// winograd_output.hpp.
//
// A tile's vector of channels is transformed along the rows of points into a buffer in L1, then along the columns. The usual post-ops are applied
// to each column in registers. A tile of which some pixels do not exist takes the same code, but finds its pixels through a table of addresses, which
// has stand-ins for the missing ones. Other post-ops, and the last channels that fill no vector, take a second buffer. The code is compiled for each
// type of pixels.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/winograd_output/f32.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/finish_pixels-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/known_type-inl.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/common/winograd-inl.h"
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_output/winograd_output.hpp"
#include "microkernels/winograd_output/winograd_output_plan.hpp"

#include <new>

#ifndef TPP_MICROKERNELS_WINOGRAD_OUTPUT_F32_ONCE
#define TPP_MICROKERNELS_WINOGRAD_OUTPUT_F32_ONCE
namespace tpp {
namespace {
const char *native_winograd_output_reject(const tpp_winograd_output_desc &desc, int32_t tile) {
  if (const char *reason = winograd_output_reject_reason(desc))
    return reason;
  return desc.tile == tile ? nullptr : "the kernel is for another tile";
}
double native_winograd_output_ns(const tpp_winograd_output_desc &desc, int64_t lanes, double of_element) {
  // A load, an operation and a store for each pixel of a tile.
  const double of_post_ops = 1.5 * desc.tile * desc.tile * desc.post_op_count;
  return winograd_ns(desc.tiles, desc.channels, segment_count(desc.channels, {&desc.in, &desc.out}), lanes,
                     of_element * static_cast<double>(lanes) + of_post_ops);
}
void winograd_output_prepare(microkernel *kernel, tpp_kernel_entry entry) {
  new (kernel->state) winograd_output_plan(plan_winograd_output(kernel->desc.winograd_output));
  kernel->head.entry = entry;
}

// Channels from `channel` on that are contiguous in every operand and fit a chunk.
int64_t next_chunk(const tpp_winograd_output_desc &desc, int64_t channel) {
  int64_t width = std::min({int64_t{winograd_chunk}, columns_in_panel(desc.in, channel, desc.channels),
                            columns_in_panel(desc.out, channel, desc.channels)});
  for (int32_t s = 0; s < desc.post_op_count; ++s)
    if (varies_by_column(desc.post_ops[s]))
      width = std::min(width, columns_in_panel(desc.post_ops[s].form, channel, desc.channels));
  return width;
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kTile> struct WinogradOutput {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int kSide = kTile + 2;
  static constexpr int64_t kLanes = hn::MaxLanes(D());

  // Addresses of the pixels of a tile, in the order in which they are written: column by column.
  struct existing_pixels {
    char *column;
    int64_t column_step;
    const multiples &rows;

    HWY_INLINE char *operator()(int i, int) const { return column + rows[i]; }
    HWY_INLINE void next_column() { column = opaque(column + column_step); }
  };
  struct listed_pixels {
    char *const *table;
    int64_t offset;

    HWY_INLINE char *operator()(int i, int j) const { return table[i * kTile + j] + offset; }
    HWY_INLINE void next_column() {}
  };
  struct no_residual {};

  // Takes one column of pixels after the other: applies the post-ops in registers and stores the pixels. A residual has the type of the pixels.
  template <int kType, class Pixels, class Residual> struct stored {
    Pixels to;
    Residual residual;
    V bias;
    bool relu;

    HWY_INLINE void take(int j, const V (&pixels)[kTile]) {
      const D d;
      V y[kTile];
      static_for<kTile>(TPP_LAMBDA(i) {
        y[i] = hn::Add(pixels[i], bias);
        if constexpr (!std::is_same_v<Residual, no_residual>)
          y[i] = hn::Add(y[i], whole_vectors_of<kType>().load(residual(i, j)));
      });
      if (relu)
        static_for<kTile>(TPP_LAMBDA(i) { y[i] = Relu(d, y[i]); });
      static_for<kTile>(TPP_LAMBDA(i) { whole_vectors_of<kType>().store(y[i], to(i, j)); });
      to.next_column();
      if constexpr (!std::is_same_v<Residual, no_residual>)
        residual.next_column();
    }
  };
  // Writes the pixels to a buffer, with a leading bias.
  struct buffered {
    float *values;
    V bias;

    HWY_INLINE void take(int j, const V (&pixels)[kTile]) {
      static_for<kTile>(TPP_LAMBDA(i) { hn::Store(hn::Add(pixels[i], bias), D(), values + (i * kTile + j) * kLanes); });
    }
  };

  // One chunk of channels of all tiles. All strides are in bytes.
  struct chunk {
    const char *in;
    int64_t channels;
    int64_t tile_step; // of the input
    coefficients<D> by;
    multiples points, rows, residual_rows; // of a row of points; between rows of pixels of the output and of the residual
  };

  // Transforms one vector of channels of a tile. `from`: of point 0.
  template <class Access, class Pixels>
  static TPP_INLINE void Transform(const chunk &at, const char *from, Access access, Pixels pixels) {
    HWY_ALIGN float buffer[kSide * kTile * kLanes];
    // A buffer that the compiler knows becomes registers. The larger one does not fit them: spills would also take those of the coefficients.
    float *half = kTile == 2 ? buffer : opaque(&buffer[0]);
    static_for<kSide>(TPP_LAMBDA(i) {
      V x[kSide], y[kTile];
      static_for<kSide>(TPP_LAMBDA(j) { x[j] = access.load(from + at.points[j]); });
      TransformOutput(at.by, x, y);
      static_for<kTile>(TPP_LAMBDA(j) { hn::Store(y[j], D(), half + (i * kTile + j) * kLanes); });
      from = opaque(from + kSide * at.points.one);
      keep_order();
    });
    static_for<kTile>(TPP_LAMBDA(j) {
      V x[kSide], y[kTile];
      static_for<kSide>(TPP_LAMBDA(i) { x[i] = hn::Load(D(), half + (i * kTile + j) * kLanes); });
      TransformOutput(at.by, x, y);
      pixels.take(j, y);
      keep_order();
    });
  }

  // The whole vectors of a tile of which all pixels exist, with post-ops in registers. `residual`: null if there is none.
  template <int kType> static HWY_INLINE void WholeTile(const chunk &at, const pixel_call &call, const char *from) {
    constexpr int64_t pixel_bytes = sizeof(typename Element<kType>::T);
    const pixel_post_ops &plan = *call.plan;
    const char *bias = plan.bias >= 0 ? call.post[plan.bias] : nullptr;
    const int64_t whole = at.channels / kLanes * kLanes;
    const bool relu = plan.relu;
    if (plan.residual < 0) {
      for (int64_t channel = 0; channel < whole; channel += kLanes) {
        const existing_pixels to = {call.out + channel * pixel_bytes, plan.column_step, at.rows};
        Transform(at, from + channel * 4, whole_vectors(),
                  stored<kType, existing_pixels, no_residual>{to, {}, LoadBias(whole_vectors(), bias, channel * 4), relu});
      }
    } else {
      char *residual = const_cast<char *>(call.post[plan.residual]);
      for (int64_t channel = 0; channel < whole; channel += kLanes) {
        const existing_pixels to = {call.out + channel * pixel_bytes, plan.column_step, at.rows};
        const existing_pixels other = {residual + channel * pixel_bytes, plan.post[plan.residual].row_stride, at.residual_rows};
        Transform(at, from + channel * 4, whole_vectors(),
                  stored<kType, existing_pixels, existing_pixels>{to, other, LoadBias(whole_vectors(), bias, channel * 4), relu});
      }
    }
  }
  // The same for a tile of which some pixels do not exist.
  template <int kType> static HWY_INLINE void PartOfTile(const chunk &at, const pixel_call &call, const char *from) {
    constexpr int64_t pixel_bytes = sizeof(typename Element<kType>::T);
    const pixel_post_ops &plan = *call.plan;
    const char *bias = plan.bias >= 0 ? call.post[plan.bias] : nullptr;
    const int64_t whole = at.channels / kLanes * kLanes;
    HWY_ALIGN float missing[winograd_chunk];
    char *to[kTile * kTile], *residual[kTile * kTile];
    for (int64_t i = 0; i < kTile; ++i)
      for (int64_t j = 0; j < kTile; ++j) {
        const bool exists = i < call.rows && j < call.cols;
        to[i * kTile + j] = exists ? call.out + i * plan.row_step + j * plan.column_step : reinterpret_cast<char *>(missing);
        residual[i * kTile + j] = const_cast<char *>(reinterpret_cast<const char *>(winograd_zeros));
        if (exists && plan.residual >= 0)
          residual[i * kTile + j] = const_cast<char *>(call.post[plan.residual]) + i * plan.post_row_steps[plan.residual] +
                                    j * plan.post[plan.residual].row_stride;
      }
    if (plan.residual < 0)
      for (int64_t channel = 0; channel < whole; channel += kLanes)
        Transform(at, from + channel * 4, whole_vectors(),
                  stored<kType, listed_pixels, no_residual>{
                      {to, channel * pixel_bytes}, {}, LoadBias(whole_vectors(), bias, channel * 4), plan.relu});
    else
      for (int64_t channel = 0; channel < whole; channel += kLanes)
        Transform(at, from + channel * 4, whole_vectors(),
                  stored<kType, listed_pixels, listed_pixels>{{to, channel * pixel_bytes},
                                                              {residual, channel * pixel_bytes},
                                                              LoadBias(whole_vectors(), bias, channel * 4),
                                                              plan.relu});
  }
  // -0 is the number that changes no other by its addition.
  template <class Access> static HWY_INLINE V LoadBias(Access access, const char *bias, int64_t offset) {
    return bias != nullptr ? access.load(bias + offset) : hn::Set(D(), -0.0f);
  }

  template <int kType> static void Tiles(const tpp_winograd_output_desc &desc, const chunk &at, pixel_call call) {
    const pixel_post_ops &plan = *call.plan;
    const char *from = at.in, *bias = plan.bias >= 0 ? call.post[plan.bias] : nullptr;
    for (int64_t tile = 0; tile < desc.tiles && tile * kTile < desc.width; ++tile, from += at.tile_step) {
      call.cols = std::min<int64_t>(desc.width - tile * kTile, kTile);
      int64_t channel = 0;
      if (plan.in_registers) {
        if (call.rows == kTile && call.cols == kTile)
          WholeTile<kType>(at, call, from);
        else
          PartOfTile<kType>(at, call, from);
        channel = at.channels / kLanes * kLanes;
      }
      HWY_ALIGN float values[kTile * kTile * kLanes];
      for (; channel + kLanes <= at.channels; channel += kLanes) {
        Transform(at, from + channel * 4, whole_vectors(), buffered{values, LoadBias(whole_vectors(), bias, channel * 4)});
        finish_pixels<D>{call, values, kTile, channel, static_cast<int>(kLanes)}.run();
      }
      if (channel < at.channels) {
        const int64_t tail = at.channels - channel;
        const parts_of_vectors part(static_cast<size_t>(tail));
        Transform(at, from + channel * 4, part, buffered{values, LoadBias(part, bias, channel * 4)});
        finish_pixels<D>{call, values, kTile, channel, static_cast<int>(tail)}.run();
      }
      if (tile + 1 < desc.tiles && (tile + 1) * kTile < desc.width) {
        call.out += kTile * plan.column_step;
        for (int32_t s = 0; s < plan.post_count; ++s)
          if (plan.post[s].mode != post_mode::unary)
            call.post[s] += kTile * plan.post[s].row_stride;
      }
    }
  }

  static void Run(const tpp_kernel *self, const tpp_args *args) {
    const auto &kernel = *reinterpret_cast<const microkernel *>(self);
    const auto &plan = *reinterpret_cast<const winograd_output_plan *>(kernel.state);
    const tpp_winograd_output_desc &desc = kernel.desc.winograd_output;
    if (desc.tiles == 0 || desc.height == 0 || desc.width == 0)
      return;
    chunk at = {nullptr,
                0,
                plan.tile_step,
                coefficients<D>(D()),
                multiples(plan.point_step),
                multiples(plan.row_step),
                multiples(plan.residual >= 0 ? plan.post_row_steps[plan.residual] : 0)};
    pixel_call call = {};
    call.plan = &plan;
    call.rows = desc.height;
    for (int64_t channel = 0; channel < desc.channels; channel += at.channels) {
      at.channels = next_chunk(desc, channel);
      at.in = static_cast<const char *>(args->a) + column_offset(desc.in, channel) * 4;
      call.out = static_cast<char *>(args->c) + column_offset(desc.out, channel) * type_bytes(desc.out.type);
      for (int32_t s = 0; s < plan.post_count; ++s) {
        if (plan.post[s].mode == post_mode::unary)
          continue;
        call.post[s] = static_cast<const char *>(args->post[s]);
        if (plan.post[s].mode == post_mode::elements)
          call.post[s] += column_offset(desc.post_ops[s].form, channel) * type_bytes(plan.post[s].type);
      }
      with_image_type(
          desc.out.type, TPP_LAMBDA(type) {
            constexpr int kType = type;
            Tiles<kType>(desc, at, call);
          });
    }
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_WINOGRAD_OUTPUT_DEFINE(name, cycles, tile)                                                                        \
  TPP_UK_FUNCTIONS(name, tpp_winograd_output_desc, native_winograd_output_reject(desc, tile),                                    \
                   native_winograd_output_ns(desc, HWY_NAMESPACE::WinogradOutput<tile>::kLanes, cycles),                         \
                   winograd_output_prepare(kernel, HWY_NAMESPACE::WinogradOutput<tile>::Run))
#define TPP_UK_WINOGRAD_OUTPUT(tile, ...)                                                                                        \
  TPP_UK_PER_TARGET(TPP_UK_WINOGRAD_OUTPUT_DEFINE, tpp_uk_winograd_output_f32_##tile, __VA_ARGS__, tile)
#include "tpp/kernels.def"
#undef TPP_UK_WINOGRAD_OUTPUT_DEFINE
} // namespace tpp

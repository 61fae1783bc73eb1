// The native winograd_input kernels of kernels.def, compiled once per target: one for each tile (TPP_UK_WINOGRAD_INPUT). Contract in
// winograd_input.hpp.
//
// A tile's vector of channels is transformed along the rows of pixels into a buffer in L1, then along the columns. A tile with pixels outside
// of the image takes the same code, but finds its pixels through a table of addresses, where zeros replace those that do not exist. The code is
// compiled for each type of pixels.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/winograd_input/f32.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"
#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/known_type-inl.h"
#include "microkernels/common/unrolled-inl.h"
#include "microkernels/common/winograd-inl.h"
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_input/winograd_input.hpp"

#ifndef TPP_MICROKERNELS_WINOGRAD_INPUT_F32_ONCE
#define TPP_MICROKERNELS_WINOGRAD_INPUT_F32_ONCE
namespace tpp {
namespace {
const char *native_winograd_input_reject(const tpp_winograd_input_desc &desc, int32_t tile) {
  if (const char *reason = winograd_input_reject_reason(desc))
    return reason;
  return desc.tile == tile ? nullptr : "the kernel is for another tile";
}
double native_winograd_input_ns(const tpp_winograd_input_desc &desc, int64_t lanes, double of_element) {
  return winograd_ns(desc.tiles, desc.channels, segment_count(desc.channels, {&desc.in, &desc.out}), lanes,
                     of_element * static_cast<double>(lanes));
}
} // namespace
} // namespace tpp
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <int kTile> struct WinogradInput {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int kSide = kTile + 2;
  static constexpr int64_t kLanes = hn::MaxLanes(D());

  // Addresses of the pixels of a tile, in the order in which they are read: row by row.
  struct existing_pixels {
    const char *row;
    int64_t row_step;
    const multiples &columns;

    HWY_INLINE const char *operator()(int, int j) const { return row + columns[j]; }
    HWY_INLINE void next_row() { row = opaque(row + row_step); }
  };
  struct listed_pixels {
    const char *const *table;
    int64_t offset;

    HWY_INLINE const char *operator()(int i, int j) const { return table[i * kSide + j] + offset; }
    HWY_INLINE void next_row() {}
  };

  // Transforms one vector of channels of a tile. `to`: of point 0. `rows`: of bytes between rows of points.
  template <class Pixels, class PixelAccess, class PointAccess>
  static TPP_INLINE void Transform(const coefficients<D> &by, Pixels pixels, PixelAccess of_pixels, PointAccess of_points,
                                   char *to, int64_t point_step, const multiples &rows) {
    const D d;
    HWY_ALIGN float buffer[kSide * kSide * kLanes];
    // A buffer that the compiler knows becomes registers. The larger one does not fit them: spills would also take those of the coefficients.
    float *half = kTile == 2 ? buffer : opaque(&buffer[0]);
    static_for<kSide>(TPP_LAMBDA(i) {
      V x[kSide], y[kSide];
      static_for<kSide>(TPP_LAMBDA(j) { x[j] = of_pixels.load(pixels(i, j)); });
      TransformInput(by, x, y);
      static_for<kSide>(TPP_LAMBDA(j) { hn::Store(y[j], d, half + (i * kSide + j) * kLanes); });
      pixels.next_row();
      keep_order();
    });
    static_for<kSide>(TPP_LAMBDA(j) {
      V x[kSide], y[kSide];
      static_for<kSide>(TPP_LAMBDA(i) { x[i] = hn::Load(d, half + (i * kSide + j) * kLanes); });
      TransformInput(by, x, y);
      static_for<kSide>(TPP_LAMBDA(i) { of_points.store(y[i], to + rows[i]); });
      to = opaque(to + point_step);
      keep_order();
    });
  }

  // One chunk of channels of all tiles. All strides are in bytes.
  struct chunk {
    const char *in;
    char *out;
    int64_t channels, row_step, column_step, tile_step, point_step;
    int64_t first_row, end_row; // rows of a tile that exist
  };

  template <int kType> static void Tiles(const tpp_winograd_input_desc &desc, const chunk &at) {
    constexpr int64_t bytes = sizeof(typename Element<kType>::T);
    const whole_vectors_of<kType> pixels;
    const coefficients<D> by{D()};
    const multiples columns(at.column_step), rows(at.point_step * kSide);
    const int64_t tail = at.channels % kLanes, whole = at.channels - tail;
    char *out = at.out;
    for (int64_t tile = 0; tile < desc.tiles; ++tile, out += at.tile_step) {
      const int64_t left = kTile * tile - desc.left; // column of the image
      const int64_t first = std::max<int64_t>(-left, 0), end = std::min<int64_t>(desc.width - left, kSide);
      const bool exists = at.first_row == 0 && at.end_row == kSide && first == 0 && end == kSide;
      if (exists) {
        const char *from = at.in + left * at.column_step;
        for (int64_t channel = 0; channel < whole; channel += kLanes)
          Transform(by, existing_pixels{from + channel * bytes, at.row_step, columns}, pixels, whole_vectors(), out + channel * 4,
                    at.point_step, rows);
        if (tail == 0)
          continue;
      }
      const char *table[kSide * kSide];
      for (int64_t i = 0; i < kSide; ++i)
        for (int64_t j = 0; j < kSide; ++j)
          table[i * kSide + j] = i >= at.first_row && i < at.end_row && j >= first && j < end
                                     ? at.in + (i - at.first_row) * at.row_step + (left + j) * at.column_step
                                     : reinterpret_cast<const char *>(winograd_zeros);
      if (!exists)
        for (int64_t channel = 0; channel < whole; channel += kLanes)
          Transform(by, listed_pixels{table, channel * bytes}, pixels, whole_vectors(), out + channel * 4, at.point_step, rows);
      if (tail > 0) {
        const auto count = static_cast<size_t>(tail);
        Transform(by, listed_pixels{table, whole * bytes}, parts_of_vectors_of<kType>(count), parts_of_vectors(count),
                  out + whole * 4, at.point_step, rows);
      }
    }
  }

  static void Run(const tpp_kernel *self, const tpp_args *args) {
    const tpp_winograd_input_desc &desc = reinterpret_cast<const microkernel *>(self)->desc.winograd_input;
    if (desc.tiles == 0)
      return;
    const int64_t bytes = type_bytes(desc.in.type);
    chunk at;
    at.row_step = desc.in_row_stride * bytes;
    at.column_step = desc.in.ld * bytes;
    at.tile_step = desc.out.ld * 4;
    at.point_step = desc.out_point_stride * 4;
    at.first_row = desc.top;
    at.end_row = desc.width > 0 ? desc.top + desc.height : desc.top;
    for (int64_t channel = 0; channel < desc.channels; channel += at.channels) {
      at.channels = std::min({int64_t{winograd_chunk}, columns_in_panel(desc.in, channel, desc.channels),
                              columns_in_panel(desc.out, channel, desc.channels)});
      at.in = static_cast<const char *>(args->a);
      if (at.end_row > at.first_row)
        at.in += column_offset(desc.in, channel) * bytes;
      at.out = static_cast<char *>(args->c) + column_offset(desc.out, channel) * 4;
      with_image_type(
          desc.in.type, TPP_LAMBDA(type) {
            constexpr int kType = type;
            Tiles<kType>(desc, at);
          });
    }
  }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

namespace tpp {
#define TPP_UK_WINOGRAD_INPUT_DEFINE(name, cycles, tile)                                                                         \
  TPP_UK_FUNCTIONS(name, tpp_winograd_input_desc, native_winograd_input_reject(desc, tile),                                      \
                   native_winograd_input_ns(desc, HWY_NAMESPACE::WinogradInput<tile>::kLanes, cycles),                           \
                   kernel->head.entry = HWY_NAMESPACE::WinogradInput<tile>::Run)
#define TPP_UK_WINOGRAD_INPUT(tile, ...)                                                                                         \
  TPP_UK_PER_TARGET(TPP_UK_WINOGRAD_INPUT_DEFINE, tpp_uk_winograd_input_f32_##tile, __VA_ARGS__, tile)
#include "tpp/kernels.def"
#undef TPP_UK_WINOGRAD_INPUT_DEFINE
} // namespace tpp

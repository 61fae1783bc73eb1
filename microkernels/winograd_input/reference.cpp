// winograd_input in plain C++: every size, layout and border. It defines what the kernels compute (contract in winograd_input.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_input/winograd_input.hpp"

namespace tpp {

const char *winograd_input_reject_reason(const tpp_winograd_input_desc &desc) {
  if (!is_image_type(desc.in.type) || desc.out.type != TPP_TYPE_f32)
    return "winograd_input takes f32 or bf16 to f32";
  if (desc.in.vnni > 1 || desc.out.vnni > 1)
    return "winograd_input takes no VNNI-blocked operand";
  return desc.tile == 2 || desc.tile == 4 ? nullptr : "winograd_input has tiles of 2 or 4";
}

void winograd_input_reference(const tpp_winograd_input_desc &desc, const tpp_args &args) {
  auto *out = static_cast<float *>(args.c);
  const winograd_matrices &matrices = winograd_matrices_of(desc.tile);
  const int side = desc.tile + 2;
  for (int64_t tile = 0; tile < desc.tiles; ++tile)
    for (int64_t channel = 0; channel < desc.channels; ++channel) {
      double pixels[winograd_most_side][winograd_most_side] = {}, points[winograd_most_side][winograd_most_side];
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
          const int64_t row = i - desc.top, col = j + desc.tile * tile - desc.left;
          if (row >= 0 && row < desc.height && col >= 0 && col < desc.width)
            pixels[i][j] = load_double(desc.in.type, args.a, element_offset(desc.in, col, channel) + row * desc.in_row_stride);
        }
      winograd_transform(matrices.input, side, side, pixels, points);
      const int64_t at = element_offset(desc.out, tile, channel);
      for (int point = 0; point < side * side; ++point)
        out[at + point * desc.out_point_stride] = static_cast<float>(points[point / side][point % side]);
    }
}

TPP_UK_FUNCTIONS(
    tpp_uk_winograd_input_reference, tpp_winograd_input_desc, winograd_input_reject_reason(desc),
    reference_ns(static_cast<double>(desc.tiles) * static_cast<double>(desc.channels) * 2 * (desc.tile + 2) * (desc.tile + 2)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      winograd_input_reference(reinterpret_cast<const microkernel *>(self)->desc.winograd_input, *args);
    })

} // namespace tpp

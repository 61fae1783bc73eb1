// winograd_output in plain C++: every size, layout and post-op. It defines what the kernels compute (contract in winograd_output.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/scalar_post_ops.hpp"
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_output/winograd_output.hpp"

namespace tpp {

const char *winograd_output_reject_reason(const tpp_winograd_output_desc &desc) {
  if (desc.in.type != TPP_TYPE_f32 || !is_image_type(desc.out.type))
    return "winograd_output takes f32 to f32 or bf16";
  if (desc.in.vnni > 1 || desc.out.vnni > 1)
    return "winograd_output takes no VNNI-blocked operand";
  if (desc.tile != 2 && desc.tile != 4)
    return "winograd_output has tiles of 2 or 4";
  return post_ops_reject_reason(desc, /*floating=*/true);
}

void winograd_output_reference(const tpp_winograd_output_desc &desc, const tpp_args &args) {
  const auto *in = static_cast<const float *>(args.a);
  const winograd_matrices &matrices = winograd_matrices_of(desc.tile);
  const int side = desc.tile + 2;
  for (int64_t tile = 0; tile < desc.tiles; ++tile)
    for (int64_t channel = 0; channel < desc.channels; ++channel) {
      double points[winograd_most_side][winograd_most_side] = {}, pixels[4][4];
      for (int point = 0; point < side * side; ++point)
        points[point / side][point % side] =
            static_cast<double>(in[element_offset(desc.in, tile, channel) + point * desc.in_point_stride]);
      winograd_transform(matrices.output, desc.tile, side, points, pixels);
      for (int i = 0; i < desc.tile && i < desc.height; ++i)
        for (int j = 0; j < desc.tile; ++j) {
          const int64_t col = j + desc.tile * tile;
          if (col < desc.width)
            store_double(
                desc.out.type, args.c, element_offset(desc.out, col, channel) + i * desc.out_row_stride,
                static_cast<double>(apply_image_post_ops(desc, args, i, col, channel, static_cast<float>(pixels[i][j]))));
        }
    }
}

TPP_UK_FUNCTIONS(
    tpp_uk_winograd_output_reference, tpp_winograd_output_desc, winograd_output_reject_reason(desc),
    reference_ns(static_cast<double>(desc.tiles) * static_cast<double>(desc.channels) * (desc.tile + 2) *
                 (desc.tile + 2 + desc.post_op_count)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      winograd_output_reference(reinterpret_cast<const microkernel *>(self)->desc.winograd_output, *args);
    })

} // namespace tpp

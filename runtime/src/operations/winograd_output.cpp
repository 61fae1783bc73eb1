// winograd_output: out = post(A^T * m * A) for each tile m of products. Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "winograd.h"

namespace tpp {
tpp_status validate(const tpp_winograd_output_desc &desc) {
  int64_t columns = 0;
  TPP_RETURN_IF_FAILED(check_tiles(desc, &columns));
  TPP_RETURN_IF_FAILED(check_range("height", desc.height, desc.tile));
  TPP_RETURN_IF_FAILED(check_range("width", desc.width, columns));
  int64_t in_bytes = 0, out_bytes = 0;
  const operand in = {"in", desc.tiles, desc.channels, role::input}, out = {"out", desc.width, desc.channels, role::output};
  TPP_RETURN_IF_FAILED(check_matrix(desc.in, in, &in_bytes));
  TPP_RETURN_IF_FAILED(check_matrix(desc.out, out, &out_bytes));
  TPP_RETURN_IF_FAILED(check_stack(desc.in, in, in_bytes, {"in_point_stride", "points", desc.in_point_stride, points_of(desc)}));
  TPP_RETURN_IF_FAILED(
      check_stack(desc.out, out, out_bytes, {"out_row_stride", "rows of pixels", desc.out_row_stride, desc.height}));
  if (desc.reserved != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "reserved is %d, must be 0", desc.reserved);
  return check_image_post_ops(image_post_ops_of(desc), desc.height, desc.width, desc.channels);
}

void canonicalize(const tpp_winograd_output_desc &desc, tpp_winograd_output_desc &key) {
  key = desc;
  if (desc.height == 0 || desc.width == 0 || desc.tiles == 0 || desc.channels == 0) // nothing is read or written
    key.height = key.width = key.tiles = 0;
  canonicalize_matrix(key.in, key.tiles, key.channels);
  canonicalize_matrix(key.out, key.width, key.channels);
  canonicalize_stride(key.in_point_stride, points_of(key), key.tiles, key.channels);
  canonicalize_stride(key.out_row_stride, key.height, key.width, key.channels);
  canonicalize_image_post_ops(key.post_ops, key.post_row_strides, desc.post_op_count, key.height, key.width, key.channels);
}

void describe(const tpp_winograd_output_desc &desc, text &out) {
  out.append("winograd_output %dx%d %" PRId64 " tiles x %" PRId64 " channels to %" PRId64 "x%" PRId64 " pixels ", desc.tile,
             desc.tile, desc.tiles, desc.channels, desc.height, desc.width);
  describe_matrix(desc.in, out);
  out.append(" every %" PRId64 " -> ", desc.in_point_stride);
  describe_matrix(desc.out, out);
  out.append(" every %" PRId64, desc.out_row_stride);
  describe_image_post_ops(image_post_ops_of(desc), out);
  describe_provider(desc.provider, out);
}

} // namespace tpp

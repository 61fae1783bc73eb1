// winograd_input: out = B^T * d * B for each tile d of an image. Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "winograd.h"

#include <algorithm>

namespace tpp {
tpp_status validate(const tpp_winograd_input_desc &desc) {
  int64_t columns = 0;
  TPP_RETURN_IF_FAILED(check_tiles(desc, &columns));
  const int64_t side = desc.tile + 2;
  TPP_RETURN_IF_FAILED(check_range("top", desc.top, side));
  TPP_RETURN_IF_FAILED(check_range("left", desc.left, side));
  TPP_RETURN_IF_FAILED(check_range("height", desc.height, side - desc.top));
  TPP_RETURN_IF_FAILED(check_range("width", desc.width, std::max<int64_t>(columns + 2 - desc.left, 0)));
  int64_t in_bytes = 0, out_bytes = 0;
  const operand in = {"in", desc.width, desc.channels, role::input}, out = {"out", desc.tiles, desc.channels, role::output};
  TPP_RETURN_IF_FAILED(check_matrix(desc.in, in, &in_bytes));
  TPP_RETURN_IF_FAILED(check_matrix(desc.out, out, &out_bytes));
  TPP_RETURN_IF_FAILED(check_stack(desc.in, in, in_bytes, {"in_row_stride", "rows of pixels", desc.in_row_stride, desc.height}));
  return check_stack(desc.out, out, out_bytes, {"out_point_stride", "points", desc.out_point_stride, points_of(desc)});
}

void canonicalize(const tpp_winograd_input_desc &desc, tpp_winograd_input_desc &key) {
  key = desc;
  if (desc.height == 0 || desc.width == 0 || desc.tiles == 0 || desc.channels == 0) // no pixel is read
    key.height = key.width = key.top = key.left = 0;
  canonicalize_matrix(key.in, key.width, key.channels);
  canonicalize_matrix(key.out, key.tiles, key.channels);
  canonicalize_stride(key.in_row_stride, key.height, key.width, key.channels);
  canonicalize_stride(key.out_point_stride, points_of(key), key.tiles, key.channels);
}

void describe(const tpp_winograd_input_desc &desc, text &out) {
  out.append("winograd_input %dx%d %" PRId64 " tiles x %" PRId64 " channels of %" PRId64 "x%" PRId64 " pixels at %" PRId64
             ",%" PRId64 " ",
             desc.tile, desc.tile, desc.tiles, desc.channels, desc.height, desc.width, desc.top, desc.left);
  describe_matrix(desc.in, out);
  out.append(" every %" PRId64 " -> ", desc.in_row_stride);
  describe_matrix(desc.out, out);
  out.append(" every %" PRId64, desc.out_point_stride);
  describe_provider(desc.provider, out);
}

} // namespace tpp

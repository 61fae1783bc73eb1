// winograd_output: out = post(A^T * m * A) for each tile m of products. Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "winograd.h"

#include <stdio.h>

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
  TPP_RETURN_IF_FAILED(check_post_op_count(desc.post_op_count, TPP_MAX_POST_OPS));
  for (int32_t i = 0; i < desc.post_op_count; ++i) {
    const tpp_post_op &step = desc.post_ops[i];
    int64_t bytes;
    TPP_RETURN_IF_FAILED(check_post_op(step, i, desc.width, desc.channels, &bytes));
    if (step.op_class != TPP_POST_OP_binary)
      continue;
    char name[40];
    snprintf(name, sizeof name, "post_row_strides[%d]", i);
    TPP_RETURN_IF_FAILED(check_stack(step.form, broadcast_operand(name, desc.width, desc.channels, step.broadcast), bytes,
                                     {name, "rows of pixels", desc.post_row_strides[i], desc.height}));
  }
  return TPP_STATUS_OK;
}

void canonicalize(const tpp_winograd_output_desc &desc, tpp_winograd_output_desc &key) {
  key = desc;
  if (desc.height == 0 || desc.width == 0 || desc.tiles == 0 || desc.channels == 0) // nothing is read or written
    key.height = key.width = key.tiles = 0;
  canonicalize_matrix(key.in, key.tiles, key.channels);
  canonicalize_matrix(key.out, key.width, key.channels);
  canonicalize_stride(key.in_point_stride, points_of(key), key.tiles, key.channels);
  canonicalize_stride(key.out_row_stride, key.height, key.width, key.channels);
  for (int32_t i = 0; i < TPP_MAX_POST_OPS; ++i) {
    if (i >= desc.post_op_count)
      key.post_ops[i] = {};
    else
      canonicalize_post_op(key.post_ops[i], key.width, key.channels);
    canonicalize_stride(key.post_row_strides[i], key.post_ops[i].op_class == TPP_POST_OP_binary ? key.height : 0, key.width,
                        key.channels);
  }
}

void describe(const tpp_winograd_output_desc &desc, text &out) {
  out.append("winograd_output %dx%d %" PRId64 " tiles x %" PRId64 " channels to %" PRId64 "x%" PRId64 " pixels ", desc.tile,
             desc.tile, desc.tiles, desc.channels, desc.height, desc.width);
  describe_matrix(desc.in, out);
  out.append(" every %" PRId64 " -> ", desc.in_point_stride);
  describe_matrix(desc.out, out);
  out.append(" every %" PRId64, desc.out_row_stride);
  for (int32_t i = 0; i < desc.post_op_count; ++i) {
    describe_post_op(desc.post_ops[i], out);
    if (desc.post_row_strides[i] != 0)
      out.append(" every %" PRId64, desc.post_row_strides[i]);
  }
  describe_provider(desc.provider, out);
}

} // namespace tpp

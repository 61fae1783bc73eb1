// Validation of descriptors by the rules of tpp/types.h. Each failure reports the field, its value and the expected value. Microkernels
// and providers rely on it: in a valid descriptor, no extent overflows and no output element is written twice.
#include "descriptor.h"
#include "names.h"
#include "status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

namespace tpp {
namespace {

enum class role { input, output };

// One operand: its name in messages, and its rows and columns as stored, before a broadcast.
struct operand {
  const char *name;
  int64_t rows, cols;
  role access;
};

#define TPP_RETURN_IF_FAILED(expression)                                                                                         \
  do {                                                                                                                           \
    if (const tpp_status status_ = (expression))                                                                                 \
      return status_;                                                                                                            \
  } while (false)

tpp_status check_size(const char *name, int64_t size) {
  return size >= 0 ? TPP_STATUS_OK : fail(TPP_STATUS_INVALID_SIZE, "%s is %" PRId64 ", must not be negative", name, size);
}

tpp_status check_provider(int32_t provider) {
  return provider_name(provider) ? TPP_STATUS_OK : fail(TPP_STATUS_UNKNOWN_KIND, "provider %d is unknown", provider);
}

tpp_status check_broadcast(const char *name, int32_t broadcast) {
  return broadcast_name(broadcast) ? TPP_STATUS_OK
                                   : fail(TPP_STATUS_UNKNOWN_KIND, "%s: broadcast %d is unknown", name, broadcast);
}

tpp_status check_streaming(int32_t streaming) {
  return streaming == 0 || streaming == 1 ? TPP_STATUS_OK
                                          : fail(TPP_STATUS_INVALID_ARGUMENT, "streaming is %d, must be 0 or 1", streaming);
}

tpp_status check_beta(int32_t beta) {
  return beta == 0 || beta == 1 ? TPP_STATUS_OK : fail(TPP_STATUS_INVALID_ARGUMENT, "beta is %d, must be 0 or 1", beta);
}

operand broadcast_operand(const char *name, int64_t m, int64_t n, int32_t broadcast) {
  const bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  const bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  return {name, one_row ? (m > 0) : m, one_col ? (n > 0) : n, role::input};
}

// Sizes derived from a layout, in elements except for `bytes`.
struct extent {
  int64_t groups;      // rows / vnni, rounded up
  int64_t panel_width; // of a full panel, multiplied by the vnni factor
  int64_t last_panel;  // index of the last panel
  int64_t last_width;  // of the last panel, multiplied by the vnni factor
  int64_t bytes;       // all elements end at or before this offset
};

// Returns false if the extent does not fit 63 bits. The operand must not be empty.
bool compute_extent(const tpp_matrix &form, const operand &of, extent *out) {
  const int64_t vnni = form.vnni > 1 ? form.vnni : 1;
  const int64_t panel = form.panel == 0 || form.panel > of.cols ? of.cols : form.panel;
  out->groups = (of.rows - 1) / vnni + 1;
  out->last_panel = (of.cols - 1) / panel;
  int64_t rows_extent, panels_extent = 0, elements;
  if (__builtin_mul_overflow(panel, vnni, &out->panel_width) ||
      __builtin_mul_overflow(of.cols - out->last_panel * panel, vnni, &out->last_width) ||
      __builtin_mul_overflow(out->groups - 1, form.ld, &rows_extent) ||
      (out->last_panel > 0 && __builtin_mul_overflow(out->last_panel, form.panel_stride, &panels_extent)) ||
      __builtin_add_overflow(rows_extent, panels_extent, &elements) ||
      __builtin_add_overflow(elements, out->panel_width, &elements) ||
      __builtin_mul_overflow(elements, type_bytes(form.type), &out->bytes))
    return false;
  return true;
}

// Rows and panels of an output must not share elements. Panels are stored either one after the other, or interleaved in each row.
tpp_status check_output_overlap(const tpp_matrix &form, const operand &of, const extent &size) {
  const int64_t row_width = size.last_panel > 0 ? size.panel_width : size.last_width;
  if (size.groups > 1 && form.ld < row_width)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION,
                "%s.ld is %" PRId64 ", needs at least %" PRId64 ": rows of an output must not overlap", of.name, form.ld,
                row_width);
  if (size.last_panel == 0)
    return TPP_STATUS_OK;
  const int64_t panel_extent = (size.groups - 1) * form.ld + size.panel_width;
  const bool one_behind_the_other = form.panel_stride >= panel_extent;
  const bool side_by_side = form.panel_stride >= size.panel_width &&
                            (size.groups == 1 || form.ld >= size.last_panel * form.panel_stride + size.last_width);
  if (one_behind_the_other || side_by_side)
    return TPP_STATUS_OK;
  return fail(TPP_STATUS_INVALID_LEADING_DIMENSION,
              "%s.panel_stride is %" PRId64 ", needs at least %" PRId64 ": panels of an output must not overlap", of.name,
              form.panel_stride, panel_extent);
}

// Checks one operand; `bytes` (may be null) receives its extent.
tpp_status check_matrix(const tpp_matrix &form, const operand &of, int64_t *bytes = nullptr) {
  if (!type_name(form.type))
    return fail(TPP_STATUS_UNKNOWN_KIND, "%s.type %d is unknown", of.name, form.type);
  if (form.vnni < 0 || (form.vnni > 1 && form.vnni * type_bytes(form.type) != 4))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s.vnni is %d, must be 0, 1 or as many %s as 4 bytes hold", of.name, form.vnni,
                type_name(form.type));
  if (form.ld < 1)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.ld is %" PRId64 ", needs at least 1", of.name, form.ld);
  if (form.panel < 0)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.panel is %" PRId64 ", must not be negative", of.name, form.panel);
  const bool empty = of.rows == 0 || of.cols == 0;
  if (!empty && form.panel > 0 && form.panel < of.cols && form.panel_stride < 1)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.panel_stride is %" PRId64 ", needs at least 1", of.name,
                form.panel_stride);
  extent size = {};
  if (!empty) {
    if (!compute_extent(form, of, &size))
      return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit 63 bits", of.name);
    if (of.access == role::output)
      TPP_RETURN_IF_FAILED(check_output_overlap(form, of, size));
  }
  if (bytes)
    *bytes = size.bytes;
  return TPP_STATUS_OK;
}

// Checks the stride of a batch: it is a multiple of the element size, and the end of the second entry fits 63 bits.
tpp_status check_batch_stride(const char *name, int64_t stride, const tpp_matrix &form, int64_t extent_bytes) {
  const int64_t element = type_bytes(form.type);
  if (stride % element != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s is %" PRId64 ", not a multiple of the element's %" PRId64 " bytes", name, stride,
                element);
  int64_t distance = stride, end;
  if ((stride < 0 && __builtin_sub_overflow(int64_t{0}, stride, &distance)) ||
      __builtin_add_overflow(distance, extent_bytes, &end))
    return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit 63 bits", name);
  return TPP_STATUS_OK;
}

tpp_status check_post_op(const tpp_post_op &step, int32_t index, int64_t m, int64_t n) {
  char name[32];
  snprintf(name, sizeof name, "post_ops[%d]", index);
  if (step.reserved != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s.reserved is %d, must be 0", name, step.reserved);
  if (step.op_class == TPP_POST_OP_unary) {
    if (!unary_name(step.kind))
      return fail(TPP_STATUS_UNKNOWN_KIND, "%s: unary kind %d is unknown", name, step.kind);
    if (!is_post_op(static_cast<tpp_unary_kind>(step.kind)))
      return fail(TPP_STATUS_INVALID_ARGUMENT, "%s: %s is not an activation", name, unary_name(step.kind));
    return TPP_STATUS_OK;
  }
  if (step.op_class != TPP_POST_OP_binary)
    return fail(TPP_STATUS_UNKNOWN_KIND, "%s.op_class %d is unknown", name, step.op_class);
  if (!binary_name(step.kind))
    return fail(TPP_STATUS_UNKNOWN_KIND, "%s: binary kind %d is unknown", name, step.kind);
  TPP_RETURN_IF_FAILED(check_broadcast(name, step.broadcast));
  char form[40];
  snprintf(form, sizeof form, "%s.form", name);
  return check_matrix(step.form, broadcast_operand(form, m, n, step.broadcast));
}

} // namespace

tpp_status validate(const tpp_brgemm_desc &desc) {
  TPP_RETURN_IF_FAILED(check_size("m", desc.m));
  TPP_RETURN_IF_FAILED(check_size("n", desc.n));
  TPP_RETURN_IF_FAILED(check_size("k", desc.k));
  int64_t a_bytes = 0, b_bytes = 0;
  TPP_RETURN_IF_FAILED(check_matrix(desc.a, {"a", desc.m, desc.k, role::input}, &a_bytes));
  TPP_RETURN_IF_FAILED(check_matrix(desc.b, {"b", desc.k, desc.n, role::input}, &b_bytes));
  TPP_RETURN_IF_FAILED(check_matrix(desc.c, {"c", desc.m, desc.n, role::output}));
  switch (desc.batch_kind) {
  case TPP_BATCH_stride:
    TPP_RETURN_IF_FAILED(check_batch_stride("a_batch_stride", desc.a_batch_stride, desc.a, a_bytes));
    TPP_RETURN_IF_FAILED(check_batch_stride("b_batch_stride", desc.b_batch_stride, desc.b, b_bytes));
    break;
  case TPP_BATCH_offset:
  case TPP_BATCH_address:
    break;
  default:
    return fail(TPP_STATUS_UNKNOWN_KIND, "batch_kind %d is unknown", desc.batch_kind);
  }
  TPP_RETURN_IF_FAILED(check_beta(desc.beta));
  TPP_RETURN_IF_FAILED(check_provider(desc.provider));
  TPP_RETURN_IF_FAILED(check_streaming(desc.streaming));
  if (desc.reserved != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "reserved is %d, must be 0", desc.reserved);
  if (desc.post_op_count < 0 || desc.post_op_count > TPP_MAX_POST_OPS)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "post_op_count is %d, must be 0 to %d", desc.post_op_count, int{TPP_MAX_POST_OPS});
  for (int32_t i = 0; i < desc.post_op_count; ++i)
    TPP_RETURN_IF_FAILED(check_post_op(desc.post_ops[i], i, desc.m, desc.n));
  return TPP_STATUS_OK;
}

tpp_status validate(const tpp_unary_desc &desc) {
  TPP_RETURN_IF_FAILED(check_size("m", desc.m));
  TPP_RETURN_IF_FAILED(check_size("n", desc.n));
  if (!unary_name(desc.kind))
    return fail(TPP_STATUS_UNKNOWN_KIND, "unary kind %d is unknown", desc.kind);
  TPP_RETURN_IF_FAILED(check_streaming(desc.streaming));
  TPP_RETURN_IF_FAILED(check_provider(desc.provider));
  if (!isfinite(desc.alpha) || (desc.kind != TPP_UNARY_leaky_relu && desc.alpha != 0))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "alpha is %g, must be finite for leaky_relu and 0 for other kinds",
                static_cast<double>(desc.alpha));
  if (desc.reserved != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "reserved is %d, must be 0", desc.reserved);
  TPP_RETURN_IF_FAILED(check_matrix(desc.out, {"out", desc.m, desc.n, role::output}));
  if (desc.kind == TPP_UNARY_zero) // its input is never read
    return TPP_STATUS_OK;
  TPP_RETURN_IF_FAILED(check_broadcast("in", desc.broadcast));
  const bool transpose = desc.kind == TPP_UNARY_transpose, vnni_pack = desc.kind == TPP_UNARY_vnni_pack;
  if ((transpose || vnni_pack) && desc.broadcast != TPP_BROADCAST_none)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s takes no broadcast, got %s", unary_name(desc.kind),
                broadcast_name(desc.broadcast));
  if (vnni_pack && (desc.in.vnni > 1 || desc.out.vnni < 2))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "vnni_pack makes out.vnni of 2 or 4 from in.vnni of 0 or 1, got %d from %d",
                desc.out.vnni, desc.in.vnni);
  const operand in =
      transpose ? operand{"in", desc.n, desc.m, role::input} : broadcast_operand("in", desc.m, desc.n, desc.broadcast);
  TPP_RETURN_IF_FAILED(check_matrix(desc.in, in));
  if (group_of(static_cast<tpp_unary_kind>(desc.kind)) == unary_group::move && desc.in.type != desc.out.type)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s keeps the element type, got %s -> %s", unary_name(desc.kind),
                type_name(desc.in.type), type_name(desc.out.type));
  return TPP_STATUS_OK;
}

tpp_status validate(const tpp_binary_desc &desc) {
  TPP_RETURN_IF_FAILED(check_size("m", desc.m));
  TPP_RETURN_IF_FAILED(check_size("n", desc.n));
  if (!binary_name(desc.kind))
    return fail(TPP_STATUS_UNKNOWN_KIND, "binary kind %d is unknown", desc.kind);
  TPP_RETURN_IF_FAILED(check_provider(desc.provider));
  TPP_RETURN_IF_FAILED(check_broadcast("in0", desc.broadcast0));
  TPP_RETURN_IF_FAILED(check_broadcast("in1", desc.broadcast1));
  TPP_RETURN_IF_FAILED(check_matrix(desc.in0, broadcast_operand("in0", desc.m, desc.n, desc.broadcast0)));
  TPP_RETURN_IF_FAILED(check_matrix(desc.in1, broadcast_operand("in1", desc.m, desc.n, desc.broadcast1)));
  return check_matrix(desc.out, {"out", desc.m, desc.n, role::output});
}

tpp_status validate(const tpp_reduce_desc &desc) {
  TPP_RETURN_IF_FAILED(check_size("m", desc.m));
  TPP_RETURN_IF_FAILED(check_size("n", desc.n));
  if (!reduce_name(desc.kind))
    return fail(TPP_STATUS_UNKNOWN_KIND, "reduce kind %d is unknown", desc.kind);
  if (desc.axis != TPP_REDUCE_over_rows && desc.axis != TPP_REDUCE_over_cols)
    return fail(TPP_STATUS_UNKNOWN_KIND, "axis %d is unknown", desc.axis);
  TPP_RETURN_IF_FAILED(check_beta(desc.beta));
  TPP_RETURN_IF_FAILED(check_provider(desc.provider));
  TPP_RETURN_IF_FAILED(check_matrix(desc.in, {"in", desc.m, desc.n, role::input}));
  const bool over_rows = desc.axis == TPP_REDUCE_over_rows;
  return check_matrix(desc.out, {"out", over_rows ? 1 : desc.m, over_rows ? desc.n : 1, role::output});
}

} // namespace tpp

// See descriptor_parts.h.
#include "descriptor_parts.h"

#include <algorithm>
#include <stdio.h>

namespace tpp {

// ---- checks ----

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

tpp_status check_range(const char *name, int64_t value, int64_t most) {
  return value >= 0 && value <= most
             ? TPP_STATUS_OK
             : fail(TPP_STATUS_INVALID_SIZE, "%s is %" PRId64 ", must be 0 to %" PRId64, name, value, most);
}

tpp_status check_positive(const char *name, int64_t value) {
  return value >= 1 ? TPP_STATUS_OK : fail(TPP_STATUS_INVALID_SIZE, "%s is %" PRId64 ", must be at least 1", name, value);
}

operand broadcast_operand(const char *name, int64_t m, int64_t n, int32_t broadcast) {
  const bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  const bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  return {name, one_row ? (m > 0) : m, one_col ? (n > 0) : n, role::input};
}

namespace {

// Sizes derived from a layout, in elements except for `bytes`.
struct extent {
  int64_t groups;      // rows / vnni, rounded up
  int64_t panel_width; // of a full panel, multiplied by the vnni factor
  int64_t last_panel;  // index of the last panel
  int64_t last_width;  // of the last panel, multiplied by the vnni factor
  int64_t bytes;       // all elements end at or before this offset
};

// Returns false if the extent does not fit in 63 bits. The operand must not be empty.
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
                "%s.ld is %" PRId64 ", must be at least %" PRId64 ": rows of an output must not overlap", of.name, form.ld,
                row_width);
  if (size.last_panel == 0)
    return TPP_STATUS_OK;
  const int64_t panel_extent = (size.groups - 1) * form.ld + size.panel_width;
  const bool one_after_the_other = form.panel_stride >= panel_extent;
  const bool side_by_side = form.panel_stride >= size.panel_width &&
                            (size.groups == 1 || form.ld >= size.last_panel * form.panel_stride + size.last_width);
  if (one_after_the_other || side_by_side)
    return TPP_STATUS_OK;
  return fail(TPP_STATUS_INVALID_LEADING_DIMENSION,
              "%s.panel_stride is %" PRId64 ", must be at least %" PRId64 ": panels of an output must not overlap", of.name,
              form.panel_stride, panel_extent);
}

// Layers of an output must not share elements. `form` is canonical, so that panels that form plain rows do not count.
tpp_status check_stack_overlap(const tpp_matrix &form, const operand &of, const extent &size, const stack &all) {
  char ld[40], panel_stride[40];
  snprintf(ld, sizeof ld, "%s.ld", of.name);
  snprintf(panel_stride, sizeof panel_stride, "%s.panel_stride", of.name);
  struct dimension {
    const char *name, *elements;
    int64_t stride, count, saved; // saved: elements by which the last one is shorter
  };
  dimension each[] = {{ld, "rows", form.ld, size.groups, 0},
                      {panel_stride, "panels", form.panel_stride, size.last_panel + 1, size.panel_width - size.last_width},
                      {all.name, all.layers, all.stride, all.count, 0}};
  std::sort(each, each + 3, [](const dimension &a, const dimension &b) { return a.stride < b.stride; });
  int64_t below = size.last_panel > 0 ? size.panel_width : size.last_width;
  for (const dimension &at : each) {
    if (at.count == 1)
      continue;
    if (at.stride < below)
      return fail(TPP_STATUS_INVALID_LEADING_DIMENSION,
                  "%s is %" PRId64 ", must be at least %" PRId64 ": %s of an output must not overlap", at.name, at.stride, below,
                  at.elements);
    below += (at.count - 1) * at.stride - at.saved;
  }
  return TPP_STATUS_OK;
}

} // namespace

tpp_status check_matrix(const tpp_matrix &form, const operand &of, int64_t *bytes) {
  if (!type_name(form.type))
    return fail(TPP_STATUS_UNKNOWN_KIND, "%s.type %d is unknown", of.name, form.type);
  if (form.vnni < 0 || (form.vnni > 1 && form.vnni * type_bytes(form.type) != 4))
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s.vnni is %d, must be 0, 1 or as many %s as 4 bytes hold", of.name, form.vnni,
                type_name(form.type));
  if (form.ld < 1)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.ld is %" PRId64 ", must be at least 1", of.name, form.ld);
  if (form.panel < 0)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.panel is %" PRId64 ", must not be negative", of.name, form.panel);
  const bool empty = of.rows == 0 || of.cols == 0;
  if (!empty && form.panel > 0 && form.panel < of.cols && form.panel_stride < 1)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s.panel_stride is %" PRId64 ", must be at least 1", of.name,
                form.panel_stride);
  extent size = {};
  if (!empty) {
    if (!compute_extent(form, of, &size))
      return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit in 63 bits", of.name);
    if (of.access == role::output)
      TPP_RETURN_IF_FAILED(check_output_overlap(form, of, size));
  }
  if (bytes)
    *bytes = size.bytes;
  return TPP_STATUS_OK;
}

tpp_status check_stack(const tpp_matrix &form, const operand &of, int64_t bytes, const stack &all) {
  if (all.stride < 0)
    return fail(TPP_STATUS_INVALID_LEADING_DIMENSION, "%s is %" PRId64 ", must not be negative", all.name, all.stride);
  if (all.count <= 1 || of.rows == 0 || of.cols == 0)
    return TPP_STATUS_OK;
  int64_t distance, end;
  if (__builtin_mul_overflow(all.count - 1, all.stride, &distance) ||
      __builtin_mul_overflow(distance, type_bytes(form.type), &distance) || __builtin_add_overflow(distance, bytes, &end))
    return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit in 63 bits", all.name);
  if (of.access == role::input)
    return TPP_STATUS_OK;
  tpp_matrix canonical = form;
  canonicalize_matrix(canonical, of.rows, of.cols);
  extent size = {};
  if (!compute_extent(canonical, of, &size))
    return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit in 63 bits", of.name);
  return check_stack_overlap(canonical, of, size, all);
}

tpp_status check_post_op_count(int32_t count, int32_t most) {
  return count >= 0 && count <= most ? TPP_STATUS_OK
                                     : fail(TPP_STATUS_INVALID_ARGUMENT, "post_op_count is %d, must be 0 to %d", count, most);
}

tpp_status check_post_op(const tpp_post_op &step, int32_t index, int64_t m, int64_t n, int64_t *bytes) {
  char name[32];
  snprintf(name, sizeof name, "post_ops[%d]", index);
  if (bytes)
    *bytes = 0;
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
  return check_matrix(step.form, broadcast_operand(form, m, n, step.broadcast), bytes);
}

tpp_status check_image_post_ops(const image_post_ops &all, int64_t height, int64_t width, int64_t channels) {
  TPP_RETURN_IF_FAILED(check_post_op_count(all.count, TPP_MAX_POST_OPS));
  for (int32_t i = 0; i < all.count; ++i) {
    const tpp_post_op &step = all.steps[i];
    int64_t bytes;
    TPP_RETURN_IF_FAILED(check_post_op(step, i, width, channels, &bytes));
    if (step.op_class != TPP_POST_OP_binary)
      continue;
    char name[40];
    snprintf(name, sizeof name, "post_row_strides[%d]", i);
    TPP_RETURN_IF_FAILED(check_stack(step.form, broadcast_operand(name, width, channels, step.broadcast), bytes,
                                     {name, "rows of pixels", all.row_strides[i], height}));
  }
  return TPP_STATUS_OK;
}

// ---- canonical form ----

void canonicalize_matrix(tpp_matrix &form, int64_t rows, int64_t cols) {
  if (form.vnni == 1)
    form.vnni = 0;
  if (rows == 0 || cols == 0) {
    form.ld = 1;
    form.panel = form.panel_stride = 0;
    return;
  }
  const int64_t vnni = form.vnni ? form.vnni : 1;
  if (form.panel >= cols && form.panel > 0)
    form.panel = 0;
  // The bound avoids an overflow of the product. Wider panels are left unchanged.
  if (form.panel > 0 && form.panel <= INT32_MAX && form.panel_stride == form.panel * vnni)
    form.panel = 0;
  if (form.panel == 0) {
    form.panel_stride = 0;
    if (rows == 1 && vnni == 1)
      form.ld = cols;
  } else if (rows == 1 && vnni == 1) {
    form.ld = form.panel;
  }
}

void canonicalize_input(tpp_matrix &form, int64_t m, int64_t n, int32_t broadcast) {
  const bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  const bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  canonicalize_matrix(form, one_row && m > 0 ? 1 : m, one_col && n > 0 ? 1 : n);
}

void canonicalize_stride(int64_t &stride, int64_t count, int64_t rows, int64_t cols) {
  if (count <= 1 || rows == 0 || cols == 0)
    stride = 0;
}

void canonicalize_post_op(tpp_post_op &step, int64_t m, int64_t n) {
  if (step.op_class == TPP_POST_OP_binary) {
    canonicalize_input(step.form, m, n, step.broadcast);
  } else {
    step.broadcast = 0;
    step.form = {};
  }
}

void canonicalize_image_post_ops(tpp_post_op *steps, int64_t *row_strides, int32_t count, int64_t height, int64_t width,
                                 int64_t channels) {
  for (int32_t i = 0; i < TPP_MAX_POST_OPS; ++i) {
    if (i >= count)
      steps[i] = {};
    else
      canonicalize_post_op(steps[i], width, channels);
    canonicalize_stride(row_strides[i], steps[i].op_class == TPP_POST_OP_binary ? height : 0, width, channels);
  }
}

// ---- text ----

void describe_matrix(const tpp_matrix &matrix, text &out) {
  out.append("%s(ld %" PRId64, type_name(matrix.type), matrix.ld);
  if (matrix.panel)
    out.append(", panels of %" PRId64 " every %" PRId64, matrix.panel, matrix.panel_stride);
  if (matrix.vnni > 1)
    out.append(", vnni %d", matrix.vnni);
  out.append(")");
}

void describe_input(const tpp_matrix &matrix, int32_t broadcast, text &out) {
  if (broadcast != TPP_BROADCAST_none)
    out.append("%s ", broadcast_name(broadcast));
  describe_matrix(matrix, out);
}

void describe_post_op(const tpp_post_op &step, text &out) {
  if (step.op_class == TPP_POST_OP_unary) {
    out.append(" | %s", unary_name(step.kind));
  } else {
    out.append(" | %s ", binary_name(step.kind));
    describe_input(step.form, step.broadcast, out);
  }
}

void describe_image_post_ops(const image_post_ops &all, text &out) {
  for (int32_t i = 0; i < all.count; ++i) {
    describe_post_op(all.steps[i], out);
    if (all.row_strides[i] != 0)
      out.append(" every %" PRId64, all.row_strides[i]);
  }
}

void describe_provider(int32_t provider, text &out) {
  if (provider != TPP_PROVIDER_auto)
    out.append(" provider %s", provider_name(provider));
}

} // namespace tpp

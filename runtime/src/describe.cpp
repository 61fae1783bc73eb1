// Descriptors as text, for logs and error messages. The descriptors must be valid and canonical.
#include "descriptor.h"
#include "names.h"

#include <inttypes.h>

namespace tpp {
namespace {

void describe_matrix(const tpp_matrix &matrix, text &out) {
  out.append("%s(ld %" PRId64, type_name(matrix.type), matrix.ld);
  if (matrix.panel)
    out.append(", panels of %" PRId64 " every %" PRId64, matrix.panel, matrix.panel_stride);
  if (matrix.vnni > 1)
    out.append(", vnni %d", matrix.vnni);
  out.append(")");
}

// An input with its broadcast: "row f32(ld 16)".
void describe_input(const tpp_matrix &matrix, int32_t broadcast, text &out) {
  if (broadcast != TPP_BROADCAST_none)
    out.append("%s ", broadcast_name(broadcast));
  describe_matrix(matrix, out);
}

void describe_provider(int32_t provider, text &out) {
  if (provider != TPP_PROVIDER_auto)
    out.append(" provider %s", provider_name(provider));
}

} // namespace

void describe(const tpp_brgemm_desc &desc, text &out) {
  out.append("brgemm %" PRId64 "x%" PRId64 "x%" PRId64 " ", desc.m, desc.n, desc.k);
  describe_matrix(desc.a, out);
  out.append(" * ");
  describe_matrix(desc.b, out);
  out.append(" -> ");
  describe_matrix(desc.c, out);
  out.append(" beta %d batch ", desc.beta);
  switch (desc.batch_kind) {
  case TPP_BATCH_stride:
    out.append("stride %" PRId64 " %" PRId64, desc.a_batch_stride, desc.b_batch_stride);
    break;
  case TPP_BATCH_offset:
    out.append("offset");
    break;
  case TPP_BATCH_address:
    out.append("address");
    break;
  }
  if (desc.streaming)
    out.append(" streaming");
  for (int32_t i = 0; i < desc.post_op_count; ++i) {
    const tpp_post_op &step = desc.post_ops[i];
    if (step.op_class == TPP_POST_OP_unary) {
      out.append(" | %s", unary_name(step.kind));
    } else {
      out.append(" | %s ", binary_name(step.kind));
      describe_input(step.form, step.broadcast, out);
    }
  }
  describe_provider(desc.provider, out);
}

void describe(const tpp_unary_desc &desc, text &out) {
  out.append("unary %s %" PRId64 "x%" PRId64 " ", unary_name(desc.kind), desc.m, desc.n);
  if (desc.kind != TPP_UNARY_zero) {
    describe_input(desc.in, desc.broadcast, out);
    out.append(" -> ");
  }
  describe_matrix(desc.out, out);
  if (desc.kind == TPP_UNARY_leaky_relu)
    out.append(" alpha %g", static_cast<double>(desc.alpha));
  if (desc.streaming)
    out.append(" streaming");
  describe_provider(desc.provider, out);
}

void describe(const tpp_binary_desc &desc, text &out) {
  out.append("binary %s %" PRId64 "x%" PRId64 " ", binary_name(desc.kind), desc.m, desc.n);
  describe_input(desc.in0, desc.broadcast0, out);
  out.append(", ");
  describe_input(desc.in1, desc.broadcast1, out);
  out.append(" -> ");
  describe_matrix(desc.out, out);
  describe_provider(desc.provider, out);
}

void describe(const tpp_reduce_desc &desc, text &out) {
  out.append("reduce %s over %s %" PRId64 "x%" PRId64 " ", reduce_name(desc.kind),
             desc.axis == TPP_REDUCE_over_rows ? "rows" : "columns", desc.m, desc.n);
  describe_matrix(desc.in, out);
  out.append(" -> ");
  describe_matrix(desc.out, out);
  out.append(" beta %d", desc.beta);
  describe_provider(desc.provider, out);
}

void describe(operation op, const void *desc, text &out) {
  switch (op) {
  case operation::brgemm:
    return describe(*static_cast<const tpp_brgemm_desc *>(desc), out);
  case operation::unary:
    return describe(*static_cast<const tpp_unary_desc *>(desc), out);
  case operation::binary:
    return describe(*static_cast<const tpp_binary_desc *>(desc), out);
  case operation::reduce:
    return describe(*static_cast<const tpp_reduce_desc *>(desc), out);
  }
}

} // namespace tpp

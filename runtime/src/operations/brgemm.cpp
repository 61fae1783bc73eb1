// brgemm: C = post(beta * C + sum over b of A_b * B_b). Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "descriptor_parts.h"

#include <inttypes.h>
#include <string.h>

namespace tpp {
namespace {

// Checks the stride of a batch: it is a multiple of the element size, and the end of the second entry fits in 63 bits.
tpp_status check_batch_stride(const char *name, int64_t stride, const tpp_matrix &form, int64_t extent_bytes) {
  const int64_t element = type_bytes(form.type);
  if (stride % element != 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "%s is %" PRId64 ", not a multiple of the element's %" PRId64 " bytes", name, stride,
                element);
  int64_t distance = stride, end;
  if ((stride < 0 && __builtin_sub_overflow(int64_t{0}, stride, &distance)) ||
      __builtin_add_overflow(distance, extent_bytes, &end))
    return fail(TPP_STATUS_OVERFLOW, "the extent of %s does not fit in 63 bits", name);
  return TPP_STATUS_OK;
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
  if (desc.b_uses < 0)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "b_uses is %d, must be at least 0", desc.b_uses);
  TPP_RETURN_IF_FAILED(check_post_op_count(desc.post_op_count, most_post_ops(desc)));
  for (int32_t i = 0; i < desc.post_op_count; ++i)
    TPP_RETURN_IF_FAILED(check_post_op(desc.post_ops[i], i, desc.m, desc.n));
  return TPP_STATUS_OK;
}

void canonicalize(const tpp_brgemm_desc &desc, tpp_brgemm_desc &key) {
  memcpy(&key, &desc, key_bytes(desc));
  key.struct_size = sizeof(key);
  for (int32_t i = 0; i < desc.post_op_count; ++i)
    canonicalize_post_op(key.post_ops[i], desc.m, desc.n);
  canonicalize_matrix(key.a, desc.m, desc.k);
  canonicalize_matrix(key.b, desc.k, desc.n);
  canonicalize_matrix(key.c, desc.m, desc.n);
  if (desc.batch_kind != TPP_BATCH_stride)
    key.a_batch_stride = key.b_batch_stride = 0;
  if (desc.b_uses == 1)
    key.b_uses = 0;
}

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
  if (desc.b_uses > 1)
    out.append(" b_uses %d", desc.b_uses);
  for (int32_t i = 0; i < desc.post_op_count; ++i)
    describe_post_op(desc.post_ops[i], out);
  describe_provider(desc.provider, out);
}

} // namespace tpp

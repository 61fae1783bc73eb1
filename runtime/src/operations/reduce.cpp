// reduce: out = kind over the rows or columns of in. Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "descriptor_parts.h"

#include <inttypes.h>

namespace tpp {
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

void canonicalize(const tpp_reduce_desc &desc, tpp_reduce_desc &key) {
  key = desc;
  canonicalize_matrix(key.in, desc.m, desc.n);
  if (desc.axis == TPP_REDUCE_over_rows)
    canonicalize_matrix(key.out, 1, desc.n);
  else
    canonicalize_matrix(key.out, desc.m, 1);
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

} // namespace tpp

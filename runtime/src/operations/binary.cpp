// binary: out = kind(in0, in1). Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "descriptor_parts.h"

#include <inttypes.h>

namespace tpp {
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

void canonicalize(const tpp_binary_desc &desc, tpp_binary_desc &key) {
  key = desc;
  canonicalize_input(key.in0, desc.m, desc.n, desc.broadcast0);
  canonicalize_input(key.in1, desc.m, desc.n, desc.broadcast1);
  canonicalize_matrix(key.out, desc.m, desc.n);
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

} // namespace tpp

// unary: out = kind(in). Validation, canonical form and text of its descriptor.
#include "descriptor.h"
#include "descriptor_parts.h"

#include <inttypes.h>
#include <math.h>

namespace tpp {
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

void canonicalize(const tpp_unary_desc &desc, tpp_unary_desc &key) {
  key = desc;
  key.alpha += 0.0f; // turns -0 into 0
  canonicalize_matrix(key.out, desc.m, desc.n);
  if (desc.kind == TPP_UNARY_zero) { // its input is never read
    key.in = key.out;
    key.broadcast = TPP_BROADCAST_none;
  } else if (desc.kind == TPP_UNARY_transpose) {
    canonicalize_matrix(key.in, desc.n, desc.m);
  } else {
    canonicalize_input(key.in, desc.m, desc.n, desc.broadcast);
  }
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

} // namespace tpp

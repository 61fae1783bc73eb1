// The native provider: TPP's own microkernels.
#include "provider.h"

namespace tpp {
namespace {

const char *unavailable() {
  return registry_has(TPP_PROVIDER_native) ? nullptr : "no native microkernel of this build runs on this machine";
}

size_t list(operation op, const void *desc, candidate *out, size_t room) {
  return registry_list(TPP_PROVIDER_native, op, desc, out, room);
}

} // namespace

const provider native_provider = {TPP_PROVIDER_native, unavailable, list, registry_create};

} // namespace tpp

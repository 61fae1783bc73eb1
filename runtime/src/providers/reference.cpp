// The reference provider: plain C++ that runs on every machine and defines the correct result.
#include "provider.h"

namespace tpp {
namespace {

const char *unavailable() { return nullptr; }

size_t list(operation op, const void *desc, candidate *out, size_t room) {
  return registry_list(TPP_PROVIDER_reference, op, desc, out, room);
}

} // namespace

const provider reference_provider = {TPP_PROVIDER_reference, unavailable, list, registry_create};

} // namespace tpp

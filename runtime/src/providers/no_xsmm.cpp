// Replaces xsmm.cpp in builds without libxsmm: a provider that reports itself as unavailable.
#include "provider.h"

namespace tpp {
namespace {

const char *unavailable() { return "this build does not contain libxsmm"; }
size_t list(operation, const void *, candidate *, size_t) { return 0; }
const char *create(const candidate &, microkernel *) { return unavailable(); }

} // namespace

const provider xsmm_provider = {TPP_PROVIDER_xsmm, unavailable, list, create};

} // namespace tpp

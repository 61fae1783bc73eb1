// The interface behind which kernels come from. A provider lists what it has for an operation, rejecting with a reason or stating
// a cost, and makes the kernel that selection chose.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// One way to compute a descriptor, as a row of selection's table.
struct candidate {
  const char *name;           // as tpp_kernel_name returns it
  tpp_provider provider;      // who makes it
  const char *rejection;      // static text; null when it can compute the descriptor
  double cost;                // estimated nanoseconds of one call with batch 1, where not rejected
  const microkernel_row *row; // of kernels.def; null for the JIT's
};

struct provider {
  tpp_provider id;
  // Null when the provider works here, else a static text that says why not.
  const char *(*unavailable)();
  // Writes the candidates for an operation's canonical descriptor, at most `room` of them, and returns how many it has. Null
  // `out` only counts.
  size_t (*list)(operation op, const void *desc, candidate *out, size_t room);
  // Fills head.entry and state of a kernel whose desc is set. Null when done, else a static text that says why it failed.
  const char *(*create)(const candidate &chosen, microkernel *kernel);
};

extern const provider native_provider;
extern const provider reference_provider;
extern const provider xsmm_provider;

// What native and reference share: both are rows of kernels.def.
bool registry_has(tpp_provider id);
size_t registry_list(tpp_provider id, operation op, const void *desc, candidate *out, size_t room);
const char *registry_create(const candidate &chosen, microkernel *kernel);

} // namespace tpp

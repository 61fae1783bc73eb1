// The interface of a source of kernels. A provider lists its candidates for an operation, each with a reason for its rejection or with
// its cost, and creates the kernel that selection chose.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// One way to compute a descriptor: a line of selection's table.
struct candidate {
  const char *name;           // as tpp_kernel_name returns it
  tpp_provider provider;      // who makes it
  const char *rejection;      // static text; null if it can compute the descriptor
  double cost;                // estimated nanoseconds of one call with batch 1, if not rejected
  const microkernel_row *row; // entry of kernels.def; null for a JIT-compiled kernel
};

struct provider {
  tpp_provider id;
  // Returns null if the provider works on this machine, else a static text with the reason.
  const char *(*unavailable)();
  // Writes the candidates for an operation's canonical descriptor to `out`, at most `room` of them. Returns the number of all candidates.
  // With a null `out`, only counts.
  size_t (*list)(operation op, const void *desc, candidate *out, size_t room);
  // Fills head.entry and state of a kernel whose desc is set. Returns null on success, else a static text with the reason.
  const char *(*create)(const candidate &chosen, microkernel *kernel);
};

extern const provider native_provider;
extern const provider reference_provider;
extern const provider xsmm_provider;

// Shared by the native and the reference provider, whose kernels are entries of kernels.def.
bool registry_has(tpp_provider id);
size_t registry_list(tpp_provider id, operation op, const void *desc, candidate *out, size_t room);
const char *registry_create(const candidate &chosen, microkernel *kernel);

} // namespace tpp

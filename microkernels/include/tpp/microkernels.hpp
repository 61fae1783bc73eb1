// The registry of microkernels, as used by the runtime's `native` and `reference` providers and by the tests. Not installed.
//
// Each entry of kernels.def gives one microkernel_row per target. Selection (in the runtime) visits the rows, lets each reject the
// descriptor or state its cost, and keeps the cheapest. Its prepare() then fills a microkernel, whose entry point compiled code calls.
#pragma once
#include "tpp/types.h"

namespace tpp {

// The entries of operations.def.
enum class operation {
#define TPP_OPERATION(name, Name, formula) name,
#include "tpp/operations.def"
};
constexpr const char *operation_name(operation op) {
  constexpr const char *names[] = {
#define TPP_OPERATION(name, Name, formula) #name,
#include "tpp/operations.def"
  };
  return names[static_cast<int>(op)];
}

// Bytes of one element of a type; 0 for an unknown type.
constexpr int64_t type_bytes(int32_t type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case value:                                                                                                                    \
    return bytes;
#include "tpp/kinds.def"
  }
  return 0;
}

// Group of a unary kind, from its entry in kinds.def. It determines which types the kind accepts.
enum class unary_group { move, convert, activation, formula };
constexpr unary_group group_of(tpp_unary_kind kind) {
  switch (kind) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case TPP_UNARY_##name:                                                                                                         \
    return unary_group::group;
#include "tpp/kinds.def"
  }
  return unary_group::move;
}

// True if a brgemm may apply the kind to its accumulators (convert: only to sums of integers).
constexpr bool is_post_op(tpp_unary_kind kind) {
  return kind == TPP_UNARY_identity || kind == TPP_UNARY_convert || group_of(kind) == unary_group::activation;
}

// One dispatched kernel: the public head, the descriptor it was made from, and the values its table entry precomputes.
struct microkernel {
  tpp_kernel head;
  union {
#define TPP_OPERATION(name, Name, formula) tpp_##name##_desc name;
#include "tpp/operations.def"
  } desc;
  // Precomputed values, private to the kernel (function pointers of tiles, byte strides). Fixed size, so that dispatch allocates one
  // block.
  alignas(8) unsigned char state[1024];
};

struct microkernel_row {
  const char *name;   // tpp_uk_<op>_<types>_<tile>[_<variant>]_<target>
  const char *target; // "reference", or Highway's target name in lower case: "avx2", "avx3", "neon", ...
  operation op;
  tpp_provider provider; // native or reference
  int mr, nr;            // rows and columns of a brgemm's full tile; 0 elsewhere
  // Returns null if the kernel can compute the (validated) descriptor, else a static string with the reason. `desc` points to the
  // operation's descriptor type.
  const char *(*reject)(const void *desc);
  // Estimated nanoseconds of one invocation with batch 1, comparable between kernels of one operation.
  double (*cost)(const void *desc);
  // Fills head.entry and state of a microkernel whose desc is set.
  void (*prepare)(microkernel *kernel);
  // Highway's bits of the targets that can execute the kernel; -1 if every machine can.
  int64_t target_bits;
};

// All kernels of this build, including those that this machine cannot execute; *count is set to their number.
const microkernel_row *microkernel_rows(size_t *count);
// True if this machine can execute the kernel.
bool microkernel_row_runs_here(const microkernel_row &row);

} // namespace tpp

// Shared by the native unary kernels (elementwise.cpp, relayout/): their cost, their plan and its setup.
#pragma once
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/panel_walk.hpp"
#include "microkernels/unary/unary.hpp"

#include <new>

namespace tpp {

// Stored in microkernel::state.
struct unary_plan {
  walked_operand in, out;
};
static_assert(sizeof(unary_plan) <= sizeof(microkernel::state), "");

// Null if a native kernel of `kind` can compute the descriptor, else the reason why not. `same_types`: the kernel is for its types.
inline const char *native_unary_reject(const tpp_unary_desc &desc, int32_t kind, bool same_types) {
  if (const char *reason = other_kind_reason(desc.kind == kind, same_types))
    return reason;
  if (const char *reason = unary_reject_reason(desc))
    return reason;
  return desc.in.vnni > 1 || desc.out.vnni > 1 ? "native unary kernels take no VNNI-blocked operand" : nullptr;
}

// Estimated nanoseconds of a kernel that iterates over the segments of both operands, from its cycles per element; zero has an output only.
inline double native_unary_cost(const tpp_unary_desc &desc, double of_element) {
  const double segments =
      desc.kind == TPP_UNARY_zero ? segment_count(desc.n, {&desc.out}) : segment_count(desc.n, {&desc.in, &desc.out});
  return element_wise_ns(desc.m, desc.n, segments, of_element);
}

inline void native_unary_prepare(microkernel *kernel, tpp_kernel_entry entry) {
  const tpp_unary_desc &desc = kernel->desc.unary;
  const walked_operand out = walk_operand(desc.out, TPP_BROADCAST_none, desc.n);
  // zero uses its output for both sides and reads neither. The columns of transpose's input are the rows of its output.
  const walked_operand in = desc.kind == TPP_UNARY_zero
                                ? out
                                : walk_operand(desc.in, desc.broadcast, desc.kind == TPP_UNARY_transpose ? desc.m : desc.n);
  new (kernel->state) unary_plan{in, out};
  kernel->head.entry = entry;
}

} // namespace tpp

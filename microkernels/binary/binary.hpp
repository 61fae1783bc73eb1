// The contract of every binary microkernel.
//
//   out[m x n] = kind(in0, in1), each input broadcast as told
//
// Types      Floating: any types, also three different ones; the result is rounded once, to nearest even. Integers: one type on
//            all three, no division; results wrap around.
// Operands   lie as tpp_matrix tells. Every element inside is touched, no byte outside: an operand may end at a page that is not
//            mapped. No alignment beyond the element's is asked. The reference takes VNNI forms; native kernels do not.
// Broadcast  of either input: a row, a column (its elements ld apart) or one element.
// Aliasing   The output may be an input that has its form and type and is not broadcast; else they do not overlap.
// Threads    Kernels are re-entrant, keep nothing between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Null where the reference computes the descriptor, else why not. Native kernels ask it first.
const char *binary_reject_reason(const tpp_binary_desc &desc);

// The reference on its own, for tests: no dispatch.
void binary_reference(const tpp_binary_desc &desc, const tpp_args &args);

} // namespace tpp

// The contract of every binary microkernel.
//
//   out[m x n] = kind(in0, in1), each input broadcast as its descriptor says
//
// Types      Floating: any types, also three different ones; the result is rounded once, to nearest even. A native kernel rounds to f32
//            first if an input is f32 and the output bf16 or f16; the result may then be the next number. Integers: one type for all
//            three, no division; results wrap around.
// Operands   have the layout of their tpp_matrix. A kernel accesses every element and no byte outside, so an operand may end at an
//            unmapped page. Operands need no more than the alignment of their element type. The reference supports VNNI layouts; native
//            kernels do not.
// Broadcast  of either input: a row, a column (with stride ld) or one element.
// Aliasing   The output may be an input that has its layout and type and is not broadcast; otherwise they do not overlap.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *binary_reject_reason(const tpp_binary_desc &desc);

// Runs the reference without dispatch, for tests.
void binary_reference(const tpp_binary_desc &desc, const tpp_args &args);

} // namespace tpp

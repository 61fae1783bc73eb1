// The contract of every reduce microkernel.
//
//   over rows: out[0][j] = kind over i of in[i][j]      over columns: out[i][0] = kind over j of in[i][j], with row stride out.ld
//
// beta       0 or 1. With 1, the old output is one more element of the reduction; with 0, it is never read.
// Types      Floating: any pair. The reference rounds a sum once; kernels add in f32, in any order. Integers: sum of i8, u8 or i32 into
//            i32, wrapping around; max of one type.
// Empty      If the reduced axis is empty, the sum is +0 and the maximum is -infinity (the lowest value of an integer type).
// NaN        A maximum is NaN if any element is NaN.
// Operands   have the layout of their tpp_matrix and do not overlap. A kernel accesses every element and no byte outside, so an operand
//            may end at an unmapped page. Operands need no more than the alignment of their element type. The reference supports VNNI
//            inputs; native kernels do not.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *reduce_reject_reason(const tpp_reduce_desc &desc);

// Runs the reference without dispatch, for tests.
void reduce_reference(const tpp_reduce_desc &desc, const tpp_args &args);

} // namespace tpp

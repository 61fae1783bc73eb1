// The contract of every reduce microkernel.
//
//   over rows: out[0][j] = kind over i of in[i][j]      over columns: out[i][0] = kind over j of in[i][j], out.ld apart
//
// beta       0 or 1. With 1 the old output takes part as one more element; with 0 it is never read.
// Types      Floating: any pair; sum is rounded once in the reference, kernels add in f32 in any order. Integers: sum of i8, u8
//            or i32 into i32, wrapping around; max of one type.
// Empty      With m or n = 0 along the reduced axis the sum is +0, the maximum -infinity (the lowest value of an integer type); a
//            maximum is NaN if any element is.
// Operands   lie as tpp_matrix tells. Every element inside is touched, no byte outside: an operand may end at a page that is not
//            mapped. No alignment beyond the element's is asked. The reference takes VNNI inputs; native kernels do not. They do
//            not overlap.
// Threads    Kernels are re-entrant, keep nothing between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Null where the reference computes the descriptor, else why not. Native kernels ask it first.
const char *reduce_reject_reason(const tpp_reduce_desc &desc);

// The reference on its own, for tests: no dispatch.
void reduce_reference(const tpp_reduce_desc &desc, const tpp_args &args);

} // namespace tpp

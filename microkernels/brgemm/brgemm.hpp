// The contract of every brgemm microkernel.
//
//   C[m x n] = post( beta * C + sum over b < batch of A_b[m x k] * B_b[k x n] )
//
// Operands   A, B, C and the operands of binary post-ops lie as tpp_matrix tells: leading dimension, panels, panel stride.
//            Element (i, j) of every operand inside its rows x cols is touched, nothing else: no byte is read or written before,
//            behind or between rows, so an operand may end at a page that is not mapped. No alignment beyond the element's is
//            asked.
// Tails      The kernel handles every m, n, k and batch >= 0 itself. Where k or batch is 0 the sum is 0 and the post-ops still
//            run.
// beta       0 or 1. With 0, C is never read: it may hold NaN or nothing. With 1, C is added to the sum before the post-ops.
// Batch      Entries are found by byte strides, by tables of byte offsets, or by tables of addresses; the tables are read once
//            per tile, and A's and B's are of one kind.
// Aliasing   C overlaps neither A nor B. A binary post-op's operand may be C itself, in C's own form: an element of the operand
//            is read before the element of C at the same place is written. Rows of A may overlap each other (convolutions).
// Rounding   f32 and bf16: the reference sums in double and rounds to float once; kernels sum in float, in any order, each
//            product fused or rounded. Post-ops work on float. C is rounded once, to nearest even. Integers are summed modulo
//            2^32. Activations in kernels: see common/vector_math-inl.h for their error bounds; the reference rounds correctly
//            to within one ulp.
// Threads    A kernel is re-entrant and keeps nothing between invocations; it allocates nothing and uses < 16 KiB of stack.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Null where the reference computes the descriptor, else why not. Kernels ask it first.
const char *brgemm_reject_reason(const tpp_brgemm_desc &desc);

// The reference on its own, for tests: no dispatch.
void brgemm_reference(const tpp_brgemm_desc &desc, const tpp_args &args);

} // namespace tpp

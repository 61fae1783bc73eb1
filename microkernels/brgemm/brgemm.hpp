// The contract of every brgemm microkernel.
//
//   C[m x n] = post( beta * C + sum over b < batch of A_b[m x k] * B_b[k x n] )
//
// Operands   A, B, C and the operands of binary post-ops have the layout of their tpp_matrix: leading dimension, panels, panel stride. A
//            kernel accesses the elements inside rows x cols and nothing else: it reads or writes no byte before, after or between rows,
//            so an operand may end at an unmapped page. Operands need no more than the alignment of their element type. The rows of B that
//            complete the last group of a VNNI form must be zero.
// Tails      The kernel itself handles every m, n, k and batch >= 0. If k or batch is 0, the sum is 0 and the post-ops still run.
// beta       0 or 1. With 0, C is never read and may be uninitialized. With 1, C is added to the sum before the post-ops.
// Batch      Entries are found by byte strides, by tables of byte offsets, or by tables of addresses. The tables are read once per tile.
//            A and B use the same kind.
// Aliasing   C overlaps neither A nor B. A binary post-op's operand may be C itself, in the layout of C: each element of the operand is
//            read before the same element of C is written. Rows of A may overlap each other (convolutions).
// Rounding   Floating point: the reference sums in double and rounds to float once; kernels sum in float, in any order, each product fused
//            or rounded. Post-ops work on float. C is rounded once, to nearest even. Kernels of bf16 may take denormal inputs, sums and
//            results as zero, as the instruction vdpbf16ps does. Integers are summed modulo 2^32. Error bounds of the
//            kernels' activations: common/vector_math-inl.h; the reference is within one ulp of correct rounding.
// Threads    A kernel is re-entrant and keeps no state between invocations. It allocates nothing. Tiles use less than 16 KiB of stack,
//            those that split words of A (brgemm_split-inl.h) less than 80 KiB, and sums along k (brgemm_dots-inl.h) less than 48 KiB.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Kernels call it first.
const char *brgemm_reject_reason(const tpp_brgemm_desc &desc);

// Runs the reference without dispatch, for tests.
void brgemm_reference(const tpp_brgemm_desc &desc, const tpp_args &args);

} // namespace tpp

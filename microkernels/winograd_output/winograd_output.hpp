// The contract of every winograd_output microkernel. Formula and operands: tpp_winograd_output_desc in tpp/types.h.
//
// Operands   have the layout of their tpp_matrix: points of f32, pixels of f32 or bf16, operands of post-ops of f32, bf16 or f16. A kernel
//            reads all elements of the input, writes the pixels of the output that exist, reads the elements of post-ops that belong to
//            them, and accesses no byte outside, so an operand may end at an unmapped page. Operands need no more than the alignment of
//            their element type.
// Aliasing   The output does not overlap the input. A binary post-op's operand may be the output itself, in the layout of the output: each
//            element of the operand is read before the same element of the output is written.
// Rounding   The reference transforms in double and rounds to f32; kernels transform in f32, in any order, fused or not. Sums of small
//            integers are exact. Post-ops compute in f32, with the error bounds of common/vector_math-inl.h. Pixels are rounded after
//            them, once, to nearest even.
// Specials   A product that is an infinity or NaN makes pixels of its tile infinite or NaN before the post-ops: which of them is not
//            specified.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing. They use less than 8 KiB of stack.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *winograd_output_reject_reason(const tpp_winograd_output_desc &desc);

// Runs the reference without dispatch, for tests.
void winograd_output_reference(const tpp_winograd_output_desc &desc, const tpp_args &args);

} // namespace tpp

// The contract of every winograd_input microkernel. Formula and operands: tpp_winograd_input_desc in tpp/types.h.
//
// Operands   have the layout of their tpp_matrix: pixels of f32 or bf16, points of f32. A kernel reads the pixels that the tiles contain and
//            writes all elements of the output, and accesses no byte outside, so an operand may end at an unmapped page. Pixels outside of
//            the image count as 0; they are not read. Operands need no more than the alignment of their element type.
// Rounding   The reference computes in double and rounds once; kernels compute in f32, in any order, fused or not. Sums of small integers
//            are exact.
// Specials   A pixel that is an infinity or NaN makes elements of its tiles infinite or NaN: which of them is not specified.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *winograd_input_reject_reason(const tpp_winograd_input_desc &desc);

// Runs the reference without dispatch, for tests.
void winograd_input_reference(const tpp_winograd_input_desc &desc, const tpp_args &args);

} // namespace tpp

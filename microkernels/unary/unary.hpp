// The contract of every unary microkernel.
//
//   out[m x n] = kind(in), for transpose out[i][j] = in[j][i]
//
// Types      zero, identity, transpose and vnni_pack copy bit patterns: input and output have one type (zero reads no input and ignores
//            its type). convert takes any pair of types. The result is rounded once, to nearest even; integers saturate, and NaN becomes
//            0 in them; a NaN converted between floating types stays NaN. relu takes one type on both sides, integers included, or two
//            floating ones. The other kinds take any pair of floating types. leaky_relu takes alpha from the descriptor.
// Operands   have the layout of their tpp_matrix. A kernel accesses every element and no byte outside, so an operand may end at an
//            unmapped page. Operands need no more than the alignment of their element type. The reference supports VNNI layouts; native
//            kernels only support them for vnni_pack's output, whose last group they pad with zeros.
// Broadcast  of the input: a row, a column (with stride ld) or one element. transpose and vnni_pack take none.
// Aliasing   The output may be the input itself if layouts and types are equal and the kind is neither transpose nor vnni_pack; otherwise
//            they do not overlap.
// Accuracy   The reference computes in double and rounds once. Native f32 kernels: see common/vector_math-inl.h.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *unary_reject_reason(const tpp_unary_desc &desc);

// Runs the reference without dispatch, for tests.
void unary_reference(const tpp_unary_desc &desc, const tpp_args &args);

} // namespace tpp

// The contract of every unary microkernel.
//
//   out[m x n] = kind(in), for transpose out[i][j] = in[j][i]
//
// Types      zero, identity, transpose and vnni_pack move bit patterns: input and output of one type (zero reads no input, whose
//            type does not matter). convert takes any pair; the result is rounded once, to nearest even, integers saturate and take NaN as
//            0; a NaN between floating types stays a NaN. relu takes one type on both sides, integers too, or two floating ones.
//            The other kinds take any pair of floating types. leaky_relu's alpha is the descriptor's.
// Operands   lie as tpp_matrix tells. Every element inside is touched, no byte outside: an operand may end at a page that is not
//            mapped. No alignment beyond the element's is asked. The reference takes VNNI forms; native kernels only vnni_pack's
//            output, whose last group they fill with zeros.
// Broadcast  of the input: a row, a column (its elements ld apart) or one element. transpose and vnni_pack take none.
// Aliasing   The output may be the input itself where forms and types are equal and the kind is neither transpose nor vnni_pack; else they do not
//            overlap.
// Accuracy   The reference computes in double and rounds once. Native f32 kernels: see common/vector_math-inl.h.
// Threads    Kernels are re-entrant, keep nothing between invocations and allocate nothing.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Null where the reference computes the descriptor, else why not. Native kernels ask it first.
const char *unary_reject_reason(const tpp_unary_desc &desc);

// The reference on its own, for tests: no dispatch.
void unary_reference(const tpp_unary_desc &desc, const tpp_args &args);

} // namespace tpp

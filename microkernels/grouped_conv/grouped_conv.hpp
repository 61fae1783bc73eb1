// The contract of every grouped_conv microkernel. Formula and operands: tpp_grouped_conv_desc in tpp/types.h.
//
// Operands   have the layout of their tpp_matrix and the types of tpp/types.h. A kernel reads the pixels of the input that some
//            output needs, the elements of the filter, and the elements of post-ops that belong to outputs; it writes all outputs, and accesses no
//            byte outside, so an operand may end at an unmapped page. Padding of the filter's last panel is outside. Operands need no more
//            than the alignment of their element type.
// Aliasing   The output does not overlap input and filter. A binary post-op's operand may be the output itself, in the layout of the output: each
//            element of the operand is read before the same element of the output is written.
// Rounding   The reference sums f32 and bf16 in double and rounds once to f32; kernels sum in f32, in any order, fused or not. Sums of small integers are
//            exact. Post-ops compute in f32, with the error bounds of common/vector_math-inl.h; an output of bf16 is rounded after them.
// Integers   Sums of 8-bit integers are exact modulo 2^32, and results are those of the reference bit for bit, but for post-ops with an error bound.
//            Native kernels compute the sums in f32. They reject filters that allow a sum above 2^24.
// Specials   An infinity or NaN of the input reaches only the outputs that need its pixel and channel. Products of pixels outside of the image are
//            those of the border; if it is 0, they may be left out: with an infinity or NaN of the filter, the output may be NaN or not.
// Threads    Kernels are re-entrant, keep no state between invocations and allocate nothing. They use less than 16 KiB of stack.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// Returns null if the reference can compute the descriptor, else the reason why not. Native kernels call it first.
const char *grouped_conv_reject_reason(const tpp_grouped_conv_desc &desc);

// Runs the reference without dispatch, for tests.
void grouped_conv_reference(const tpp_grouped_conv_desc &desc, const tpp_args &args);

} // namespace tpp

// Interleaves several iterations of loops that compute math functions on vectors, so that independent chains of arithmetic overlap.
#ifndef TPP_LOWERING_EMIT_INTERLEAVELOOPS_H
#define TPP_LOWERING_EMIT_INTERLEAVELOOPS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;

namespace tpp {

/// Marks innermost loops that compute one to four functions of vectors: exp, tanh and other ops of the math dialect that become long chains
/// of arithmetic. For any two accesses of the loop it must be known whether they overlap. Loops are unrolled until an iteration has four
/// functions, or two if one has a longer chain than exp and tanh.
void markMathLoops(Operation *root);

/// Interleaves the chains of marked loops: the first step of each chain, then the second step of each, and so on. Removes the marks. Reason:
/// a processor looks about a hundred instructions ahead. Four chains of twenty steps with a latency of four cycles each, one after the other,
/// fill this window without keeping the multipliers busy.
void interleaveMarkedLoops(Operation *root);

} // namespace tpp
} // namespace mlir

#endif

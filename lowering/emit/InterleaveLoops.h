// Loops over functions of vectors, several iterations in turns.
#ifndef TPP_LOWERING_EMIT_INTERLEAVELOOPS_H
#define TPP_LOWERING_EMIT_INTERLEAVELOOPS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;

namespace tpp {

/// Marks the innermost loops that compute few functions of vectors (exp, tanh and others of the math dialect that become long chains of
/// arithmetic) and whose iterations do not read what others write, and unrolls those that compute one or two.
void markMathLoops(Operation *root);

/// Puts the operations of marked loops in turns: the first step of each chain, then the second of each. A processor looks some hundred
/// instructions ahead; one behind the other, four chains of twenty steps with a latency of four cycles each fill that without filling its
/// multipliers. Takes the marks away.
void interleaveMarkedLoops(Operation *root);

} // namespace tpp
} // namespace mlir

#endif

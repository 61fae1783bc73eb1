// Lowers powers with integer exponents to forms that LLVM's code generator supports.
#ifndef TPP_LOWERING_EMIT_INTEGERPOWERS_H
#define TPP_LOWERING_EMIT_INTEGERPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

/// Expands each math.fpowi under `root` with a small constant exponent to multiplications. Any other one becomes scalar powers with an
/// i32 exponent: LLVM's code generator supports no other form of its intrinsic and aborts the process on one.
void lowerIntegerPowers(RewriterBase &rewriter, Operation *root);

} // namespace mlir::tpp

#endif

// Powers with integer exponents in the forms that LLVM's code generator takes.
#ifndef TPP_LOWERING_EMIT_INTEGERPOWERS_H
#define TPP_LOWERING_EMIT_INTEGERPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

/// Expands each math.fpowi under `root` with a small constant exponent to multiplications, and makes every other one a scalar power with an
/// exponent of i32. LLVM's intrinsic takes no other, and ends the process where it gets one.
void lowerIntegerPowers(RewriterBase &rewriter, Operation *root);

} // namespace mlir::tpp

#endif

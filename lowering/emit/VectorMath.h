// exp, log, tanh and erf on vectors of f32, as accurate as the kernels; division by one number.
#ifndef TPP_LOWERING_EMIT_VECTORMATH_H
#define TPP_LOWERING_EMIT_VECTORMATH_H

#include "tpp_dialect/TppDialect.h"

namespace mlir {
class RewritePatternSet;
class RewriterBase;
} // namespace mlir
namespace mlir::arith {
class DivFOp;
}

namespace mlir::tpp {

/// Rewrites math.exp, log, tanh and erf of fixed vectors of f32 into arithmetic: at most 3 ulp, NaN, infinities and signed zeros as in
/// kinds.def.
void populateVectorMathPatterns(RewritePatternSet &patterns, TargetAttr target);

/// Rewrites the division of a fixed vector of f32 by one number, a softmax's sum or a constant, into two products, for targets with fused
/// multiply-add; leaves other divisions alone. (A division of 16 lanes occupies the multiplier of current cores for 16 cycles.) Whether
/// the divisor's magnitude is one of 2^-126 to 2^64 is asked beside the divisor, outside of loops that it is the same for; others divide.
/// Infinities, NaN and signed zeros are as in a division. Quotients within some 2^-46 of the middle of two floats, and those below 2^-100,
/// may be the neighbour of the correctly rounded one (Brisebarre and Muller, Correctly rounded multiplication by arbitrary precision
/// constants, 2008).
void divideByReciprocal(RewriterBase &rewriter, arith::DivFOp op);

} // namespace mlir::tpp

#endif

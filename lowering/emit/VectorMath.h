// exp, log, tanh, erf and gelu on vectors of f32; division by one number.
#ifndef TPP_LOWERING_EMIT_VECTORMATH_H
#define TPP_LOWERING_EMIT_VECTORMATH_H

#include "tpp_dialect/TppDialect.h"

namespace mlir {
class RewritePatternSet;
class RewriterBase;
} // namespace mlir
namespace mlir::tpp {

/// Rewrites math.exp, log, tanh and erf of fixed vectors of f32 into arithmetic: at most 3 ulp, NaN, infinities and signed zeros as in
/// kinds.def.
void populateVectorMathPatterns(RewritePatternSet &patterns, TargetAttr target);

/// Rewrites x (1 + erf(x / sqrt(2))) / 2 on fixed vectors of f32, the factors in any order, in as many instructions as erf alone takes: nearer
/// to the exact gelu than the formula, whose sum loses what is small beside 1. At most 2 ulp off for x > 0 and 7e-8 |x| for x < 0; -0
/// below -9.75 and at -inf, the limit, where the formula is NaN. What the formula consists of stays where it has other uses.
void replaceGelus(RewriterBase &rewriter, Operation *root);

/// Rewrites the divisions of fixed vectors of f32 by one number, a softmax's sum or a constant, into two products, for targets with fused
/// multiply-add; leaves other divisions alone. (A division of 16 lanes occupies the multiplier of current cores for 16 cycles.) Whether
/// the divisor's magnitude is one of 2^-126 to 2^64 is asked in front of a loop that it is the same for, which then has two versions; others
/// divide. Infinities, NaN and signed zeros are as in a division. Quotients within some 2^-46 of the middle of two floats, and those below
/// 2^-100, may be the neighbour of the correctly rounded one (Brisebarre and Muller, Correctly rounded multiplication by arbitrary precision
/// constants, 2008).
void divideByReciprocals(RewriterBase &rewriter, Operation *root);

} // namespace mlir::tpp

#endif

// Expands math functions on vectors of f32 into arithmetic: exp, log, tanh, erf, sin, cos, gelu, and division by a scalar.
#ifndef TPP_LOWERING_EMIT_VECTORMATH_H
#define TPP_LOWERING_EMIT_VECTORMATH_H

#include "tpp_dialect/TppDialect.h"

namespace mlir {
class RewritePatternSet;
class RewriterBase;
} // namespace mlir
namespace mlir::tpp {

/// Rewrites math.exp, log, tanh and erf of fixed-length vectors of f32 into arithmetic. The error is at most 3 ulp. NaN, infinities and
/// signed zeros are handled as in kinds.def.
void populateVectorMathPatterns(RewritePatternSet &patterns, TargetAttr target);

/// Rewrites x (1 + erf(x / sqrt(2))) / 2 on fixed-length vectors of f32, with the factors in any order, into one function with as many
/// instructions as erf alone. It is more accurate than the formula, whose sum loses terms that are small relative to 1: the error is at most
/// 2 ulp for x > 0 and 7e-8 |x| for x < 0. The result is -0 below -9.75 and at -inf; this is the limit, while the formula gives NaN at -inf.
/// Parts of the formula that have other uses are kept.
void replaceGelus(RewriterBase &rewriter, Operation *root);

/// Rewrites divisions of fixed-length vectors of f32 by a scalar (the sum of a softmax, a constant) into two multiplications, for targets with
/// fused multiply-add. Other divisions are not changed. (A division of 16 lanes occupies the multiplier of current cores for 16 cycles.)
///
/// The rewrite is used if the divisor's magnitude is from 2^-126 to 2^64; otherwise the code divides. If the divisor is invariant in a loop,
/// this is checked once before the loop, which gets two versions. Infinities, NaN and signed zeros are as in a division. Quotients within
/// about 2^-46 of the midpoint of two floats, and those below 2^-100, may be the neighbour of the correctly rounded quotient (Brisebarre and
/// Muller, Correctly rounded multiplication by arbitrary precision constants, 2008).
void divideByReciprocals(RewriterBase &rewriter, Operation *root);

} // namespace mlir::tpp

#endif

// exp, log, tanh and erf on vectors of f32, as accurate as the kernels.
#ifndef TPP_LOWERING_EMIT_VECTORMATH_H
#define TPP_LOWERING_EMIT_VECTORMATH_H

namespace mlir {
class RewritePatternSet;
}

namespace mlir::tpp {

/// Rewrites math.exp, log, tanh and erf of fixed vectors of f32 into arithmetic: at most 3 ulp, NaN, infinities and signed zeros as in
/// kinds.def.
void populateVectorMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::tpp

#endif

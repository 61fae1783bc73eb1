// Recognizes unary kinds (kinds.def) in the decomposed forms that exporters write, on scalars and on vectors.
#ifndef TPP_LOWERING_ANALYSIS_UNARYKINDS_H
#define TPP_LOWERING_ANALYSIS_UNARYKINDS_H

#include "tpp_dialect/TppDialect.h"
#include <optional>

namespace mlir::tpp {

// The number that `value` holds, or all elements of it, if it is a floating-point constant, also a truncated one.
std::optional<double> getConstant(Value value);

// Returns x if `value` is gelu, x/2 * (1 + erf(x/sqrt 2)), or gelu_tanh, x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))), with factors in
// any order, and stores which one in `kind`; else null.
Value matchGelu(Value value, UnaryKind &kind);

// The argument of `value` if it is a unary kind, which is stored in `kind`; else null.
Value matchUnary(Value value, UnaryKind &kind);

} // namespace mlir::tpp

#endif

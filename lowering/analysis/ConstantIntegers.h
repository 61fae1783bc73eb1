// The elements of constant tensors of integers.
#ifndef TPP_LOWERING_ANALYSIS_CONSTANTINTEGERS_H
#define TPP_LOWERING_ANALYSIS_CONSTANTINTEGERS_H

#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::tpp {

/// The elements of `tensor` in row-major order, if it is a constant of integers or indices, stored in its attribute or, in 64 bits, as a
/// resource. nullopt if not, or if it has more than `most` elements.
std::optional<SmallVector<APInt>> getConstantIntegers(Value tensor, int64_t most);

} // namespace mlir::tpp

#endif

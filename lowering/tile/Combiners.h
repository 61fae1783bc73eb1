// What vector code must know of an operation that a reduction combines values by.
#ifndef TPP_LOWERING_TILE_COMBINERS_H
#define TPP_LOWERING_TILE_COMBINERS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::tpp {

// The neutral element of a combiner, and its vector.reduction kind; none for other operations.
std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op);

} // namespace mlir::tpp

#endif

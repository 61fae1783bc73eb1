// What vector code must know of an operation that a reduction combines values by.
#ifndef TPP_LOWERING_TILE_COMBINERS_H
#define TPP_LOWERING_TILE_COMBINERS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::tpp {

// The neutral element of a combiner, and its vector.reduction kind; none for other operations.
std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op);

// Combines the lanes of a vector<Nxt>, in any order, to one number of type t. Of MAXIMUMF and MINIMUMF it is NaN where a lane is, and a zero of
// either sign where the lanes hold both.
Value reduceLanes(OpBuilder &builder, Location loc, vector::CombiningKind kind, Value vector);

} // namespace mlir::tpp

#endif

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

// Whether a loop over several vectors of a maximum or minimum had better ask for NaN beside it: where vectors of booleans are registers.
bool asksForNanInPairs(vector::CombiningKind kind, Type elementType, int64_t lanes);
// Makes `steps`, each arith.maximumf or minimumf of a vector and its accumulator `old`, comparisons that leave NaN out, and asks two of
// the vectors at once. Returns the lanes where one of them or `isNan` is. An odd or other step stays what it is.
Value askForNanInPairs(RewriterBase &rewriter, MutableArrayRef<Value> steps, ArrayRef<Value> old, Value isNan);

} // namespace mlir::tpp

#endif

// What vector code must know of an operation that a reduction combines values by.
#ifndef TPP_LOWERING_ROWS_COMBINERS_H
#define TPP_LOWERING_ROWS_COMBINERS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::tpp {

// The neutral element of a combiner, and its vector.reduction kind; none for other operations.
std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op);

// Lets a maximum or minimum be the zero of either sign, which of two in a row it meets first: with a sign to look at, each step of a
// reduction costs twice the instructions.
void ignoreSignOfZero(Operation *op);

// A constant of a float type, or a vector of them.
Value getNan(OpBuilder &builder, Location loc, Type type);

// Combines the lanes of a vector<Nxt>, in any order, to one number of type t. Of MAXIMUMF and MINIMUMF it is NaN where a lane is, and a zero of
// either sign where the lanes hold both.
Value reduceLanes(OpBuilder &builder, Location loc, vector::CombiningKind kind, Value vector);

// Whether a loop over several vectors of a maximum or minimum had better ask for NaN beside it: where vectors of booleans are registers.
bool asksForNanInPairs(vector::CombiningKind kind, Type elementType, int64_t lanes);
// Makes every `stride`-th of `steps` from `first` on, each arith.maximumf or minimumf of a vector and its accumulator in `old`, a comparison that
// leaves NaN out, and asks two of the vectors at once. Returns the lanes where one of them or `isNan` is. An odd or other step stays what it is.
Value askForNanInPairs(RewriterBase &rewriter, MutableArrayRef<Value> steps, ValueRange old, size_t first, size_t stride,
                       Value isNan);

} // namespace mlir::tpp

#endif

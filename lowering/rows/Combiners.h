// The combining operations of vectorized reductions: neutral elements, the reduction of a vector's lanes, and the treatment of NaN and of the sign
// of zero in maxima and minima.
#ifndef TPP_LOWERING_ROWS_COMBINERS_H
#define TPP_LOWERING_ROWS_COMBINERS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::tpp {

// Returns the neutral element of a combiner and its vector.reduction kind; nullopt for other operations.
std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op);

// Removes what an operation promises of its operands and partial results: no NaN, no infinity, no overflow. A neutral element may be one of these, and
// other partial results may be.
void dropPromises(Operation *op);

// Sets the fast-math flag nsz on an arith.maximumf or arith.minimumf, so that it may return a zero of either sign if its operands are both
// zeros. Respecting the sign takes twice the instructions in each step of a reduction. Does nothing to other ops.
void ignoreSignOfZero(Operation *op);

// Creates a NaN constant of `type`, a float type or a vector of floats.
Value getNan(OpBuilder &builder, Location loc, Type type);

// Reduces the lanes of a vector<Nxt> to one scalar of type t, in any order. MAXIMUMF and MINIMUMF return NaN if any lane is NaN, and may return
// a zero of either sign if the lanes hold both.
Value reduceLanes(OpBuilder &builder, Location loc, vector::CombiningKind kind, Value vector);

// Whether askForNanInPairs() is faster than NaN propagation in a maximum or minimum with several accumulators. True for 512-bit vectors of f32,
// whose comparisons return mask registers.
bool asksForNanInPairs(vector::CombiningKind kind, Type elementType, int64_t lanes);
// Separates the test for NaN from a maximum or minimum. Takes every `stride`-th of `steps` from `first` on, in pairs; each is an arith.maximumf or
// arith.minimumf of a new vector and its accumulator in `old`. Replaces it by an ordered comparison and a select, which ignore NaN in the new
// vector, and tests the two new vectors of a pair for NaN with one comparison. Returns `isNan`, the mask of lanes in which NaN was found so far,
// or-ed with these tests. Steps without a partner, and pairs with another operation, stay unchanged.
Value askForNanInPairs(RewriterBase &rewriter, MutableArrayRef<Value> steps, ValueRange old, size_t first, size_t stride,
                       Value isNan);

} // namespace mlir::tpp

#endif

// Simplifies divisions and remainders in affine maps, which appear when loops are composed through reshapes. A division vanishes if the
// terms of its dividend that are not multiples of the divisor sum to less than the divisor.
#ifndef TPP_LOWERING_ANALYSIS_DIVISIONS_H
#define TPP_LOWERING_ANALYSIS_DIVISIONS_H

#include "mlir/IR/AffineMap.h"
#include <optional>

namespace mlir::tpp {

// Returns the map without the divisions and remainders that vanish for indices below `extents`: (12 * b + h) floordiv 12 is b if h < 12.
AffineMap dropDivisions(AffineMap map, ArrayRef<int64_t> extents);

// Returns a dimension and a block size such that a division in `map` vanishes after the dimension is split into blocks of that size:
// d and 12 for d floordiv 12 with d < 24. Null if there is no such division.
std::optional<std::pair<unsigned, int64_t>> findDimToSplit(AffineMap map, ArrayRef<int64_t> extents);

// Returns the map, which has no symbols, with `dim` split in two: `dim` counts blocks of `inner` steps; a new last dimension counts the steps in a block.
AffineMap splitDim(AffineMap map, unsigned dim, int64_t inner);

} // namespace mlir::tpp

#endif

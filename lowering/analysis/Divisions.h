// Divisions in maps: what reshapes leave when loops are composed through them. A division of a sum whose parts are known to be small enough,
// or multiples of the divisor, is none.
#ifndef TPP_LOWERING_ANALYSIS_DIVISIONS_H
#define TPP_LOWERING_ANALYSIS_DIVISIONS_H

#include "mlir/IR/AffineMap.h"
#include <optional>

namespace mlir::tpp {

// The map without the divisions and remainders that vanish for indices below `extents`: (12 * b + h) floordiv 12 is b where h is below 12.
AffineMap dropDivisions(AffineMap map, ArrayRef<int64_t> extents);

// A dimension and a size such that a division of `map` vanishes once the dimension is counted in blocks of that size: d floordiv 12 where d
// is below 24. Null where there is no division, or none that goes away like this.
std::optional<std::pair<unsigned, int64_t>> findDimToSplit(AffineMap map, ArrayRef<int64_t> extents);

// The map over one more dimension, the last: `dim` counts blocks of `inner` steps, the new one the steps in a block.
AffineMap splitDim(AffineMap map, unsigned dim, int64_t inner);

} // namespace mlir::tpp

#endif

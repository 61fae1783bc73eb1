// Ops that only relay elements of another tensor: transposes, broadcasts, reshapes, slices. What reads their result can read
// the source instead, and what computes their source can write their result instead, through a composed map.
#ifndef TPP_LOWERING_ANALYSIS_RELAY_H
#define TPP_LOWERING_ANALYSIS_RELAY_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mlir::tpp {

// True when every element of the only output, tensor or buffer, is an element of the only input: a transposition, a broadcast, a copy
// in whatever form. A fill, whose input is a scalar, is none.
bool isCopy(linalg::LinalgOp op);

// When the tensor `value` only relays elements: its source, and the map from value's indices to the source's. The map of a
// collapsed shape holds divisions; all others are linear.
std::optional<std::pair<Value, AffineMap>> getRelay(Value value);

// The other direction, for a reshape: the map that writes the result of `op`, where `map` writes its source. Collapsed dimensions
// become one linear expression of their indices. Null when `op` is neither tensor.expand_shape nor tensor.collapse_shape, or
// splits a dimension in two, which takes divisions. The source's shape must be static.
std::optional<AffineMap> writeThroughReshape(Operation *op, AffineMap map);

} // namespace mlir::tpp

#endif

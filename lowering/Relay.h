// Ops that only relay elements of another tensor: transposes, broadcasts, reshapes, slices. What reads their result can read
// the source instead, through a composed map.
#ifndef TPP_LOWERING_RELAY_H
#define TPP_LOWERING_RELAY_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::tpp {

// When the tensor `value` only relays elements: its source, and the map from value's indices to the source's. The map of a
// collapsed shape holds divisions; all others are linear.
std::optional<std::pair<Value, AffineMap>> getRelay(Value value);

} // namespace mlir::tpp

#endif

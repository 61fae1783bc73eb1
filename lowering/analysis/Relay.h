// Relays: ops whose result only contains elements of another tensor (transposes, broadcasts, reshapes, slices). Through a composed map, a
// consumer can read the relay's source instead of its result, and the producer of the source can write the result directly.
#ifndef TPP_LOWERING_ANALYSIS_RELAY_H
#define TPP_LOWERING_ANALYSIS_RELAY_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mlir::tpp {

// True if every element of the only output, tensor or buffer, is an element of the only input: a transposition, a broadcast, or a copy, as
// a named op or a generic. False for a fill, whose input is a scalar.
bool isCopy(linalg::LinalgOp op);

// If the tensor `value` is the result of a relay: its source, and the map from indices of `value` to indices of the source. The map of a
// collapsed shape contains divisions and remainders; all others are linear.
std::optional<std::pair<Value, AffineMap>> getRelay(Value value);

// An op that extends the elements of a tensor to a wider type and may reorder or repeat them.
struct Extension {
  Value source;
  AffineMap map; // from indices of the result to indices of the source
  bool isUnsigned = false;
};
// The extension that computes the tensor `value`; nullopt if there is none.
std::optional<Extension> getExtension(Value value);

// The opposite direction: given the map that indexes the source of the reshape `op`, returns the map that indexes its result. Collapsed
// dimensions become one linear expression of their indices. nullopt if `op` is neither tensor.expand_shape nor tensor.collapse_shape, or if it
// splits a dimension so that divisions of indices below `extents` would be left: 56 * y + x is split into y and x if x < 56. The source must have a
// static shape.
std::optional<AffineMap> writeThroughReshape(Operation *op, AffineMap map, ArrayRef<int64_t> extents);

} // namespace mlir::tpp

#endif

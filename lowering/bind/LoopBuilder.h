// Scalar loops over tiles and accesses to their elements, for the lowering of tpp ops to loops.
#ifndef TPP_LOWERING_BIND_LOOPBUILDER_H
#define TPP_LOWERING_BIND_LOOPBUILDER_H

#include "lowering/bind/Bind.h"

namespace mlir::tpp {

using Indices = SmallVector<Value>;

/// Loops and element accesses at one location.
class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value index(int64_t value);
  Value constant(double value); // of f32

  /// Whether 0 <= value < end. `value` has type index.
  Value isWithin(Value value, int64_t end);
  /// Emits scf.if, which yields the value of `body` if `condition` holds, else `otherwise`.
  Value ifElse(Value condition, Value otherwise, function_ref<Value()> body);
  /// Emits scf.if, which executes `body` if `condition` holds.
  void ifThen(Value condition, function_ref<void()> body);

  /// A loop that executes `body` for 0 <= i < size.
  void loop(Value size, function_ref<void(Value)> body);

  /// A loop that carries a value: `body` gets the index and the value of the previous iteration (first `init`). Returns the last value.
  Value reduceLoop(Value size, Value init, function_ref<Value(Value, Value)> body);

  /// A loop nest that executes `body` for every (i, j) of rows x cols.
  void loopNest2d(int64_t rows, int64_t cols, function_ref<void(Value, Value)> body);

  Value load(Value memref, ValueRange indices);

  /// Stores `value`, converted to the element type of `memref`.
  void store(Value value, Value memref, ValueRange indices);

  /// The indices of element (i, j) of entry `batch` of a tile.
  Indices at(Value tile, TileDims dims, Value i, Value j, Value batch = {});

  /// The indices of the element that a (broadcast) operand contributes to (i, j).
  Indices at(Value operand, Broadcast broadcast, Value i, Value j);

  /// The tile that starts `offsets[entry]` bytes after the start of `memref`.
  Value shifted(Value memref, Value offsets, Value entry);

  OpBuilder &builder;
  Location loc;

private:
  std::pair<Value, Value> divide(Value value, int64_t by);
};

} // namespace mlir::tpp

#endif

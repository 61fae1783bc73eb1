// Helpers of the operations' verifiers.
#ifndef TPP_DIALECT_TILEVERIFIERS_H
#define TPP_DIALECT_TILEVERIFIERS_H

#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

/// One operand: its name in messages ("operand 'a'"), its type, and the required tile.
struct Tile {
  StringRef name;
  Type type;
  int64_t rows, cols;
  bool batched = false;
  int64_t vnni = 0;
  bool mayBeLarger = false; // the operand contains all tiles of an offset table
};

/// Verifies that an operand has a shape and a static size that fit the tile.
LogicalResult verifyTile(Operation *op, const Tile &tile);

/// Verifies an operand that must be a tile, a vector or a single element, depending on `broadcast`.
LogicalResult verifyBroadcastOperand(Operation *op, const Tile &tile, Broadcast broadcast);

/// All operands must be tensors, and the op has one result, or all must be memrefs, and the op has none. Values in `others` may be null.
LogicalResult verifyOperandKinds(Operation *op, Value out, ArrayRef<Value> others);

/// Verifies that some kernel has the element type. `moved`: elements are only moved, so only their size matters.
LogicalResult verifyElementType(Operation *op, StringRef name, Type type, bool moved = false);

/// Verifies post-ops, of which there are at most TPP_MAX_POST_OPS, and the element types of their operands. `integerSums`: they are applied to sums of
/// i32, else of f32. `verifyShape` verifies the shape of an operand.
LogicalResult verifyPostOps(Operation *op, ArrayRef<PostOpAttr> postOps, ValueRange operands, bool integerSums,
                            function_ref<LogicalResult(Type, Broadcast)> verifyShape);

/// An operand: its name in messages, and its type.
using NamedType = std::pair<StringRef, Type>;
/// Verifies that an operand has three static dimensions, as an image [height][width][channels] has, and that `isElement` is true: elements are of one of
/// the types that `elements` names.
LogicalResult verifyImage(Operation *op, NamedType image, bool isElement = true, StringRef elements = "");
/// Verifies the post-ops of an image of shape `image`, as verifyPostOps.
LogicalResult verifyImagePostOps(Operation *op, ArrayRef<PostOpAttr> postOps, ValueRange operands, ArrayRef<int64_t> image,
                                 bool integerSums = false);

/// Verifies that `tile` is 2 or 4, `points` is [points][tiles][channels] of f32, `image` is [height][width][channels] of f32 or bf16, and both are
/// static.
LogicalResult verifyWinogradTiles(Operation *op, int64_t tile, NamedType points, NamedType image);

/// Rows and columns of a tile, from the type of an operand that is plain or in panels; kDynamic if they are not static or no tile has its rank.
/// The columns include the padding of the last panel.
int64_t getTileRows(Type type);
int64_t getTileCols(Type type);

} // namespace mlir::tpp

#endif

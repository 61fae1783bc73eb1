// See TileVerifiers.h.
#include "tpp_dialect/TileVerifiers.h"
#include "tpp_dialect/DescriptorParts.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

LogicalResult tpp::verifyTile(Operation *op, const Tile &tile) {
  auto type = cast<ShapedType>(tile.type);
  std::optional<TileDims> dims = getTileDims(type.getRank(), tile.batched, tile.vnni > 1);
  if (!dims) {
    int64_t plain = 2 + tile.batched + (tile.vnni > 1);
    return op->emitOpError() << "operand '" << tile.name << "' must have rank " << plain << " (plain) or " << plain + 1
                             << " (panels), got " << tile.type;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != dims->batch && type.isDynamicDim(dim))
      return op->emitOpError() << "operand '" << tile.name << "' may have no dynamic dimension but its batch, got " << tile.type;
  if (tile.vnni > 1 && type.getDimSize(dims->vnni) != tile.vnni)
    return op->emitOpError() << "operand '" << tile.name << "' must group " << tile.vnni << " rows in its last dimension, got "
                             << tile.type;

  int64_t rows = tile.vnni > 1 ? llvm::divideCeil(tile.rows, tile.vnni) : tile.rows;
  int64_t haveRows = type.getDimSize(dims->rows), haveCols = type.getDimSize(dims->cols);
  if (tile.mayBeLarger ? haveRows < rows : haveRows != rows)
    return op->emitOpError() << "operand '" << tile.name << "' has " << haveRows << " rows, needs " << rows;
  if (!dims->isPanelled()) {
    if (tile.mayBeLarger ? haveCols < tile.cols : haveCols != tile.cols)
      return op->emitOpError() << "operand '" << tile.name << "' has " << haveCols << " columns, needs " << tile.cols;
    return success();
  }
  int64_t havePanels = type.getDimSize(dims->panels);
  if (haveCols < 1)
    return op->emitOpError() << "operand '" << tile.name << "' has empty panels: " << tile.type;
  int64_t panels = llvm::divideCeil(tile.cols, haveCols);
  if (tile.mayBeLarger ? havePanels < panels : havePanels != panels)
    return op->emitOpError() << "operand '" << tile.name << "' has " << havePanels << " panels of " << haveCols << " columns, "
                             << tile.cols << " columns need " << panels;
  return success();
}

LogicalResult tpp::verifyBroadcastOperand(Operation *op, const Tile &tile, Broadcast broadcast) {
  auto type = cast<ShapedType>(tile.type);
  if (broadcast == Broadcast::None)
    return verifyTile(op, tile);
  if (broadcast == Broadcast::Scalar) {
    if (!type.hasStaticShape() || type.getNumElements() != 1)
      return op->emitOpError() << "operand '" << tile.name << "' must be a single element (broadcast scalar), got " << tile.type;
    return success();
  }
  int64_t size = broadcast == Broadcast::Row ? tile.cols : tile.rows;
  if (type.getRank() != 1 || type.getDimSize(0) != size)
    return op->emitOpError() << "operand '" << tile.name << "' must be a vector of " << size << " elements (broadcast "
                             << stringifyBroadcast(broadcast) << "), got " << tile.type;
  return success();
}

LogicalResult tpp::verifyOperandKinds(Operation *op, Value out, ArrayRef<Value> others) {
  bool onTensors = isa<TensorType>(out.getType());
  for (Value value : others)
    if (value && isa<TensorType>(value.getType()) != onTensors)
      return op->emitOpError() << "mixes tensors and memrefs";
  // DestinationStyleOpInterface's verifier, which runs later, compares number and types of results.
  if (!onTensors && op->getNumResults() != 0)
    return op->emitOpError() << "has no result on memrefs";
  if (onTensors && op->getNumResults() != 1)
    return op->emitOpError() << "needs a result on tensors";
  return success();
}

LogicalResult tpp::verifyElementType(Operation *op, StringRef name, Type type, bool moved) {
  Type element = getElementTypeOrSelf(type);
  if (!(moved ? getMovedElementType(element) : getElementType(element)))
    return op->emitOpError() << "operand '" << name << "' has element type " << element << ", which no kernel has";
  return success();
}

LogicalResult tpp::verifyPostOps(Operation *op, ArrayRef<PostOpAttr> postOps, ValueRange operands, bool integerSums,
                                 function_ref<LogicalResult(Type, Broadcast)> verifyShape) {
  if (postOps.size() > TPP_MAX_POST_OPS)
    return op->emitOpError() << "at most " << static_cast<int>(TPP_MAX_POST_OPS) << " post-ops are possible, got "
                             << postOps.size();
  size_t binaries = llvm::count_if(postOps, [](PostOpAttr postOp) { return postOp.isBinary(); });
  if (binaries != operands.size())
    return op->emitOpError() << "has " << binaries << " binary post-ops and " << operands.size() << " operands for them";
  bool integers = integerSums; // until they are converted
  auto operand = operands.begin();
  for (PostOpAttr postOp : postOps) {
    if (postOp.getForm())
      return op->emitOpError() << "post-op " << postOp << " carries a form, which belongs in a descriptor";
    if (postOp.isUnary()) {
      UnaryKind kind = postOp.getUnaryKind();
      if (!isPostOp(kind))
        return op->emitOpError() << "'" << postOp.getKindName() << "' cannot be a post-op";
      if (kind == UnaryKind::Convert) {
        if (!integers)
          return op->emitOpError() << "post-op 'convert' applies to i32 sums, once";
        integers = false;
        continue;
      }
      if (integers && kind != UnaryKind::Relu && kind != UnaryKind::Identity)
        return op->emitOpError() << "post-op '" << postOp.getKindName() << "' needs floating-point accumulators";
      continue;
    }
    Type type = (*operand++).getType(), element = getElementTypeOrSelf(type);
    if (integers && postOp.getBinaryKind() == BinaryKind::Div)
      return op->emitOpError() << "post-op 'div' needs floating-point accumulators";
    bool isInteger = element.isSignlessInteger(32) || element.isSignlessInteger(8);
    if (integers ? !element.isSignlessInteger(32)
                 : !(element.isF32() || element.isBF16() || element.isF16() || (integerSums && isInteger)))
      return op->emitOpError() << "a post-op's operand must be of " << (integers ? "i32" : "f32, bf16 or f16") << ", got "
                               << type;
    if (failed(verifyShape(type, postOp.getBroadcast())))
      return failure();
  }
  return success();
}

LogicalResult tpp::verifyImage(Operation *op, NamedType image, bool isElement, StringRef elements) {
  auto type = cast<ShapedType>(image.second);
  if (type.getRank() != 3 || !type.hasStaticShape() || !isElement)
    return op->emitOpError() << "operand '" << image.first << "' must have three static dimensions"
                             << (elements.empty() ? "" : " and elements of ") << elements << ", got " << type;
  return success();
}

/// The shape of a post-op's operand for an image: the height, and the dimensions of the broadcast.
static SmallVector<int64_t> getPostShape(Broadcast broadcast, ArrayRef<int64_t> image) {
  switch (broadcast) {
  case Broadcast::None:
    return llvm::to_vector(image);
  case Broadcast::Row:
    return {image[0], image[2]};
  case Broadcast::Col:
    return {image[0], image[1]};
  case Broadcast::Scalar:
    return {image[0]};
  }
  llvm_unreachable("every broadcast has a case");
}

LogicalResult tpp::verifyImagePostOps(Operation *op, ArrayRef<PostOpAttr> postOps, ValueRange operands, ArrayRef<int64_t> image,
                                      bool integerSums) {
  return verifyPostOps(op, postOps, operands, integerSums, [&](Type type, Broadcast broadcast) -> LogicalResult {
    SmallVector<int64_t> shape = getPostShape(broadcast, image);
    if (cast<ShapedType>(type).getShape() != ArrayRef(shape))
      return op->emitOpError() << "operand 'post' must have the shape [" << shape << "] (broadcast "
                               << stringifyBroadcast(broadcast) << "), got " << type;
    return success();
  });
}

LogicalResult tpp::verifyWinogradTiles(Operation *op, int64_t tile, NamedType points, NamedType image) {
  if (failed(verifyWinogradTile([&] { return op->emitOpError(); }, tile)))
    return failure();
  if (failed(verifyImage(op, points, getElementTypeOrSelf(points.second).isF32(), "f32")) ||
      failed(verifyImage(op, image, isWinogradImage(getElementTypeOrSelf(image.second)), "f32 or bf16")))
    return failure();
  auto pointsType = cast<ShapedType>(points.second), imageType = cast<ShapedType>(image.second);
  if (pointsType.getDimSize(0) != getWinogradPoints(tile))
    return op->emitOpError() << "operand '" << points.first << "' has " << pointsType.getDimSize(0) << " points, a tile of "
                             << tile << " needs " << getWinogradPoints(tile);
  if (pointsType.getDimSize(2) != imageType.getDimSize(2))
    return op->emitOpError() << "operands '" << points.first << "' and '" << image.first << "' have " << pointsType.getDimSize(2)
                             << " and " << imageType.getDimSize(2) << " channels";
  return success();
}

int64_t tpp::getTileRows(Type of) {
  auto type = cast<ShapedType>(of);
  std::optional<TileDims> dims = getTileDims(type.getRank());
  return dims ? type.getDimSize(dims->rows) : ShapedType::kDynamic;
}

int64_t tpp::getTileCols(Type of) {
  auto type = cast<ShapedType>(of);
  std::optional<TileDims> dims = getTileDims(type.getRank());
  if (!dims || type.isDynamicDim(dims->cols) || (dims->isPanelled() && type.isDynamicDim(dims->panels)))
    return ShapedType::kDynamic;
  return type.getDimSize(dims->cols) * (dims->isPanelled() ? type.getDimSize(dims->panels) : 1);
}

// tpp.winograd_input and #tpp.winograd_input_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void WinogradInputOp::build(OpBuilder &builder, OperationState &state, int64_t tile, Value in, Value out, int64_t top,
                            int64_t left) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(), builder.getI64IntegerAttr(tile),
        builder.getI64IntegerAttr(top), builder.getI64IntegerAttr(left), in, out);
}

LogicalResult WinogradInputOp::verify() {
  if (failed(verifyOperandKinds(*this, getOut(), {getIn()})) ||
      failed(verifyWinogradTiles(*this, getTile(), {"out", getOut().getType()}, {"in", getIn().getType()})))
    return failure();
  int64_t tile = getTile(), top = getTop(), left = getLeft();
  auto in = cast<ShapedType>(getIn().getType());
  int64_t tiles = cast<ShapedType>(getOut().getType()).getDimSize(1);
  for (auto [name, before, size, most] :
       {std::tuple("top", top, in.getDimSize(0), tile + 2), std::tuple("left", left, in.getDimSize(1), tile * tiles + 2)}) {
    if (before < 0 || before > tile + 2)
      return emitOpError() << name << " must be 0 to " << tile + 2 << ", got " << before;
    if (before + size > most)
      return emitOpError() << "operand 'in' reaches beyond the tiles: " << name << " = " << before << " and " << size
                           << " pixels, " << tiles << " tiles have " << most;
  }
  return success();
}

bool WinogradInputOp::readsOut() { return false; }
bool WinogradInputOp::readsElementwise(OpOperand &) { return false; }
bool WinogradInputOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult WinogradInputDescAttr::verify(EmitError emitError, int64_t tile, int64_t tiles, int64_t channels, int64_t height,
                                            int64_t width, MatrixAttr, MatrixAttr, int64_t, int64_t, int64_t top, int64_t left,
                                            Provider) {
  return failure(failed(verifyWinogradTile(emitError, tile)) || failed(verifySize(emitError, "tiles", tiles)) ||
                 failed(verifySize(emitError, "channels", channels)) || failed(verifySize(emitError, "height", height)) ||
                 failed(verifySize(emitError, "width", width)) || failed(verifySize(emitError, "top", top)) ||
                 failed(verifySize(emitError, "left", left)));
}

std::string WinogradInputDescAttr::getBytes() const {
  tpp_winograd_input_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.tiles = getTiles();
  desc.channels = getChannels();
  desc.height = getHeight();
  desc.width = getWidth();
  desc.top = getTop();
  desc.left = getLeft();
  desc.in = encode(getIn());
  desc.out = encode(getOut());
  desc.in_row_stride = getInRowStride();
  desc.out_point_stride = getOutPointStride();
  desc.tile = static_cast<int32_t>(getTile());
  desc.provider = static_cast<int32_t>(getProvider());
  return toBytes(desc);
}

std::string WinogradInputDescAttr::getSummary() const {
  return llvm::formatv("winograd_input {0}x{0} {1}x{2}", getTile(), getTiles(), getChannels()).str();
}

KernelWork WinogradInputDescAttr::getWork() const {
  return KernelWork::ofElements(getWinogradPoints(getTile()) * getTiles() * getChannels());
}

KernelOperands WinogradInputDescAttr::getOperands() const { return {1}; }

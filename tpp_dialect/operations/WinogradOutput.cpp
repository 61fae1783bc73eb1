// tpp.winograd_output and #tpp.winograd_output_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void WinogradOutputOp::build(OpBuilder &builder, OperationState &state, int64_t tile, Value in, Value out, ArrayAttr postOps,
                             ValueRange postOperands) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(), builder.getI64IntegerAttr(tile), in, out,
        postOperands, postOps && !postOps.empty() ? postOps : ArrayAttr());
}

SmallVector<PostOpAttr> WinogradOutputOp::getPostOpList() { return toPostOpList(getPostOpsAttr()); }

LogicalResult WinogradOutputOp::verify() {
  SmallVector<Value> inputs = {getIn()};
  llvm::append_range(inputs, getPostOperands());
  if (failed(verifyOperandKinds(*this, getOut(), inputs)) ||
      failed(verifyWinogradTiles(*this, getTile(), {"in", getIn().getType()}, {"out", getOut().getType()})))
    return failure();
  int64_t tile = getTile(), tiles = cast<ShapedType>(getIn().getType()).getDimSize(1);
  ArrayRef<int64_t> image = cast<ShapedType>(getOut().getType()).getShape();
  if (image[0] > tile || image[1] > tile * tiles)
    return emitOpError() << "operand 'out' has " << image[0] << " x " << image[1] << " pixels, " << tiles << " tiles have "
                         << tile << " x " << tile * tiles;
  return verifyImagePostOps(*this, getPostOpList(), getPostOperands(), image);
}

bool WinogradOutputOp::readsOut() { return false; }
/// A residual is read just before its pixel is stored.
bool WinogradOutputOp::readsElementwise(OpOperand &input) { return isResidual(input, getPostOpList(), getPostOperandsMutable()); }
bool WinogradOutputOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult WinogradOutputDescAttr::verify(EmitError emitError, int64_t tile, int64_t tiles, int64_t channels, int64_t height,
                                             int64_t width, MatrixAttr, MatrixAttr, int64_t, int64_t, Provider, ArrayAttr postOps,
                                             ArrayRef<int64_t> postRowStrides) {
  if (failed(verifyWinogradTile(emitError, tile)) || failed(verifySize(emitError, "tiles", tiles)) ||
      failed(verifySize(emitError, "channels", channels)) || failed(verifySize(emitError, "height", height)) ||
      failed(verifySize(emitError, "width", width)))
    return failure();
  return verifyImagePostOpForms(emitError, postOps, postRowStrides);
}

SmallVector<PostOpAttr> WinogradOutputDescAttr::getPostOpList() const { return toPostOpList(getPostOps()); }

std::string WinogradOutputDescAttr::getBytes() const {
  tpp_winograd_output_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.tiles = getTiles();
  desc.channels = getChannels();
  desc.height = getHeight();
  desc.width = getWidth();
  desc.in = encode(getIn());
  desc.out = encode(getOut());
  desc.in_point_stride = getInPointStride();
  desc.out_row_stride = getOutRowStride();
  desc.tile = static_cast<int32_t>(getTile());
  desc.provider = static_cast<int32_t>(getProvider());
  desc.post_op_count = encodePostOps(getPostOpList(), desc.post_ops);
  llvm::copy(getPostRowStrides(), desc.post_row_strides);
  return toBytes(desc);
}

std::string WinogradOutputDescAttr::getSummary() const {
  return llvm::formatv("winograd_output {0}x{0} {1}x{2}", getTile(), getTiles(), getChannels()).str();
}

KernelWork WinogradOutputDescAttr::getWork() const {
  return KernelWork::ofElements(getWinogradPoints(getTile()) * getTiles() * getChannels());
}

KernelOperands WinogradOutputDescAttr::getOperands() const {
  KernelOperands operands;
  operands.postSlots = getOperandSlots(getPostOpList());
  return operands;
}

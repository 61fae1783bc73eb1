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

static LogicalResult verifyPostOps(WinogradOutputOp op) {
  SmallVector<PostOpAttr> postOps = op.getPostOpList();
  if (failed(verifyPostOpCount(op, postOps, op.getPostOperands().size())))
    return failure();
  ArrayRef<int64_t> image = cast<ShapedType>(op.getOut().getType()).getShape();
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : postOps) {
    if (postOp.getForm())
      return op.emitOpError() << "post-op " << postOp << " carries a form, which belongs in a descriptor";
    if (postOp.isUnary()) {
      if (!isPostOp(postOp.getUnaryKind()) || postOp.isUnary(UnaryKind::Convert))
        return op.emitOpError() << "'" << postOp.getKindName() << "' cannot be a post-op of f32 sums";
      continue;
    }
    auto type = cast<ShapedType>((*operand++).getType());
    Type element = type.getElementType();
    if (!element.isF32() && !element.isBF16() && !element.isF16())
      return op.emitOpError() << "a post-op's operand must be of f32, bf16 or f16, got " << type;
    SmallVector<int64_t> shape = getPostShape(postOp.getBroadcast(), image);
    if (type.getShape() != ArrayRef(shape))
      return op.emitOpError() << "operand 'post' must have the shape [" << shape << "] (broadcast "
                              << stringifyBroadcast(postOp.getBroadcast()) << "), got " << type;
  }
  return success();
}

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
  return verifyPostOps(*this);
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
      failed(verifySize(emitError, "width", width)) || failed(verifyPostOpForms(emitError, postOps)))
    return failure();
  size_t count = postOps ? postOps.size() : 0;
  if (postRowStrides.size() != count)
    return emitError() << "post_row_strides has " << postRowStrides.size() << " entries for " << count << " post-ops";
  return success();
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

// See DescriptorParts.h.
#include "tpp_dialect/DescriptorParts.h"

using namespace mlir;
using namespace mlir::tpp;

LogicalResult tpp::verifySize(EmitError emitError, StringRef name, int64_t size) {
  if (size < 0)
    return emitError() << name << " must not be negative, got " << size;
  return success();
}

LogicalResult tpp::verifyBeta(EmitError emitError, int64_t beta) {
  if (beta != 0 && beta != 1)
    return emitError() << "beta must be 0 or 1, got " << beta;
  return success();
}

LogicalResult tpp::verifyStreaming(EmitError emitError, int64_t streaming) {
  if (streaming != 0 && streaming != 1)
    return emitError() << "streaming must be 0 or 1, got " << streaming;
  return success();
}

LogicalResult tpp::verifyWinogradTile(EmitError emitError, int64_t tile) {
  if (tile != 2 && tile != 4)
    return emitError() << "tile must be 2 or 4, got " << tile;
  return success();
}

LogicalResult tpp::verifyPostOpForms(EmitError emitError, ArrayAttr postOps) {
  if (!postOps)
    return success();
  if (postOps.size() > TPP_MAX_POST_OPS)
    return emitError() << "at most " << static_cast<int>(TPP_MAX_POST_OPS) << " post-ops are possible, got " << postOps.size();
  for (Attribute attribute : postOps) {
    auto postOp = dyn_cast<PostOpAttr>(attribute);
    if (!postOp)
      return emitError() << "post_ops must hold #tpp.post_op attributes, got " << attribute;
    if (postOp.isBinary() && !postOp.getForm())
      return emitError() << "a descriptor's binary post-op needs its operand's form: " << postOp;
  }
  return success();
}

LogicalResult tpp::verifyImagePostOpForms(EmitError emitError, ArrayAttr postOps, ArrayRef<int64_t> postRowStrides) {
  if (failed(verifyPostOpForms(emitError, postOps)))
    return failure();
  size_t count = postOps ? postOps.size() : 0;
  if (postRowStrides.size() != count)
    return emitError() << "post_row_strides has " << postRowStrides.size() << " entries for " << count << " post-ops";
  return success();
}

SmallVector<PostOpAttr> tpp::toPostOpList(ArrayAttr postOps) {
  return postOps ? llvm::to_vector(postOps.getAsRange<PostOpAttr>()) : SmallVector<PostOpAttr>();
}

bool tpp::convertsSums(ArrayRef<PostOpAttr> postOps) {
  return llvm::any_of(postOps, [](PostOpAttr postOp) { return postOp.isUnary(UnaryKind::Convert); });
}

bool tpp::isResidual(OpOperand &input, ArrayRef<PostOpAttr> postOps, const MutableOperandRange &operands) {
  unsigned index = 0;
  for (PostOpAttr postOp : postOps)
    if (postOp.isBinary() && &operands[index++] == &input)
      return postOp.getBroadcast() == Broadcast::None;
  return false;
}

SmallVector<int64_t> tpp::getOperandSlots(ArrayRef<PostOpAttr> postOps) {
  SmallVector<int64_t> slots;
  for (auto [slot, postOp] : llvm::enumerate(postOps))
    if (PostOpAttr(postOp).isBinary())
      slots.push_back(slot);
  return slots;
}

int32_t tpp::encodePostOps(ArrayRef<PostOpAttr> postOps, tpp_post_op (&steps)[TPP_MAX_POST_OPS]) {
  for (auto [postOp, step] : llvm::zip(postOps, steps)) {
    step.op_class = static_cast<int32_t>(PostOpAttr(postOp).getOpClass());
    step.kind = static_cast<int32_t>(PostOpAttr(postOp).getKind());
    step.broadcast = static_cast<int32_t>(PostOpAttr(postOp).getBroadcast());
    step.form = encode(PostOpAttr(postOp).getForm());
  }
  return static_cast<int32_t>(postOps.size());
}

tpp_matrix tpp::encode(MatrixAttr form) {
  tpp_matrix matrix = {};
  if (!form)
    return matrix;
  matrix.type = static_cast<int32_t>(form.getType());
  matrix.vnni = static_cast<int32_t>(form.getVnni());
  matrix.ld = form.getLd();
  matrix.panel = form.getPanel();
  matrix.panel_stride = form.getPanelStride();
  return matrix;
}

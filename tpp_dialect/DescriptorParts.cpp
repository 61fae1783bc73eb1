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

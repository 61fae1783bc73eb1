// Helpers of the operations' descriptors: verification of the fields that several descriptors have, and their conversion to C.
#ifndef TPP_DIALECT_DESCRIPTORPARTS_H
#define TPP_DIALECT_DESCRIPTORPARTS_H

#include "tpp/types.h"
#include "tpp_dialect/TppDialect.h"

#include "mlir/IR/ValueRange.h"

namespace mlir::tpp {

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult verifySize(EmitError emitError, StringRef name, int64_t size);
LogicalResult verifyBeta(EmitError emitError, int64_t beta);
LogicalResult verifyStreaming(EmitError emitError, int64_t streaming);
LogicalResult verifyWinogradTile(EmitError emitError, int64_t tile);
/// Verifies the post-ops of a descriptor: their number, and that each binary one has the form of its operand. `postOps` may be null.
LogicalResult verifyPostOpForms(EmitError emitError, ArrayAttr postOps);

/// The same for an image: each post-op has a stride between rows of pixels.
LogicalResult verifyImagePostOpForms(EmitError emitError, ArrayAttr postOps, ArrayRef<int64_t> postRowStrides);

/// The post-ops of an attribute that may be null.
SmallVector<PostOpAttr> toPostOpList(ArrayAttr postOps);

/// Whether post-ops convert sums of i32 to f32.
bool convertsSums(ArrayRef<PostOpAttr> postOps);
/// Whether `input` is a residual among `operands`, those of `postOps`: an operand that is not broadcast.
bool isResidual(OpOperand &input, ArrayRef<PostOpAttr> postOps, const MutableOperandRange &operands);
/// The positions of the post-ops that have an operand.
SmallVector<int64_t> getOperandSlots(ArrayRef<PostOpAttr> postOps);

/// The C structure of a layout.
tpp_matrix encode(MatrixAttr form);

/// Fills the first of `steps` with the C structures of `postOps`, and returns their number.
int32_t encodePostOps(ArrayRef<PostOpAttr> postOps, tpp_post_op (&steps)[TPP_MAX_POST_OPS]);

/// The bytes of a C structure. The compiler and the runtime include the same header, so the layout in the emitted code is the one that the
/// runtime was compiled with.
template <typename Descriptor> std::string toBytes(const Descriptor &descriptor) {
  return std::string(reinterpret_cast<const char *>(&descriptor), sizeof(descriptor));
}

} // namespace mlir::tpp

#endif

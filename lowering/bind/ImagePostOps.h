// Descriptors and scalar loops of the post-ops of ops whose output is an image [height][width][channels]: tpp.winograd_output and tpp.grouped_conv.
#ifndef TPP_LOWERING_BIND_IMAGEPOSTOPS_H
#define TPP_LOWERING_BIND_IMAGEPOSTOPS_H

#include "lowering/bind/FormReader.h"
#include "lowering/bind/LoopBuilder.h"
#include "tpp_dialect/DescriptorParts.h"

namespace mlir::tpp {

/// The post-op fields of a kernel descriptor.
struct ImagePostOpForms {
  /// Each operand is described as a matrix of one row of pixels. Null without post-ops.
  ArrayAttr postOps;
  /// Per post-op: the stride between rows of pixels of its operand, in elements; 0 without an operand.
  SmallVector<int64_t> rowStrides;
};

/// The post-op fields for these post-ops and operands; nullopt if an operand has no form (`forms` keeps the reason).
std::optional<ImagePostOpForms> describeImagePostOps(ArrayRef<PostOpAttr> postOps, ValueRange operands, int64_t width,
                                                     int64_t channels, FormReader &forms);

/// The invocation of a kernel with three groups of arguments: `inputs`, the operands of the op's post-ops, and the output.
template <typename Op> void createInvokeWithPostOps(OpBuilder &builder, Op op, ValueRange inputs, Value kernel) {
  SmallVector<int64_t> slots = getOperandSlots(op.getPostOpList());
  InvokeOp::create(builder, op.getLoc(), kernel, inputs, /*batch=*/Value(), /*b_use=*/Value(), /*offsets=*/ValueRange(),
                   op.getPostOperands(), op.getOut(), slots.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(slots));
}

/// Applies the post-ops to `sum`, the element of the output at `at`: row, column and channel.
Value applyImagePostOps(LoopBuilder &loops, ArrayRef<PostOpAttr> postOps, ValueRange operands, Value sum,
                        const std::array<Value, 3> &at);

} // namespace mlir::tpp

#endif

// The post-ops of an image [height][width][channels]: of tpp.winograd_output and tpp.grouped_conv.
#ifndef TPP_LOWERING_BIND_IMAGEPOSTOPS_H
#define TPP_LOWERING_BIND_IMAGEPOSTOPS_H

#include "lowering/bind/FormReader.h"
#include "lowering/bind/LoopBuilder.h"
#include "tpp_dialect/DescriptorParts.h"

namespace mlir::tpp {

/// The post-ops of an op in its descriptor.
struct ImagePostOpForms {
  ArrayAttr steps;                 // with the forms of their operands, for one row of pixels; null if there are none
  SmallVector<int64_t> rowStrides; // of the operands, in elements; 0 for steps without one
};

/// The post-ops of an op with their operands' forms; nullopt if an operand has no form (`forms` keeps the reason).
std::optional<ImagePostOpForms> describeImagePostOps(ArrayRef<PostOpAttr> postOps, ValueRange operands, int64_t width,
                                                     int64_t channels, FormReader &forms);

/// The invocation of a kernel with three groups of arguments: `inputs`, the operands of the op's post-ops, and the output.
template <typename Op> void createImageInvoke(OpBuilder &builder, Op op, ValueRange inputs, Value kernel) {
  SmallVector<int64_t> slots = getOperandSlots(op.getPostOpList());
  InvokeOp::create(builder, op.getLoc(), kernel, inputs, /*batch=*/Value(), /*offsets=*/ValueRange(), op.getPostOperands(),
                   op.getOut(), slots.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(slots));
}

/// `sum` after the post-ops, for the element of the image at `at`: row, column and channel.
Value applyImagePostOps(LoopBuilder &loops, ArrayRef<PostOpAttr> postOps, ValueRange operands, Value sum,
                        const std::array<Value, 3> &at);

} // namespace mlir::tpp

#endif

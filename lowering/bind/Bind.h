// Functions shared by the passes of the bind stage: computing the kernel descriptor of a tpp op, replacing an op by a kernel invocation or
// by scalar loops, and the scalar semantics of each kind.
#ifndef TPP_LOWERING_BIND_BIND_H
#define TPP_LOWERING_BIND_BIND_H

#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/TppOps.h"

#include <string>

namespace mlir::tpp {

/// The kernel descriptor of a tile op on memrefs. Fails, with the reason in `why`, if an operand's form (type, strides, panels) is not
/// static or no kernel supports it.
FailureOr<Attribute> getKernelDescriptor(Operation *op, Provider provider, std::string &why);

/// Replaces a tile op on memrefs by tpp.dispatch and tpp.invoke. On failure it reports the reason as a match failure and in `why`.
LogicalResult bindKernel(RewriterBase &rewriter, Operation *op, Provider provider, std::string &why);

/// Replaces a tile op, or tpp.contract, on memrefs by scalar loops. Fails for an op on tensors.
LogicalResult lowerTppToLoops(RewriterBase &rewriter, Operation *op);

/// Rows and columns of one batch entry of a tile, including the padding of the last panel.
std::pair<int64_t, int64_t> getTileSizes(Value tile, TileDims dims);

//===- scalars (ScalarKinds.cpp) ---------------------------------------------------------------------------------------------===//

/// The type to compute in, for operands of these element types: the first type if it is not a floating-point type, else f64 if any is f64, else f32.
Type getComputeType(ArrayRef<Type> elementTypes);

/// Converts `value` to type `to`. Rounds to nearest even; conversions to integers saturate (NaN gives 0). `isUnsigned`: the
/// integer that is widened or converted to a float, or the integer that is the result, is unsigned.
Value convertScalar(OpBuilder &builder, Location loc, Value value, Type to, bool isUnsigned = false);

/// One element of a unary kind, a binary kind, or one step of a reduction, as defined in kinds.def. Operands and result have the same
/// type. Kinds that only move elements return `x`. `alpha` belongs to leaky_relu and is null for other kinds.
Value createUnary(OpBuilder &builder, Location loc, UnaryKind kind, Value x, FloatAttr alpha = {});
Value createBinary(OpBuilder &builder, Location loc, BinaryKind kind, Value x, Value y);
Value createReduceStep(OpBuilder &builder, Location loc, ReduceKind kind, Value x, Value y);

/// Applies post-ops in order to an accumulator. `load` returns the element of binary post-op number `operand`.
Value applyPostOps(OpBuilder &builder, Location loc, ArrayRef<PostOpAttr> postOps, Value acc,
                   function_ref<Value(unsigned operand, Broadcast broadcast)> load);

/// The result of an empty reduction: the neutral element.
Value createReduceInit(OpBuilder &builder, Location loc, ReduceKind kind, Type type);

} // namespace mlir::tpp

#endif

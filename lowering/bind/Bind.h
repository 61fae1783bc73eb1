// What the passes of the bind stage share: descriptors of tpp ops, and their plain meaning as loops.
#ifndef TPP_LOWERING_BIND_BIND_H
#define TPP_LOWERING_BIND_BIND_H

#include "tpp_dialect/TppOps.h"

#include <string>

namespace mlir::tpp {

/// The descriptor of a tile op on memrefs. Fails, with the reason in `why`, where a form is not static or no kernel has it.
FailureOr<Attribute> getKernelDescriptor(Operation *op, Provider provider, std::string &why);

/// Replaces a tile op on memrefs by tpp.dispatch and tpp.invoke; refuses with the reason, also in `why`.
LogicalResult bindKernel(RewriterBase &rewriter, Operation *op, Provider provider, std::string &why);

/// Replaces a tile op, or tpp.contract, on memrefs by scalar loops; refuses an op on tensors.
LogicalResult lowerTppToLoops(RewriterBase &rewriter, Operation *op);

/// Rows and columns of a tile without batch, a last panel's padding included.
std::pair<int64_t, int64_t> getTileSizes(Value tile, TileDims dims);

/// True for the ops that both functions above take.
bool isTileOp(Operation *op);

//===- scalars (ScalarKinds.cpp) ---------------------------------------------------------------------------------------------===//

/// The type in which operands of these element types are computed: f64 if one is, else f32 for floats; i32 for integers.
Type getComputeType(ArrayRef<Type> elementTypes);

/// `value` as `to`: rounded to nearest even, floats to integers saturated (NaN gives 0). `isUnsigned`: an integer value has no
/// sign.
Value convertScalar(OpBuilder &builder, Location loc, Value value, Type to, bool isUnsigned = false);

/// One element of a unary (binary, reduce) kind as kinds.def defines it; operands and result have one type. Kinds that move elements
/// are the identity of one. `alpha` is leaky_relu's, null for the others.
Value createUnary(OpBuilder &builder, Location loc, UnaryKind kind, Value x, FloatAttr alpha = {});
Value createBinary(OpBuilder &builder, Location loc, BinaryKind kind, Value x, Value y);
Value createReduceStep(OpBuilder &builder, Location loc, ReduceKind kind, Value x, Value y);

/// What an empty reduction gives.
Value createReduceInit(OpBuilder &builder, Location loc, ReduceKind kind, Type type);

} // namespace mlir::tpp

#endif

// Creates ops that several passes need: elementwise linalg.generics, and tensors filled with one value.
#ifndef TPP_LOWERING_ANALYSIS_CREATEOPS_H
#define TPP_LOWERING_ANALYSIS_CREATEOPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::tpp {

/// An input of an elementwise op, and the map from indices of the result to its indices; no results for a scalar.
struct ElementwiseInput {
  Value value;
  AffineMap map;
};

/// Creates an elementwise linalg.generic on tensors. `body` gets the elements of the inputs and returns that of the result.
using ElementwiseBody = llvm::function_ref<Value(OpBuilder &, ValueRange)>;
Value createElementwise(OpBuilder &builder, Location loc, ArrayRef<ElementwiseInput> inputs, ArrayRef<OpFoldResult> sizes,
                        Type element, ElementwiseBody body);
Value createElementwise(OpBuilder &builder, Location loc, ArrayRef<ElementwiseInput> inputs, ArrayRef<int64_t> shape,
                        Type element, ElementwiseBody body);

/// Creates an op that extends or rounds the elements of a tensor to the floating-point type `element`.
Value createConversion(OpBuilder &builder, Location loc, Value tensor, Type element);

/// Creates a tensor of which each element is the constant `value`, as a linalg.fill.
Value createFilled(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, TypedAttr value);

} // namespace mlir::tpp

#endif

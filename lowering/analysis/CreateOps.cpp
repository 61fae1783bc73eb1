// Creates ops that several passes need (see CreateOps.h).
#include "lowering/analysis/CreateOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::tpp {

Value createElementwise(OpBuilder &builder, Location loc, ArrayRef<ElementwiseInput> inputs, ArrayRef<OpFoldResult> sizes,
                        Type element, ElementwiseBody body) {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const ElementwiseInput &input : inputs) {
    values.push_back(input.value);
    maps.push_back(input.map);
  }
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  SmallVector<utils::IteratorType> parallel(sizes.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), values, empty, maps, parallel,
                                   [&](OpBuilder &nested, Location at, ValueRange arguments) {
                                     linalg::YieldOp::create(nested, at, body(nested, arguments.drop_back()));
                                   })
      .getResult(0);
}

Value createElementwise(OpBuilder &builder, Location loc, ArrayRef<ElementwiseInput> inputs, ArrayRef<int64_t> shape,
                        Type element, ElementwiseBody body) {
  return createElementwise(builder, loc, inputs, getAsIndexOpFoldResult(builder.getContext(), shape), element, body);
}

Value createConversion(OpBuilder &builder, Location loc, Value tensor, Type element) {
  ElementwiseInput input = {tensor, builder.getMultiDimIdentityMap(cast<RankedTensorType>(tensor.getType()).getRank())};
  bool extends = element.getIntOrFloatBitWidth() > getElementTypeOrSelf(tensor).getIntOrFloatBitWidth();
  return createElementwise(builder, loc, input, tensor::getMixedSizes(builder, loc, tensor), element,
                           [&](OpBuilder &nested, ValueRange arguments) -> Value {
                             if (extends)
                               return arith::ExtFOp::create(nested, loc, element, arguments[0]);
                             return arith::TruncFOp::create(nested, loc, element, arguments[0]);
                           });
}

Value createFilled(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, value.getType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

} // namespace mlir::tpp

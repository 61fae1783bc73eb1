// Values of 8-bit integers that a program reads as (integer - zero point) * scale, in the forms that exporters write.
#ifndef TPP_LOWERING_ANALYSIS_QUANTIZATION_H
#define TPP_LOWERING_ANALYSIS_QUANTIZATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::tpp {

/// A scale, or a zero point: `number`, or an element of `value`; a zero point is the sum of both.
struct QuantizationParameter {
  double number = 0;
  Value value;             // a scalar or a tensor; null if there is only the number
  AffineMap map;           // from indices of the value that it belongs to, to indices of `value`; no results for a scalar
  bool isUnsigned = false; // `value` holds unsigned integers

  bool isNumber() const { return !value; }
  bool isNumber(double wanted) const { return !value && number == wanted; }
  /// One number for all elements, known or not.
  bool isUniform() const { return !value || map.getNumResults() == 0; }
};

/// A value (source - zero) * scale, or source - zero in wider integers.
struct Dequantization {
  Value source;  // a tensor of 8-bit integers
  AffineMap map; // from indices of the value to indices of `source`
  bool isUnsigned = false;
  QuantizationParameter zero;
  std::optional<QuantizationParameter> scale; // nullopt: the value is an integer
};

/// If the elements of the tensor `value` are computed so. One or several elementwise linalg.generics may do it.
std::optional<Dequantization> getDequantization(Value value);

/// The same for `scalar`, a value in the body of `op`. The maps are from the loops of `op`.
std::optional<Dequantization> getDequantization(Value scalar, linalg::LinalgOp op);

/// Creates a linalg.generic that computes elements of type `element` from `d`.
Value createDequantization(OpBuilder &builder, Location loc, const Dequantization &d, ArrayRef<int64_t> shape, Type element);

/// The elements of a tensor: round(source / scale) + zero, to nearest even, clamped to the range of the integers.
struct Quantization {
  Value source; // a tensor of f32 of the same shape
  double scale = 1, zero = 0;
  bool isUnsigned = false;
};
/// If a linalg.generic computes the tensor `value` so, with parameters that are known numbers.
std::optional<Quantization> getQuantization(Value value);
Value createQuantization(OpBuilder &builder, Location loc, const Quantization &q);

/// An input of an elementwise op, and the map from indices of the result to its indices; no results for a scalar.
struct ElementwiseInput {
  Value value;
  AffineMap map;
};
/// Creates an elementwise linalg.generic on tensors. `body` gets the elements of the inputs.
Value createElementwise(OpBuilder &builder, Location loc, ArrayRef<ElementwiseInput> inputs, ArrayRef<int64_t> shape,
                        Type element, llvm::function_ref<Value(OpBuilder &, ValueRange)> body);

/// Range of 8-bit integers.
inline int64_t lowest8(bool isUnsigned) { return isUnsigned ? 0 : -128; }
inline int64_t highest8(bool isUnsigned) { return isUnsigned ? 255 : 127; }

} // namespace mlir::tpp

#endif

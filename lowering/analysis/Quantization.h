// Values of 8-bit integers that a program reads as (integer - zero point) * scale, in the forms that exporters write.
#ifndef TPP_LOWERING_ANALYSIS_QUANTIZATION_H
#define TPP_LOWERING_ANALYSIS_QUANTIZATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::tpp {

/// A scale or a zero point. Scale: an element of `value` if set, else `number`. Zero point: `number`, plus the element of `value` if set.
struct QuantizationParameter {
  double number = 0;
  Value value;             // a scalar or a tensor; null if there is only the number
  AffineMap map;           // from indices of the quantized tensor to indices of `value`; no results for a scalar
  bool isUnsigned = false; // `value` holds unsigned integers

  bool isNumber() const { return !value; }
  bool isNumber(double wanted) const { return !value && number == wanted; }
  /// Whether all elements share one parameter; it may be unknown at compile time.
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

/// Returns how the tensor `value` is dequantized, by one or several elementwise linalg.generics; else nullopt.
std::optional<Dequantization> getDequantization(Value value);

/// The same for `scalar`, a value in the body of `op`. The maps are from the loops of `op`.
std::optional<Dequantization> getDequantization(Value scalar, linalg::LinalgOp op);

/// Creates a linalg.generic that computes elements of type `element` from `d`.
Value createDequantization(OpBuilder &builder, Location loc, const Dequantization &d, ArrayRef<int64_t> shape, Type element);

/// The elements of a tensor: round(source / scale) + zero, to nearest even, clamped to the range of the integers.
struct Quantization {
  Value source; // a tensor of f32 of the same shape
  QuantizationParameter scale;
  double zero = 0;
  bool isUnsigned = false;
};
/// Returns how the tensor `value` was quantized, if one or several elementwise linalg.generics do it with constant parameters; else nullopt.
std::optional<Quantization> getQuantization(Value value);
Value createQuantization(OpBuilder &builder, Location loc, const Quantization &q);

/// Adds -128 to each 8-bit integer, which flips its sign bit: an unsigned integer becomes the signed one that is signShift smaller.
Value flipSigns(Value tensor, Location loc, OpBuilder &builder);
/// The operand of flipSigns if `tensor` is its result, else null.
Value getFlipped(Value tensor);
constexpr int64_t signShift = 128;

/// Whether each result of `map` is a dimension or a constant.
bool isPlain(AffineMap map);

/// Range of 8-bit integers.
inline int64_t lowest8(bool isUnsigned) { return isUnsigned ? 0 : -128; }
inline int64_t highest8(bool isUnsigned) { return isUnsigned ? 255 : 127; }

} // namespace mlir::tpp

#endif

// Evaluates parts of tensors that a program computes from constants and indices, such as the mask of causal attention.
#ifndef TPP_LOWERING_ANALYSIS_TENSOREVALUATOR_H
#define TPP_LOWERING_ANALYSIS_TENSOREVALUATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>
#include <vector>

namespace mlir::tpp {

/// A part of a tensor: `sizes` elements of each dimension from `offsets` on.
struct TensorPart {
  SmallVector<int64_t> offsets, sizes;

  int64_t countElements() const;
  bool operator==(const TensorPart &other) const { return offsets == other.offsets && sizes == other.sizes; }
};

/// Elements in row-major order. Integers are exact up to 2^53, booleans are 0 and 1. NaN: not known.
using TensorElements = std::vector<double>;

/// Evaluates tensors of one function, which must not change meanwhile.
class TensorEvaluator {
public:
  /// The elements of a part of a tensor; null if it depends on more than constants and indices, or on operations that are not evaluated: reductions, and in
  /// bodies other arithmetic than sums, products, comparisons, selections and conversions.
  std::optional<TensorElements> evaluate(Value tensor, const TensorPart &part);

  /// The same for the result of an elementwise op of which some inputs cannot be evaluated: they are not known. They do not change a number that is at most
  /// `lowest` when they are added to it.
  std::optional<TensorElements> evaluateMasked(linalg::GenericOp op, const TensorPart &part, double lowest);

private:
  const std::optional<TensorElements> &evaluateOnce(Value tensor, const TensorPart &part);
  std::optional<TensorElements> evaluateResult(Value tensor, const TensorPart &part);
  std::optional<TensorElements> evaluateBody(linalg::GenericOp op, const TensorPart &part, bool partly, double lowest);

  llvm::DenseMap<Value, std::optional<TensorElements>> small; // all elements of tensors that have few
  struct Part {
    TensorPart part;
    std::optional<TensorElements> elements;
  };
  llvm::DenseMap<Value, Part> recent; // the last part of others that was evaluated
};

} // namespace mlir::tpp

#endif

// Computes the layouts of operands from their memref types.
#ifndef TPP_LOWERING_BIND_FORMREADER_H
#define TPP_LOWERING_BIND_FORMREADER_H

#include "tpp_dialect/TppOps.h"

#include <string>

namespace mlir::tpp {

/// Computes the form (element type, leading dimension, panels, VNNI factor) of operands from their memref types. On failure, `why` keeps
/// the first reason.
class FormReader {
public:
  FormReader(MLIRContext *context, std::string &why) : context(context), why(why) {}

  /// From now on, elements are only moved, so only their size matters.
  void acceptMovedTypes() { moved = true; }

  /// The form of a tile. `rows` and `cols` are those of the operation, before rows are grouped. `vnni` > 1: groups of `vnni` rows are
  /// interleaved.
  MatrixAttr tile(StringRef name, Value operand, int64_t rows, int64_t cols, TileDims dims, int64_t vnni = 0,
                  bool isUnsigned = false);

  /// The form of an operand that may be broadcast: a tile, a vector or a single element.
  MatrixAttr broadcast(StringRef name, Value operand, Broadcast broadcast, int64_t rows, int64_t cols);

  /// The batch stride in bytes; 0 without a batch dimension or for a batch of 1.
  std::optional<int64_t> batchStride(StringRef name, Value operand, TileDims dims);

  /// The stride of a dimension around a matrix (rows of pixels, points), in elements: that of `dims.batch`. It must not be negative.
  std::optional<int64_t> outerStride(StringRef name, Value operand, TileDims dims);

private:
  MatrixAttr refuse(StringRef name, const Twine &reason);
  std::optional<ElementType> elementType(StringRef name, Value operand, bool isUnsigned);

  /// Gets the strides. All must be static, except that of `dynamicDim` (the batch dimension, which `batchStride` checks; -1: none).
  bool staticStrides(StringRef name, Value operand, int dynamicDim, SmallVector<int64_t> &strides);

  /// `ld` 0: there is only one row. `ld` becomes its width, the smallest value valid for outputs, whose rows must not overlap.
  MatrixAttr form(StringRef name, ElementType type, int64_t ld, int64_t panel, int64_t panelStride, int64_t vnni, int64_t width);

  MLIRContext *context;
  std::string &why;
  bool moved = false;
};

} // namespace mlir::tpp

#endif

// Finds and builds joins: values assembled from parts by a chain of tensor.insert_slice. Pads and concatenations have this form after
// normalization.
#ifndef TPP_LOWERING_ANALYSIS_JOINS_H
#define TPP_LOWERING_ANALYSIS_JOINS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

// Whether `insert` places a tensor as one block into another: static shapes and offsets, unit strides, no dropped dimension.
bool isPlainInsert(tensor::InsertSliceOp insert);

// The same with any positive static strides: between the elements of the source, the destination may have others.
bool isStaticInsert(tensor::InsertSliceOp insert);

// Whether `insert` places its source among zeros of a floating-point type: around it, or between its elements.
bool isZeroPad(tensor::InsertSliceOp insert);

// The insert that puts zeros between the elements of `value` (the image of a transposed convolution); null if there is none.
tensor::InsertSliceOp getZeroInsertion(Value value);

// Whether the source of `insert` can be computed directly in its place in the destination, so that bufferization inserts no copy. It cannot
// if it is not a fresh result of an op (an argument, a constant, part of another value), or if it already has another place: an earlier
// insert, or a result of the program.
bool isComputedInPlace(tensor::InsertSliceOp insert);

// A part of a join: `source`, placed at `offsets` by `insert`.
struct JoinedPart {
  tensor::InsertSliceOp insert;
  Value source;
  ArrayRef<int64_t> offsets, sizes;
};

// The parts that a chain of plain inserts assembles to `value`, in the order of insertion. Empty unless the parts cover all of `value`
// without overlap and the intermediate values have no other reader.
SmallVector<JoinedPart> getJoin(Value value);

// Builds a join from parts that are computed one by one, instead of computing the whole value into `init`. Each part is computed into an
// empty tensor, which bufferization places in the whole. If the contents of `init` are read (`isRead`), the part is computed into its slice
// of `init`, or into a fill of its own where `init` is a fill.
class JoinBuilder {
public:
  JoinBuilder(RewriterBase &rewriter, Location loc, Value init, bool isRead);
  // The tensor into which the part at this place is computed.
  Value getInit(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
  void add(Value part, ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides);
  // The join; complete after all parts have been added.
  Value getResult() const { return result; }

private:
  RewriterBase &rewriter;
  Location loc;
  Value fill; // the scalar of the fill that `init` is, if it is read; else null
  bool isSliced;
  Value result;
};

} // namespace mlir::tpp

#endif

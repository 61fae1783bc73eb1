// Values that are put together of parts: by chains of tensor.insert_slice, which is what pads and concatenations have been normalized to.
#ifndef TPP_LOWERING_ANALYSIS_JOINS_H
#define TPP_LOWERING_ANALYSIS_JOINS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

// Whether `insert` puts a whole tensor somewhere into a larger one: offsets and sizes known, neighbours stay neighbours, no dimension
// dropped.
bool isPlainInsert(tensor::InsertSliceOp insert);

// Whether the source of `insert` can be computed where it is put: bufferization lets it be written there, and nothing is copied. It
// cannot when it is no fresh result of an op (an argument, a constant, part of another value), or already lies where something else
// has put it.
bool isComputedInPlace(tensor::InsertSliceOp insert);

// A part of a value: `source`, put to `offsets` by `insert`.
struct JoinedPart {
  tensor::InsertSliceOp insert;
  Value source;
  ArrayRef<int64_t> offsets, sizes;
};

// The parts that `value` is put together of by a chain of plain inserts, the first one first; empty unless they cover all of it and do
// not overlap, and nothing else reads the values on the way.
SmallVector<JoinedPart> getJoin(Value value);

// Builds a value of parts that are computed one by one, instead of at once into `init`. Each part starts from memory of its own, which
// bufferization finds to be its place in the whole, or from its slice of `init` where what that holds is read.
class JoinBuilder {
public:
  JoinBuilder(RewriterBase &rewriter, Location loc, Value init, bool isRead);
  // What the part of these sizes at these offsets is to be computed into.
  Value getInit(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes);
  void add(Value part, ArrayRef<int64_t> offsets);
  // The whole, once all parts are there.
  Value getResult() const { return result; }

private:
  RewriterBase &rewriter;
  Location loc;
  Value fill; // the scalar that `init` repeats and that is read; null where nothing is read, or something else
  bool isSliced;
  Value result;
};

} // namespace mlir::tpp

#endif

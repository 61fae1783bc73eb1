// What the passes that cut values into loops share: dimensions as one stride per operand, views at an offset, last blocks.
#ifndef TPP_LOWERING_TILE_STRIDEDLOOPS_H
#define TPP_LOWERING_TILE_STRIDEDLOOPS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

// One loop dimension: how far apart, in elements, its neighbours lie in each operand.
struct StridedDim {
  int64_t extent = 1;
  bool reduction = false;
  int index = -1; // the dimension of the op, for linalg.index
  SmallVector<int64_t, 4> strides;
};

// Merges dimensions that are one run in every operand (outer stride = inner stride * inner extent) until none is left.
void mergeRuns(SmallVectorImpl<StridedDim> &dims);

// A view of the buffer `source` of the given sizes and strides, `offset` elements (an expression of symbols that stand for `ivs`)
// behind the buffer's first element. The source's strides must be static.
Value makeStridedView(RewriterBase &rewriter, Location loc, Value source, AffineExpr offset, ValueRange ivs,
                      ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);

// A table of integers as a constant of the module that the insertion point is in, named after `name`; equal tables are one.
Value makeConstantTable(RewriterBase &rewriter, Location loc, StringRef name, DenseIntElementsAttr values);

// Calls `body` with the size of block `iv` of a dimension cut into blocks of `block`; where the last one is smaller, twice, under
// an scf.if. A null `iv` is the only block.
void emitBlocks(RewriterBase &rewriter, Location loc, Value iv, int64_t block, int64_t extent, function_ref<void(int64_t)> body);

} // namespace mlir::tpp

#endif

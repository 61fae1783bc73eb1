// What the passes that cut values into loops share: views at an offset, constant tables, last blocks.
#ifndef TPP_LOWERING_TILE_STRIDEDLOOPS_H
#define TPP_LOWERING_TILE_STRIDEDLOOPS_H

#include "lowering/analysis/StridedDim.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

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

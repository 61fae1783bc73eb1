// Helpers of the passes that tile operands into loops: views at a computed offset, constant tables, and blocks of a dimension.
#ifndef TPP_LOWERING_TILE_STRIDEDLOOPS_H
#define TPP_LOWERING_TILE_STRIDEDLOOPS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StridedDim.h"

namespace mlir::tpp {

// Creates a view of `source` with the given sizes and strides. It starts `offset` elements after the first element of `source`; symbol i of
// the expression `offset` is `ivs[i]`. The strides of `source` must be static.
Value makeStridedView(RewriterBase &rewriter, Location loc, Value source, AffineExpr offset, ValueRange ivs,
                      ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);

// Returns the constant integer table `values`, a private memref.global of the module around the insertion point. Its symbol is `name` with a
// number appended. Equal tables share one global.
Value makeConstantTable(RewriterBase &rewriter, Location loc, StringRef name, DenseIntElementsAttr values);

// Calls `body` with the size of block number `iv` of a dimension that is split into blocks of `block`. If the last block is smaller, emits an
// scf.if and calls `body` in both branches, once with each size. A null `iv` means that there is only one block.
void emitBlocks(RewriterBase &rewriter, Location loc, Value iv, int64_t block, int64_t extent, function_ref<void(int64_t)> body);

} // namespace mlir::tpp

#endif

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

// The index that `expr` gives for its symbols, which are `ivs`.
Value evaluateIndex(RewriterBase &rewriter, Location loc, AffineExpr expr, ValueRange ivs);

// Returns the constant integer table `values`, a private memref.global of the module around the insertion point. Its symbol is `name` with a
// number appended. Equal tables share one global.
Value makeConstantTable(RewriterBase &rewriter, Location loc, StringRef name, DenseIntElementsAttr values);

// Calls `body` with the size of block number `iv` of a dimension that is split into blocks of `block`. If the last block is smaller, emits an
// scf.if and calls `body` in both branches, once with each size. A null `iv` means that there is only one block.
void emitBlocks(RewriterBase &rewriter, Location loc, Value iv, int64_t block, int64_t extent, function_ref<void(int64_t)> body);

// Loops over the numbers 0 to count - 1: a parallel one in which each of at most `threads` threads takes consecutive numbers, or none if there is one
// thread or one number, and a sequential loop. `allocate` is called in the parallel loop, for what each thread has for itself. `body` gets induction
// variables, and the number as an expression of them as symbols. `workNs`: estimated nanoseconds of everything on one thread.
void emitConsecutive(RewriterBase &rewriter, Location loc, int64_t count, int64_t threads, double workNs,
                     function_ref<void()> allocate, function_ref<void(ArrayRef<Value>, AffineExpr)> body);

// Calls `body` with the first block of the run that block `iv` is in: an scf.if for each run. `runs` are the first blocks of all runs, in ascending order. A
// null `iv` means that there is only one block.
void emitRuns(RewriterBase &rewriter, Location loc, Value iv, ArrayRef<int64_t> runs, function_ref<void(int64_t)> body);

// What a block of outputs reads of one dimension of an image: `before` elements that do not exist, then `size` that do. Those that follow do not exist
// either.
struct Window {
  int64_t before = 0, size = 0;

  bool operator==(const Window &other) const { return before == other.before && size == other.size; }
};
// The window of `count` elements from `start` on, in a dimension of `extent` elements.
Window getWindow(int64_t start, int64_t count, int64_t extent);

// Calls `body` with the window of block `iv`. `windows` has a window for each block that `iv` can be, in ascending order. If they differ, emits an
// scf.if for each run of blocks with the same window. A null `iv` means that there is only one block.
void emitWindows(RewriterBase &rewriter, Location loc, Value iv, ArrayRef<std::pair<int64_t, Window>> windows,
                 function_ref<void(Window)> body);

} // namespace mlir::tpp

#endif

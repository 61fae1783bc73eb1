// Operations on buffers as loops with one map per operand, and what they do in some of the iterations.
#ifndef TPP_LOWERING_TILE_OPPARTS_H
#define TPP_LOWERING_TILE_OPPARTS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tpp {

/// The loops of an operation on buffers, and the map from them to the indices of each operand.
struct BufferNest {
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> extents;
  unsigned output = 0; // the only operand that is written
};

/// The loops of a contraction, a linalg op whose body accesses no other buffers, or a copy; null for other operations, and without iterations.
std::optional<BufferNest> getBufferNest(Operation *op);

/// Some iterations of a loop: `count` from `first` on, whose symbols are induction variables.
struct LoopPart {
  unsigned loop;
  AffineExpr first;
  int64_t count;
  bool isStoredWhole = false; // buffers that hold a part of others hold all iterations of this loop
};

/// Whether operand number `i` can be cut along a loop: the loop alone indexes one dimension of it, all of the dimension; or none; or, of a
/// contraction, it is a term of indices that grow with all loops.
bool canCut(Operation *op, const BufferNest &nest, unsigned i, unsigned loop);

/// A view of what these iterations access of operand number `i`. `part`: a buffer that holds only that much of the operand's buffer, with the same strides;
/// null if the view is of the operand.
Value cutOperand(RewriterBase &rewriter, Operation *op, const BufferNest &nest, unsigned i, ArrayRef<LoopPart> parts,
                 ValueRange ivs, Value part = {});

/// Creates `op` for these iterations, on operands that have been cut.
void emitPart(RewriterBase &rewriter, Operation *op, ArrayRef<LoopPart> parts, ArrayRef<Value> operands, ValueRange ivs);

/// Moves the memref.dealloc ops between two operations of a block to before the second.
void freeAfter(RewriterBase &rewriter, Operation *first, Operation *last);

/// Erases a buffer with its views, which only a memref.dealloc still uses.
void eraseBuffer(RewriterBase &rewriter, Operation *buffer);

} // namespace mlir::tpp

#endif

// Operations between two contractions, such as the softmax of attention, that are computed for some rows at a time.
#ifndef TPP_LOWERING_TILE_ROWRUNS_H
#define TPP_LOWERING_TILE_ROWRUNS_H

#include "lowering/tile/OpParts.h"
#include "mlir/IR/Block.h"
#include "tpp/machine.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace mlir::tpp {

/// An operation that computes each row of its output from that row of its operands.
struct RowOp {
  Operation *op;
  BufferNest nest;
  SmallVector<unsigned> loops; // for each of the run's axes
};

/// The last operation is a contraction. It reads what the others compute, and they what other contractions of the run compute. Rows are counted by several
/// axes, the outermost dimensions of the buffers between the operations: all but the last, such as heads, are computed one index at a time.
struct RowRun {
  SmallVector<RowOp> ops;       // in the order of the block
  SmallVector<int64_t> extents; // of the axes
  llvm::SetVector<Value> inner; // the buffers between the operations, which nothing else uses
  int64_t blockRows = 0;        // computed at a time; the last block may have fewer
  double workNs = 0;            // estimated, of one call on one thread: the arithmetic of the contractions

  int64_t countBlocks() const { return (extents.back() + blockRows - 1) / blockRows; } // of each index of the other axes
  int64_t countOuter() const;
};

/// The runs of `block` for which this is estimated to be faster: values between are not written to an outer cache or to memory and read from there, which
/// takes longer than reading other operands of the contractions again for each block. Each operation is in one run at most.
std::vector<RowRun> planRowRuns(Block &block, const tpp_machine &machine, int64_t threads);

} // namespace mlir::tpp

#endif

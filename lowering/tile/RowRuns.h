// Operations between two contractions, such as the softmax of attention, that are computed for some rows at a time.
#ifndef TPP_LOWERING_TILE_ROWRUNS_H
#define TPP_LOWERING_TILE_ROWRUNS_H

#include "lowering/analysis/VisibleColumns.h"
#include "lowering/tile/OpParts.h"
#include "mlir/IR/Block.h"
#include "tpp/machine.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <vector>

namespace mlir::tpp {

/// A loop that counts an axis in steps: alone, or with others as digits of its index.
struct AxisLoop {
  unsigned axis, loop;
  int64_t step;

  bool operator==(const AxisLoop &other) const { return axis == other.axis && loop == other.loop && step == other.step; }
  bool operator!=(const AxisLoop &other) const { return !(*this == other); }
};

/// An operation that computes each row of its output from that row of its operands.
struct RowOp {
  Operation *op;
  BufferNest nest;
  SmallVector<AxisLoop> loops;    // over the run's axes; the last one, over rows, alone counts its axis
  std::optional<AxisLoop> column; // the loop over columns, or over blocks of them, if some are masked

  unsigned getRowLoop() const { return loops.back().loop; }
  bool countsAxis(unsigned loop) const {
    return llvm::any_of(loops, [&](const AxisLoop &each) { return each.loop == loop; });
  }
};

/// Rows that are computed at a time, and the columns that they need.
struct RowBlock {
  int64_t rows;
  VisibleColumns::Range columns;

  bool operator==(const RowBlock &other) const { return rows == other.rows && columns == other.columns; }
};

/// The last operation is a contraction. It reads what the others compute, and they what other contractions of the run compute. Rows are counted by several
/// axes, the outermost dimensions of the buffers between the operations: all but the last, such as heads, are computed one index at a time.
struct RowRun {
  SmallVector<RowOp> ops;                // in the order of the block
  SmallVector<int64_t> extents;          // of the axes
  llvm::SetVector<Value> inner;          // the buffers between the operations, which nothing else uses
  int64_t blockRows = 0;                 // computed at a time; the last block may have fewer
  double workNs = 0;                     // estimated, of one call on one thread: the arithmetic of the contractions
  std::optional<VisibleColumns> visible; // null: all columns of the buffers between
  int64_t columnStep = 1;                // blocks compute ranges that begin and end at its multiples, so that few blocks differ

  int64_t countBlocks() const { return (extents.back() + blockRows - 1) / blockRows; } // of each index of the other axes
  int64_t countOuter() const;
  /// Block number `block` of an index of the other axes.
  RowBlock getBlock(int64_t block) const;
};

/// The runs of `block` for which this is estimated to be faster: values between are not written to an outer cache or to memory and read from there, which
/// takes longer than reading other operands of the contractions again for each block. Each operation is in one run at most.
std::vector<RowRun> planRowRuns(Block &block, const tpp_machine &machine, int64_t threads);

} // namespace mlir::tpp

#endif

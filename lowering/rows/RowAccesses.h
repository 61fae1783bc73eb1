//===- RowAccesses.h - loads and stores of a loop over rows, by row ------------------------------------------*- C++ -*-===//
//
// Describes which bytes of which buffer each load and store of an scf.forall over rows accesses, as a function of the row index. Passes use it
// to find out whether accesses of different rows, or of different loops, conflict.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_ROWS_ROWACCESSES_H
#define TPP_LOWERING_ROWS_ROWACCESSES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// The values from `least` to `most`, both plus `perRow` times the row index.
struct RowRange {
  int64_t perRow = 0, least = 0, most = 0;
};

/// One load or store of the bytes [range.least, range.most) of a buffer, shifted by range.perRow bytes for each row. `memref` is the operand of
/// `op`, a view of `buffer`. `anchor`: null, or a view outside of the loop, whose unknown start in the buffer the bytes are counted from.
struct RowAccess {
  Operation *op;
  Value memref, buffer, anchor;
  int64_t elementBytes;
  RowRange range;
  bool writes;
};

/// The number of rows of a parallel loop with one dimension from 0 to a constant in steps of 1 and without results. nullopt for other loops.
std::optional<int64_t> rowsOf(scf::ForallOp loop);

/// All accesses of a loop in program order; nullopt if it has other effects on memory or accesses whose addresses are unknown.
std::optional<SmallVector<RowAccess>> accessesOf(scf::ForallOp loop);

/// Whether two buffers share memory. Parts of the workspace may, if they are not live at the same time.
bool overlap(Value x, Value y);

/// Whether two accesses by different rows may touch the same byte, at least one of them writing.
bool mayConflict(const RowAccess &x, const RowAccess &y);

} // namespace mlir::tpp

#endif

//===- RowAccesses.h - what a parallel loop touches of each row ----------------------------------------------*- C++ -*-===//
#ifndef TPP_LOWERING_ROWS_ROWACCESSES_H
#define TPP_LOWERING_ROWS_ROWACCESSES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// Values from `least` to `most`, plus `perRow` times the number of the row.
struct RowRange {
  int64_t perRow = 0, least = 0, most = 0;
};

/// One load or store: the bytes [range.least, range.most) of a buffer.
struct RowAccess {
  Operation *op;
  Value memref, buffer;
  int64_t elementBytes;
  RowRange range;
  bool writes;
};

/// The rows of a parallel loop: one dimension from 0 in steps of 1, nothing yielded. nullopt of any other.
std::optional<int64_t> rowsOf(scf::ForallOp loop);

/// All accesses of a loop in the order of the program; nullopt when it does anything else that has effects.
std::optional<SmallVector<RowAccess>> accessesOf(scf::ForallOp loop);

/// Whether two buffers share memory: different parts of the workspace lie on one another where they are not needed at the same time.
bool overlap(Value x, Value y);

/// Whether two accesses of different rows may meet, one of them writing.
bool mayConflict(const RowAccess &x, const RowAccess &y);

} // namespace mlir::tpp

#endif

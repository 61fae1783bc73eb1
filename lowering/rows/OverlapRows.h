//===- OverlapRows.h - write a row while the next one is computed --------------------------------------------*- C++ -*-===//

#ifndef TPP_LOWERING_ROWS_OVERLAPROWS_H
#define TPP_LOWERING_ROWS_OVERLAPROWS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// Rewrites the parallel loop over rows around `writer`, the last of several loops over a row, so that all rows but the last of a block are
/// written by earlier loops of the next row, by each as much as it computes: the memory takes what is written while the core computes, where
/// it would wait for the memory otherwise. What the writer asks for ahead, they do. Returns whether it did: not where there are few rows, where
/// two of them do not fit well into the core's cache of `cacheBytes`, or where there is no such loop.
///
///   forall (row) { sum; exp; write }
///     -> forall (block) { sum; exp;  for (row) { sum; exp and write row - 1 }  write }
bool overlapRows(scf::ForOp writer, int64_t cacheBytes);

} // namespace mlir::tpp

#endif

//===- OverlapRows.h - write a row while the next one is computed --------------------------------------------*- C++ -*-===//
//
// Software pipelining of a loop over rows: while the core computes a row, it stores the result of the previous row. For softmax and normalization
// with results larger than the caches.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_ROWS_OVERLAPROWS_H
#define TPP_LOWERING_ROWS_OVERLAPROWS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// Moves the steps of `writer`, the last of several loops over a row, into the earlier loops of the next row. Each of these takes a share in
/// proportion to its arithmetic, and issues the writer's prefetches of that share. Stores then proceed while the core computes; otherwise the core
/// waits for the memory. The parallel loop over rows becomes one over blocks of rows, because the last row of a block has no next row and is written
/// on its own. Returns false, and changes nothing, if there are too few rows, if two rows do not fit well into the core's cache of `cacheBytes`, or
/// if no loop can take the writer's steps.
///
///   forall (row) { sum; exp; write }
///     -> forall (block) { sum; exp;  for (row) { sum; exp and write row - 1 }  write }
bool overlapRows(scf::ForOp writer, int64_t cacheBytes);

} // namespace mlir::tpp

#endif

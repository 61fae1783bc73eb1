//===- RowBodies.h - rewrites of the loops inside a loop over rows -------------------------------------------*- C++ -*-===//
//
// Rewrites of the loops in the body of an scf.forall over rows: they fuse the reductions of a row and prefetch the next row. Each function does
// nothing if the loop has effects other than loads and stores (RowAccesses.h).
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_ROWS_ROWBODIES_H
#define TPP_LOWERING_ROWS_ROWBODIES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// Fuses reductions (sums, maxima) over the same buffer of a row into one loop, which loads the elements once, if none depends on another.
void fuseReductions(scf::ForallOp rows);

/// Moves a reduction over a stack buffer into the earlier loop that stores that buffer.
void reduceWhereStored(scf::ForallOp rows);

/// Prefetches the next row of each buffer that several loops over a row read. The last of these loops issues the prefetches, because the first
/// one, a sum or a maximum, takes less time for a row than the row takes to arrive.
void prefetchNextRows(scf::ForallOp rows);

} // namespace mlir::tpp

#endif

//===- RowBodies.h - the loops within the loop over rows -----------------------------------------------------*- C++ -*-===//
#ifndef TPP_LOWERING_ROWS_ROWBODIES_H
#define TPP_LOWERING_ROWS_ROWBODIES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

/// Sums and maxima over the same elements of a row, none of which depends on the other, become one loop, which loads them once.
void fuseReductions(scf::ForallOp rows);

/// A sum or maximum of what an earlier loop stores in a row on the stack becomes part of that loop.
void reduceWhereStored(scf::ForallOp rows);

/// The last loop over a row that reads a buffer which an earlier one has read asks for the buffer's next row: what the first loop, a sum
/// or a maximum, does with a row takes less time than the row takes to arrive.
void prefetchNextRows(scf::ForallOp rows);

} // namespace mlir::tpp

#endif

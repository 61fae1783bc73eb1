// Loop versioning: an scf.if that selects between a loop and a modified copy of it at run time.
#ifndef TPP_LOWERING_ROWS_VERSIONLOOP_H
#define TPP_LOWERING_ROWS_VERSIONLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::tpp {

/// Replaces `loop` by an scf.if on `condition`, with a copy of the loop in the then branch and the loop itself in the else branch. Returns the
/// scf.if. `condition` must be defined before the loop. Adds to `copy` the mapping from the loop and the operations in it to their copies.
scf::IfOp versionLoop(scf::ForOp loop, Value condition, IRMapping &copy);

} // namespace mlir::tpp

#endif

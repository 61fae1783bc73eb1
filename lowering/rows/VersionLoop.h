// A loop in two versions.
#ifndef TPP_LOWERING_ROWS_VERSIONLOOP_H
#define TPP_LOWERING_ROWS_VERSIONLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::tpp {

/// Puts a choice in the loop's place: a copy of it where `condition` holds, the loop itself elsewhere. `condition` stands in front of the
/// loop. `copy` maps the loop and what is in it to the copy.
scf::IfOp versionLoop(scf::ForOp loop, Value condition, IRMapping &copy);

} // namespace mlir::tpp

#endif

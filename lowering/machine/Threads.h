// The check of the pass option `threads`.
#ifndef TPP_LOWERING_MACHINE_THREADS_H
#define TPP_LOWERING_MACHINE_THREADS_H

#include "mlir/IR/Operation.h"

namespace mlir::tpp {

/// Emits an error on `op` and fails if `threads`, the option of a pass, is less than 1.
inline LogicalResult verifyThreads(Operation *op, int64_t threads) {
  return threads >= 1 ? success() : op->emitError("threads must be at least 1");
}

} // namespace mlir::tpp

#endif

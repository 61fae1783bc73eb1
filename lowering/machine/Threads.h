// The option `threads` of passes.
#ifndef TPP_LOWERING_MACHINE_THREADS_H
#define TPP_LOWERING_MACHINE_THREADS_H

#include "mlir/IR/Operation.h"

namespace mlir::tpp {

/// Fails with an error on `op` if a pass is asked for fewer threads than one.
inline LogicalResult verifyThreads(Operation *op, int64_t threads) {
  return threads >= 1 ? success() : op->emitError("threads must be at least 1");
}

} // namespace mlir::tpp

#endif

// What the passes that lower tpp.contract on buffers share.
#ifndef TPP_LOWERING_TILE_TILEEACH_H
#define TPP_LOWERING_TILE_TILEEACH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

/// The number of threads that execute `op`: `threads`, or one in a parallel loop.
int64_t countThreads(Operation *op, int64_t threads);

/// Calls `tile` for each contraction of `module` for which `isMine` holds, with the number of threads that execute it. Fails with an error if there are fewer
/// threads than one, if a contraction is on tensors, or if `tile` fails.
LogicalResult tileEach(ModuleOp module, int64_t threads, function_ref<bool(ContractOp)> isMine,
                       function_ref<LogicalResult(ContractOp, int64_t, RewriterBase &)> tile);

} // namespace mlir::tpp

#endif

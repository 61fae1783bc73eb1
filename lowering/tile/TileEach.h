// What the passes that lower tpp.contract on buffers share.
#ifndef TPP_LOWERING_TILE_TILEEACH_H
#define TPP_LOWERING_TILE_TILEEACH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp/machine.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

/// The number of threads that execute `op`: `threads`, or one in a parallel loop.
int64_t countThreads(Operation *op, int64_t threads);

/// Calls `tile` for each contraction of `module` for which `isMine` holds, with the number of threads that execute it. Fails with an error if there are fewer
/// threads than one, if a contraction is on tensors, or if `tile` fails.
LogicalResult tileEach(ModuleOp module, int64_t threads, function_ref<bool(ContractOp)> isMine,
                       function_ref<LogicalResult(ContractOp, int64_t, RewriterBase &)> tile);

/// Calls `plan` for the body of each function of `module`, and for that of each loop in it, with the function's machine and the number of threads that
/// execute the block. Fails with an error if there are fewer threads than one.
LogicalResult forEachLoopBody(ModuleOp module, int64_t threads, int64_t l2Bytes,
                              function_ref<void(Block &, const tpp_machine &, int64_t)> plan);

} // namespace mlir::tpp

#endif

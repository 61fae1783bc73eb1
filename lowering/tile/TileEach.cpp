// See TileEach.h.
#include "lowering/tile/TileEach.h"
#include "lowering/machine/Threads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tpp {

int64_t countThreads(Operation *op, int64_t threads) {
  return op->getParentOfType<scf::ForallOp>() || op->getParentOfType<scf::ParallelOp>() ? 1 : threads;
}

LogicalResult tileEach(ModuleOp module, int64_t threads, function_ref<bool(ContractOp)> isMine,
                       function_ref<LogicalResult(ContractOp, int64_t, RewriterBase &)> tile) {
  if (failed(verifyThreads(module, threads)))
    return failure();
  SmallVector<ContractOp> ops;
  module.walk([&](ContractOp op) {
    if (isMine(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (ContractOp op : ops) {
    if (op.getResult())
      return op.emitOpError("is on tensors: bufferize first");
    if (failed(tile(op, countThreads(op, threads), rewriter)))
      return failure();
  }
  return success();
}

} // namespace mlir::tpp

// See TileEach.h.
#include "lowering/tile/TileEach.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/Threads.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::tpp {

int64_t countThreads(Operation *op, int64_t threads) {
  return op->getParentOfType<scf::ForallOp>() || op->getParentOfType<scf::ParallelOp>() ? 1 : threads;
}

LogicalResult forEachLoopBody(ModuleOp module, int64_t threads, int64_t l2Bytes,
                              function_ref<void(Block &, const tpp_machine &, int64_t)> plan) {
  if (failed(verifyThreads(module, threads)))
    return failure();
  for (func::FuncOp func : module.getOps<func::FuncOp>()) {
    if (func.isExternal())
      continue;
    tpp_machine machine = getMachine(func, l2Bytes);
    SmallVector<Block *> blocks = {&func.getBody().front()};
    func.walk([&](LoopLikeOpInterface loop) {
      for (Region *region : loop.getLoopRegions())
        blocks.push_back(&region->front());
    });
    for (Block *block : blocks)
      plan(*block, machine, countThreads(block->getTerminator(), threads));
  }
  return success();
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

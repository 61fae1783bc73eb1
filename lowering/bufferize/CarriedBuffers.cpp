//===- CarriedBuffers.cpp - places buffers that loops carry (see CarriedBuffers.h) --------------------------------------------------===//

#include "lowering/bufferize/CarriedBuffers.h"

#include "lowering/analysis/Moves.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// True if `value` is an allocation in the loop's own body, so that it does not alias a carried buffer.
static bool isFresh(Value value, scf::ForOp loop) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop.getBody();
}

/// True if the loop may use `init` itself as the carried buffer: an allocation that nothing uses after the loop starts.
static bool isHandedOver(Value init, scf::ForOp loop) {
  auto alloc = init.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop->getBlock() && llvm::count(loop.getInitArgs(), init) == 1 &&
         llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           // A user with results could be a view, which may be used later.
           return user == loop ||
                  (user->getBlock() == loop->getBlock() && user->isBeforeInBlock(loop) && user->getNumResults() == 0);
         });
}

static void placeCarriedBuffers(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Location loc = tpp::explainMove(loop.getLoc(), tpp::MoveReason::Loop, "the loop carries it from one iteration to the next");
  SmallVector<std::pair<Value, Value>> copies; // from the yielded memref to the carried buffer
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    Value yielded = yield.getOperand(index);
    if (!type || yielded == argument || !type.hasStaticShape() || !type.getLayout().isIdentity())
      continue;
    builder.setInsertionPoint(loop);
    Value init = loop.getInitArgs()[index], home = init;
    if (!isHandedOver(init, loop)) {
      home = memref::AllocOp::create(builder, loop.getLoc(), type);
      memref::CopyOp::create(builder, loc, init, home);
      loop.getInitArgsMutable()[index].set(home);
    }
    builder.setInsertionPoint(yield);
    if (!isFresh(yielded, loop)) {
      // It may alias another carried buffer (a swap of two). All yielded memrefs are therefore read before any carried
      // buffer is written.
      Value copy = memref::AllocOp::create(builder, loop.getLoc(), type);
      memref::CopyOp::create(builder, loc, yielded, copy);
      yielded = copy;
    }
    copies.push_back({yielded, argument});
    yield->setOperand(index, argument);
  }
  builder.setInsertionPoint(yield);
  for (auto [yielded, home] : copies)
    memref::CopyOp::create(builder, loc, yielded, home);
}

void tpp::placeCarriedBuffers(func::FuncOp func) {
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    ::placeCarriedBuffers(loop);
}

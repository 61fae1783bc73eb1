//===- CarriedBuffers.cpp ---------------------------------------------------------------------------------------------------------===//

#include "lowering/bufferize/CarriedBuffers.h"

#include "lowering/analysis/Moves.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Whether `value` is an allocation of the loop's own body: it cannot be a carried buffer under another name.
static bool isFresh(Value value, scf::ForOp loop) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop.getBody();
}

/// Whether the loop may take `init` over: an allocation that nobody looks at afterwards.
static bool isHandedOver(Value init, scf::ForOp loop) {
  auto alloc = init.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop->getBlock() && llvm::count(loop.getInitArgs(), init) == 1 &&
         llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           // A view could be used later under its own name.
           return user == loop ||
                  (user->getBlock() == loop->getBlock() && user->isBeforeInBlock(loop) && user->getNumResults() == 0);
         });
}

static void placeCarriedBuffers(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Location loc = tpp::explainMove(loop.getLoc(), tpp::MoveReason::Loop, "the loop carries it from one iteration to the next");
  SmallVector<std::pair<Value, Value>> copies; // from what is yielded to its home
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
      // It may be another carried buffer (a swap): all are read before any is written.
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

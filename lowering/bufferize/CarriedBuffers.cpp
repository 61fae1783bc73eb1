//===- CarriedBuffers.cpp - places buffers that loops carry (see CarriedBuffers.h) --------------------------------------------------===//

#include "lowering/bufferize/CarriedBuffers.h"

#include "lowering/analysis/Moves.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

static bool isPlaced(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity();
}

static Location explainCopy(Operation *loop) {
  return tpp::explainMove(loop->getLoc(), tpp::MoveReason::Loop, "the loop carries it from one iteration to the next");
}

/// True if the loop may use `init` itself as the carried buffer: an allocation that nothing uses after the loop starts.
static bool isHandedOver(Value init, Operation *loop) {
  auto alloc = init.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop->getBlock() && llvm::count(loop->getOperands(), init) == 1 &&
         llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           // A user with results could be a view, which may be used later.
           return user == loop ||
                  (user->getBlock() == loop->getBlock() && user->isBeforeInBlock(loop) && user->getNumResults() == 0);
         });
}

/// Makes `init`, an operand of the loop, a buffer that only the loop writes.
static void placeInit(OpOperand &init, Operation *loop) {
  if (isHandedOver(init.get(), loop))
    return;
  OpBuilder builder(loop);
  Value home = memref::AllocOp::create(builder, loop->getLoc(), cast<MemRefType>(init.get().getType()));
  memref::CopyOp::create(builder, explainCopy(loop), init.get(), home);
  init.set(home);
}

/// Copies operands of a terminator to carried buffers, which take their place.
static void copyToCarried(ArrayRef<std::pair<OpOperand *, Value>> targets, Operation *terminator, Operation *loop) {
  OpBuilder builder(terminator);
  Location loc = explainCopy(loop);
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [operand, target] : targets) {
    Value source = operand->get();
    // Unless it is allocated in this block, it may alias another carried buffer (a swap of two). All such sources are therefore read before any
    // carried buffer is written.
    auto alloc = source.getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != terminator->getBlock()) {
      Value copy = memref::AllocOp::create(builder, loop->getLoc(), cast<MemRefType>(source.getType()));
      memref::CopyOp::create(builder, loc, source, copy);
      source = copy;
    }
    copies.push_back({source, target});
    operand->set(target);
  }
  for (auto [source, target] : copies)
    memref::CopyOp::create(builder, loc, source, target);
}

static void placeCarriedBuffers(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<std::pair<OpOperand *, Value>> targets;
  for (auto [argument, init, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgsMutable(), yield->getOpOperands())) {
    if (!isPlaced(argument.getType()) || yielded.get() == argument)
      continue;
    placeInit(init, loop);
    targets.push_back({&yielded, argument});
  }
  copyToCarried(targets, yield, loop);
}

/// The buffers of a `while` are outside of it, so that both of its regions and the code after it use them by name.
static void placeCarriedBuffers(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Operation *yield = loop.getAfterBody()->getTerminator();
  for (auto [argument, init] : llvm::zip_equal(loop.getBeforeArguments(), loop.getInitsMutable()))
    if (isPlaced(argument.getType())) {
      placeInit(init, loop);
      argument.replaceAllUsesWith(init.get());
    }
  SmallVector<std::pair<OpOperand *, Value>> forwarded, yielded;
  for (auto [argument, result, operand] :
       llvm::zip_equal(loop.getAfterArguments(), loop.getResults(), condition.getArgsMutable())) {
    if (!isPlaced(argument.getType()))
      continue;
    Value buffer = operand.get();
    if (loop->isAncestor(buffer.getParentBlock()->getParentOp())) {
      OpBuilder builder(loop);
      buffer = memref::AllocOp::create(builder, loop.getLoc(), cast<MemRefType>(buffer.getType()));
      forwarded.push_back({&operand, buffer});
    }
    argument.replaceAllUsesWith(buffer);
    result.replaceAllUsesWith(buffer);
  }
  for (auto [init, operand] : llvm::zip_equal(loop.getInits(), yield->getOpOperands()))
    if (isPlaced(init.getType()) && operand.get() != init)
      yielded.push_back({&operand, init});
  copyToCarried(forwarded, condition, loop);
  copyToCarried(yielded, yield, loop);
}

void tpp::placeCarriedBuffers(func::FuncOp func) {
  SmallVector<Operation *> loops;
  func.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      loops.push_back(op);
  });
  for (Operation *op : loops)
    if (auto loop = dyn_cast<scf::ForOp>(op))
      ::placeCarriedBuffers(loop);
    else
      ::placeCarriedBuffers(cast<scf::WhileOp>(op));
}

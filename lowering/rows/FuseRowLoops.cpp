//===- FuseRowLoops.cpp - fuse consecutive parallel loops over the same rows -------------------------------------------------===//
//
// A softmax or a layer normalization is several loops over the rows, each of which reads what the previous one has written. Executed one after
// the other, each loop reads every row from memory or an outer cache again. As one loop they find the row in L1. Loops are fused if no row
// accesses data that another row writes. To decide this, each access is described as a range of bytes that moves by a constant from row to row.
//
// After fusion, a buffer that only one loop accesses needs only one row. It moves to the stack, where it stays in L1.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/rows/RowAccesses.h"
#include "lowering/rows/RowBodies.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEROWLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;
using tpp::accessesOf, tpp::mayConflict, tpp::overlap, tpp::RowAccess, tpp::RowRange, tpp::rowsOf;

/// Whether `second` accesses a buffer that `first` accesses row by row. If not, fusion avoids no cache misses.
static bool shareRows(ArrayRef<RowAccess> first, ArrayRef<RowAccess> second) {
  return llvm::any_of(first, [&](const RowAccess &x) {
    return x.range.perRow != 0 && llvm::any_of(second, [&](const RowAccess &y) { return x.buffer == y.buffer; });
  });
}

/// Moves all operations between two loops to before the first one, whose accesses are `accesses`. Ops without memory effects, allocas, and stores
/// to buffers that `first` does not access can be moved. If there is any other op, even a load, fails and moves nothing.
static LogicalResult moveBetween(scf::ForallOp first, scf::ForallOp second, ArrayRef<RowAccess> accesses) {
  SmallVector<Operation *> between;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    between.push_back(op);
  for (Operation *op : between) {
    if (isMemoryEffectFree(op) || isa<memref::AllocaOp>(op))
      continue;
    WalkResult walk = op->walk([&](Operation *inner) {
      if (isMemoryEffectFree(inner) || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        return WalkResult::advance();
      Value touched;
      if (auto store = dyn_cast<vector::StoreOp>(inner))
        touched = store.getBase();
      else if (auto masked = dyn_cast<vector::MaskedStoreOp>(inner))
        touched = masked.getBase();
      else if (auto scalar = dyn_cast<memref::StoreOp>(inner))
        touched = scalar.getMemRef();
      if (!touched)
        return WalkResult::interrupt();
      Value buffer = tpp::getBuffer(touched);
      bool used = llvm::any_of(accesses, [&](const RowAccess &access) { return overlap(access.buffer, buffer); });
      return used ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  for (Operation *op : between)
    op->moveBefore(first);
  return success();
}

/// Appends the body of `second` to that of `first`, adds the work estimates and erases `second`.
static void fuse(scf::ForallOp first, scf::ForallOp second) {
  Block *from = second.getBody(), *to = first.getBody();
  second.getInductionVars().front().replaceAllUsesWith(first.getInductionVars().front());
  to->getOperations().splice(Block::iterator(to->getTerminator()), from->getOperations(), from->begin(),
                             Block::iterator(from->getTerminator()));
  auto work = first->getAttrOfType<IntegerAttr>(tpp::kWorkNsAttr), more = second->getAttrOfType<IntegerAttr>(tpp::kWorkNsAttr);
  if (work && more)
    first->setAttr(tpp::kWorkNsAttr, IntegerAttr::get(work.getType(), work.getInt() + more.getInt()));
  else
    first->removeAttr(tpp::kWorkNsAttr);
  second.erase();
}

/// Fuses the next parallel loop after `first` into it, if it has the same rows and fusion is legal and useful. Returns whether it did.
static bool fuseNext(scf::ForallOp first) {
  Operation *next = first->getNextNode();
  while (next && !isa<scf::ForallOp>(next))
    next = next->getNextNode();
  auto second = dyn_cast_or_null<scf::ForallOp>(next);
  if (!second || !rowsOf(first) || rowsOf(first) != rowsOf(second))
    return false;
  std::optional<SmallVector<RowAccess>> before = accessesOf(first), after = accessesOf(second);
  if (!before || !after || !shareRows(*before, *after))
    return false;
  for (const RowAccess &x : *before)
    if (llvm::any_of(*after, [&](const RowAccess &y) { return mayConflict(x, y); }))
      return false;
  if (failed(moveBetween(first, second, *before)))
    return false;
  fuse(first, second);
  return true;
}

/// Maximum bytes of all stack rows of one loop. More would evict from L1 the data that the loop reads.
constexpr int64_t maxRowBytes = 1 << 15;

/// If only `loop` accesses a buffer, and different rows use different bytes of it, replaces the buffer by one row on the stack. Returns whether any
/// buffer was replaced.
static bool moveRowsToStack(scf::ForallOp loop) {
  std::optional<SmallVector<RowAccess>> accesses = accessesOf(loop);
  if (!rowsOf(loop) || !accesses)
    return false;
  llvm::MapVector<Value, SmallVector<const RowAccess *>> byBuffer;
  for (const RowAccess &access : *accesses)
    byBuffer[access.buffer].push_back(&access);
  int64_t stack = 0;
  bool moved = false;
  for (auto &[buffer, ofBuffer] : byBuffer) {
    RowRange whole = ofBuffer.front()->range;
    bool apart = llvm::all_of(ofBuffer, [&](const RowAccess *access) {
      whole.least = std::min(whole.least, access->range.least);
      whole.most = std::max(whole.most, access->range.most);
      return !access->anchor && access->range.perRow == whole.perRow && cast<MemRefType>(access->memref.getType()).getRank() == 1;
    });
    int64_t bytes = whole.most - whole.least;
    // Only buffers that are created in the block that contains the loop. Others are local to a row already, belong to the caller, or may hold
    // values from an earlier iteration of an enclosing loop.
    if (!apart || whole.perRow == 0 || bytes > std::abs(whole.perRow) || stack + bytes > maxRowBytes ||
        !isa_and_present<memref::ViewOp, memref::AllocaOp>(buffer.getDefiningOp()) ||
        buffer.getDefiningOp()->getBlock() != loop->getBlock() ||
        !tpp::allUsers(buffer, [&](Operation *user) { return loop->isProperAncestor(user); }))
      continue;
    stack += llvm::alignTo(bytes, tpp::kSegmentAlignment);
    moved = true;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Type element = cast<MemRefType>(ofBuffer.front()->memref.getType()).getElementType();
    int64_t elementBytes = ofBuffer.front()->elementBytes;
    Value row = memref::AllocaOp::create(builder, loop.getLoc(), MemRefType::get({bytes / elementBytes}, element),
                                         builder.getI64IntegerAttr(tpp::kSegmentAlignment));
    for (const RowAccess *access : ofBuffer) {
      SmallVector<int64_t> strides;
      int64_t offset;
      (void)cast<MemRefType>(access->memref.getType()).getStridesAndOffset(strides, offset);
      builder.setInsertionPoint(access->op);
      OpOperand &memref =
          *llvm::find_if(access->op->getOpOperands(), [&](OpOperand &operand) { return operand.get() == access->memref; });
      OpOperand &index = access->op->getOpOperand(memref.getOperandNumber() + 1); // the index follows the memref in every access
      AffineExpr at = builder.getAffineSymbolExpr(0) * strides[0] + offset -
                      builder.getAffineSymbolExpr(1) * (whole.perRow / elementBytes) - whole.least / elementBytes;
      OpFoldResult shifted = affine::makeComposedFoldedAffineApply(builder, loop.getLoc(), AffineMap::get(0, 2, at),
                                                                   {index.get(), loop.getInductionVars().front()});
      memref.set(row);
      index.set(getValueOrCreateConstantIndexOp(builder, loop.getLoc(), shifted));
    }
  }
  return moved;
}

/// Shrinks the workspace to the end of the last view of it. Keeps its size if a view's offset is not constant.
static void shrinkWorkspace(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    if (!func.getArgAttr(argument.getArgNumber(), tpp::kWorkspaceAttr))
      continue;
    int64_t needed = 0;
    for (Operation *user : argument.getUsers()) {
      auto view = dyn_cast<memref::ViewOp>(user);
      std::optional<int64_t> shift = view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      std::optional<int64_t> bytes = view ? tpp::getBufferBytes(view.getType()) : std::nullopt;
      if (!shift || !bytes)
        return;
      needed = std::max(needed, *shift + static_cast<int64_t>(llvm::alignTo(*bytes, tpp::kSegmentAlignment)));
    }
    argument.setType(MemRefType::get({needed}, cast<MemRefType>(argument.getType()).getElementType()));
    func.setType(FunctionType::get(func.getContext(), func.front().getArgumentTypes(), func.getResultTypes()));
    func->setAttr(tpp::kWorkspaceBytesAttr, IntegerAttr::get(IntegerType::get(func.getContext(), 64), needed));
  }
}

namespace {
struct FuseRowLoops : public tpp::impl::FuseRowLoopsBase<FuseRowLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops = findRowLoops();
    // In reverse order: a loop has absorbed its successors before it is itself fused into its predecessor.
    for (scf::ForallOp loop : llvm::reverse(loops))
      fuseNext(loop);
    bool moved = false;
    for (scf::ForallOp loop : findRowLoops()) {
      tpp::fuseReductions(loop);
      moved |= moveRowsToStack(loop);
      tpp::reduceWhereStored(loop);
      tpp::prefetchNextRows(loop);
    }
    if (!moved)
      return;
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isa<ViewLikeOpInterface, memref::AllocaOp>(op) && op->use_empty())
        op->erase();
    });
    shrinkWorkspace(getOperation());
  }

private:
  /// The innermost parallel loops: others divide blocks of rows among threads.
  SmallVector<scf::ForallOp> findRowLoops() {
    SmallVector<scf::ForallOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      bool isInnermost = !loop.getBody()->walk([](scf::ForallOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (isInnermost)
        loops.push_back(loop);
    });
    return loops;
  }
};
} // namespace

//===- FuseRowLoops.cpp - neighbouring parallel loops over the same rows become one ------------------------------------------===//
//
// A softmax or a layer normalization is several loops over the rows, each of which reads what the one before has written. One after the
// other they fetch every row from behind the caches each time; as one loop they find it in the first level. Loops are fused where each row
// reads and writes nothing of another row: every access is followed back to a multiple of the row's number plus a range of bytes.
//
// What only one such loop writes and reads then needs no more than one row, which stays in the first level: it moves to the stack.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/bufferize/BufferSize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FUSEROWLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {

/// Values from `least` to `most`, plus `perRow` times the number of the row.
struct RowRange {
  int64_t perRow = 0, least = 0, most = 0;
};

/// One load or store: the bytes [range.least, range.most) of a buffer.
struct RowAccess {
  Operation *op;
  Value memref, buffer;
  int64_t elementBytes;
  RowRange range;
  bool writes;
};

/// A run of bytes that no other buffer shares: a part of the workspace as offset and size in it, everything else as a buffer of its own.
struct Extent {
  Value base;
  int64_t first = 0, last = std::numeric_limits<int64_t>::max();
};

} // namespace

static RowRange operator+(RowRange x, RowRange y) { return {x.perRow + y.perRow, x.least + y.least, x.most + y.most}; }
static RowRange operator*(RowRange x, int64_t by) {
  RowRange product = {x.perRow * by, x.least * by, x.most * by};
  if (by < 0)
    std::swap(product.least, product.most);
  return product;
}

/// The range of an index inside the loop `row`; nullopt when it is no sum of multiples of rows, loop counters and constants.
static std::optional<RowRange> rangeOf(Value index, scf::ForallOp row);

/// The same of an affine expression whose dimensions and symbols are `operands`.
static std::optional<RowRange> rangeOf(AffineExpr expr, unsigned dims, ValueRange operands, scf::ForallOp row) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return RowRange{0, constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return rangeOf(operands[dim.getPosition()], row);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return rangeOf(operands[dims + symbol.getPosition()], row);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<RowRange> lhs = rangeOf(binary.getLHS(), dims, operands, row);
  if (!lhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return factor ? std::optional<RowRange>(*lhs * factor.getValue()) : std::nullopt;
  }
  std::optional<RowRange> rhs = rangeOf(binary.getRHS(), dims, operands, row);
  return rhs && expr.getKind() == AffineExprKind::Add ? std::optional<RowRange>(*lhs + *rhs) : std::nullopt;
}

static std::optional<RowRange> rangeOf(Value index, scf::ForallOp row) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return RowRange{0, *constant, *constant};
  if (index == row.getInductionVars().front())
    return RowRange{1, 0, 0};
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step < 1)
      return std::nullopt;
    int64_t last = *upper <= *lower ? *lower : *lower + (*upper - 1 - *lower) / *step * *step;
    return RowRange{0, *lower, last};
  }
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return rangeOf(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(), row);
  if (auto add = index.getDefiningOp<arith::AddIOp>()) {
    std::optional<RowRange> lhs = rangeOf(add.getLhs(), row), rhs = rangeOf(add.getRhs(), row);
    return lhs && rhs ? std::optional<RowRange>(*lhs + *rhs) : std::nullopt;
  }
  return std::nullopt;
}

/// Lanes that a vector access touches: a constant mask's, else all.
static int64_t countLanes(VectorType type, Value mask) {
  if (mask)
    if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
      return constant.getMaskDimSizes().front();
  return type.getNumElements();
}

/// What a load or store touches; nullopt for anything else, and where places are not known.
static std::optional<RowAccess> accessOf(Operation *op, scf::ForallOp row) {
  Value memref;
  ValueRange indices;
  int64_t elements = 1;
  bool writes = false;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memref = load.getMemRef(), indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memref = store.getMemRef(), indices = store.getIndices(), writes = true;
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    memref = load.getBase(), indices = load.getIndices(), elements = load.getVectorType().getNumElements();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    memref = store.getBase(), indices = store.getIndices(), writes = true, elements = store.getVectorType().getNumElements();
  } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    memref = load.getBase(), indices = load.getIndices(), elements = countLanes(load.getVectorType(), load.getMask());
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    memref = store.getBase(), indices = store.getIndices(), writes = true;
    elements = countLanes(store.getVectorType(), store.getMask());
  } else {
    return std::nullopt;
  }
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  std::optional<int64_t> bytes = tpp::getElementBytes(type.getElementType());
  // Vectors lie along the last dimension, whose elements have to be neighbours.
  if (!bytes || failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      (elements > 1 && strides.back() != 1))
    return std::nullopt;
  RowRange range = {0, offset, offset + elements};
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    std::optional<RowRange> part = rangeOf(index, row);
    if (!part || ShapedType::isDynamic(stride))
      return std::nullopt;
    range = range + *part * stride;
  }
  Value buffer = tpp::getBuffer(memref);
  // Two values of these kinds are two buffers; of others (casts of booleans to bytes) nobody knows.
  if (!isa<BlockArgument>(buffer) &&
      !isa<memref::AllocaOp, memref::AllocOp, memref::ViewOp, memref::GetGlobalOp>(buffer.getDefiningOp()))
    return std::nullopt;
  return RowAccess{op, memref, buffer, *bytes, range * *bytes, writes};
}

/// All accesses of a loop; nullopt when it does anything else that has effects.
static std::optional<SmallVector<RowAccess>> accessesOf(scf::ForallOp loop) {
  SmallVector<RowAccess> accesses;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (std::optional<RowAccess> access = accessOf(op, loop)) {
      accesses.push_back(*access);
      return WalkResult::advance();
    }
    bool harmless =
        isa<scf::ForOp, scf::YieldOp, scf::InParallelOp, memref::AllocaOp, memref::PrefetchOp>(op) || isMemoryEffectFree(op);
    return harmless ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? std::nullopt : std::optional(std::move(accesses));
}

static Extent extentOf(Value buffer) {
  if (auto view = buffer.getDefiningOp<memref::ViewOp>())
    if (std::optional<int64_t> shift = getConstantIntValue(view.getByteShift()))
      if (std::optional<int64_t> bytes = tpp::getBufferBytes(view.getType()))
        return {tpp::getBuffer(view.getSource()), *shift, *shift + *bytes};
  return {buffer};
}

/// Whether two buffers share memory: different parts of the workspace lie on one another where they are not needed at the same time.
static bool overlap(Value x, Value y) {
  Extent a = extentOf(x), b = extentOf(y);
  return a.base == b.base && a.first < b.last && b.first < a.last;
}

/// Whether two accesses of different rows may meet, one of them writing.
static bool mayConflict(const RowAccess &x, const RowAccess &y) {
  if (!x.writes && !y.writes)
    return false;
  if (x.buffer != y.buffer)
    return overlap(x.buffer, y.buffer);
  int64_t least = std::min(x.range.least, y.range.least), most = std::max(x.range.most, y.range.most);
  return x.range.perRow != y.range.perRow || most - least > std::abs(x.range.perRow);
}

/// The rows of a loop that may be fused: one dimension from 0 in steps of 1, nothing yielded.
static std::optional<int64_t> rowsOf(scf::ForallOp loop) {
  if (loop.getRank() != 1 || loop.getNumResults() != 0 || loop.getMapping() || !loop.isNormalized())
    return std::nullopt;
  return getConstantIntValue(loop.getMixedUpperBound().front());
}

/// Whether some buffer that `first` touches row by row is touched by `second`, too: else there is nothing to find in a cache.
static bool shareRows(ArrayRef<RowAccess> first, ArrayRef<RowAccess> second) {
  return llvm::any_of(first, [&](const RowAccess &x) {
    return x.range.perRow != 0 && llvm::any_of(second, [&](const RowAccess &y) { return x.buffer == y.buffer; });
  });
}

/// Moves what stands between two loops in front of the first one. Fails, having moved nothing, where that would change what is computed:
/// something there reads or writes a buffer of the first loop.
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

/// `second`'s body behind `first`'s.
static void fuse(scf::ForallOp first, scf::ForallOp second) {
  Block *from = second.getBody(), *to = first.getBody();
  second.getInductionVars().front().replaceAllUsesWith(first.getInductionVars().front());
  to->getOperations().splice(Block::iterator(to->getTerminator()), from->getOperations(), from->begin(),
                             Block::iterator(from->getTerminator()));
  auto work = first->getAttrOfType<IntegerAttr>("tpp.work_ns"), more = second->getAttrOfType<IntegerAttr>("tpp.work_ns");
  if (work && more)
    first->setAttr("tpp.work_ns", IntegerAttr::get(work.getType(), work.getInt() + more.getInt()));
  else
    first->removeAttr("tpp.work_ns");
  second.erase();
}

/// Fuses the next loop behind `first` into it, if that is one of the same rows and nothing forbids it.
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

/// Sums and maxima over the same elements of a row, none of which depends on the other, become one loop, which loads them once.
static void fuseReductions(scf::ForallOp rows) {
  std::optional<SmallVector<RowAccess>> accesses = accessesOf(rows);
  if (!rowsOf(rows) || !accesses)
    return;
  SmallVector<Value> written;
  for (const RowAccess &access : *accesses)
    if (access.writes)
      written.push_back(access.buffer);
  // What a loop reads, where it does nothing else; empty otherwise, and where something in the row writes there.
  auto readBy = [&](scf::ForOp loop) {
    SmallVector<Value> buffers;
    for (const RowAccess &access : *accesses) {
      if (!loop->isProperAncestor(access.op))
        continue;
      if (llvm::any_of(written, [&](Value other) { return overlap(access.buffer, other); }))
        return SmallVector<Value>();
      buffers.push_back(access.buffer);
    }
    return buffers;
  };
  auto shareOne = [](ArrayRef<Value> x, ArrayRef<Value> y) {
    return llvm::any_of(x, [&](Value value) { return llvm::is_contained(y, value); });
  };
  auto sameRange = [](scf::ForOp x, scf::ForOp y) {
    return isEqualConstantIntOrValue(x.getLowerBound(), y.getLowerBound()) &&
           isEqualConstantIntOrValue(x.getUpperBound(), y.getUpperBound()) && isEqualConstantIntOrValue(x.getStep(), y.getStep());
  };
  auto isKnownAt = [&](scf::ForOp place, scf::ForOp loop) {
    SetVector<Value> used(loop->operand_begin(), loop->operand_end());
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    return llvm::all_of(used, [&](Value value) {
      Operation *op = value.getDefiningOp();
      return !op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place);
    });
  };
  IRRewriter rewriter(rows.getContext());
  SmallVector<std::pair<scf::ForOp, SmallVector<Value>>> seen;
  for (scf::ForOp loop : llvm::make_early_inc_range(rows.getBody()->getOps<scf::ForOp>())) {
    SmallVector<Value> buffers = readBy(loop);
    if (loop.getNumResults() == 0 || buffers.empty())
      continue;
    auto partner = llvm::find_if(seen, [&](auto &other) {
      return shareOne(other.second, buffers) && sameRange(other.first, loop) && isKnownAt(other.first, loop);
    });
    if (partner == seen.end())
      seen.emplace_back(loop, buffers);
    else
      partner->first = fuseIndependentSiblingForLoops(loop, partner->first, rewriter);
  }
}

/// Bytes of rows on the stack for one loop: they should not push what the loop reads out of the first level.
constexpr int64_t maxRowBytes = 1 << 15;

/// Intermediates of `loop` alone, each row of them its own bytes, become one row on the stack. Returns whether there were any.
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
      return access->range.perRow == whole.perRow && cast<MemRefType>(access->memref.getType()).getRank() == 1;
    });
    int64_t bytes = whole.most - whole.least;
    // Only of buffers made beside the loop: others are a row's own already, the caller's, or keep what an earlier round of a loop around
    // this one has left in them.
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
      OpOperand &index = access->op->getOpOperand(memref.getOperandNumber() + 1); // behind the memref in every access
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

/// The memory delivers more when it is read at several places at once, each in a page of its own.
constexpr int64_t pageBytes = 4096, mostPlaces = 4;

/// How far behind the element that a step of `loop` reads the one lies that the n-th line read should ask for, if the loop reads its row front
/// to back: the first lines of all parts of the row, then the second ones. Zero where rows are short.
static Value interleave(OpBuilder &builder, scf::ForOp loop, const RowAccess &access) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  int64_t bytes = access.range.most - access.range.least, places = std::min(mostPlaces, bytes / pageBytes);
  if (!lower || !upper || !step || places < 2 || bytes != (*upper - *lower) * access.elementBytes ||
      (*upper - *lower) % (*step * places) != 0)
    return constant(0);
  int64_t trips = (*upper - *lower) / *step;
  Value trip = arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, loop.getInductionVar(), constant(*lower)),
                                      constant(*step));
  Value place = arith::RemUIOp::create(builder, loc, trip, constant(places));
  Value inPlace = arith::DivUIOp::create(builder, loc, trip, constant(places));
  Value other =
      arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, place, constant(trips / places)), inPlace);
  return arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, other, trip), constant(*step));
}

/// The last loop over a row that reads a buffer which an earlier one has read asks for the buffer's next row: what the first loop, a sum
/// or a maximum, does with a row takes less time than the row takes to arrive.
static void prefetchNextRows(scf::ForallOp loop) {
  std::optional<int64_t> rows = rowsOf(loop);
  std::optional<SmallVector<RowAccess>> accesses = accessesOf(loop);
  if (!rows || *rows < 2 || !accesses)
    return;
  // The accesses come in the order of the program.
  llvm::MapVector<Value, SmallVector<const RowAccess *>> readers;
  for (RowAccess &access : *accesses)
    if (!access.writes && isa<vector::LoadOp>(access.op) && isa<scf::ForOp>(access.op->getParentOp()) && access.range.perRow > 0)
      readers[access.buffer].push_back(&access);
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Value row = loop.getInductionVars().front(), next;
  for (auto &[buffer, reads] : readers) {
    const RowAccess *last = reads.back();
    auto type = cast<MemRefType>(last->memref.getType());
    if (type.getRank() != 1 || reads.front()->op->getParentOp() == last->op->getParentOp())
      continue;
    if (!next) {
      AffineExpr least = builder.getAffineConstantExpr(*rows - 1), symbol = builder.getAffineSymbolExpr(0);
      next = affine::AffineMinOp::create(builder, loop.getLoc(), AffineMap::get(0, 1, {symbol + 1, least}, builder.getContext()),
                                         row);
    }
    auto load = cast<vector::LoadOp>(last->op);
    int64_t perRow = last->range.perRow / last->elementBytes;
    AffineExpr at = builder.getAffineSymbolExpr(0) + (builder.getAffineSymbolExpr(1) - builder.getAffineSymbolExpr(2)) * perRow;
    OpBuilder here(last->op);
    Value index = affine::AffineApplyOp::create(here, load.getLoc(), AffineMap::get(0, 3, at),
                                                ValueRange{load.getIndices().front(), next, row});
    Value distance = interleave(here, cast<scf::ForOp>(load->getParentOp()), *last);
    index = here.createOrFold<arith::AddIOp>(load.getLoc(), index, distance);
    memref::PrefetchOp::create(here, load.getLoc(), last->memref, index, /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

/// Takes from the workspace's end what no view needs any more. Where a view's place is computed, all of it stays.
static void shrinkWorkspace(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    if (!func.getArgAttr(argument.getArgNumber(), "tpp.workspace"))
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
    func->setAttr("tpp.workspace_bytes", IntegerAttr::get(IntegerType::get(func.getContext(), 64), needed));
  }
}

namespace {
struct FuseRowLoops : public tpp::impl::FuseRowLoopsBase<FuseRowLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    // From the last one on: a loop is then whole before the one in front of it takes it in.
    for (scf::ForallOp loop : llvm::reverse(loops))
      fuseNext(loop);
    bool moved = false;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      fuseReductions(loop);
      moved |= moveRowsToStack(loop);
      prefetchNextRows(loop);
      return WalkResult::skip();
    });
    if (!moved)
      return;
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isa<ViewLikeOpInterface, memref::AllocaOp>(op) && op->use_empty())
        op->erase();
    });
    shrinkWorkspace(getOperation());
  }
};
} // namespace

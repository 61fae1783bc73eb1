//===- StreamResults.cpp - write large results with non-temporal stores ------------------------------------------------------===//
//
// An ordinary store to a line that no cache holds reads the line first and writes it back later. A result that does not fit in the caches then
// costs a read in addition to the write of each line, and evicts data that the program still needs. Non-temporal stores of whole lines cost
// only the write.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/machine/Target.h"
#include "lowering/rows/OverlapRows.h"
#include "lowering/rows/VersionLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "tpp_dialect/StageAttributes.h"

#include <numeric>

namespace mlir::tpp {
#define GEN_PASS_DEF_STREAMRESULTS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

constexpr int64_t lineBytes = TPP_LINE_BYTES;

/// Whether `index` is always a multiple of `by`.
static bool isMultiple(Value index, int64_t by);

static bool isMultiple(AffineExpr expr, unsigned dims, ValueRange operands, int64_t by) {
  if (by == 1)
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() % by == 0;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return isMultiple(operands[dim.getPosition()], by);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return isMultiple(operands[dims + symbol.getPosition()], by);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return isMultiple(binary.getLHS(), dims, operands, by) && isMultiple(binary.getRHS(), dims, operands, by);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && factor &&
         isMultiple(binary.getLHS(), dims, operands, by / std::gcd(by, factor.getValue()));
}

static bool isMultiple(Value index, int64_t by) {
  if (by == 1)
    return true;
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant % by == 0;
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return isMultiple(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(), by);
  if (auto add = index.getDefiningOp<arith::AddIOp>())
    return isMultiple(add.getLhs(), by) && isMultiple(add.getRhs(), by);
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && argument == loop.getInductionVar() && isMultiple(loop.getLowerBound(), by) && isMultiple(loop.getStep(), by);
}

/// The unmasked vector stores to a buffer, through any view of it. nullopt if the buffer has users other than vector stores.
static std::optional<SmallVector<vector::StoreOp>> storesTo(Value buffer) {
  SmallVector<vector::StoreOp> stores;
  bool onlyStores = tpp::allUsers(buffer, [&](Operation *user) {
    if (auto store = dyn_cast<vector::StoreOp>(user))
      stores.push_back(store);
    return isa<vector::StoreOp, vector::MaskedStoreOp>(user); // masked stores (tails of rows) stay ordinary
  });
  return onlyStores ? std::optional(std::move(stores)) : std::nullopt;
}

/// Whether a store writes whole cache lines, provided that its buffer is line-aligned.
static bool writesLines(vector::StoreOp store) {
  auto type = cast<MemRefType>(store.getBase().getType());
  std::optional<int64_t> bytes = tpp::getElementBytes(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return bytes && lineBytes % *bytes == 0 && store.getVectorType().getNumElements() * *bytes % lineBytes == 0 &&
         type.getRank() == 1 && succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1 &&
         !ShapedType::isDynamic(offset) && offset * *bytes % lineBytes == 0 &&
         isMultiple(store.getIndices().front(), lineBytes / *bytes);
}

using StoresByLoop = llvm::MapVector<scf::ForOp, SmallVector<vector::StoreOp>>;

/// The stores of whole lines to a buffer, by the loop around them. Empty if the buffer has users other than vector stores.
static StoresByLoop storesOfLines(Value buffer) {
  StoresByLoop byLoop;
  if (std::optional<SmallVector<vector::StoreOp>> stores = storesTo(buffer))
    for (vector::StoreOp store : *stores)
      if (auto loop = dyn_cast<scf::ForOp>(store->getParentOp()); loop && writesLines(store))
        byLoop[loop].push_back(store);
  return byLoop;
}

/// Several concurrent read streams get more memory bandwidth than one. Data that a loop reads in address order is therefore prefetched one block of
/// `pages` pages ahead, one line of each page in turn (docs/decisions/vector-code.md).
constexpr int64_t pages = 4;

/// The element to prefetch when the loop reads element `at`. It is in the block after that of `at`. The n-th line read of a block prefetches the
/// n-th line of the next block in the order above.
static Value placeAhead(OpBuilder &builder, Location loc, Value at, int64_t elementBytes) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  int64_t line = lineBytes / elementBytes, page = TPP_PAGE_BYTES / elementBytes, block = pages * page;
  Value inBlock = arith::AndIOp::create(builder, loc, at, constant(block - 1));
  Value start = arith::SubIOp::create(builder, loc, at, inBlock);
  Value number = arith::DivUIOp::create(builder, loc, inBlock, constant(line));
  Value ofPage = arith::RemUIOp::create(builder, loc, number, constant(pages));
  Value ofLine = arith::DivUIOp::create(builder, loc, number, constant(pages));
  Value next = arith::AddIOp::create(builder, loc, start, constant(block));
  Value pageStart = arith::AddIOp::create(builder, loc, next, arith::MulIOp::create(builder, loc, ofPage, constant(page)));
  return arith::AddIOp::create(builder, loc, pageStart, arith::MulIOp::create(builder, loc, ofLine, constant(line)));
}

/// Adds prefetches to `loop` for the operands that it loads at `index`, the index of its streaming store. The hardware prefetcher does not cross page
/// boundaries. A prefetch past the end of an operand has no effect.
static void prefetchAhead(scf::ForOp loop, Value index) {
  for (auto load : loop.getBody()->getOps<vector::LoadOp>()) {
    auto type = cast<MemRefType>(load.getBase().getType());
    std::optional<int64_t> bytes = tpp::getElementBytes(type.getElementType());
    bool asked = llvm::any_of(loop.getBody()->getOps<memref::PrefetchOp>(),
                              [&](memref::PrefetchOp prefetch) { return prefetch.getMemref() == load.getBase(); });
    if (asked || !bytes || lineBytes % *bytes != 0 || type.getRank() != 1 || load.getIndices().front() != index ||
        tpp::getBuffer(load.getBase()).getDefiningOp<memref::AllocaOp>())
      continue;
    OpBuilder builder(load);
    Location loc = load.getLoc();
    for (int64_t line = 0; line < load.getVectorType().getNumElements(); line += lineBytes / *bytes) {
      Value at = arith::AddIOp::create(builder, loc, index, arith::ConstantIndexOp::create(builder, loc, line));
      memref::PrefetchOp::create(builder, loc, load.getBase(), placeAhead(builder, loc, at, *bytes), /*isWrite=*/false,
                                 /*localityHint=*/3, /*isDataCache=*/true);
    }
  }
}

/// Creates a second version of a loop, with non-temporal stores, for a line-aligned buffer. Returns the scf.if that selects the version.
static scf::IfOp streamLoop(scf::ForOp loop, ArrayRef<vector::StoreOp> stores, Value startsAtLine) {
  IRMapping mapping;
  scf::IfOp choice = tpp::versionLoop(loop, startsAtLine, mapping);
  auto streaming = cast<scf::ForOp>(mapping.lookup(loop.getOperation()));
  for (vector::StoreOp store : stores) {
    auto streamed = cast<vector::StoreOp>(mapping.lookup(store.getOperation()));
    streamed.setNontemporal(true);
    streamed.setAlignment(lineBytes);
    prefetchAhead(streaming, streamed.getIndices().front());
  }
  return choice;
}

/// The operation before which the thread that runs `op` must fence its stores: the end of the outermost parallel loop around `op`, after which other
/// threads may read what it stored; without such a loop, the operation after `op`.
static Operation *endOfThread(Operation *op) {
  Operation *end = op->getNextNode();
  for (auto parallel = op->getParentOfType<scf::ForallOp>(); parallel; parallel = parallel->getParentOfType<scf::ForallOp>())
    end = parallel.getBody()->getTerminator();
  return end;
}

namespace {
struct StreamResults : public tpp::impl::StreamResultsBase<StreamResults> {
  using StreamResultsBase::StreamResultsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    tpp::TargetAttr target = tpp::getTarget(func);
    StringRef isa = target.getIsa();
    if (func.isExternal() || isa == "portable")
      return;
    // The last-level cache is shared by all cores; the one before it belongs to one core.
    ArrayRef<int64_t> caches = target.getCaches().asArrayRef();
    int64_t coreCache = caches.size() < 2 ? 0 : caches[caches.size() - 2];
    int64_t least = leastBytes > 0 ? leastBytes : caches.empty() ? 0 : caches.back() / 2;
    SmallVector<BlockArgument> results;
    for (BlockArgument argument : func.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType());
          type && func.getArgAttr(argument.getArgNumber(), tpp::kResultAttr) && tpp::getBufferBytes(type).value_or(0) > least)
        results.push_back(argument);
    // overlapRows replaces a whole loop over rows, including its stores to other results. It therefore runs for all results before any loop is
    // versioned.
    for (BlockArgument argument : results) {
      SmallVector<scf::ForOp> lastLoops; // at most one per loop over rows
      for (auto &[loop, ofLoop] : storesOfLines(argument))
        if (mlir::isa<scf::ForallOp>(loop->getParentOp()) && loop->getNextNode() == loop->getBlock()->getTerminator())
          lastLoops.push_back(loop);
      for (scf::ForOp loop : lastLoops)
        tpp::overlapRows(loop, coreCache);
    }
    SmallVector<scf::IfOp> choices;
    for (BlockArgument argument : results) {
      StoresByLoop byLoop = storesOfLines(argument);
      if (byLoop.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&func.front());
      Location loc = func.getLoc();
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, argument);
      Value within = arith::AndIOp::create(builder, loc, address, arith::ConstantIndexOp::create(builder, loc, lineBytes - 1));
      Value startsAtLine =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, within, arith::ConstantIndexOp::create(builder, loc, 0));
      for (auto &[loop, ofLoop] : byLoop)
        choices.push_back(streamLoop(loop, ofLoop, startsAtLine));
    }
    if (isa == "neon")
      return;
    SetVector<Operation *> ends;
    for (scf::IfOp choice : choices)
      ends.insert(endOfThread(choice));
    for (Operation *end : ends) {
      OpBuilder builder(end);
      LLVM::CallIntrinsicOp::create(builder, end->getLoc(), builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
    }
  }
};
} // namespace

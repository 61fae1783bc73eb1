//===- RowBodies.cpp - rewrites of the loops inside a loop over rows ---------------------------------------------------------===//

#include "lowering/rows/RowBodies.h"
#include "lowering/rows/RowAccesses.h"
#include "tpp/machine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using tpp::RowAccess;

/// Whether every value that `loop` uses is defined before `place` or outside of the row.
static bool isKnownAt(scf::ForOp place, scf::ForOp loop) {
  SetVector<Value> used(loop->operand_begin(), loop->operand_end());
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  return llvm::all_of(used, [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place);
  });
}

static bool sameBounds(scf::ForOp x, scf::ForOp y) {
  return isEqualConstantIntOrValue(x.getLowerBound(), y.getLowerBound()) &&
         isEqualConstantIntOrValue(x.getUpperBound(), y.getUpperBound());
}

void tpp::fuseReductions(scf::ForallOp rows) {
  std::optional<SmallVector<RowAccess>> accesses = accessesOf(rows);
  if (!rowsOf(rows) || !accesses)
    return;
  SmallVector<Value> written;
  for (const RowAccess &access : *accesses)
    if (access.writes)
      written.push_back(access.buffer);
  // The buffers that a loop reads. Empty if the loop writes, or if another operation of the row writes to one of these buffers.
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
  // Fusing replaces loops and invalidates their accesses, so all reductions are collected first.
  SmallVector<std::pair<scf::ForOp, SmallVector<Value>>> reductions, seen;
  for (auto loop : rows.getBody()->getOps<scf::ForOp>())
    if (SmallVector<Value> buffers = readBy(loop); loop.getNumResults() != 0 && !buffers.empty())
      reductions.emplace_back(loop, buffers);
  IRRewriter rewriter(rows.getContext());
  for (auto &entry : reductions) {
    scf::ForOp loop = entry.first;
    auto *partner = llvm::find_if(seen, [&](auto &other) {
      return shareOne(other.second, entry.second) && sameBounds(other.first, loop) &&
             isEqualConstantIntOrValue(other.first.getStep(), loop.getStep()) && isKnownAt(other.first, loop);
    });
    if (partner == seen.end())
      seen.push_back(entry);
    else
      partner->first = fuseIndependentSiblingForLoops(loop, partner->first, rewriter);
  }
}

/// `index` minus the induction variable of `loop`; nullopt if the difference is not a constant.
static std::optional<int64_t> distanceFrom(Value index, scf::ForOp loop) {
  if (index == loop.getInductionVar())
    return 0;
  auto add = index.getDefiningOp<arith::AddIOp>();
  return add && add.getLhs() == loop.getInductionVar() ? getConstantIntValue(add.getRhs()) : std::nullopt;
}

/// The loop that `reduction` can be fused into: the one that stores all it reads, vector by vector. Null if there is none.
static scf::ForOp findProducer(scf::ForOp reduction, ArrayRef<RowAccess> accesses) {
  SmallVector<const RowAccess *> reads, writes;
  for (const RowAccess &access : accesses)
    if (reduction->isProperAncestor(access.op))
      reads.push_back(&access);
  Value buffer = reads.empty() ? Value() : reads.front()->buffer;
  if (reduction.getNumResults() == 0 || !buffer || !buffer.getDefiningOp<memref::AllocaOp>())
    return {};
  if (llvm::any_of(accesses, [&](const RowAccess &access) { return access.buffer == buffer && access.anchor; }))
    return {};
  auto meets = [&](const RowAccess &write) {
    return llvm::any_of(reads, [&](const RowAccess *read) {
      return write.range.least < read->range.most && read->range.least < write.range.most;
    });
  };
  for (const RowAccess &access : accesses)
    if (access.writes && access.buffer == buffer && meets(access))
      writes.push_back(&access);
  auto store = writes.size() == 1 ? dyn_cast<vector::StoreOp>(writes.front()->op) : vector::StoreOp();
  auto producer = store ? dyn_cast<scf::ForOp>(store->getParentOp()) : scf::ForOp();
  if (!producer || producer->getBlock() != reduction->getBlock() || !producer->isBeforeInBlock(reduction) ||
      producer.getNumResults() != 0 || !sameBounds(producer, reduction) || !isKnownAt(producer, reduction))
    return {};
  std::optional<int64_t> lower = getConstantIntValue(producer.getLowerBound()),
                         upper = getConstantIntValue(producer.getUpperBound()), each = getConstantIntValue(producer.getStep()),
                         step = getConstantIntValue(reduction.getStep());
  if (!lower || !upper || !each || !step || *step % *each != 0 || (*upper - *lower) % *step != 0 ||
      store.getVectorType().getNumElements() != *each || distanceFrom(store.getIndices().front(), producer) != 0)
    return {};
  bool fits = llvm::all_of(reads, [&](const RowAccess *access) {
    auto load = dyn_cast<vector::LoadOp>(access->op);
    std::optional<int64_t> distance = load ? distanceFrom(load.getIndices().front(), reduction) : std::nullopt;
    return distance && access->buffer == buffer && load->getParentOp() == reduction &&
           load.getVectorType() == store.getVectorType() && *distance >= 0 && *distance < *step && *distance % *each == 0;
  });
  return fits ? producer : scf::ForOp();
}

/// Replaces both loops by one at the place of `producer`. Each of its steps executes the producer's steps that store what one step of `reduction`
/// reads, then that step.
static void fuseInto(scf::ForOp producer, scf::ForOp reduction) {
  OpBuilder builder(producer);
  Location loc = reduction.getLoc();
  int64_t step = getConstantIntValue(reduction.getStep()).value_or(0), each = getConstantIntValue(producer.getStep()).value_or(1);
  Value constantStep = arith::ConstantIndexOp::create(builder, loc, step);
  auto fused =
      scf::ForOp::create(builder, loc, producer.getLowerBound(), producer.getUpperBound(), constantStep, reduction.getInits());
  builder.setInsertionPointToStart(fused.getBody());
  for (int64_t distance = 0; distance < step; distance += each) {
    IRMapping mapping;
    Value by = arith::ConstantIndexOp::create(builder, loc, distance);
    mapping.map(producer.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, fused.getInductionVar(), by));
    for (Operation &op : producer.getBody()->without_terminator())
      builder.clone(op, mapping);
  }
  IRMapping mapping;
  mapping.map(reduction.getBody()->getArguments(), fused.getBody()->getArguments());
  for (Operation &op : *reduction.getBody())
    builder.clone(op, mapping);
  reduction.replaceAllUsesWith(fused.getResults());
  reduction.erase();
  producer.erase();
}

void tpp::reduceWhereStored(scf::ForallOp rows) {
  std::optional<SmallVector<RowAccess>> accesses = rowsOf(rows) ? accessesOf(rows) : std::nullopt;
  while (accesses) {
    auto loops = rows.getBody()->getOps<scf::ForOp>();
    auto reduction = llvm::find_if(loops, [&](scf::ForOp loop) { return findProducer(loop, *accesses) != nullptr; });
    if (reduction == loops.end())
      return;
    fuseInto(findProducer(*reduction, *accesses), *reduction);
    accesses = accessesOf(rows);
  }
}

/// Several concurrent read streams, each in a page of its own, get more memory bandwidth than one. A row is prefetched in up to mostPlaces streams.
constexpr int64_t mostPlaces = 4;

/// Returns the distance in elements, within a row, from a loaded vector to the vector of the next row that is prefetched with it. The loaded one is
/// the `at`-th of the `count` vectors that a step of `loop` loads; `access` is its load. The row is divided into equal parts, one per stream. A loop
/// that loads the row in address order prefetches the first vector of each part, then the second of each, and so on. The distance is zero if the row
/// is shorter than two pages, cannot be divided into equal parts of whole vectors, or is not loaded in this order.
static Value interleave(OpBuilder &builder, scf::ForOp loop, const RowAccess &access, int64_t at, int64_t count) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  int64_t lanes = cast<vector::LoadOp>(access.op).getVectorType().getNumElements();
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || step != count * lanes)
    return constant(0);
  int64_t elements = *upper - *lower, places = std::min(mostPlaces, elements * access.elementBytes / TPP_PAGE_BYTES);
  // Consecutive steps must load consecutive elements.
  if (places < 2 || elements % (lanes * places) != 0 ||
      access.range.most - access.range.least != (elements - *step + lanes) * access.elementBytes)
    return constant(0);
  Value fromLower = arith::SubIOp::create(builder, loc, loop.getInductionVar(), constant(*lower - at * lanes));
  Value number = arith::DivUIOp::create(builder, loc, fromLower, constant(lanes));
  Value place = arith::RemUIOp::create(builder, loc, number, constant(places));
  Value inPlace = arith::DivUIOp::create(builder, loc, number, constant(places));
  Value start = arith::MulIOp::create(builder, loc, place, constant(elements / lanes / places));
  Value other = arith::AddIOp::create(builder, loc, start, inPlace);
  return arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, other, number), constant(lanes));
}

void tpp::prefetchNextRows(scf::ForallOp rows) {
  std::optional<int64_t> count = rowsOf(rows);
  std::optional<SmallVector<RowAccess>> accesses = accessesOf(rows);
  if (!count || *count < 2 || !accesses)
    return;
  // Loads by buffer, in program order.
  llvm::MapVector<Value, SmallVector<const RowAccess *>> readers;
  for (RowAccess &access : *accesses)
    if (!access.writes && isa<vector::LoadOp>(access.op) && isa<scf::ForOp>(access.op->getParentOp()) &&
        access.range.perRow > 0 && cast<MemRefType>(access.memref.getType()).getRank() == 1)
      readers[access.buffer].push_back(&access);
  OpBuilder builder = OpBuilder::atBlockBegin(rows.getBody());
  Value row = rows.getInductionVars().front(), next;
  for (auto &[buffer, reads] : readers) {
    auto last = cast<scf::ForOp>(reads.back()->op->getParentOp());
    if (reads.front()->op->getParentOp() == last)
      continue;
    if (!next) {
      AffineExpr least = builder.getAffineConstantExpr(*count - 1), symbol = builder.getAffineSymbolExpr(0);
      next = affine::AffineMinOp::create(builder, rows.getLoc(), AffineMap::get(0, 1, {symbol + 1, least}, builder.getContext()),
                                         row);
    }
    // Each vector of a step is prefetched once, even if several loads read it.
    llvm::erase_if(reads, [&](const RowAccess *read) { return read->op->getParentOp() != last; });
    llvm::stable_sort(reads, [](const RowAccess *x, const RowAccess *y) { return x->range.least < y->range.least; });
    reads.erase(llvm::unique(reads, [](const RowAccess *x, const RowAccess *y) { return x->range.least == y->range.least; }),
                reads.end());
    for (auto [at, read] : llvm::enumerate(reads)) {
      auto load = cast<vector::LoadOp>(read->op);
      int64_t perRow = read->range.perRow / read->elementBytes;
      AffineExpr symbol = builder.getAffineSymbolExpr(0), apart = builder.getAffineSymbolExpr(1) - builder.getAffineSymbolExpr(2);
      OpBuilder here(load);
      Value index = affine::AffineApplyOp::create(here, load.getLoc(), AffineMap::get(0, 3, symbol + apart * perRow),
                                                  ValueRange{load.getIndices().front(), next, row});
      Value distance = interleave(here, last, *read, static_cast<int64_t>(at), static_cast<int64_t>(reads.size()));
      index = here.createOrFold<arith::AddIOp>(load.getLoc(), index, distance);
      memref::PrefetchOp::create(here, load.getLoc(), read->memref, index, /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
    }
  }
}

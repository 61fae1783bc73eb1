//===- OverlapRows.cpp - write a row while the next one is computed ----------------------------------------------------------===//
//
// In a softmax or a normalization, only the last of the loops over a row writes the result. This loop waits for the memory, while the loops
// before it leave the memory idle. With the stores moved into the loops of the next row, core and memory are busy all the time.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/rows/OverlapRows.h"
#include "lowering/analysis/BufferSize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// Limits of the rows in a block. The first row of a block is computed, and the last one written, without overlap.
constexpr int64_t mostBlockRows = 16, leastBlockRows = 4;
/// Least number of blocks, so that many threads get equal shares.
constexpr int64_t leastBlocks = 256;

namespace {

/// The constant bounds and step of a loop.
struct Trips {
  int64_t lower, upper, step;
};

/// A loop that takes over part of the writer's loop, for the previous row: in each of its steps `steps` of the writer's, from the writer's index
/// `first` on. `work` is the loop's arithmetic (countWork).
struct Host {
  Operation *loop;
  int64_t work, steps = 0, first = 0;
};

/// The loops of a row, and the values and buffers of a row that its writer needs.
struct Overlap {
  scf::ForallOp rows;
  scf::ForOp writer;
  SmallVector<Host> hosts; // with equal bounds and steps, in program order
  Trips hostTrips, writerTrips;
  SetVector<Value> carried;               // values that depend on the row's elements
  SetVector<memref::AllocaOp> rowBuffers; // read by the writer
};

} // namespace

static std::optional<Trips> tripsOf(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step < 1 || *upper <= *lower || (*upper - *lower) % *step != 0)
    return std::nullopt;
  return Trips{*lower, *upper, *step};
}

/// A rough measure of a loop's arithmetic, for comparison with other loops: instructions times vector bits, over all iterations.
static int64_t countWork(scf::ForOp loop, const Trips &trips) {
  constexpr int64_t mathInstructions = 16, divisionInstructions = 8;
  int64_t bits = 0;
  for (Operation &op : *loop.getBody()) {
    auto type = op.getNumResults() == 1 ? dyn_cast<VectorType>(op.getResult(0).getType()) : VectorType();
    if (!type || !isMemoryEffectFree(&op) || !type.getElementType().isIntOrFloat())
      continue;
    int64_t instructions = isa<math::MathDialect>(op.getDialect()) ? mathInstructions
                           : isa<arith::DivFOp>(op)                ? divisionInstructions
                                                                   : 1;
    bits += instructions * type.getNumElements() * type.getElementTypeBitWidth();
  }
  return bits * ((trips.upper - trips.lower) / trips.step);
}

/// Whether `value` can be computed from the row index and from values defined outside of the loop over rows, without reading memory.
static bool followsFromRow(Value value, scf::ForallOp rows) {
  if (value == rows.getInductionVars().front() || !rows.getBodyRegion().isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return followsFromRow(operand, rows); });
}

/// Returns the counterpart of `value` under `mapping`. Clones the operations that compute it, except those that `mapping` has already.
static Value computeAgain(Value value, scf::ForallOp rows, IRMapping &mapping, OpBuilder &builder) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (!rows.getBodyRegion().isAncestor(value.getParentRegion()))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    computeAgain(operand, rows, mapping, builder);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Whether all users are loads and stores with one index, to which an offset can be added.
static bool isShiftable(memref::AllocaOp buffer) {
  return buffer.getType().getRank() == 1 && buffer.getType().hasStaticShape() && buffer.getType().getLayout().isIdentity() &&
         llvm::all_of(buffer->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
                                                        vector::MaskedLoadOp, vector::MaskedStoreOp>);
}

/// The prefetches of the next row in `loop`. nullopt if the address of one depends on more than the row index, the loop's induction variable and
/// values that are the same for all rows.
static std::optional<SmallVector<memref::PrefetchOp>> prefetchesOf(scf::ForOp loop, scf::ForallOp rows) {
  SmallVector<memref::PrefetchOp> prefetches(loop.getBody()->getOps<memref::PrefetchOp>());
  std::function<bool(Value)> known = [&](Value value) {
    if (value == loop.getInductionVar())
      return true;
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == loop.getBody()
               ? isMemoryEffectFree(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), known)
               : followsFromRow(value, rows);
  };
  for (memref::PrefetchOp prefetch : prefetches)
    if (!llvm::all_of(prefetch->getOperands(), known))
      return std::nullopt;
  return prefetches;
}

/// Finds the hosts and divides the writer's steps among them. Candidates are loops over the writer's range, or over the first part of it, whose
/// step is a multiple of the writer's. The hosts are the candidate with the most arithmetic and those with the same bounds and step. Each takes a
/// share of the writer's steps in proportion to its arithmetic; the busiest one also takes the remainder.
static void findHosts(Overlap &overlap) {
  auto trips = [&](scf::ForOp loop) {
    std::optional<Trips> found = loop == overlap.writer ? std::nullopt : tripsOf(loop);
    bool fits = found && found->lower == overlap.writerTrips.lower && found->upper <= overlap.writerTrips.upper &&
                found->step % overlap.writerTrips.step == 0;
    return fits ? found : std::nullopt;
  };
  int64_t most = 0, busiest = 0, all = 0;
  for (auto loop : overlap.rows.getBody()->getOps<scf::ForOp>())
    if (std::optional<Trips> found = trips(loop))
      if (int64_t work = countWork(loop, *found); work > most) {
        most = work;
        overlap.hostTrips = *found;
      }
  if (most == 0)
    return;
  for (auto loop : overlap.rows.getBody()->getOps<scf::ForOp>())
    if (std::optional<Trips> found = trips(loop);
        found && found->upper == overlap.hostTrips.upper && found->step == overlap.hostTrips.step) {
      overlap.hosts.push_back({loop, countWork(loop, *found)});
      all += overlap.hosts.back().work;
      if (overlap.hosts.back().work == most)
        busiest = static_cast<int64_t>(overlap.hosts.size()) - 1;
    }
  int64_t steps = overlap.hostTrips.step / overlap.writerTrips.step, left = steps;
  for (Host &host : overlap.hosts) {
    host.steps = host.work * steps / all;
    left -= host.steps;
  }
  overlap.hosts[busiest].steps += left;
  int64_t first = overlap.writerTrips.lower,
          rounds = (overlap.hostTrips.upper - overlap.hostTrips.lower) / overlap.hostTrips.step;
  for (Host &host : overlap.hosts) {
    host.first = first;
    first += rounds * host.steps * overlap.writerTrips.step;
  }
}

/// Finds the hosts of `writer` and what it needs of a row; nullopt if rows cannot be overlapped.
static std::optional<Overlap> match(scf::ForOp writer) {
  Overlap overlap;
  overlap.writer = writer;
  overlap.rows = dyn_cast<scf::ForallOp>(writer->getParentOp());
  std::optional<Trips> trips = tripsOf(writer);
  scf::ForallOp rows = overlap.rows;
  if (!rows || !trips || writer.getNumResults() != 0 || writer->getNextNode() != rows.getBody()->getTerminator() ||
      rows.getRank() != 1 || rows.getNumResults() != 0 || rows.getMapping() || !rows.isNormalized() ||
      !prefetchesOf(writer, rows))
    return std::nullopt;
  overlap.writerTrips = *trips;

  findHosts(overlap);
  if (overlap.hosts.empty())
    return std::nullopt;

  SetVector<Value> used;
  getUsedValuesDefinedAbove(writer.getRegion(), used);
  for (Value value : used) {
    if (followsFromRow(value, rows) && !value.getDefiningOp<memref::AllocaOp>())
      continue;
    auto buffer = value.getDefiningOp<memref::AllocaOp>();
    if (buffer && buffer->getBlock() == rows.getBody() && isShiftable(buffer))
      overlap.rowBuffers.insert(buffer);
    else if (isa<MemRefType>(value.getType()))
      return std::nullopt;
    else if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>()) // a division by a scalar stays recognizable
      overlap.carried.insert(broadcast.getSource());
    else
      overlap.carried.insert(value);
  }
  return overlap;
}

/// Doubles `buffer`: even and odd rows use different halves, so that one row can be read while the next one is stored.
static void doubleBuffer(memref::AllocaOp buffer, Value row) {
  MemRefType type = buffer.getType();
  int64_t lineElements = std::max<int64_t>(tpp::kSegmentAlignment / tpp::getElementBytes(type.getElementType()).value_or(1), 1);
  int64_t elements = llvm::alignTo(type.getNumElements(), lineElements);
  SmallVector<Operation *> users(buffer->getUsers());
  buffer.getResult().setType(MemRefType::get({2 * elements}, type.getElementType()));
  OpBuilder builder = OpBuilder::atBlockBegin(buffer->getBlock());
  AffineExpr symbol = builder.getAffineSymbolExpr(0);
  Value offset = affine::AffineApplyOp::create(builder, buffer.getLoc(), AffineMap::get(0, 1, symbol % 2 * elements), row);
  for (Operation *user : users) {
    OpOperand &memref = *llvm::find_if(user->getOpOperands(), [&](OpOperand &operand) { return operand.get() == buffer; });
    OpOperand &index = user->getOpOperand(memref.getOperandNumber() + 1); // the index follows the memref in every access
    index.set(OpBuilder(user).createOrFold<arith::AddIOp>(user->getLoc(), index.get(), offset));
  }
}

/// Appends to each step of `loop`, a copy of the host's loop, the steps of the writer that the host takes over, for the row that `row` describes.
/// Appends only the prefetches of these steps, or everything but the prefetches.
static void appendSteps(const Overlap &overlap, const Host &host, scf::ForOp loop, const IRMapping &row, bool prefetches) {
  scf::ForOp writer = overlap.writer;
  OpBuilder builder(loop.getBody()->getTerminator());
  int64_t step = overlap.writerTrips.step;
  AffineExpr counter = builder.getAffineSymbolExpr(0);
  if (host.steps * step != overlap.hostTrips.step)
    counter = (counter - overlap.hostTrips.lower).floorDiv(overlap.hostTrips.step) * (host.steps * step) + host.first;
  for (int64_t i = 0; i < host.steps; ++i) {
    IRMapping mapping = row;
    AffineMap place = AffineMap::get(0, 1, counter + i * step);
    mapping.map(writer.getInductionVar(),
                builder.createOrFold<affine::AffineApplyOp>(loop.getLoc(), place, ValueRange{loop.getInductionVar()}));
    for (Operation &op : writer.getBody()->without_terminator()) {
      if (isa<memref::PrefetchOp>(op) != prefetches)
        continue;
      if (prefetches)
        for (Value operand : op.getOperands())
          computeAgain(operand, overlap.rows, mapping, builder);
      builder.clone(op, mapping);
    }
  }
}

/// Emits the writer as a loop of its own, from `lower` on and without prefetches, for the row that `mapping` describes.
static void writeRow(const Overlap &overlap, int64_t lower, IRMapping mapping, OpBuilder &builder) {
  if (lower >= overlap.writerTrips.upper)
    return;
  scf::ForOp writer = overlap.writer;
  auto loop = cast<scf::ForOp>(builder.clone(*writer, mapping));
  for (auto prefetch : llvm::make_early_inc_range(loop.getBody()->getOps<memref::PrefetchOp>()))
    prefetch.erase();
  OpBuilder before(loop);
  loop.getLowerBoundMutable().assign(arith::ConstantIndexOp::create(before, loop.getLoc(), lower));
}

/// Emits the loops of a row except the writer, with the writer's prefetches of the next row in the hosts.
static void computeRow(const Overlap &overlap, IRMapping &mapping, OpBuilder &builder) {
  scf::ForallOp rows = overlap.rows;
  // The operands of the prefetches are computed again next to them, because the row may compute its own only after the host.
  IRMapping beforeRow = mapping;
  for (Operation &op : rows.getBody()->without_terminator())
    if (&op != overlap.writer && !isa<memref::AllocaOp>(op))
      builder.clone(op, mapping);
  for (const Host &host : overlap.hosts)
    appendSteps(overlap, host, cast<scf::ForOp>(mapping.lookup(host.loop)), beforeRow, /*prefetches=*/true);
}

/// The mapping under which the writer is cloned for row `row`: the row index, the values computed from it, and the carried values.
static IRMapping describeRow(const Overlap &overlap, Value row, ValueRange carried, const IRMapping &buffers,
                             OpBuilder &builder) {
  IRMapping mapping = buffers;
  scf::ForallOp rows = overlap.rows;
  scf::ForOp writer = overlap.writer;
  mapping.map(rows.getInductionVars().front(), row);
  mapping.map(overlap.carried.getArrayRef(), carried);
  SetVector<Value> used(writer->operand_begin(), writer->operand_end());
  getUsedValuesDefinedAbove(writer.getRegion(), used);
  for (Value value : used)
    computeAgain(value, overlap.rows, mapping, builder);
  return mapping;
}

/// Bytes of a row of the widest element type that `loop` loads or stores.
static int64_t countRowBytes(scf::ForOp loop, const Trips &trips) {
  int64_t bytes = 0;
  for (Operation &op : *loop.getBody())
    for (Value operand : op.getOperands())
      if (auto type = dyn_cast<MemRefType>(operand.getType()))
        bytes = std::max(bytes, tpp::getElementBytes(type.getElementType()).value_or(0));
  return bytes * (trips.upper - trips.lower);
}

bool tpp::overlapRows(scf::ForOp writer, int64_t cacheBytes) {
  std::optional<Overlap> overlap = match(writer);
  // Two rows may take half of the cache, counting both the input and the kept intermediates of each. The other half is left to data that rows share.
  if (!overlap || countRowBytes(writer, overlap->writerTrips) > cacheBytes / 8)
    return false;
  scf::ForallOp rows = overlap->rows;
  int64_t count = getConstantIntValue(rows.getMixedUpperBound().front()).value_or(0);
  int64_t blockRows = std::min(mostBlockRows, count / leastBlocks);
  if (blockRows < leastBlockRows)
    return false;
  Location loc = rows.getLoc();
  for (memref::AllocaOp buffer : overlap->rowBuffers)
    doubleBuffer(buffer, rows.getInductionVars().front());

  OpBuilder builder(rows);
  auto blocks = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>{builder.getIndexAttr(llvm::divideCeil(count, blockRows))}, ValueRange(), std::nullopt);
  blocks->setDiscardableAttrs(rows->getDiscardableAttrDictionary());
  builder.setInsertionPoint(blocks.getBody()->getTerminator());
  IRMapping buffers;
  for (auto buffer : rows.getBody()->getOps<memref::AllocaOp>())
    builder.clone(*buffer, buffers);
  AffineExpr symbol = builder.getAffineSymbolExpr(0);
  Value block = blocks.getInductionVars().front();
  Value first = affine::AffineApplyOp::create(builder, loc, AffineMap::get(0, 1, symbol * blockRows), block);
  Value second = affine::AffineApplyOp::create(builder, loc, AffineMap::get(0, 1, symbol * blockRows + 1), block);
  SmallVector<AffineExpr> ends = {symbol * blockRows + blockRows, builder.getAffineConstantExpr(count)};
  Value end = affine::AffineMinOp::create(builder, loc, AffineMap::get(0, 1, ends, builder.getContext()), block);
  auto lookup = [&](IRMapping &mapping) {
    return llvm::map_to_vector(overlap->carried, [&](Value value) { return mapping.lookupOrDefault(value); });
  };

  IRMapping mapping = buffers;
  mapping.map(rows.getInductionVars().front(), first);
  computeRow(*overlap, mapping, builder);

  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, second, end, one, lookup(mapping));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    AffineMap before = AffineMap::get(0, 1, symbol - 1);
    Value former = affine::AffineApplyOp::create(builder, loc, before, loop.getInductionVar());
    IRMapping formerRow = describeRow(*overlap, former, loop.getRegionIterArgs(), buffers, builder);
    mapping = buffers;
    mapping.map(rows.getInductionVars().front(), loop.getInductionVar());
    computeRow(*overlap, mapping, builder);
    for (const Host &host : overlap->hosts)
      appendSteps(*overlap, host, cast<scf::ForOp>(mapping.lookup(host.loop)), formerRow, /*prefetches=*/false);
    writeRow(*overlap, overlap->hostTrips.upper, formerRow, builder);
    if (!overlap->carried.empty())
      scf::YieldOp::create(builder, loc, lookup(mapping));
  }
  Value last = affine::AffineApplyOp::create(builder, loc, AffineMap::get(0, 1, symbol - 1), end);
  writeRow(*overlap, overlap->writerTrips.lower, describeRow(*overlap, last, loop.getResults(), buffers, builder), builder);
  rows.erase();
  return true;
}

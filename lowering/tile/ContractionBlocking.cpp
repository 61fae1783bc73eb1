// Chooses block sizes, task loops, their order and the form of brgemm's batch (see ContractionBlocking.h).
#include "lowering/tile/ContractionBlocking.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Cost.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::tpp {

namespace {

// If at most `fewRows` rows of A fit in one half of L2, and a panel of B fits in the other, a task has up to `streamedRows` rows. B is then read
// fewer times, and A is read from L3, one row tile at a time (docs/decisions/costs.md).
constexpr int64_t fewRows = 128, streamedRows = 256;
// Largest number of entries of an offset table (1 KiB) in the generated code.
constexpr int64_t maxTable = 128;
// A block that is made so that threads get equal shares has at least `fewestRows` rows. Below `enoughRows`, a few register tiles, it takes as long as a
// block with `extraRows` more rows, because each task reads its panel of B once.
constexpr int64_t fewestRows = 8, enoughRows = 24;
constexpr double extraRows = 4;
// Minimum of the rows that the size of L2 gives, for long reductions.
constexpr int64_t leastRows = 32;

int64_t getProduct(ArrayRef<ContractionDim> dims) {
  int64_t product = 1;
  for (const ContractionDim &dim : dims)
    product *= dim.extent;
  return product;
}

int64_t countSteps(ArrayRef<TaskLoop> loops) {
  int64_t steps = 1;
  for (const TaskLoop &loop : loops)
    steps *= loop.count;
  return steps;
}

// A loop over `dim` in blocks of `block`.
TaskLoop makeLoop(TaskLoop::Kind kind, const ContractionDim &dim, int64_t block) {
  TaskLoop loop{kind, static_cast<int64_t>(llvm::divideCeil(dim.extent, block)), dim.strides};
  for (int64_t &stride : loop.strides)
    stride *= block;
  return loop;
}

// True if C is written with non-temporal stores: C belongs to a result of the function that is larger than `cacheBytes` and that no other op
// uses. Most of it would be evicted before the caller reads it.
bool isStreamed(ContractOp op, int64_t cacheBytes) {
  Value root = getBuffer(op.getInit());
  if (!getArgAttr(root, kResultAttr) || getBufferBytes(cast<MemRefType>(root.getType())).value_or(0) <= cacheBytes)
    return false;
  return allUsers(root, [&](Operation *user) { return user == op.getOperation(); });
}

// Bytes of all weights of the function that contains `op`.
int64_t countWeightBytes(ContractOp op) {
  auto func = op->getParentOfType<func::FuncOp>();
  int64_t bytes = 0;
  for (BlockArgument argument : func.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()); type && getArgAttr(argument, kWeightAttr))
      bytes += getBufferBytes(type).value_or(0);
  return bytes;
}

class Chooser {
public:
  Chooser(ContractOp op, const ContractionInfo &contraction, const Packing &packing, const TaskCaches &caches)
      : op(op), contraction(contraction), packing(packing), caches(caches), machine(contraction.target.getMachine()),
        dims(getBrgemmDims(contraction)) {}

  FailureOr<ContractionBlocking> choose() {
    chooseAPanels();
    if (failed(splitReduction()))
      return failure();
    blocking.m = dims.m, blocking.n = dims.n, blocking.k = dims.k;
    blocking.streamed = contraction.beta == 0 && blocking.kcBlocks.extent == 1 && isStreamed(op, caches.l2Bytes);
    chooseBatch();
    chooseBlocks();
    makeLoops();
    chooseOrder();
    double workNs = std::max(estimateFlopsNs(static_cast<double>(op.getFlops()), machine), estimateReadNs());
    blocking.workNs = std::max<int64_t>(1, static_cast<int64_t>(workNs / static_cast<double>(blocking.kcBlocks.extent)));
    return std::move(blocking);
  }

private:
  // Nanoseconds in which one thread reads A and B once, from the cache that holds both or from memory. A weight is in the cache that holds all weights of
  // the function: between two calls, the others evict it from smaller ones.
  double estimateReadNs() {
    int64_t bytes = contraction.a().getBytes() + contraction.b().getBytes();
    int64_t held = getArgAttr(getBuffer(op.getB()), kWeightAttr) ? std::max(bytes, countWeightBytes(op)) : bytes;
    if (held <= caches.l2Bytes)
      return 0;
    return static_cast<double>(bytes) / (held <= caches.l3Bytes ? caches.l3Gbs : caches.memoryGbs);
  }

  // Splits the reduction into KC blocks of packing.kc steps, which are executed in sequence and each add to C, so that the data of one block stays
  // in cache. If B is packed by KC blocks, k has this extent already; the KC blocks are then the reduction that continues k in A.
  LogicalResult splitReduction() {
    int64_t kc = packing.kc;
    if (kc == 0)
      return success();
    ContractionDim &k = dims.k;
    if (kc < k.extent) {
      if (k.extent % kc != 0)
        return op.emitOpError("cannot be split into KC blocks: kc = ")
               << kc << " does not divide the contiguous run of " << k.extent << " steps";
      blocking.kcBlocks = k;
      blocking.kcBlocks.extent = k.extent / kc;
      for (int64_t &stride : blocking.kcBlocks.strides)
        stride *= kc;
      if (int64_t panels = blocking.aPanels.extent; panels > 1) {
        int64_t columns = k.extent / panels;
        if (kc % columns != 0)
          return op.emitOpError("cannot be split into KC blocks: kc = ")
                 << kc << " splits tiles of " << columns << " columns of A";
        blocking.kcBlocks.strides[0] = blocking.aPanels.a() * (kc / columns);
        blocking.aPanels.extent = kc / columns;
      }
      k.extent = kc;
      return success();
    }
    int64_t continued = blocking.aPanels.extent > 1 ? blocking.aPanels.a() * blocking.aPanels.extent : k.a() * k.extent;
    auto next = llvm::find_if(dims.reductions, [&](const ContractionDim &dim) { return dim.a() == continued; });
    if (kc > k.extent && kc < dims.getDepth())
      op.emitRemark() << "kc = " << kc << " exceeds the contiguous run of " << k.extent
                      << " steps: the reduction is not split into KC blocks";
    if (kc == k.extent && next != dims.reductions.end()) {
      blocking.kcBlocks = *next;
      dims.reductions.erase(next);
    }
    return success();
  }

  // In tiles, A is stored in panels of the columns of a tile: the reduction over tiles continues k in B.
  void chooseAPanels() {
    ContractionDim &k = dims.k;
    auto tiles = llvm::find_if(
        dims.reductions, [&](const ContractionDim &dim) { return dim.a() > 0 && dim.b() == k.b() * k.extent && dim.extent > 1; });
    blocking.aPanels.extent = 1;
    if (!packing.a || packing.a->columns != k.extent || k.a() != 1 || tiles == dims.reductions.end())
      return;
    blocking.aPanels = *tiles;
    k.extent *= tiles->extent;
    dims.reductions.erase(tiles);
  }

  // One reduction besides k becomes brgemm's batch by stride. Several become a table of offsets if it has at most maxTable entries; otherwise the
  // first becomes the batch and the others one sequential loop in each task, which adds to C. A C that would be rounded each time gets a table of
  // any size.
  void chooseBatch() {
    ArrayRef<ContractionDim> reductions = dims.reductions;
    bool isExact = contraction.c().elementType == contraction.getAccumulatorType();
    if (reductions.size() < 2 || (getProduct(reductions) > maxTable && isExact)) {
      blocking.batch.append(reductions.begin(), reductions.begin() + std::min<size_t>(reductions.size(), 1));
      if (reductions.size() > 1)
        llvm::append_range(blocking.steps, reductions.drop_front());
      return;
    }
    SmallVector<int64_t> a = {0}, b = {0};
    for (const ContractionDim &dim : reductions) {
      SmallVector<int64_t> nextA, nextB;
      for (auto [x, y] : llvm::zip_equal(a, b))
        for (int64_t i = 0; i < dim.extent; ++i) {
          nextA.push_back(x + i * dim.a() * contraction.a().getElementBytes());
          nextB.push_back(y + i * dim.b() * contraction.b().getElementBytes());
        }
      a = std::move(nextA), b = std::move(nextB);
    }
    blocking.aOffsets = std::move(a), blocking.bOffsets = std::move(b);
  }

  // Chooses the block sizes of a task: those of the packing if it gives them. Otherwise the rows are chosen so that a block of A stays in L2 (half
  // of it) while panels of B are read, and so that every thread gets tasks.
  void chooseBlocks() {
    int64_t &mc = blocking.mc, &nc = blocking.nc, rowExtent = dims.m.extent;
    nc = std::min(dims.n.extent, packing.nc == 0 ? contraction.getDefaultColumns() : packing.nc);
    mc = std::min(rowExtent, packing.mc);
    if (mc != 0)
      return;
    int64_t depth = dims.getDepth();
    // Each KC block reads C again: with several, A gets a quarter of L2.
    int64_t share = blocking.kcBlocks.extent > 1 ? caches.l2Bytes / 4 : caches.l2Bytes / 2;
    int64_t held = share / (depth * contraction.a().getElementBytes());
    bool holdsPanel = depth * nc * contraction.b().getElementBytes() <= caches.l2Bytes / 2;
    int64_t largest = std::clamp<int64_t>(held <= fewRows && holdsPanel ? streamedRows : held, leastRows, maxTaskRows);
    int64_t rowBlocks = llvm::divideCeil(rowExtent, largest);
    if (caches.threads > 1)
      rowBlocks =
          chooseBlockCount(rowBlocks, std::min(rowExtent / fewestRows, rowBlocks + 2 * caches.threads), [&](int64_t blocks) {
            mc = llvm::divideCeil(rowExtent, blocks);
            double rows = static_cast<double>(std::min(mc, enoughRows));
            return getLargestShare(getTaskBlocks(), caches.threads) * (1 + extraRows / rows) / (1 + extraRows / enoughRows);
          });
    mc = llvm::divideCeil(rowExtent, rowBlocks);
  }

  // The loops over tasks, in the order in which threads divide them.
  SmallVector<TaskBlocks> getTaskBlocks() {
    SmallVector<TaskBlocks> batches, rows, columns;
    for (const ContractionDim &dim : dims.outer)
      (dim.b() == 0 ? rows : dim.a() == 0 ? columns : batches).push_back({dim.extent, 1});
    rows.push_back({dims.m.extent, blocking.mc});
    columns.push_back({dims.n.extent, blocking.nc});
    bool rowsFirst = packing.order == LoopOrder::Rows ||
                     (packing.order != LoopOrder::Columns && readsLessByRows(countTasks(rows), countTasks(columns)));
    llvm::append_range(batches, rowsFirst ? rows : columns);
    llvm::append_range(batches, rowsFirst ? columns : rows);
    return batches;
  }

  void makeLoops() {
    for (const ContractionDim &dim : dims.outer)
      (dim.b() == 0   ? blocking.rowLoops
       : dim.a() == 0 ? blocking.columnLoops
                      : blocking.batches)
          .push_back(makeLoop(TaskLoop::Outer, dim, 1));
    if (dims.m.extent > blocking.mc)
      blocking.rowLoops.push_back(makeLoop(TaskLoop::RowBlocks, dims.m, blocking.mc));
    if (dims.n.extent > blocking.nc)
      blocking.columnLoops.push_back(makeLoop(TaskLoop::ColumnBlocks, dims.n, blocking.nc));
  }

  // Whether tasks in the order of rows read fewer bytes from L3 and memory than in the order of columns. The operand of the inner loop is read again in
  // every step of the outer loop unless it fits half of L2.
  bool readsLessByRows(int64_t rowSteps, int64_t columnSteps) const {
    int64_t aRows = dims.m.extent, bColumns = dims.n.extent;
    for (const ContractionDim &dim : dims.outer)
      if (dim.b() == 0)
        aRows *= dim.extent;
      else if (dim.a() == 0)
        bColumns *= dim.extent;
    int64_t aBytes = aRows * getABytesOfRow(), bBytes = bColumns * getBBytesOfColumn();
    auto again = [&](int64_t bytes, int64_t times) { return bytes > caches.l2Bytes / 2 ? bytes * times : bytes; };
    return aBytes + again(bBytes, rowSteps) <= bBytes + again(aBytes, columnSteps);
  }

  // Further reductions count for B only: the filter taps of a convolution share elements of A, but not of B.
  int64_t getABytesOfRow() const { return dims.k.extent * contraction.a().getElementBytes(); }
  int64_t getBBytesOfColumn() const { return dims.getDepth() * contraction.b().getElementBytes(); }

  // Chooses the order of the tasks. Batches are outermost. The order within a batch is the packing's, or the one that the cache model of
  // TileOrder.h chooses. The default order is by rows or by columns, whichever reads fewer bytes.
  void chooseOrder() {
    TaskGrid &grid = blocking.grid;
    grid.rows = countSteps(blocking.rowLoops), grid.columns = countSteps(blocking.columnLoops);
    grid.batches = countSteps(blocking.batches);
    int64_t mc = blocking.mc, nc = blocking.nc;
    grid.aBytes = mc * getABytesOfRow(), grid.bBytes = nc * getBBytesOfColumn();
    grid.cBytes = blocking.streamed ? 0 : mc * nc * contraction.c().getElementBytes();
    grid.taskNs = estimateFlopsNs(2 * static_cast<double>(mc * nc * dims.getDepth()), machine);
    bool rowsFirst = readsLessByRows(grid.rows, grid.columns);
    blocking.order = chooseTaskOrder(packing.order, rowsFirst ? LoopOrder::Rows : LoopOrder::Columns, grid, caches);
    // In the order of rows, all of B is used between two steps. The other orders mix rows and columns.
    int64_t heldBytes = grid.bBytes * (blocking.order.kind == LoopOrder::Rows ? grid.columns : 1);
    blocking.reusesB =
        grid.rows > 1 && blocking.steps.empty() && !blocking.order.isSequence() && heldBytes <= caches.l2Bytes * 3 / 4;
    if (packing.order == LoopOrder::Curve && blocking.order.kind == LoopOrder::Blocked)
      op.emitRemark() << "a curve over " << grid.rows * grid.columns << " tasks needs a table of more than " << maxCurveTasks
                      << " positions: tasks are ordered in blocks instead";
  }

  ContractOp op;
  const ContractionInfo &contraction;
  const Packing &packing;
  const TaskCaches &caches;
  tpp_machine machine;
  BrgemmDims dims; // the reductions without the KC blocks
  ContractionBlocking blocking;
};

} // namespace

FailureOr<ContractionBlocking> chooseBlocking(ContractOp op, const ContractionInfo &contraction, const Packing &packing,
                                              const TaskCaches &caches) {
  return Chooser(op, contraction, packing, caches).choose();
}

} // namespace mlir::tpp

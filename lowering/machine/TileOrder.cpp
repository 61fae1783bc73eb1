// Task orders: the curve, the estimate of waiting time, the choice of an order, and the code for indices (see TileOrder.h).
#include "lowering/machine/TileOrder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <list>

namespace mlir::tpp {

//===- sequences -------------------------------------------------------------------------------------------------------------===//

namespace {
struct Vec {
  int64_t row = 0, column = 0;

  Vec operator+(Vec other) const { return {row + other.row, column + other.column}; }
  Vec operator-(Vec other) const { return {row - other.row, column - other.column}; }
  Vec operator-() const { return {-row, -column}; }
  int64_t length() const { return std::abs(row + column); } // for vectors along one axis
  Vec unit() const { return {(row > 0) - (row < 0), (column > 0) - (column < 0)}; }
  // Half of the vector. For lengths over 2 an odd half is rounded up to an even one: a walk over a part of even length can end next to the
  // start of the following part.
  Vec half() const {
    Vec half = {row / 2, column / 2};
    return half.length() % 2 == 1 && length() > 2 ? half + unit() : half;
  }
};

// A Hilbert curve over a grid. `walk` visits all tasks of a rectangle, from its corner `at` to the opposite end of the side `along`.
class Curve {
public:
  Curve(int64_t rows, int64_t columns) : columns(columns) {
    tasks.reserve(rows * columns);
    // If exactly one side is even, the walk must end at the other end of the even side. Otherwise a path from neighbour to neighbour does
    // not exist (colour the tasks like a chessboard).
    bool alongColumns = (rows - columns) % 2 == 0 ? columns >= rows : columns % 2 == 0;
    Vec down = {rows, 0}, right = {0, columns};
    walk(Vec(), alongColumns ? right : down, alongColumns ? down : right);
  }

  SmallVector<int32_t> tasks;

private:
  void walk(Vec at, Vec along, Vec across) {
    int64_t length = along.length(), width = across.length();
    if (length == 1 || width == 1) {
      Vec side = width == 1 ? along : across, step = side.unit();
      for (int64_t i = 0; i < side.length(); ++i, at = at + step)
        tasks.push_back(static_cast<int32_t>(at.row * columns + at.column));
      return;
    }
    if (2 * length > 3 * width) { // long: two rectangles, one after the other
      Vec first = along.half();
      walk(at, first, across);
      walk(at + first, along - first, across);
      return;
    }
    // Three parts: across, along the far side, and back.
    Vec first = {along.row / 2, along.column / 2}, rise = across.half();
    walk(at, rise, first);
    walk(at + rise, along, across - rise);
    walk(at + (along - along.unit()) + (rise - across.unit()), -rise, first - along);
  }

  int64_t columns;
};
} // namespace

SmallVector<int32_t> getCurve(int64_t rows, int64_t columns) { return std::move(Curve(rows, columns).tasks); }

namespace {
// Maps task numbers to grid positions for one order over one grid.
class Sequence {
public:
  Sequence(const TaskOrder &order, const TaskGrid &grid) : order(order), rows(grid.rows), columns(grid.columns) {
    if (order.kind == LoopOrder::Curve)
      curve = getCurve(rows, columns);
  }

  Vec at(int64_t task) const {
    switch (order.kind) {
    case LoopOrder::Columns:
      return {task % rows, task / rows};
    case LoopOrder::Blocked: {
      int64_t across = order.groupsRows ? columns : rows, cut = order.groupsRows ? rows : columns;
      int64_t first = task / (across * order.group) * order.group, rest = task % (across * order.group);
      int64_t width = std::min(order.group, cut - first);
      return order.groupsRows ? Vec{first + rest % width, rest / width} : Vec{rest / width, first + rest % width};
    }
    case LoopOrder::Curve:
      return {curve[task] / columns, curve[task] % columns};
    default:
      return {task / columns, task % columns};
    }
  }

private:
  TaskOrder order;
  int64_t rows, columns;
  SmallVector<int32_t> curve;
};

//===- estimate of waiting time ----------------------------------------------------------------------------------------------===//

// A model of a cache with least-recently-used replacement of whole blocks.
class BlockCache {
public:
  explicit BlockCache(int64_t bytes) : room(bytes) {}

  // Accesses a block. Returns false for a miss; the block is then in the cache.
  bool use(uint64_t block, int64_t bytes) {
    auto [known, isNew] = where.try_emplace(block, blocks.end());
    if (!isNew) {
      blocks.splice(blocks.begin(), blocks, known->second);
      return true;
    }
    blocks.emplace_front(block, bytes);
    known->second = blocks.begin();
    for (room -= bytes; room < 0; blocks.pop_back()) {
      room += blocks.back().second;
      where.erase(blocks.back().first);
    }
    return false;
  }

private:
  int64_t room;
  std::list<std::pair<uint64_t, int64_t>> blocks;
  llvm::DenseMap<uint64_t, std::list<std::pair<uint64_t, int64_t>>::iterator> where;
};

// The share of the time to read bytes from L3 or from memory, for which a task waits: the rest passes while it computes.
struct Wait {
  double l3, memory;
};
// `fetched`: bytes that the kernel prefetched during the previous task. `other`: all other bytes (docs/decisions/order.md).
constexpr Wait fetched = {0.033, 0.13}, other = {0.067, 0.39};
// Maximum number of replayed tasks, over all threads; the replay takes a few milliseconds. For larger grids the time is extrapolated from
// the first tasks.
constexpr int64_t maxReplayed = 4096;

// One thread: its range of tasks, its last two distinct columns, and its L2.
struct Worker {
  int64_t next, end, column = -1, lastColumn = -1;
  BlockCache l2;
};

class Replay {
public:
  Replay(const TaskOrder &order, const TaskGrid &grid, const TaskCaches &caches)
      : sequence(order, grid), grid(grid), hasL3(caches.l3Bytes > 0), l3Gbs(caches.l3Gbs), memoryGbs(caches.memoryGbs),
        l3(caches.l3Bytes) {
    int64_t tasks = grid.rows * grid.columns * grid.batches, even = tasks / caches.threads, more = tasks % caches.threads;
    for (int64_t thread = 0, next = 0; thread < caches.threads && next < tasks; ++thread) {
      int64_t end = next + even + (thread < more);
      workers.push_back({next, end, -1, -1, BlockCache(caches.l2Bytes)});
      next = end;
    }
  }

  // Replays the tasks of all threads; the threads advance in lockstep. Returns the total waiting time.
  double run() {
    int64_t replayed = 0;
    double ns = 0;
    for (bool busy = true; busy && replayed < maxReplayed;) {
      busy = false;
      for (Worker &worker : workers)
        if (worker.next < worker.end) {
          ns += compute(worker, worker.next++);
          ++replayed;
          busy = true;
        }
    }
    return ns / static_cast<double>(replayed) * static_cast<double>(grid.rows * grid.columns * grid.batches);
  }

private:
  double compute(Worker &worker, int64_t task) {
    int64_t perBatch = grid.rows * grid.columns, batch = task / perBatch;
    Vec at = sequence.at(task % perBatch);
    int64_t row = batch * grid.rows + at.row, column = batch * grid.columns + at.column;
    if (column != worker.column)
      worker.lastColumn = std::exchange(worker.column, column);
    // Kernels prefetch the next panel of B.
    const Wait &bWait = worker.lastColumn + 1 == column ? fetched : other;
    double ns = wait(worker, 0, row, grid.aBytes, other) + wait(worker, 1, column, grid.bBytes, bWait);
    // Results are written without waiting, but occupy the caches.
    wait(worker, 2, task, grid.cBytes, other);
    return ns;
  }

  double wait(Worker &worker, uint64_t operand, int64_t number, int64_t bytes, const Wait &share) {
    uint64_t block = static_cast<uint64_t>(number) * 4 + operand;
    if (worker.l2.use(block, bytes))
      return 0;
    bool near = hasL3 && l3.use(block, bytes);
    return static_cast<double>(bytes) * (near ? share.l3 / l3Gbs : share.memory / memoryGbs);
  }

  Sequence sequence;
  TaskGrid grid;
  bool hasL3;
  double l3Gbs, memoryGbs;
  BlockCache l3;
  std::vector<Worker> workers;
};
} // namespace

double estimateWaitNs(const TaskOrder &order, const TaskGrid &grid, const TaskCaches &caches) {
  return Replay(order, grid, caches).run();
}

//===- choice ----------------------------------------------------------------------------------------------------------------===//

// Candidate groups of columns and of rows: the largest that fit half of L2, half of L3, or a thread's share of half of L3. But a group has at least
// two blocks, even if they do not fit, and there are at least two groups.
static SmallVector<TaskOrder> getBlockedOrders(const TaskGrid &grid, const TaskCaches &caches) {
  SmallVector<TaskOrder> orders;
  for (bool groupsRows : {false, true}) {
    int64_t blocks = groupsRows ? grid.rows : grid.columns;
    if (blocks < 3)
      continue;
    int64_t bytes = std::max<int64_t>(1, groupsRows ? grid.aBytes : grid.bBytes);
    for (int64_t cache : {caches.l2Bytes, caches.l3Bytes, caches.l3Bytes / caches.threads}) {
      int64_t most = std::clamp<int64_t>(cache / 2 / bytes, 2, llvm::divideCeil(blocks, 2));
      int64_t group = llvm::divideCeil(blocks, llvm::divideCeil(blocks, most)); // groups of equal size, if possible
      if (llvm::none_of(orders, [&](const TaskOrder &o) { return o.groupsRows == groupsRows && o.group == group; }))
        orders.push_back({LoopOrder::Blocked, groupsRows, group});
    }
  }
  return orders;
}

TaskOrder chooseTaskOrder(LoopOrder asked, LoopOrder simple, const TaskGrid &grid, const TaskCaches &caches) {
  if (asked == LoopOrder::Rows || asked == LoopOrder::Columns)
    return {asked};
  if (grid.rows == 1 || grid.columns == 1)
    return {simple};
  int64_t tasks = grid.rows * grid.columns;
  if (asked == LoopOrder::Curve && tasks <= maxCurveTasks)
    return {LoopOrder::Curve};
  SmallVector<TaskOrder> blocked = getBlockedOrders(grid, caches);
  auto findLeast = [&](ArrayRef<TaskOrder> orders) {
    std::pair<double, TaskOrder> least = {std::numeric_limits<double>::infinity(), TaskOrder{simple}};
    for (const TaskOrder &order : orders)
      if (double ns = estimateWaitNs(order, grid, caches); ns < least.first)
        least = {ns, order};
    return least;
  };
  if (asked != LoopOrder::Auto)
    return findLeast(blocked).second;

  // Another order must save at least this share of the arithmetic time; smaller differences are noise of the estimate.
  constexpr double clearShare = 0.015;
  double clear = clearShare * grid.taskNs * static_cast<double>(tasks * grid.batches);
  auto best = findLeast({{simple}});
  TaskOrder other = {simple == LoopOrder::Rows ? LoopOrder::Columns : LoopOrder::Rows}, curve = {LoopOrder::Curve};
  // Try the simplest orders first.
  for (ArrayRef<TaskOrder> orders : {ArrayRef(other), ArrayRef(blocked), ArrayRef(curve)}) {
    if (best.first < clear)
      break;
    if (orders.empty() || (orders.front().kind == LoopOrder::Curve && tasks > maxCurveTasks))
      continue;
    if (auto found = findLeast(orders); found.first < best.first - clear)
      best = found;
  }
  return best.second;
}

//===- code ------------------------------------------------------------------------------------------------------------------===//

std::pair<Value, Value> emitTask(RewriterBase &rewriter, Location loc, const TaskOrder &order, const TaskGrid &grid, Value task,
                                 Value table) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  auto divide = [&](Value x, Value y) -> std::pair<Value, Value> {
    return {arith::DivUIOp::create(rewriter, loc, x, y), arith::RemUIOp::create(rewriter, loc, x, y)};
  };
  if (order.kind == LoopOrder::Curve) {
    Value position = memref::LoadOp::create(rewriter, loc, table, task);
    return divide(arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(), position), constant(grid.columns));
  }
  int64_t across = order.groupsRows ? grid.columns : grid.rows, cut = order.groupsRows ? grid.rows : grid.columns;
  auto [group, rest] = divide(task, constant(across * order.group));
  Value size = constant(order.group), first = arith::MulIOp::create(rewriter, loc, group, size);
  if (cut % order.group != 0)
    size = arith::MinUIOp::create(rewriter, loc, size, arith::SubIOp::create(rewriter, loc, constant(cut), first));
  auto [outer, inner] = divide(rest, size);
  Value grouped = arith::AddIOp::create(rewriter, loc, first, inner);
  return order.groupsRows ? std::pair(grouped, outer) : std::pair(outer, grouped);
}

} // namespace mlir::tpp

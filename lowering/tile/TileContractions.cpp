// Lowers tpp.contract on buffers to parallel loops over tpp.brgemm tiles.
//
// The strides of the operands give each dimension of a contraction its role (ContractionRoles.h). One reduction besides k becomes brgemm's
// batch by stride, several become a table of offsets. The remaining dimensions are loops. If a block size does not divide the rows or the
// columns, the last tile is smaller.
#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/ContractionRoles.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "lowering/machine/TileOrder.h"
#include "lowering/tile/StridedLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_TILECONTRACTIONS
#include "lowering/Passes.h.inc"

namespace {

// Columns of a tile if the packing gives none: the width of the widest microkernel tile.
constexpr int64_t columnBlock = 64;
// Largest number of rows of a tile. More would only delay the next panel of B.
constexpr int64_t maxRows = 512;
// If half of L2 holds at most `fewRows` rows of A, but also holds a panel of B, a task has up to `streamedRows` rows. B is then read fewer
// times, and A is read from L3, one row tile at a time. Zen 5, L2 of 1 MiB: 3 % less time for 2048 x 2048 x 2048 and 512 x 2048 x 2048, 4 % for
// 256 x 4096 x 1536, 1 % for 256 x 1024 x 1024.
constexpr int64_t fewRows = 128, streamedRows = 256;
// Largest number of entries of an offset table (1 KiB) in the generated code.
constexpr int64_t maxTable = 128;
// Least number of tasks per thread, so that the other threads do not wait long for a slow one.
constexpr int64_t tasksPerThread = 4;

using Dim = ContractionDim;

// A contraction on buffers and the roles of its dimensions.
struct Plan : ContractionRoles {
  SmallVector<Value> operands; // A, B, C, post operands
  SmallVector<int64_t> offsets;
  int64_t bytes(unsigned operand) const { // of an element
    return llvm::divideCeil(cast<MemRefType>(operands[operand].getType()).getElementTypeBitWidth(), 8);
  }
  Dim passes; // KC blocks of the reduction, executed in sequence; strides are empty if there is only one
};

std::optional<Plan> makePlan(ContractOp op, SmallVectorImpl<LinearView> &views) {
  Plan plan;
  plan.operands = {op.getA(), op.getB(), op.getInit()};
  llvm::append_range(plan.operands, op.getPostOperands());
  SmallVector<AffineMap> maps = op.getMaps();
  for (auto [map, operand] : llvm::zip_equal(maps, plan.operands)) {
    auto view = getLinearView(map, cast<MemRefType>(operand.getType()));
    if (!view)
      return std::nullopt;
    views.push_back(*view);
    plan.offsets.push_back(view->offset);
  }
  static_cast<ContractionRoles &>(plan) = getContractionRoles(views, op.getExtents());
  if (plan.swapped) {
    std::swap(plan.operands[0], plan.operands[1]);
    std::swap(plan.offsets[0], plan.offsets[1]);
  }
  return plan;
}

// Returns the packing that the layout stage has chosen. A contraction that was on buffers from the start has none: its strategy chooses one
// now, of which only the block sizes and the task order are used, since the operands' layouts are fixed. nullopt if the strategy fails.
std::optional<Packing> getPacking(ContractOp op, const Plan &plan, ArrayRef<LinearView> views) {
  if (op->hasAttr(kChosenPackingAttr))
    return getChosenPacking(op);
  for (auto [dim, extent] : llvm::enumerate(op.getExtents())) {
    if (extent <= 1 || views[2].strides[dim] != 1)
      continue;
    auto elementType = [&](unsigned i) { return cast<MemRefType>(plan.operands[i].getType()).getElementType(); };
    return choosePacking(op, {op.getExtents(), views[plan.swapped ? 1 : 0], views[plan.swapped ? 0 : 1], views[2],
                              static_cast<unsigned>(dim), /*constantA=*/false, /*constantB=*/false, elementType(0),
                              elementType(1), elementType(2)});
  }
  return Packing();
}

// Splits the reduction into KC blocks of `k` steps, which are executed in sequence and each add to C, so that the data of one block stays in
// cache. If B is packed by KC blocks, plan.k has this extent already; the KC blocks are then the reduction that continues plan.k in A.
LogicalResult cutSum(ContractOp op, Plan &plan, int64_t k) {
  if (k == 0)
    return success();
  if (k < plan.k.extent) {
    if (plan.k.extent % k != 0)
      return op.emitOpError("cannot be split into KC blocks: k = ")
             << k << " does not divide the contiguous run of " << plan.k.extent << " steps";
    plan.passes = plan.k;
    plan.passes.extent = plan.k.extent / k;
    for (int64_t &stride : plan.passes.strides)
      stride *= k;
    plan.k.extent = k;
    return success();
  }
  auto next = llvm::find_if(plan.reductions, [&](const Dim &dim) { return dim.a() == plan.k.a() * plan.k.extent; });
  if (k == plan.k.extent && next != plan.reductions.end()) {
    plan.passes = *next;
    plan.reductions.erase(next);
  }
  return success();
}

// Whether C is written with non-temporal stores, which leave the cache to A and B: if C is, or is part of, a result of the function that no
// other operation uses and that is larger than `cacheBytes`. Its readers run after the call; by then most of it would be evicted anyway.
bool isStreamed(ContractOp op, int64_t cacheBytes) {
  Value root = getBuffer(op.getInit());
  auto argument = dyn_cast<BlockArgument>(root);
  auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (!func || !func.getArgAttr(argument.getArgNumber(), kResultAttr) ||
      getBufferBytes(cast<MemRefType>(root.getType())).value_or(0) <= cacheBytes)
    return false;
  return allUsers(root, [&](Operation *user) { return user == op.getOperation(); });
}

int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

// Emits the loops and tiles of one contraction.
class Tiler {
public:
  Tiler(ContractOp op, Plan plan, const Packing &packing, RewriterBase &rewriter, const TaskCaches &caches)
      : op(op), plan(std::move(plan)), packing(packing), rewriter(rewriter), loc(op.getLoc()), caches(caches),
        streamed(op.getBeta() == 0 && this->plan.passes.extent == 1 && isStreamed(op, caches.l2Bytes)) {}

  void emit() {
    chooseBlocks();
    orderTasks();
    makeTables();
    bool beta = op.getBeta() == 1;
    int64_t last = plan.passes.extent - 1;
    if (last == 0)
      return emitPass(nullptr, Pass{beta, /*finishes=*/true, Value()});
    emitPass(rewriter.getAffineConstantExpr(0), Pass{beta, /*finishes=*/false, Value()});
    if (last > 1) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1), end = arith::ConstantIndexOp::create(rewriter, loc, last);
      auto loop = scf::ForOp::create(rewriter, loc, one, end, one);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      emitPass(nullptr, Pass{/*beta=*/true, /*finishes=*/false, loop.getInductionVar()});
    }
    emitPass(rewriter.getAffineConstantExpr(last), Pass{/*beta=*/true, /*finishes=*/true, Value()});
  }

private:
  // What one KC block does with C, and the block's index if that is the induction variable of a loop (else null).
  struct Pass {
    bool beta = false, finishes = true; // adds to C; applies the post-ops
    Value number;
  };

  // One loop over tiles: `count` steps of `step` along a dimension.
  struct Loop {
    const Dim *dim;
    int64_t count, step;
  };

  // The loops over the tiles of one KC block: their trip counts, and each dimension's index as an expression of symbols. The symbols are the
  // induction variables of the loops. If all tasks of a batch are one loop, the task's row and column are symbols in its place.
  struct Nest {
    SmallVector<OpFoldResult> bounds;
    SmallVector<std::pair<Loop, AffineExpr>> indices;
    unsigned symbols = 0;
  };

  Nest getNest() const {
    Nest nest;
    auto addLoops = [&](ArrayRef<Loop> loops) {
      for (const Loop &loop : loops) {
        nest.bounds.push_back(rewriter.getIndexAttr(loop.count));
        nest.indices.emplace_back(loop, rewriter.getAffineSymbolExpr(nest.symbols++));
      }
    };
    addLoops(batches);
    if (!order.isSequence()) {
      addLoops(order.kind == LoopOrder::Columns ? colLoops : rowLoops);
      addLoops(order.kind == LoopOrder::Columns ? rowLoops : colLoops);
      return nest;
    }
    nest.bounds.push_back(rewriter.getIndexAttr(grid.rows * grid.columns));
    for (ArrayRef<Loop> loops : {ArrayRef(rowLoops), ArrayRef(colLoops)}) {
      AffineExpr rest = rewriter.getAffineSymbolExpr(nest.symbols++);
      for (const Loop &loop : llvm::reverse(loops)) {
        bool outermost = &loop == loops.begin();
        nest.indices.emplace_back(loop, outermost ? rest : rest % loop.count);
        rest = rest.floorDiv(loop.count);
      }
    }
    return nest;
  }

  // Emits the loops over the tiles of one KC block. `number` is the block's index if that is a constant; null if the index is which.number, or
  // if there is only one block.
  void emitPass(AffineExpr number, Pass which) {
    pass = which;
    Nest nest = getNest();
    SmallVector<AffineExpr> offsets;
    for (int64_t offset : plan.offsets)
      offsets.push_back(rewriter.getAffineConstantExpr(offset));
    AffineExpr rowBlock, colBlock; // null if there is only one block
    for (auto &[loop, index] : nest.indices) {
      for (auto [offset, stride] : llvm::zip_equal(offsets, loop.dim->strides))
        offset = offset + index * (stride * loop.step);
      if (loop.dim == &plan.m)
        rowBlock = index;
      if (loop.dim == &plan.n)
        colBlock = index;
    }
    if (pass.number)
      number = rewriter.getAffineSymbolExpr(nest.symbols);
    if (number)
      for (auto [offset, stride] : llvm::zip_equal(offsets, plan.passes.strides))
        offset = offset + number * stride;
    if (nest.bounds.empty())
      return emitTile(offsets, pass.number ? ValueRange(pass.number) : ValueRange(), rows, cols);
    Value curve;
    if (order.kind == LoopOrder::Curve)
      curve = makeConstantTable(rewriter, loc, "tpp_tasks", rewriter.getI32TensorAttr(getCurve(grid.rows, grid.columns)));
    auto forall = scf::ForallOp::create(rewriter, loc, nest.bounds, ValueRange(), std::nullopt);
    int64_t work = std::max<int64_t>(1, op.getFlops() / 100 / plan.passes.extent);
    forall->setAttr(kWorkNsAttr, rewriter.getI64IntegerAttr(work));
    rewriter.setInsertionPoint(forall.getTerminator());
    SmallVector<Value> ivs = llvm::to_vector_of<Value>(forall.getInductionVars());
    if (order.isSequence()) {
      auto [row, column] = emitTask(rewriter, loc, order, grid, ivs.pop_back_val(), curve);
      ivs.append({row, column});
    }
    if (pass.number)
      ivs.push_back(pass.number);
    auto evaluate = [&](AffineExpr index) {
      if (!index)
        return Value();
      AffineMap map = AffineMap::get(0, ivs.size(), index);
      return getValueOrCreateConstantIndexOp(rewriter, loc,
                                             affine::makeComposedFoldedAffineApply(rewriter, loc, map, getAsOpFoldResult(ivs)));
    };
    Value row = evaluate(rowBlock), column = evaluate(colBlock);
    emitBlocks(rewriter, loc, row, rows, plan.m.extent, [&](int64_t m) {
      emitBlocks(rewriter, loc, column, cols, plan.n.extent, [&](int64_t n) { emitTile(offsets, ivs, m, n); });
    });
    rewriter.setInsertionPointAfter(forall);
  }

  // Chooses the loops over tasks and their order. Batches are outermost. The order within a batch is the packing's, or the one that the cache
  // model of TileOrder.h chooses. The model's simple order is by rows or by columns, whichever reads fewer bytes from beyond L2. The operand of
  // the inner loop is read again in every step of the outer loop unless it fits half of L2.
  void orderTasks() {
    int64_t depth = plan.k.extent, aRows = plan.m.extent, bCols = plan.n.extent;
    for (const Dim &dim : plan.outer) {
      Loop loop{&dim, dim.extent, 1};
      if (dim.b() == 0) {
        rowLoops.push_back(loop);
        aRows *= dim.extent;
      } else if (dim.a() == 0) {
        colLoops.push_back(loop);
        bCols *= dim.extent;
      } else {
        batches.push_back(loop);
      }
    }
    if (int64_t blocks = ceilDiv(plan.m.extent, rows); blocks > 1)
      rowLoops.push_back({&plan.m, blocks, rows});
    if (int64_t blocks = ceilDiv(plan.n.extent, cols); blocks > 1)
      colLoops.push_back({&plan.n, blocks, cols});
    auto count = [](ArrayRef<Loop> loops) {
      int64_t steps = 1;
      for (const Loop &loop : loops)
        steps *= loop.count;
      return steps;
    };
    grid.rows = count(rowLoops), grid.columns = count(colLoops), grid.batches = count(batches);
    // Further reductions add to the bytes of B only: the filter taps of a convolution share elements of A, but not of B.
    int64_t aBytes = aRows * depth * plan.bytes(0);
    grid.aBytes = rows * depth * plan.bytes(0);
    for (const Dim &dim : plan.reductions)
      depth *= dim.extent;
    int64_t bBytes = bCols * depth * plan.bytes(1);
    grid.bBytes = cols * depth * plan.bytes(1), grid.cBytes = streamed ? 0 : rows * cols * plan.bytes(2);
    grid.taskNs = static_cast<double>(rows * cols * depth) * 2 / 100;
    auto again = [&](int64_t bytes, int64_t steps) { return bytes > caches.l2Bytes / 2 ? bytes * steps : bytes; };
    bool rowsFirst = aBytes + again(bBytes, grid.rows) <= bBytes + again(aBytes, grid.columns);
    order = chooseTaskOrder(packing.order, rowsFirst ? LoopOrder::Rows : LoopOrder::Columns, grid, caches);
    if (packing.order == LoopOrder::Curve && order.kind == LoopOrder::Blocked)
      op.emitRemark() << "a curve over " << grid.rows * grid.columns << " tasks needs a table of more than " << maxCurveTasks
                      << " positions: tasks are ordered in blocks instead";
  }

  // Chooses the block sizes of a task: those of the packing if it gives them. Otherwise a block of A fits half of L2, so that it stays there
  // while panels of B stream through, and has few enough rows that every thread gets tasks.
  void chooseBlocks() {
    cols = std::min(plan.n.extent, packing.columns == 0 ? columnBlock : packing.columns);
    rows = std::min(plan.m.extent, packing.rows);
    if (rows != 0)
      return;
    int64_t depth = plan.k.extent, others = 1;
    for (const Dim &dim : plan.reductions)
      depth *= dim.extent;
    for (const Dim &dim : plan.outer)
      others *= dim.extent;
    // If there are several KC blocks, each reads C again: A then gets a quarter of L2, which leaves space for C.
    int64_t room = plan.passes.extent > 1 ? caches.l2Bytes / 4 : caches.l2Bytes / 2;
    int64_t held = room / (depth * plan.bytes(0));
    int64_t largest = std::clamp<int64_t>(
        held <= fewRows && depth * cols * plan.bytes(1) <= caches.l2Bytes / 2 ? streamedRows : held, 32, maxRows);
    int64_t blocks = ceilDiv(plan.m.extent, largest);
    int64_t columns = ceilDiv(plan.n.extent, cols);
    if (caches.threads > 1)
      while (blocks * columns * others < caches.threads * tasksPerThread && plan.m.extent / (blocks + 1) >= 24)
        ++blocks;
    rows = ceilDiv(plan.m.extent, blocks);
  }

  // Creates constant tables of byte offsets if there are several reductions besides k and the tables are short enough.
  void makeTables() {
    int64_t entries = 1;
    for (const Dim &dim : plan.reductions)
      entries *= dim.extent;
    if (plan.reductions.size() < 2 || entries > maxTable)
      return;
    SmallVector<int64_t> a = {0}, b = {0};
    for (const Dim &dim : plan.reductions) {
      SmallVector<int64_t> nextA, nextB;
      for (auto [x, y] : llvm::zip_equal(a, b))
        for (int64_t i = 0; i < dim.extent; ++i) {
          nextA.push_back(x + i * dim.a() * plan.bytes(0));
          nextB.push_back(y + i * dim.b() * plan.bytes(1));
        }
      a = std::move(nextA), b = std::move(nextB);
    }
    aTable = makeConstantTable(rewriter, loc, "tpp_offsets", rewriter.getI64TensorAttr(a));
    bTable = makeConstantTable(rewriter, loc, "tpp_offsets", rewriter.getI64TensorAttr(b));
  }

  Value makeView(unsigned i, ArrayRef<AffineExpr> offsets, ValueRange ivs, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    return makeStridedView(rewriter, loc, plan.operands[i], offsets[i], ivs, sizes, strides);
  }

  // Emits one tile of m x n: a single brgemm, or a loop of brgemms if the reductions have too many steps for a table.
  void emitTile(ArrayRef<AffineExpr> offsets, ValueRange ivs, int64_t m, int64_t n) {
    bool table = static_cast<bool>(aTable);
    if (table || plan.reductions.size() < 2) {
      emitBrgemm(offsets, ivs, m, n, pass.beta, pass.finishes, table ? ArrayRef<Dim>() : ArrayRef(plan.reductions));
      return;
    }
    // The first reduction is brgemm's batch. The others are one sequential loop, whose last iteration applies the post-ops.
    ArrayRef<Dim> rest = ArrayRef(plan.reductions).drop_front();
    int64_t rounds = 1;
    for (const Dim &dim : rest)
      rounds *= dim.extent;
    if (!pass.beta)
      UnaryOp::create(rewriter, loc, UnaryKind::Zero, Value(), makeView(2, offsets, ivs, {m, n}, cStrides(m, n)));
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0), one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value count = arith::ConstantIndexOp::create(rewriter, loc, rounds);
    auto loop = scf::ForOp::create(rewriter, loc, zero, count, one);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> symbols = llvm::to_vector(ivs);
    SmallVector<AffineExpr> inner = llvm::to_vector(offsets);
    AffineExpr round = rewriter.getAffineSymbolExpr(symbols.size());
    symbols.push_back(loop.getInductionVar());
    int64_t below = 1;
    for (const Dim &dim : llvm::reverse(rest)) {
      AffineExpr index = round.floorDiv(below) % dim.extent;
      for (auto [offset, stride] : llvm::zip_equal(inner, dim.strides))
        offset = offset + index * stride;
      below *= dim.extent;
    }
    ArrayRef<Dim> batch = ArrayRef(plan.reductions).take_front();
    if (op.getPostOps().empty() || !pass.finishes) {
      emitBrgemm(inner, symbols, m, n, /*beta=*/true, pass.finishes, batch);
      return;
    }
    Value last = arith::ConstantIndexOp::create(rewriter, loc, rounds - 1);
    Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, loop.getInductionVar(), last);
    auto branch = scf::IfOp::create(rewriter, loc, isLast, /*withElseRegion=*/true);
    for (bool withPostOps : {true, false}) {
      rewriter.setInsertionPointToStart(withPostOps ? branch.thenBlock() : branch.elseBlock());
      emitBrgemm(inner, symbols, m, n, /*beta=*/true, withPostOps, batch);
    }
  }

  SmallVector<int64_t> cStrides(int64_t m, int64_t n) const { return {m == 1 ? n : plan.m.c(), 1}; }

  void emitBrgemm(ArrayRef<AffineExpr> offsets, ValueRange ivs, int64_t m, int64_t n, bool beta, bool withPostOps,
                  ArrayRef<Dim> batch) {
    int64_t k = plan.k.extent;
    // The stride of a dimension of extent 1 is arbitrary; the stride of a dense tile is used.
    SmallVector<int64_t> aSizes = {m, k}, bSizes = {k, n};
    SmallVector<int64_t> aStrides = {m == 1 ? k : plan.m.a(), k == 1 ? 1 : plan.k.a()};
    SmallVector<int64_t> bStrides = {k == 1 ? n : plan.k.b(), n == 1 ? 1 : plan.n.b()};
    BatchKind kind = aTable ? BatchKind::Offset : batch.empty() ? BatchKind::None : BatchKind::Stride;
    if (kind == BatchKind::Stride) {
      aSizes.insert(aSizes.begin(), batch[0].extent);
      bSizes.insert(bSizes.begin(), batch[0].extent);
      aStrides.insert(aStrides.begin(), batch[0].a());
      bStrides.insert(bStrides.begin(), batch[0].b());
    }
    Value a = makeView(0, offsets, ivs, aSizes, aStrides), b = makeView(1, offsets, ivs, bSizes, bStrides);
    Value c = makeView(2, offsets, ivs, {m, n}, cStrides(m, n));
    SmallVector<Attribute> postOps;
    SmallVector<Value> postOperands;
    unsigned operand = 3;
    for (Attribute attr : op.getPostOps()) {
      auto postOp = cast<PostOpAttr>(attr);
      if (!withPostOps)
        break;
      if (postOp.isUnary()) {
        postOps.push_back(postOp);
        continue;
      }
      int64_t rowStride = m == 1 ? 0 : plan.m.strides[operand], colStride = n == 1 ? 0 : plan.n.strides[operand];
      Broadcast broadcast = rowStride == 0 ? (colStride == 0 ? Broadcast::Scalar : Broadcast::Row)
                                           : (colStride == 0 ? Broadcast::Col : Broadcast::None);
      SmallVector<int64_t> sizes, strides;
      if (broadcast == Broadcast::None)
        sizes = {m, n}, strides = {rowStride, colStride};
      else if (broadcast == Broadcast::Row)
        sizes = {n}, strides = {colStride};
      else if (broadcast == Broadcast::Col)
        sizes = {m}, strides = {rowStride};
      else
        sizes = {1}, strides = {1};
      postOperands.push_back(makeView(operand, offsets, ivs, sizes, strides));
      postOps.push_back(PostOpAttr::get(rewriter.getContext(), postOp.getBinaryKind(), broadcast));
      ++operand;
    }
    ArrayAttr postOpsAttr = postOps.empty() ? ArrayAttr() : rewriter.getArrayAttr(postOps);
    auto brgemm = BrgemmOp::create(rewriter, loc, a, b, c, ArrayRef<int64_t>{m, n, k}, kind, beta, postOpsAttr, postOperands,
                                   aTable, bTable);
    brgemm.setStreaming(streamed && !beta && withPostOps); // otherwise a later brgemm reads C again
  }

  ContractOp op;
  Plan plan;
  Packing packing;
  Pass pass;
  RewriterBase &rewriter;
  Location loc;
  TaskCaches caches;
  int64_t rows = 1, cols = 1; // of a task
  TaskGrid grid;
  TaskOrder order;
  SmallVector<Loop> batches, rowLoops, colLoops; // in order of decreasing stride in C; blocks of m and n last
  bool streamed;
  Value aTable, bTable;
};

struct TileContractions : public impl::TileContractionsBase<TileContractions> {
  using TileContractionsBase::TileContractionsBase;

  void runOnOperation() override {
    if (threads < 1) {
      getOperation().emitError("threads must be at least 1");
      return signalPassFailure();
    }
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : ops) {
      if (op.getResult()) {
        op.emitOpError("is on tensors: bufferize first");
        return signalPassFailure();
      }
      SmallVector<LinearView> views;
      std::optional<Plan> plan = makePlan(op, views);
      if (!plan) {
        op.emitOpError("has an operand of dynamic shape or strides");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      // A contraction with an empty reduction or an empty result has no tiles.
      bool empty = llvm::is_contained(op.getExtents(), 0);
      if (!empty) {
        std::optional<Packing> packing = getPacking(op, *plan, views);
        if (!packing || failed(cutSum(op, *plan, packing->k)))
          return signalPassFailure();
        TargetAttr target = getTarget(op);
        TaskCaches caches = {l2Bytes > 0 ? l2Bytes : target.getCacheBytes(2),
                             target.getCaches().size() > 2 ? target.getCacheBytes(3) : 0, threads};
        Tiler(op, *plan, *packing, rewriter, caches).emit();
      } else if (cast<MemRefType>(op.getInit().getType()).getNumElements() != 0) {
        op.emitOpError("sums over an empty dimension");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
} // namespace mlir::tpp

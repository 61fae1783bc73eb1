//===- LowerParallelLoops.cpp - parallel loops to OpenMP or to plain loops ---------------------------------------------------===//
//
// Only outermost loops with enough work get a team: forking and joining costs about half a microsecond, waking threads that sleep
// far more, and code for one thread must not pay for OpenMP at all (even `if(false)` costs 0.3 us, as much as a 32x32x32 matmul).
// Such loops with nothing between them that touches memory, the layers of a model, share one team.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <vector>

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERPARALLELLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
/// What scf.forall and scf.parallel have in common.
struct Loop {
  Operation *op;
  SmallVector<OpFoldResult> lower, upper, step;
  SmallVector<Value> ivs;
  Block *body;
};
} // namespace

static std::optional<Loop> matchParallelLoop(Operation *op) {
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return Loop{op,
                forall.getMixedLowerBound(),
                forall.getMixedUpperBound(),
                forall.getMixedStep(),
                llvm::to_vector_of<Value>(forall.getInductionVars()),
                forall.getBody()};
  if (auto parallel = dyn_cast<scf::ParallelOp>(op))
    return Loop{op,
                getAsOpFoldResult(parallel.getLowerBound()),
                getAsOpFoldResult(parallel.getUpperBound()),
                getAsOpFoldResult(parallel.getStep()),
                llvm::to_vector_of<Value>(parallel.getInductionVars()),
                parallel.getBody()};
  return std::nullopt;
}

//===- how much work ---------------------------------------------------------------------------------------------------------===//

static double countTrips(ArrayRef<OpFoldResult> lower, ArrayRef<OpFoldResult> upper, ArrayRef<OpFoldResult> step) {
  double trips = 1;
  for (auto [l, u, s] : llvm::zip_equal(lower, upper, step)) {
    std::optional<int64_t> from = getConstantIntValue(l), to = getConstantIntValue(u), by = getConstantIntValue(s);
    constexpr double kUnknownTrips = 16;
    trips *= from && to && by && *by > 0 ? std::max<double>(0, std::ceil(double(*to - *from) / double(*by))) : kUnknownTrips;
  }
  return trips;
}

/// Nanoseconds of a kernel on a current core: some 100 GFLOP/s, four elements a nanosecond. Right within a factor of a few, which
/// is all that the decision needs.
static double estimateInvoke(tpp::InvokeOp invoke) {
  auto dispatch = invoke.getKernel().getDefiningOp<tpp::DispatchOp>();
  if (!dispatch)
    return 0;
  constexpr double kFlopsPerNs = 100, kElementsPerNs = 4;
  return llvm::TypeSwitch<Attribute, double>(dispatch.getDesc())
      .Case([&](tpp::BrgemmDescAttr desc) {
        std::optional<int64_t> batch = invoke.getBatch() ? getConstantIntValue(invoke.getBatch()) : std::optional<int64_t>(1);
        return 2.0 * desc.getM() * desc.getN() * desc.getK() * batch.value_or(1) / kFlopsPerNs;
      })
      .Case<tpp::UnaryDescAttr, tpp::BinaryDescAttr, tpp::ReduceDescAttr>(
          [](auto desc) { return double(desc.getM()) * desc.getN() / kElementsPerNs; })
      .Default([](Attribute) { return 0.0; });
}

/// Nanoseconds that one execution of `block` takes.
static double estimateWork(Block &block) {
  double total = 0;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      total += estimateWork(*loop.getBody()) *
               countTrips(OpFoldResult(loop.getLowerBound()), OpFoldResult(loop.getUpperBound()), OpFoldResult(loop.getStep()));
    } else if (std::optional<Loop> parallel = matchParallelLoop(&op)) {
      total += estimateWork(*parallel->body) * countTrips(parallel->lower, parallel->upper, parallel->step);
    } else if (auto invoke = dyn_cast<tpp::InvokeOp>(op)) {
      total += estimateInvoke(invoke);
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          total += estimateWork(nested);
      // Loads, stores and arithmetic on vectors or scalars: a fraction of a nanosecond each.
      if (!isMemoryEffectFree(&op) || llvm::any_of(op.getResultTypes(), llvm::IsaPred<VectorType, FloatType>))
        total += 0.3;
    }
  }
  return total;
}

static double estimateLoop(const Loop &loop) {
  if (auto work = loop.op->getAttrOfType<IntegerAttr>(tpp::kWorkNsAttr))
    return double(work.getInt());
  return estimateWork(*loop.body) * countTrips(loop.lower, loop.upper, loop.step);
}

//===- lowering --------------------------------------------------------------------------------------------------------------===//

/// Moves stack buffers of `from` to the start of `to`, where they are made once instead of in each iteration.
static void hoistStackBuffers(Block &from, Block &to) {
  Operation *first = to.empty() ? nullptr : &to.front();
  for (Operation &op : llvm::make_early_inc_range(from))
    if (isa<memref::AllocaOp>(op) && op.getNumOperands() == 0) {
      if (first)
        op.moveBefore(first);
      else
        op.moveBefore(&to, to.end());
    }
}

/// Moves the loop's operations, its terminator left out, in front of `target`'s end; induction variables become `ivs`.
static void moveBody(const Loop &loop, Block &target, Block::iterator position, ValueRange ivs) {
  for (auto [old, iv] : llvm::zip_equal(SmallVector<Value>(loop.ivs), ivs))
    old.replaceAllUsesWith(iv);
  loop.body->getTerminator()->erase();
  target.getOperations().splice(position, loop.body->getOperations());
}

static void lowerToPlainLoops(OpBuilder &builder, Loop loop, Block &stackHome) {
  hoistStackBuffers(*loop.body, stackHome);
  Location loc = loop.op->getLoc();
  builder.setInsertionPoint(loop.op);
  auto lower = getValueOrCreateConstantIndexOp(builder, loc, loop.lower),
       upper = getValueOrCreateConstantIndexOp(builder, loc, loop.upper),
       step = getValueOrCreateConstantIndexOp(builder, loc, loop.step);
  SmallVector<Value> ivs;
  for (auto [l, u, s] : llvm::zip_equal(lower, upper, step)) {
    auto nested = scf::ForOp::create(builder, loc, l, u, s);
    ivs.push_back(nested.getInductionVar());
    builder.setInsertionPoint(nested.getBody()->getTerminator());
  }
  moveBody(loop, *builder.getInsertionBlock(), builder.getInsertionPoint(), ivs);
  loop.op->erase();
}

/// One worksharing loop in front of `builder`'s insertion point, in a region; the constants of its bounds stand in front of the region.
static void lowerToWorksharing(OpBuilder &builder, const Loop &loop, omp::ParallelOp parallel, bool barrier) {
  Location loc = loop.op->getLoc();
  OpBuilder outside(parallel);
  omp::LoopNestOperands nest;
  nest.loopLowerBounds = getValueOrCreateConstantIndexOp(outside, loc, loop.lower);
  nest.loopUpperBounds = getValueOrCreateConstantIndexOp(outside, loc, loop.upper);
  nest.loopSteps = getValueOrCreateConstantIndexOp(outside, loc, loop.step);
  nest.collapseNumLoops = outside.getI64IntegerAttr(loop.ivs.size());
  omp::WsloopOperands schedule;
  if (!barrier)
    schedule.nowait = builder.getUnitAttr();
  auto wsloop = omp::WsloopOp::create(builder, loc, schedule);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&wsloop.getRegion());
  auto loopNest = omp::LoopNestOp::create(builder, loc, nest);
  Block &body = *builder.createBlock(&loopNest.getRegion(), {}, SmallVector<Type>(loop.ivs.size(), builder.getIndexType()),
                                     SmallVector<Location>(loop.ivs.size(), loc));
  hoistStackBuffers(*loop.body, parallel.getRegion().front());
  moveBody(loop, body, body.end(), body.getArguments());
  builder.setInsertionPointToEnd(&body);
  omp::YieldOp::create(builder, loc);
  loop.op->erase();
}

/// The operations between the first and the last of `loops` that nothing but these loops needs: views, and the handles of kernels.
static llvm::SmallPtrSet<Operation *, 16> findOwnOps(ArrayRef<Loop> loops) {
  llvm::SmallPtrSet<Operation *, 16> own;
  for (const Loop &loop : loops)
    own.insert(loop.op);
  Block *block = loops.front().op->getBlock();
  for (Operation *op = loops.back().op; op != loops.front().op; op = op->getPrevNode())
    if (llvm::all_of(op->getUsers(), [&](Operation *user) { return own.contains(block->findAncestorOpInBlock(*user)); }))
      own.insert(op);
  return own;
}

/// Neighbouring loops become one region: another fork and join would cost 0.57 us, a barrier costs 0.36 us. Every thread computes what
/// stands between two loops for itself, in front of the second one, so that the handles and views of a deep model are not all alive at
/// once; what is used behind the loops, too, moves in front of the region.
static void lowerToOpenMP(OpBuilder &builder, ArrayRef<Loop> loops, int64_t threads) {
  Location loc = loops.front().op->getLoc();
  llvm::SmallPtrSet<Operation *, 16> own = findOwnOps(loops);
  builder.setInsertionPoint(loops.front().op);
  omp::ParallelOperands team;
  team.numThreads = arith::ConstantIntOp::create(builder, loc, threads, 32);
  auto parallel = omp::ParallelOp::create(builder, loc, team);
  builder.createBlock(&parallel.getRegion());
  builder.setInsertionPoint(omp::TerminatorOp::create(builder, loc));
  Operation *next = loops.front().op;
  for (const Loop &loop : loops) {
    while (next != loop.op) {
      Operation *op = std::exchange(next, next->getNextNode());
      if (own.contains(op))
        op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
      else
        op->moveBefore(parallel);
    }
    next = next->getNextNode();
    // The end of the region is a barrier already.
    lowerToWorksharing(builder, loop, parallel, /*barrier=*/loop.op != loops.back().op);
  }
}

//===- which loops share a region --------------------------------------------------------------------------------------------===//

/// Bytes of stack that a thread needs for the loop's body.
static int64_t countStackBytes(const Loop &loop) {
  int64_t bytes = 0;
  for (auto buffer : loop.body->getOps<memref::AllocaOp>())
    bytes += tpp::getBufferBytes(buffer.getType()).value_or(0);
  return bytes;
}

/// True when `next`, the loop that follows `loops` in the program, can be in one region with them.
static bool canJoin(ArrayRef<Loop> loops, const Loop &next) {
  Operation *op = loops.back().op;
  if (op->getBlock() != next.op->getBlock())
    return false;
  while ((op = op->getNextNode()) != next.op)
    if (!isMemoryEffectFree(op))
      return false;
  // Stack buffers live as long as the region. libomp gives a thread 4 MiB.
  // After a loop whose assertions fail nothing else may run (LowerAssertions.cpp).
  auto asserts = [](const Loop &loop) {
    return loop.op->walk([](cf::AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
  };
  if (asserts(next) || llvm::any_of(loops, asserts))
    return false;
  constexpr int64_t maxRegionStack = 1 << 18;
  int64_t bytes = countStackBytes(next);
  for (const Loop &loop : loops)
    bytes += countStackBytes(loop);
  return bytes <= maxRegionStack;
}

namespace {
struct LowerParallelLoops : public tpp::impl::LowerParallelLoopsBase<LowerParallelLoops> {
  using LowerParallelLoopsBase::LowerParallelLoopsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    SmallVector<Operation *> outermost;
    WalkResult walked = func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!matchParallelLoop(op))
        return WalkResult::advance();
      auto parallel = dyn_cast<scf::ParallelOp>(op);
      if (op->getNumResults() || (parallel && !parallel.getInitVals().empty())) {
        op->emitOpError("has results: reductions and tensors must be gone when parallel loops are lowered");
        return WalkResult::interrupt();
      }
      outermost.push_back(op);
      return WalkResult::skip();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();

    OpBuilder builder(func.getContext());
    std::vector<std::vector<Loop>> regions; // loops that share a team
    for (Operation *op : outermost) {
      Loop loop = *matchParallelLoop(op);
      bool parallel = threads > 1 && !loop.ivs.empty() && estimateLoop(loop) >= double(threads) * double(minWorkNs);
      // Loops inside first: they are plain, whoever runs them.
      SmallVector<Operation *> nested;
      WalkResult inner = op->walk<WalkOrder::PostOrder>([&](Operation *other) {
        if (other == op || !matchParallelLoop(other))
          return WalkResult::advance();
        auto reduction = dyn_cast<scf::ParallelOp>(other);
        if (other->getNumResults() || (reduction && !reduction.getInitVals().empty())) {
          other->emitOpError("has results: reductions and tensors must be gone when parallel loops are lowered");
          return WalkResult::interrupt();
        }
        nested.push_back(other);
        return WalkResult::advance();
      });
      if (inner.wasInterrupted())
        return signalPassFailure();
      for (Operation *other : nested)
        lowerToPlainLoops(builder, *matchParallelLoop(other), *loop.body);
      if (!parallel) {
        lowerToPlainLoops(builder, loop, func.getBody().front());
        continue;
      }
      if (regions.empty() || !canJoin(regions.back(), loop))
        regions.emplace_back();
      regions.back().push_back(std::move(loop));
    }
    for (ArrayRef<Loop> loops : regions)
      lowerToOpenMP(builder, loops, threads);
  }
};
} // namespace

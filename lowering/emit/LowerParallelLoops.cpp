//===- LowerParallelLoops.cpp - parallel loops to teams of threads or to plain loops ------------------------------------------===//
//
// Only outermost loops with enough work run on a team of threads. Starting and joining a team takes as long as some kernels; waking sleeping
// threads takes far longer. Code for one thread has no team at all. Consecutive parallel loops, such as the layers of a model, share one team if no
// operation between them accesses memory. A loop in a team needs less work than one alone, because a barrier is cheaper than a team.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace mlir::tpp {
#define GEN_PASS_DEF_LOWERPARALLELLOOPS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
/// An scf.forall or scf.parallel.
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

//===- estimating the work ---------------------------------------------------------------------------------------------------===//

/// The number of iterations, if the bounds are constants.
static std::optional<int64_t> countTrips(OpFoldResult lower, OpFoldResult upper, OpFoldResult step) {
  std::optional<int64_t> from = getConstantIntValue(lower), to = getConstantIntValue(upper), by = getConstantIntValue(step);
  if (!from || !to || !by || *by <= 0)
    return std::nullopt;
  return *to > *from ? llvm::divideCeil(*to - *from, *by) : 0;
}

static double estimateTrips(ArrayRef<OpFoldResult> lower, ArrayRef<OpFoldResult> upper, ArrayRef<OpFoldResult> step) {
  constexpr int64_t unknownTrips = 16;
  double trips = 1;
  for (auto [l, u, s] : llvm::zip_equal(lower, upper, step))
    trips *= static_cast<double>(countTrips(l, u, s).value_or(unknownTrips));
  return trips;
}

/// Estimated nanoseconds of a kernel, within a factor of a few, which is enough for the decision.
static double estimateInvoke(tpp::InvokeOp invoke, const tpp_machine &machine) {
  auto dispatch = invoke.getKernel().getDefiningOp<tpp::DispatchOp>();
  if (!dispatch)
    return 0;
  constexpr double cyclesPerVector = 10;
  double elementsPerNs = double(machine.vector_bytes) / sizeof(float) / cyclesPerVector * machine.clock_ghz;
  tpp::KernelWork work = cast<tpp::KernelDescAttrInterface>(dispatch.getDesc()).getWork();
  std::optional<int64_t> batch = invoke.getBatch() ? getConstantIntValue(invoke.getBatch()) : std::optional<int64_t>(1);
  return tpp::estimateFlopsNs(double(work.flops) * batch.value_or(1), machine) + double(work.elements) / elementsPerNs;
}

/// Estimated nanoseconds of one execution of `block`.
static double estimateWork(Block &block, const tpp_machine &machine) {
  constexpr double cyclesPerOp = 0.75; // loads, stores and arithmetic on vectors or scalars
  double total = 0;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      total +=
          estimateWork(*loop.getBody(), machine) *
          estimateTrips(OpFoldResult(loop.getLowerBound()), OpFoldResult(loop.getUpperBound()), OpFoldResult(loop.getStep()));
    } else if (std::optional<Loop> parallel = matchParallelLoop(&op)) {
      total += estimateWork(*parallel->body, machine) * estimateTrips(parallel->lower, parallel->upper, parallel->step);
    } else if (auto invoke = dyn_cast<tpp::InvokeOp>(op)) {
      total += estimateInvoke(invoke, machine);
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          total += estimateWork(nested, machine);
      if (!isMemoryEffectFree(&op) || llvm::any_of(op.getResultTypes(), llvm::IsaPred<VectorType, FloatType>))
        total += cyclesPerOp / machine.clock_ghz;
    }
  }
  return total;
}

static double estimateLoop(const Loop &loop, const tpp_machine &machine) {
  if (auto work = loop.op->getAttrOfType<IntegerAttr>(tpp::kWorkNsAttr))
    return double(work.getInt());
  return estimateWork(*loop.body, machine) * estimateTrips(loop.lower, loop.upper, loop.step);
}

//===- lowering --------------------------------------------------------------------------------------------------------------===//

/// Moves stack buffers of `from` to the start of `to`, so that they are allocated once instead of in each iteration.
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

/// Moves the operations of the loop's body, except the terminator, to `position` in `target`; `ivs` replace the induction variables.
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

/// The number of iterations from `lower` to `upper`, as an index; a constant if the bounds are.
static Value createTrips(OpBuilder &builder, Location loc, OpFoldResult lower, OpFoldResult upper, OpFoldResult step) {
  auto trips = countTrips(lower, upper, step);
  if (trips)
    return arith::ConstantIndexOp::create(builder, loc, *trips);
  Value from = getValueOrCreateConstantIndexOp(builder, loc, lower), to = getValueOrCreateConstantIndexOp(builder, loc, upper),
        by = getValueOrCreateConstantIndexOp(builder, loc, step);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value length = arith::MaxSIOp::create(builder, loc, arith::SubIOp::create(builder, loc, to, from), zero);
  Value rounded = arith::AddIOp::create(builder, loc, length, arith::SubIOp::create(builder, loc, by, one));
  return arith::DivUIOp::create(builder, loc, rounded, by);
}

/// Replaces the loop, which is moved to `builder`'s insertion point in `team`, with one over this thread's part: consecutive iterations, as
/// many as those of any other thread or one more.
static void lowerToPart(OpBuilder &builder, const Loop &loop, tpp::TeamOp team) {
  Location loc = loop.op->getLoc();
  Value thread = team.getBody().getArgument(0), threads = team.getBody().getArgument(1);
  SmallVector<Value> trips;
  Value total;
  for (auto [lower, upper, step] : llvm::zip_equal(loop.lower, loop.upper, loop.step)) {
    trips.push_back(createTrips(builder, loc, lower, upper, step));
    total = total ? builder.createOrFold<arith::MulIOp>(loc, total, trips.back()) : trips.back();
  }
  Value share = arith::DivUIOp::create(builder, loc, total, threads), rest = arith::RemUIOp::create(builder, loc, total, threads);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value before = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, thread, share),
                                       arith::MinUIOp::create(builder, loc, thread, rest));
  Value hasMore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread, rest);
  Value more = arith::SelectOp::create(builder, loc, hasMore, arith::AddIOp::create(builder, loc, share, one), share);
  Value end = arith::AddIOp::create(builder, loc, before, more);
  auto part = scf::ForOp::create(builder, loc, before, end, one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(part.getBody());
    Value number = part.getInductionVar();
    SmallVector<Value> ivs(trips.size());
    for (size_t i = trips.size(); i-- > 0;) {
      Value position = number;
      if (i > 0) {
        position = arith::RemUIOp::create(builder, loc, number, trips[i]);
        number = arith::DivUIOp::create(builder, loc, number, trips[i]);
      }
      auto scaled =
          builder.createOrFold<arith::MulIOp>(loc, position, getValueOrCreateConstantIndexOp(builder, loc, loop.step[i]));
      ivs[i] = builder.createOrFold<arith::AddIOp>(loc, scaled, getValueOrCreateConstantIndexOp(builder, loc, loop.lower[i]));
    }
    hoistStackBuffers(*loop.body, team.getBody().front());
    moveBody(loop, *part.getBody(), part.getBody()->getTerminator()->getIterator(), ivs);
  }
  loop.op->erase();
}

/// `loops`, and the operations between the first and the last of them that are used only by these loops: views and kernel handles.
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

/// Lowers consecutive loops to one team, if a barrier costs less than another team. Every thread computes the operations
/// between two loops itself, before the second loop, so that the handles and views of a deep model are not all live at once. Operations that
/// are also used after the loops are moved before the team.
static void lowerToTeam(OpBuilder &builder, ArrayRef<Loop> loops, int64_t threads) {
  Location loc = loops.front().op->getLoc();
  llvm::SmallPtrSet<Operation *, 16> own = findOwnOps(loops);
  builder.setInsertionPoint(loops.front().op);
  auto team = tpp::TeamOp::create(builder, loc, static_cast<int32_t>(threads));
  builder.createBlock(&team.getBody(), {}, {builder.getIndexType(), builder.getIndexType()}, {loc, loc});
  builder.setInsertionPoint(tpp::TeamEndOp::create(builder, loc));
  Operation *next = loops.front().op;
  for (const Loop &loop : loops) {
    while (next != loop.op) {
      Operation *op = std::exchange(next, next->getNextNode());
      if (own.contains(op))
        op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
      else
        op->moveBefore(team);
    }
    next = next->getNextNode();
    lowerToPart(builder, loop, team);
    // The last loop needs no barrier: the team ends when all its threads have.
    if (&loop != &loops.back())
      tpp::TeamBarrierOp::create(builder, loc);
  }
}

//===- which loops share a team ----------------------------------------------------------------------------------------------===//

/// Bytes of stack that a thread needs for the loop's body.
static int64_t countStackBytes(const Loop &loop) {
  int64_t bytes = 0;
  for (auto buffer : loop.body->getOps<memref::AllocaOp>())
    bytes += tpp::getBufferBytes(buffer.getType()).value_or(0);
  return bytes;
}

/// Whether `next`, the loop that follows `loops` in the program, can share a team with them.
static bool canJoin(ArrayRef<Loop> loops, const Loop &next) {
  Operation *op = loops.back().op;
  if (op->getBlock() != next.op->getBlock())
    return false;
  while ((op = op->getNextNode()) != next.op)
    if (!isMemoryEffectFree(op))
      return false;
  // After a loop with a failed assertion, nothing else may run (LowerAssertions.cpp).
  auto asserts = [](const Loop &loop) {
    return loop.op->walk([](cf::AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
  };
  if (asserts(next) || llvm::any_of(loops, asserts))
    return false;
  // Stack buffers live as long as the team. A thread of OpenMP's library may have a stack of 4 MiB only.
  constexpr int64_t maxTeamStack = 1 << 18;
  int64_t bytes = countStackBytes(next);
  for (const Loop &loop : loops)
    bytes += countStackBytes(loop);
  return bytes <= maxTeamStack;
}

/// Makes a parallel loop that reduces values one sequential loop for each dimension. A sum of floats in another order would have another rounding.
static void lowerReduction(scf::ParallelOp op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(), op.getInitVals(),
      [&](OpBuilder &builder, Location, ValueRange ivs, ValueRange reduced) -> scf::ValueVector {
        IRMapping mapping;
        mapping.map(op.getInductionVars(), ivs);
        for (Operation &inner : op.getBody()->without_terminator())
          builder.clone(inner, mapping);
        scf::ValueVector results;
        for (auto [combine, operand, value] : llvm::zip_equal(reduce.getReductions(), reduce.getOperands(), reduced)) {
          Block &block = combine.front();
          mapping.map(block.getArgument(0), value);
          mapping.map(block.getArgument(1), mapping.lookupOrDefault(operand));
          for (Operation &inner : block.without_terminator())
            builder.clone(inner, mapping);
          results.push_back(mapping.lookupOrDefault(block.getTerminator()->getOperand(0)));
        }
        return results;
      });
  rewriter.replaceOp(op, nest.results);
}

namespace {
struct LowerParallelLoops : public tpp::impl::LowerParallelLoopsBase<LowerParallelLoops> {
  using LowerParallelLoopsBase::LowerParallelLoopsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    IRRewriter rewriter(func.getContext());
    func.walk([&](scf::ParallelOp op) { // the inner ones first
      if (op.getNumResults())
        lowerReduction(op, rewriter);
    });
    WalkResult checked = func.walk([](scf::ForallOp op) -> WalkResult {
      if (op.getNumResults())
        return op.emitOpError("has results: tensors must be buffers when parallel loops are lowered");
      return WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    std::vector<Loop> outermost;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::optional<Loop> loop = matchParallelLoop(op);
      if (!loop)
        return WalkResult::advance();
      outermost.push_back(std::move(*loop));
      return WalkResult::skip();
    });

    tpp_machine machine = tpp::getTarget(func).getMachine();
    // The least work for which threads share loops, if a team or a barrier costs `ns`: sharing must save several times the cost, because the work is
    // an estimate, and give every thread more work than the cost.
    auto getLeastWork = [&, count = double(threads)](double ns) {
      constexpr double worth = 4;
      return minWorkNs > 0 ? count * double(minWorkNs) : ns * std::max(worth / (1 - 1 / count), count);
    };
    double barrierNs = std::min(machine.barrier_ns, machine.fork_ns);
    std::vector<std::vector<Loop>> runs; // loops that could share a team
    DenseMap<Operation *, double> works;
    double total = 0;
    if (threads > 1)
      for (const Loop &loop : outermost)
        total += works[loop.op] = estimateLoop(loop, machine);
    // Between calls, threads may have gone to sleep. Waking them takes tens of times as long as a team of threads that wait.
    constexpr double wakeForks = 20;
    bool sharesLoops = threads > 1 && (minWorkNs > 0 || total >= double(threads) * wakeForks * machine.fork_ns);
    for (Loop &loop : outermost) {
      // Nested loops are lowered first. They always become plain loops.
      std::vector<Loop> nested;
      loop.op->walk<WalkOrder::PostOrder>([&](Operation *other) {
        if (std::optional<Loop> found = matchParallelLoop(other); found && other != loop.op)
          nested.push_back(std::move(*found));
      });
      for (Loop &other : nested)
        lowerToPlainLoops(rewriter, std::move(other), *loop.body);
      if (!sharesLoops || loop.ivs.empty())
        lowerToPlainLoops(rewriter, std::move(loop), func.getBody().front());
      else if (runs.empty() || machine.barrier_ns >= machine.fork_ns || !canJoin(runs.back(), loop))
        runs.push_back({std::move(loop)});
      else
        runs.back().push_back(std::move(loop));
    }
    for (ArrayRef<Loop> run : runs) {
      // A small loop between others is shared, too, since a barrier costs less than another team.
      auto isSmall = [&](const Loop &loop) { return works.lookup(loop.op) < getLeastWork(barrierNs); };
      ArrayRef<Loop> team = run.drop_while(isSmall);
      while (!team.empty() && isSmall(team.back()))
        team = team.drop_back();
      double work = 0;
      for (const Loop &loop : team)
        work += works.lookup(loop.op);
      if (team.empty() || work < getLeastWork(machine.fork_ns + barrierNs * double(team.size() - 1)))
        team = run.take_front(0);
      for (const Loop &loop : ArrayRef(run.begin(), team.begin()))
        lowerToPlainLoops(rewriter, loop, func.getBody().front());
      if (!team.empty())
        lowerToTeam(rewriter, team, threads);
      for (const Loop &loop : ArrayRef(team.end(), run.end()))
        lowerToPlainLoops(rewriter, loop, func.getBody().front());
    }
  }
};
} // namespace

// See Bands.h.
#include "lowering/tile/Bands.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Cost.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tpp {

int64_t BandPlan::countImages() const {
  int64_t count = 1;
  for (const BandAxis &axis : stages.back().images)
    count *= axis.outExtent;
  return count;
}

SmallVector<BandRows> BandPlan::getRows(int64_t band) const {
  SmallVector<BandRows> all(stages.size());
  int64_t first = band * blockRows, rows = std::min(blockRows, stages.back().rows.outExtent - first);
  for (size_t i = stages.size(); i-- > 0;) {
    const BandAxis &axis = stages[i].rows;
    int64_t start = first * axis.step + axis.start;
    Window window = getWindow(start, (rows - 1) * axis.step + axis.reach + 1, axis.inExtent);
    all[i] = {first, rows, window.before, start + window.before, window.size};
    first = all[i].inFirst, rows = all[i].inRows;
  }
  return all;
}

//===- chains ----------------------------------------------------------------------------------------------------------------===//

// The dimension `outDim` of C as a band's axis; nullopt if rows of C need more than some neighbouring rows of the operand `image`.
static std::optional<BandAxis> getAxis(ContractOp op, unsigned image, unsigned outDim) {
  SmallVector<AffineMap> maps = op.getMaps();
  ArrayRef<int64_t> extents = op.getExtents();
  auto dim = dyn_cast<AffineDimExpr>(maps[2].getResult(outDim));
  if (!dim)
    return std::nullopt;
  unsigned loop = dim.getPosition();
  if (findDim(maps[2], loop) != int64_t(outDim) || maps[1 - image].isFunctionOfDim(loop))
    return std::nullopt;
  for (AffineMap map : ArrayRef(maps).drop_front(3))
    if (map.isFunctionOfDim(loop) && !findDim(map, loop))
      return std::nullopt;
  BandAxis axis{loop, outDim, 0, extents[loop], 0, 0, 0, 0};
  for (auto [position, expr] : llvm::enumerate(maps[image].getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    std::optional<LinearExpr> linear = getLinearExpr(expr, maps[image].getNumDims());
    if (axis.step != 0 || !linear || linear->coefficients[loop] < 1)
      return std::nullopt;
    axis.inDim = position, axis.step = linear->coefficients[loop], axis.start = linear->constant;
    for (auto [other, coefficient] : llvm::enumerate(linear->coefficients)) {
      if (other == loop || coefficient == 0)
        continue;
      if (coefficient < 0 || maps[2].isFunctionOfDim(other)) // rows read backwards, or in groups
        return std::nullopt;
      axis.reach += coefficient * (extents[other] - 1);
    }
  }
  axis.inExtent = cast<ShapedType>(op->getOperand(image).getType()).getDimSize(axis.inDim);
  return axis.step == 0 ? std::nullopt : std::optional(axis);
}

// Whether C's map reaches each element of C.
static bool writesAll(ContractOp op) {
  int64_t points = 1;
  for (auto [loop, extent] : llvm::enumerate(op.getExtents()))
    points *= op.getMaps()[2].isFunctionOfDim(loop) ? extent : 1;
  return points == cast<ShapedType>(op.getInit().getType()).getNumElements();
}

// The contraction that alone reads what `op` writes to a buffer, and in which operand; null if there is none in the same block.
static std::pair<ContractOp, unsigned> findReader(ContractOp op) {
  auto buffer = op.getInit().getDefiningOp<memref::AllocOp>();
  if (!buffer || op.getBeta() != 0 || op.getWinograd() || !buffer.getType().hasStaticShape() || !writesAll(op))
    return {};
  OpOperand *read = nullptr;
  for (OpOperand &use : buffer->getUses()) {
    if (use.getOwner() == op && op.isDpsInit(&use))
      continue;
    if (isa<memref::DeallocOp>(use.getOwner()))
      continue;
    if (read)
      return {};
    read = &use;
  }
  auto reader = read ? dyn_cast<ContractOp>(read->getOwner()) : ContractOp();
  if (!reader || reader->getBlock() != op->getBlock() || !op->isBeforeInBlock(reader) || reader.getWinograd() ||
      read->getOperandNumber() > 1)
    return {};
  return {reader, read->getOperandNumber()};
}

// Whether a buffer, as getBuffer() returns it, is known not to overlap other buffers.
static bool isDistinct(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, memref::GetGlobalOp>(buffer.getDefiningOp());
}

// Whether all stages can be computed in bands where the last one stands: nothing between writes to what they read, and bands of the last output do not
// overwrite what later bands read.
static bool canMove(ArrayRef<std::pair<ContractOp, unsigned>> chain) {
  ContractOp last = chain.back().first;
  Value result = getBuffer(last.getInit());
  SmallVector<AffineMap> lastMaps = last.getMaps();
  llvm::DenseSet<Operation *> members;
  llvm::DenseSet<Value> read;
  for (auto [op, image] : chain) {
    members.insert(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (op.isDpsInit(&operand))
        continue;
      Value buffer = getBuffer(operand.get());
      if (!isDistinct(buffer))
        return false;
      bool inPlace = op == last && operand.get() == last.getInit() && lastMaps[operand.getOperandNumber()] == lastMaps[2];
      if (buffer == result && !inPlace)
        return false;
      read.insert(buffer);
    }
  }
  if (!isDistinct(result))
    return false;
  for (Operation *op = chain.front().first; op != last; op = op->getNextNode()) {
    if (members.contains(op) || isMemoryEffectFree(op))
      continue;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
    if (!effects)
      return false;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (isa<MemoryEffects::Read, MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      if (!effect.getValue() || read.contains(getBuffer(effect.getValue())))
        return false;
    }
  }
  return true;
}

//===- costs -----------------------------------------------------------------------------------------------------------------===//

namespace {
int64_t getBytes(Value buffer) { return getBufferBytes(cast<ShapedType>(buffer.getType())).value_or(0); }

// Chooses how many rows a band has, and estimates what it saves.
class Planner {
public:
  Planner(ArrayRef<std::pair<ContractOp, unsigned>> chain, const tpp_machine &machine, int64_t threads)
      : chain(chain), machine(machine), threads(threads) {}

  // The best plan; its savedNs is 0 if there is none.
  BandPlan choose() {
    BandPlan best;
    ContractOp last = chain.back().first;
    unsigned rank = last.getMaps()[2].getNumResults();
    for (unsigned dim = 0; dim < rank; ++dim) {
      SmallVector<BandAxis> axes = traceAxis(dim);
      if (axes.empty() || axes.back().outExtent == 1)
        continue;
      BandPlan plan = makePlan(axes);
      if (plan.savedNs > best.savedNs)
        best = plan;
      if (llvm::all_of(axes, [](const BandAxis &axis) { return axis.isPointwise(); }))
        images.push_back(axes);
    }
    return best;
  }

private:
  // The axis of each stage for a dimension of the last output; empty if there is none.
  SmallVector<BandAxis> traceAxis(unsigned dim) const {
    SmallVector<BandAxis> axes(chain.size());
    for (size_t i = chain.size(); i-- > 0;) {
      std::optional<BandAxis> axis = getAxis(chain[i].first, chain[i].second, dim);
      if (!axis)
        return {};
      axes[i] = *axis;
      dim = axis->inDim;
    }
    return axes;
  }

  BandPlan makePlan(ArrayRef<BandAxis> axes) const {
    BandPlan plan;
    for (auto [i, stage] : llvm::enumerate(chain)) {
      plan.stages.push_back({stage.first, stage.second, axes[i], {}});
      for (ArrayRef<BandAxis> other : images)
        plan.stages.back().images.push_back(other[i]);
    }
    int64_t height = axes.back().outExtent, count = plan.countImages(), tooMany = height + 1;
    plan.blockRows = 1;
    if (!isHeld(plan))
      return {};
    for (int64_t rows = height; tooMany - plan.blockRows > 1; rows = (plan.blockRows + tooMany) / 2) {
      BandPlan higher = plan;
      higher.blockRows = rows;
      (isHeld(higher) ? plan.blockRows : tooMany) = rows;
    }
    int64_t fewest = plan.countBands();
    if (threads > 1) {
      int64_t bands = chooseBlockCount(fewest, std::min(height, fewest + 2 * threads), [&](int64_t number) {
        return getLargestShare({{count, 1}, {height, int64_t(llvm::divideCeil(height, number))}}, threads);
      });
      plan.blockRows = llvm::divideCeil(height, bands);
    } else {
      plan.blockRows = llvm::divideCeil(height, fewest);
    }
    plan.savedNs = estimateSaved(plan);
    return plan;
  }

  // Whether three quarters of L2 hold a band that is at no border: all values, and the other operands.
  bool isHeld(const BandPlan &plan) const {
    int64_t rows = plan.blockRows, bytes = getRowsBytes(plan.stages.back(), /*output=*/true, rows);
    for (const BandStage &stage : llvm::reverse(plan.stages)) {
      rows = std::min((rows - 1) * stage.rows.step + stage.rows.reach + 1, stage.rows.inExtent);
      bytes += getRowsBytes(stage, /*output=*/false, rows) + getBytes(stage.op->getOperand(1 - stage.image));
    }
    return bytes <= machine.l2_bytes / 4 * 3;
  }
  // Bytes of some rows of a stage's image or output.
  static int64_t getRowsBytes(const BandStage &stage, bool output, int64_t rows) {
    int64_t parts = output ? stage.rows.outExtent : stage.rows.inExtent;
    for (const BandAxis &axis : stage.images)
      parts *= axis.outExtent;
    return getBytes(stage.op->getOperand(output ? 2 : stage.image)) / parts * rows;
  }

  // Nanoseconds. 0 if there is only one band, or one that reads padding only.
  double estimateSaved(const BandPlan &plan) const {
    if (plan.countBands() * plan.countImages() == 1)
      return 0;
    double saved = 0, extra = 0;
    // Without bands, a value that L2 does not hold is written to the next level and read from it. The next contraction hides one of the two.
    for (const BandStage &stage : ArrayRef(plan.stages).drop_front()) {
      int64_t bytes = getBytes(stage.op->getOperand(stage.image));
      if (2 * bytes > machine.l2_bytes * threads)
        saved += static_cast<double>(bytes) / (2 * bytes <= machine.l3_bytes ? machine.l3_gbs : machine.memory_gbs);
    }
    // With them, rows at the borders of bands are computed twice, and weights are read again for each band.
    SmallVector<int64_t> computed(plan.stages.size());
    for (int64_t band = 0; band < plan.countBands(); ++band)
      for (auto [total, rows] : llvm::zip_equal(computed, plan.getRows(band))) {
        if (rows.inRows == 0)
          return 0;
        total += rows.rows;
      }
    double bands = static_cast<double>(plan.countBands() * plan.countImages());
    for (auto [stage, rows] : llvm::zip_equal(plan.stages, computed)) {
      ContractOp op = stage.op;
      constexpr double share = 0.5; // of the arithmetic limit
      double again = static_cast<double>(rows) / static_cast<double>(stage.rows.outExtent) - 1;
      extra += again * estimateFlopsNs(static_cast<double>(op.getFlops()), machine) / share;
      extra += bands * static_cast<double>(getBytes(stage.op->getOperand(1 - stage.image))) / machine.l2_gbs;
    }
    return saved - extra;
  }

  ArrayRef<std::pair<ContractOp, unsigned>> chain;
  const tpp_machine &machine;
  int64_t threads;
  SmallVector<SmallVector<BandAxis>> images; // pointwise dimensions before the rows
};

// Plans the best part of a chain, then what is left before and behind it.
void planChain(ArrayRef<std::pair<ContractOp, unsigned>> chain, const tpp_machine &machine, int64_t threads,
               SmallVectorImpl<BandPlan> &plans) {
  constexpr size_t mostStages = 4;
  BandPlan best;
  size_t bestBegin = 0;
  for (size_t begin = 0; begin < chain.size(); ++begin)
    for (size_t count = 2; count <= mostStages && begin + count <= chain.size(); ++count) {
      SmallVector<std::pair<ContractOp, unsigned>> part(chain.slice(begin, count));
      if (!canMove(part))
        continue;
      for (unsigned image : {0, 1}) {
        part.front().second = image;
        BandPlan plan = Planner(part, machine, threads).choose();
        if (plan.savedNs > best.savedNs)
          best = std::move(plan), bestBegin = begin;
      }
    }
  if (best.savedNs <= 0)
    return;
  size_t end = bestBegin + best.stages.size();
  planChain(chain.take_front(bestBegin), machine, threads, plans);
  plans.push_back(std::move(best));
  planChain(chain.drop_front(end), machine, threads, plans);
}
} // namespace

SmallVector<BandPlan> planBands(Block &block, const tpp_machine &machine, int64_t threads) {
  SmallVector<BandPlan> plans;
  llvm::DenseSet<Operation *> seen;
  for (ContractOp op : block.getOps<ContractOp>()) {
    if (seen.contains(op))
      continue;
    std::pair<ContractOp, unsigned> next = findReader(op);
    if (!next.first)
      continue;
    SmallVector<std::pair<ContractOp, unsigned>> chain = {{op, 0}}; // either operand may be the image of the first
    for (; next.first; next = findReader(next.first)) {
      chain.push_back(next);
      seen.insert(next.first);
    }
    planChain(chain, machine, threads, plans);
  }
  return plans;
}

} // namespace mlir::tpp

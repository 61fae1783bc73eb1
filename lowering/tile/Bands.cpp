// See Bands.h.
#include "lowering/tile/Bands.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Cost.h"
#include "lowering/tile/StridedLoops.h"
#include "lowering/tile/ThreadShares.h"
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
    if (window.size == 0) // it reads padding only: what the stages before compute is not defined
      break;
    first = all[i].inFirst, rows = all[i].inRows;
  }
  return all;
}

SmallVector<int64_t> BandPlan::getRuns() const {
  auto areAlike = [](const BandRows &x, const BandRows &y) {
    return x.rows == y.rows && x.before == y.before && x.inRows == y.inRows;
  };
  SmallVector<int64_t> runs;
  SmallVector<BandRows> previous;
  for (int64_t band = 0; band < countBands(); ++band) {
    SmallVector<BandRows> rows = getRows(band);
    if (!llvm::equal(previous, rows, areAlike))
      runs.push_back(band);
    previous = std::move(rows);
  }
  return runs;
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
  if (axis.step == 0)
    return std::nullopt;
  axis.inExtent = cast<ShapedType>(op->getOperand(image).getType()).getDimSize(axis.inDim);
  return axis;
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
  if (!buffer || op.getBeta() != 0 || op.getWinograd() || llvm::is_contained(op.getExtents(), 0) || !writesAll(op))
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

// Whether all stages can be computed in bands at the place of the last one: nothing between writes to what the others read, and bands of the last output
// do not overwrite what later bands read.
static bool canMove(ArrayRef<std::pair<ContractOp, unsigned>> chain) {
  ContractOp last = chain.back().first;
  Value result = getBuffer(last.getInit());
  SmallVector<AffineMap> lastMaps = last.getMaps();
  llvm::DenseSet<Operation *> members;
  llvm::DenseSet<Value> read;
  for (auto [op, image] : chain) {
    members.insert(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!getStaticStrides(cast<ShapedType>(operand.get().getType())))
        return false;
      if (op.isDpsInit(&operand))
        continue;
      Value buffer = getBuffer(operand.get());
      if (!isDistinct(buffer))
        return false;
      bool inPlace = op == last && operand.get() == last.getInit() && lastMaps[operand.getOperandNumber()] == lastMaps[2];
      if (buffer == result && !inPlace)
        return false;
      if (op != last)
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
      Value written = effect.getValue() ? getBuffer(effect.getValue()) : Value();
      if (!written || !isDistinct(written) || read.contains(written))
        return false;
    }
  }
  return true;
}

//===- costs -----------------------------------------------------------------------------------------------------------------===//

namespace {
// Chooses how many rows a band has, and estimates what it saves.
class BandPlanner {
public:
  BandPlanner(ArrayRef<std::pair<ContractOp, unsigned>> chain, const tpp_machine &machine, int64_t threads)
      : chain(chain), machine(machine), threads(threads) {}

  // The best plan; its savedNs is 0 if there is none.
  BandPlan choose() {
    BandPlan best;
    ContractOp last = chain.back().first;
    unsigned rank = last.getMaps()[2].getNumResults();
    for (unsigned dim = 0; dim < rank; ++dim) {
      SmallVector<BandAxis> axes = traceAxis(dim);
      if (axes.empty() || axes.back().outExtent <= 1)
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
    int64_t height = axes.back().outExtent, tooMany = height + 1;
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
      int64_t bands = chooseBlockCount(fewest, std::min(height, fewest + 2 * threads),
                                       [&](int64_t number) { return getShare(plan, number); });
      plan.blockRows = llvm::divideCeil(height, bands);
    } else {
      plan.blockRows = llvm::divideCeil(height, fewest);
    }
    estimate(plan);
    return plan;
  }

  // Whether three quarters of L2 hold a band that is at no border: what all stages read of their operands, and the rows of the last output.
  bool isHeld(const BandPlan &plan) const {
    int64_t rows = plan.blockRows, bytes = 0;
    for (const BandStage &stage : llvm::reverse(plan.stages)) {
      const int64_t inRows = std::min((rows - 1) * stage.rows.step + stage.rows.reach + 1, stage.rows.inExtent);
      for (unsigned operand = 0; operand < stage.op->getNumOperands(); ++operand)
        if (operand != 2 || &stage == &plan.stages.back()) // other outputs are the image of the next stage
          bytes += getBandBytes(stage, operand, operand == stage.image ? inRows : rows);
      rows = inRows;
    }
    return bytes <= machine.l2_bytes / 4 * 3;
  }
  // Bytes of an operand that a stage accesses for some rows of it. Operands are in the order of the maps: A, B, C, those of post-ops.
  static int64_t getBandBytes(const BandStage &stage, unsigned operand, int64_t rows) {
    ContractOp op = stage.op;
    AffineMap map = op.getMaps()[operand];
    int64_t parts = 1;
    for (const BandAxis &axis : stage.images)
      parts *= map.isFunctionOfDim(axis.loop) ? axis.outExtent : 1;
    const bool hasRows = map.isFunctionOfDim(stage.rows.loop);
    parts *= !hasRows ? 1 : operand == stage.image ? stage.rows.inExtent : stage.rows.outExtent;
    return getValueBytes(op->getOperand(operand)) / parts * (hasRows ? rows : 1);
  }

  // Sets the estimated times of a plan. It saves nothing if there is only one band, if a band reads padding only, or if bands differ in more ways than those
  // at the borders of images do: each way is code of its own.
  void estimate(BandPlan &plan) const {
    constexpr size_t mostRuns = 8;
    const int64_t bands = plan.countBands(), all = bands * plan.countImages();
    if (all == 1 || plan.getRuns().size() > mostRuns)
      return;
    SmallVector<int64_t> computed(plan.stages.size());
    for (int64_t band = 0; band < bands; ++band)
      for (auto [total, part] : llvm::zip_equal(computed, plan.getRows(band))) {
        if (part.inRows == 0)
          return;
        total += part.rows;
      }
    double saved = 0, extra = 0;
    // Without bands, a value that is larger than half of L2 is written to the next level and read from it. The next contraction hides one of the two.
    for (const BandStage &stage : ArrayRef(plan.stages).drop_front()) {
      int64_t bytes = getValueBytes(stage.op->getOperand(stage.image));
      if (2 * bytes > machine.l2_bytes * threads)
        saved += static_cast<double>(bytes) / (2 * bytes <= machine.l3_bytes ? machine.l3_gbs : machine.memory_gbs);
    }
    // With them, rows at the borders of bands are computed twice, weights are read again for each band, and some threads may have more bands than others.
    for (auto [stage, rows] : llvm::zip_equal(plan.stages, computed)) {
      ContractOp op = stage.op;
      double onceNs = estimateContractionNs(op.getFlops(), machine),
             ns = onceNs * static_cast<double>(rows) / static_cast<double>(stage.rows.outExtent);
      plan.workNs += ns;
      extra += ns - onceNs;
      extra += static_cast<double>(all) * static_cast<double>(getValueBytes(op->getOperand(1 - stage.image))) / machine.l2_gbs;
    }
    if (threads > 1)
      extra += (getShare(plan, bands) - 1) * plan.workNs;
    plan.savedNs = saved - extra;
  }
  // How much the busiest thread has to do, relative to an equal share, with this number of bands.
  double getShare(const BandPlan &plan, int64_t bands) const {
    const int64_t height = plan.stages.back().rows.outExtent;
    return getLargestShare({{plan.countImages(), 1}, {height, static_cast<int64_t>(llvm::divideCeil(height, bands))}}, threads);
  }

  ArrayRef<std::pair<ContractOp, unsigned>> chain;
  const tpp_machine &machine;
  int64_t threads;
  SmallVector<SmallVector<BandAxis>> images; // pointwise dimensions before the rows
};

// Plans the part of a chain that saves most time, then the parts before and after it.
void planChain(ArrayRef<std::pair<ContractOp, unsigned>> chain, const tpp_machine &machine, int64_t threads,
               llvm::DenseSet<Operation *> &planned, SmallVectorImpl<BandPlan> &plans) {
  constexpr size_t mostStages = 4;
  BandPlan best;
  size_t bestBegin = 0;
  for (size_t begin = 0; begin < chain.size(); ++begin)
    for (size_t count = 2; count <= mostStages && begin + count <= chain.size(); ++count) {
      SmallVector<std::pair<ContractOp, unsigned>> part(chain.slice(begin, count));
      if (llvm::any_of(part, [&](auto &stage) { return planned.contains(stage.first); }) || !canMove(part))
        continue;
      for (unsigned image : {0, 1}) {
        part.front().second = image;
        BandPlan plan = BandPlanner(part, machine, threads).choose();
        if (plan.savedNs > best.savedNs)
          best = std::move(plan), bestBegin = begin;
      }
    }
  if (best.savedNs <= 0)
    return;
  size_t end = bestBegin + best.stages.size();
  for (const BandStage &stage : best.stages)
    planned.insert(stage.op);
  plans.push_back(std::move(best));
  planChain(chain.take_front(bestBegin), machine, threads, planned, plans);
  planChain(chain.drop_front(end), machine, threads, planned, plans);
}
} // namespace

SmallVector<BandPlan> planBands(Block &block, const tpp_machine &machine, int64_t threads) {
  SmallVector<BandPlan> plans;
  llvm::DenseSet<Operation *> seen, planned; // a contraction of two outputs is in the chains of both
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
    planChain(chain, machine, threads, planned, plans);
  }
  return plans;
}

} // namespace mlir::tpp

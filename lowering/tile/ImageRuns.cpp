// See ImageRuns.h.
#include "lowering/tile/ImageRuns.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Cost.h"
#include "lowering/tile/Bands.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace mlir::tpp {

llvm::SetVector<Value> ImageRun::getInner() const {
  llvm::DenseSet<Operation *> members;
  for (const ImageOp &image : ops)
    members.insert(image.op);
  llvm::SetVector<Value> inner;
  for (const ImageOp &image : ops) {
    Value buffer = image.getOutput();
    if (buffer.getDefiningOp<memref::AllocOp>() &&
        allUsers(buffer, [&](Operation *user) { return members.contains(user) || isa<memref::DeallocOp>(user); }))
      inner.insert(buffer);
  }
  return inner;
}

//===- operations ------------------------------------------------------------------------------------------------------------===//

namespace {

// Whether `op` reduces rows, such as a softmax or a layer norm. tpp-split-rows and tpp-fuse-row-loops compute such operations with their neighbours.
bool reducesRows(Operation *operation) {
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  if (!op)
    return false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isReduced = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && iterators[dim.getPosition()] == utils::IteratorType::reduction;
  };
  return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) { // but not the window of a pooling, which has no rows
    return map.getNumResults() > 0 && isReduced(map.getResults().back()) && !llvm::all_of(map.getResults(), isReduced);
  });
}

// The dimension of a view with which its buffer's `images` equal parts are counted; null if no dimension does.
std::optional<unsigned> findImages(Value view, int64_t images) {
  auto type = cast<MemRefType>(view.getType());
  auto bufferType = dyn_cast<MemRefType>(getBuffer(view).getType());
  if (!bufferType || !bufferType.hasStaticShape() || !bufferType.getLayout().isIdentity())
    return std::nullopt;
  // A buffer of fewer images is a smaller buffer of the same strides.
  auto first = llvm::find_if(bufferType.getShape(), [](int64_t extent) { return extent != 1; });
  SmallVector<int64_t> strides;
  int64_t last = 0; // the last element of the first image
  if (first == bufferType.getShape().end() || *first % images != 0 || failed(type.getStridesAndOffset(strides, last)) ||
      ShapedType::isDynamic(last) || llvm::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return std::nullopt; // a dynamic stride is negative, too
  const int64_t image = bufferType.getNumElements() / images;
  std::optional<unsigned> found;
  for (auto [dim, stride, extent] : llvm::enumerate(strides, type.getShape())) {
    const bool counts = extent % images == 0 && stride * (extent / images) == image;
    if (counts)
      found = dim;
    last += stride * ((counts ? extent / images : extent) - 1);
  }
  return last < image ? found : std::nullopt;
}

// How `op` computes the images of a batch; null if an image of its output is not computed from that image of its operands.
std::optional<ImageOp> getImageOp(Operation *op, int64_t images) {
  std::optional<BufferNest> nest = getBufferNest(op);
  if (!nest || reducesRows(op))
    return std::nullopt;
  // The loop over images, as the operand's only index in the dimension of its images.
  auto findLoop = [&](unsigned operand) -> std::optional<unsigned> {
    auto type = dyn_cast<MemRefType>(op->getOperand(operand).getType());
    std::optional<unsigned> dim = type ? findImages(op->getOperand(operand), images) : std::nullopt;
    if (!dim)
      return std::nullopt;
    auto loop = dyn_cast<AffineDimExpr>(nest->maps[operand].getResult(*dim));
    if (!loop || findDim(nest->maps[operand], loop.getPosition()) != int64_t(*dim) ||
        nest->extents[loop.getPosition()] != type.getDimSize(*dim))
      return std::nullopt;
    return loop.getPosition();
  };
  std::optional<unsigned> loop = findLoop(nest->output);
  if (!loop)
    return std::nullopt;
  ImageOp image{op, *nest, *loop, {}};
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    auto type = dyn_cast<MemRefType>(op->getOperand(operand).getType());
    image.buffers.push_back(Value());
    if (!type && isa<BaseMemRefType>(op->getOperand(operand).getType()))
      return std::nullopt;
    if (!type)
      continue;
    if (!isDistinct(getBuffer(op->getOperand(operand))) || !getStaticStrides(type))
      return std::nullopt;
    if (findLoop(operand) == loop)
      image.buffers.back() = getBuffer(op->getOperand(operand));
    else if (!canCut(op, *nest, operand, *loop))
      return std::nullopt;
  }
  return image;
}

//===- costs -----------------------------------------------------------------------------------------------------------------===//

// The best runs of consecutive operations for one number of images.
class ImageRunPlanner {
public:
  // `banded`: the buffers that tpp-fuse-bands makes so small that L2 holds them.
  ImageRunPlanner(int64_t images, const llvm::DenseSet<Value> &banded, const tpp_machine &machine, int64_t threads)
      : images(images), banded(banded), machine(machine), threads(threads) {}

  void add(ImageOp image) {
    const size_t number = steps.size();
    Step step;
    step.before = step.after = steps.empty() ? Amounts() : steps.back().after;
    step.firstBegin = steps.empty() ? 0 : steps.back().firstBegin;
    // A run writes each buffer image by image only, and what is not accessed image by image must not change while it computes other images.
    auto keepApart = [&](const llvm::DenseMap<Value, size_t> &uses, Value buffer) {
      if (auto use = uses.find(buffer); use != uses.end())
        step.firstBegin = std::max(step.firstBegin, use->second + 1);
    };
    Value output = image.getOutput();
    lastWrite[output] = number;
    for (unsigned operand = 0; operand < image.op->getNumOperands(); ++operand) {
      Value value = image.op->getOperand(operand), buffer = image.buffers[operand];
      if (!isa<MemRefType>(value.getType()))
        continue;
      const auto bytes = static_cast<double>(getValueBytes(value));
      if (banded.contains(buffer)) { // the operations that use it stay together
        for (size_t i = lastUse.try_emplace(buffer, number).first->second + 1; i <= number; ++i)
          inChain.insert(i);
        continue;
      }
      (buffer ? step.after.ofImages : step.after.ofAll) += bytes;
      if (!buffer) {
        keepApart(lastWrite, getBuffer(value));
        lastOther[getBuffer(value)] = number;
      } else if (auto [entry, isNew] = lastUse.try_emplace(buffer, number); !isNew) {
        if (operand != image.nest.output)
          step.reads.push_back({bytes, entry->second});
        entry->second = number;
      }
    }
    keepApart(lastOther, output);
    if (auto contract = dyn_cast<ContractOp>(image.op)) {
      step.workNs = estimateContractionNs(contract.getFlops(), machine);
    } else {
      step.workNs = (step.after - step.before).getBytes(1) / machine.l2_gbs;
    }
    step.image = std::move(image);
    steps.push_back(std::move(step));
  }

  // The plan of all operations so far that saves most time.
  std::vector<ImageRun> choose() const {
    SmallVector<int64_t> groups; // the largest first: of equally good ones, it is chosen
    for (int64_t count = 2; count <= images; ++count)
      if (images % count == 0)
        groups.push_back(images / count);
    SmallVector<double> saved(steps.size() + 1, 0); // by the best plan of the operations before
    SmallVector<Choice> choices(steps.size() + 1);
    for (size_t begin = 0; begin < steps.size(); ++begin) {
      if (saved[begin + 1] < saved[begin])
        saved[begin + 1] = saved[begin], choices[begin + 1] = {begin, 0, 0};
      if (!inChain.contains(begin))
        for (int64_t group : groups)
          addRuns(begin, group, saved, choices);
    }
    std::vector<ImageRun> runs;
    for (size_t end = steps.size(); end > 0; end = choices[end].begin) {
      const Choice &choice = choices[end];
      if (choice.group == 0)
        continue;
      ImageRun run;
      run.images = images, run.group = choice.group, run.savedNs = choice.savedNs;
      for (const Step &step : ArrayRef(steps).slice(choice.begin, end - choice.begin)) {
        run.ops.push_back(step.image);
        run.workNs += step.workNs;
      }
      runs.push_back(std::move(run));
    }
    std::reverse(runs.begin(), runs.end());
    return runs;
  }

private:
  // Bytes accessed by operations: of operands that hold images, and of those that each image reads.
  struct Amounts {
    double ofImages = 0, ofAll = 0;

    Amounts operator-(const Amounts &other) const { return {ofImages - other.ofImages, ofAll - other.ofAll}; }
    double getBytes(double part) const { return ofImages * part + ofAll; } // for this part of the images
  };
  struct Step {
    ImageOp image;
    Amounts before, after; // of the steps up to this one, without it and with it
    double workNs = 0;
    size_t firstBegin; // the first step with which a run that has this one may begin
    struct Read {
      double bytes;
      size_t lastUse; // the last step before that accesses the buffer
    };
    SmallVector<Read> reads;
  };
  struct Choice {
    size_t begin = 0;
    int64_t group = 0; // 0: these operations are in no run
    double savedNs = 0;
  };

  // How many nanoseconds longer than from L2 it takes to read `bytes`, if `distance` bytes have been accessed since they were.
  double getReadNs(double bytes, double distance, int64_t caches) const {
    const double miss = std::clamp(distance / static_cast<double>(machine.l2_bytes * caches) - 0.5, 0.0, 1.0);
    return miss * bytes / (distance <= static_cast<double>(machine.l3_bytes) ? machine.l3_gbs : machine.memory_gbs);
  }

  // Considers the runs that begin with step `begin`.
  void addRuns(size_t begin, int64_t group, SmallVectorImpl<double> &saved, SmallVectorImpl<Choice> &choices) const {
    const double part = static_cast<double>(group) / static_cast<double>(images);
    const int64_t groups = images / group;
    const double waiting = getLargestShare({{groups, 1}}, threads) - 1; // for the thread that computes most groups
    double readNs = 0, workNs = 0;
    bool contracts = false; // what has no contraction is left to tpp-fuse-row-loops
    for (size_t i = begin; i < steps.size(); ++i) {
      const Step &step = steps[i];
      if (begin < step.firstBegin)
        return;
      for (const Step::Read &read : step.reads)
        if (read.lastUse >= begin) {
          Amounts between = step.before - steps[read.lastUse].before;
          readNs += getReadNs(read.bytes, between.getBytes(1), threads) - getReadNs(read.bytes, between.getBytes(part), 1);
        }
      workNs += step.workNs;
      // Each group reads weights again.
      Amounts all = step.after - steps[begin].before;
      const double bytes = all.ofAll * static_cast<double>(std::max<int64_t>(0, groups - threads)), held = all.getBytes(part);
      const double savedNs = readNs - waiting * workNs - getReadNs(bytes, held, 1);
      contracts |= isa<ContractOp>(step.image.op);
      if (contracts && saved[begin] + savedNs > saved[i + 1] && !inChain.contains(i + 1))
        saved[i + 1] = saved[begin] + savedNs, choices[i + 1] = {begin, group, savedNs};
    }
  }

  int64_t images;
  const llvm::DenseSet<Value> &banded;
  const tpp_machine &machine;
  int64_t threads;
  std::vector<Step> steps;
  llvm::DenseMap<Value, size_t> lastUse, lastWrite, lastOther; // of a buffer: as images, for writing, and not as images
  llvm::DenseSet<size_t> inChain;                              // steps that use what a step before computes in bands
};

// Whether `op` may stand between operations of a run. The whole run is computed where its last operation stands.
bool canStandBetween(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp>(op);
}

std::vector<ImageRun> planRuns(Block &block, int64_t images, const llvm::DenseSet<Value> &banded, const tpp_machine &machine,
                               int64_t threads) {
  std::vector<ImageRun> runs;
  std::optional<ImageRunPlanner> planner;
  auto finish = [&] {
    if (planner)
      llvm::append_range(runs, planner->choose());
    planner.reset();
  };
  for (Operation &op : block) {
    if (std::optional<ImageOp> image = getImageOp(&op, images)) {
      if (!planner)
        planner.emplace(images, banded, machine, threads);
      planner->add(*image);
    } else if (!canStandBetween(&op)) {
      finish();
    }
  }
  finish();
  return runs;
}
} // namespace

std::vector<ImageRun> planImageRuns(Block &block, const tpp_machine &machine, int64_t threads) {
  llvm::SetVector<int64_t> batches;
  for (BlockArgument argument : block.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()); type && type.getRank() > 0 && !getArgAttr(argument, kWeightAttr))
      if (type.getDimSize(0) > 1)
        batches.insert(type.getDimSize(0));
  if (batches.empty())
    return {};
  llvm::DenseSet<Value> banded;
  for (const BandPlan &plan : planBands(block, machine, 1))
    for (const BandStage &stage : ArrayRef(plan.stages).drop_front())
      banded.insert(stage.op->getOperand(stage.image));
  std::vector<ImageRun> best;
  double most = 0;
  for (int64_t images : batches) {
    std::vector<ImageRun> runs = planRuns(block, images, banded, machine, threads);
    double saved = 0;
    for (const ImageRun &run : runs)
      saved += run.savedNs;
    if (saved > most)
      best = std::move(runs), most = saved;
  }
  return best;
}

} // namespace mlir::tpp

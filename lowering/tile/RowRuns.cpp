// See RowRuns.h.
#include "lowering/tile/RowRuns.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace mlir::tpp {

int64_t RowRun::countOuter() const {
  int64_t count = 1;
  for (int64_t extent : ArrayRef(extents).drop_back())
    count *= extent;
  return count;
}

RowBlock RowRun::getBlock(int64_t block) const {
  const int64_t first = block * blockRows, rows = std::min(blockRows, extents.back() - first);
  if (!visible)
    return {rows, {}};
  VisibleColumns::Range range = visible->getRange(first, rows);
  return {rows,
          {range.begin / columnStep * columnStep,
           std::min(visible->columns, (range.end + columnStep - 1) / columnStep * columnStep)}};
}

namespace {

//===- operations ------------------------------------------------------------------------------------------------------------===//

// Finds the run that ends with a contraction.
class Finder {
public:
  // `image`: the operand of `last` whose rows are computed in the run.
  Finder(ContractOp last, unsigned image) : last(last), image(image) {}

  std::optional<RowRun> find() {
    std::optional<BufferNest> nest = getBufferNest(last);
    Value operand = last->getOperand(image);
    if (!nest || !findAxes(*nest) || !addBuffer(getBuffer(operand)))
      return std::nullopt;
    while (!candidates.empty())
      addBuffer(candidates.pop_back_val());
    RowRun run;
    run.extents = extents;
    run.inner = inner;
    for (auto &[op, row] : members)
      run.ops.push_back(row);
    llvm::sort(run.ops, [](const RowOp &x, const RowOp &y) { return x.op->isBeforeInBlock(y.op); });
    if (run.ops.back().op != last || !hasSource(run) || !canMove(run))
      return std::nullopt;
    if (std::optional<VisibleColumns> visible = VisibleColumns::get(last, VisibleColumns::Role::Reader)) {
      RowRun cut = run;
      if (findColumns(*visible, cut)) {
        cut.visible = std::move(visible);
        return cut;
      }
    }
    return run;
  }

private:
  // The axes: the outermost dimensions of the buffer that is read, up to the first that the contraction sums over.
  bool findAxes(const BufferNest &nest) {
    auto type = dyn_cast<MemRefType>(getBuffer(last->getOperand(image)).getType());
    auto view = dyn_cast<MemRefType>(last->getOperand(image).getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() || !view)
      return false;
    SmallVector<int64_t> strides = getRowMajorStrides(type.getShape());
    for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides)) {
      if (extent == 1)
        continue;
      std::optional<SmallVector<AxisLoop>> loops = findLoops(view, extent, stride, nest, image);
      if (!loops ||
          !llvm::all_of(*loops, [&](const AxisLoop &each) { return nest.maps[nest.output].isFunctionOfDim(each.loop); }))
        break;
      extents.push_back(extent);
    }
    return !extents.empty();
  }

  // The loops that count the dimension of a view with this extent and stride, those with larger steps first. Their axis is to be set.
  static std::optional<SmallVector<AxisLoop>> findLoops(MemRefType view, int64_t extent, int64_t stride, const BufferNest &nest,
                                                        unsigned operand) {
    std::optional<SmallVector<int64_t>> strides = getStaticStrides(view);
    AffineMap map = nest.maps[operand];
    for (unsigned dim = 0; strides && dim < strides->size(); ++dim) {
      std::optional<LinearExpr> linear = getLinearExpr(map.getResult(dim), map.getNumDims());
      if (view.getDimSize(dim) != extent || (*strides)[dim] != stride || !linear || linear->constant != 0)
        continue;
      SmallVector<AxisLoop> loops;
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
        if (coefficient != 0 && nest.extents[loop] != 1)
          loops.push_back({0, static_cast<unsigned>(loop), coefficient});
      llvm::sort(loops, [](const AxisLoop &x, const AxisLoop &y) { return x.step > y.step; });
      int64_t count = 1;
      bool counts = true;
      for (const AxisLoop &each : llvm::reverse(loops)) {
        counts &= each.step == count;
        count *= nest.extents[each.loop];
      }
      if (counts && count == extent)
        return loops;
    }
    return std::nullopt;
  }

  // The loops over the axes of an operation that reads or writes rows of a buffer through `operand`; null if it does not compute row by row.
  std::optional<RowOp> getRowOp(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    std::optional<BufferNest> nest = getBufferNest(op);
    auto view = dyn_cast<MemRefType>(operand.get().getType());
    if (!nest || !view || ShapedType::isDynamic(view.getStridesAndOffset().second))
      return std::nullopt;
    RowOp row{op, std::move(*nest), {}, std::nullopt};
    int64_t stride = cast<MemRefType>(getBuffer(operand.get()).getType()).getNumElements();
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      stride /= extent;
      std::optional<SmallVector<AxisLoop>> loops = findLoops(view, extent, stride, row.nest, operand.getOperandNumber());
      if (!loops || (axis + 1 == extents.size() && loops->size() != 1))
        return std::nullopt;
      for (AxisLoop &each : *loops) {
        if (row.countsAxis(each.loop))
          return std::nullopt;
        each.axis = axis;
        row.loops.push_back(each);
      }
    }
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Value value = op->getOperand(i);
      auto type = dyn_cast<MemRefType>(value.getType());
      if (!type && isa<BaseMemRefType>(value.getType()))
        return std::nullopt;
      if (!type)
        continue;
      if (!isDistinct(getBuffer(value)) || !getStaticStrides(type))
        return std::nullopt;
      for (const AxisLoop &each : row.loops)
        if (!canCut(op, row.nest, i, each.loop) || (i == row.nest.output && !row.nest.maps[i].isFunctionOfDim(each.loop)))
          return std::nullopt;
    }
    return row;
  }

  static void collectUses(Value buffer, SmallVectorImpl<OpOperand *> &uses) {
    for (OpOperand &use : buffer.getUses()) {
      if (isa<ViewLikeOpInterface>(use.getOwner())) {
        for (Value view : use.getOwner()->getResults())
          collectUses(view, uses);
      } else if (!isa<memref::DeallocOp>(use.getOwner())) {
        uses.push_back(&use);
      }
    }
  }

  // Makes `buffer` one between operations of the run, and its users members, if all of them compute row by row.
  bool addBuffer(Value buffer) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != last->getBlock() || inner.contains(buffer) || !hasAxes(alloc.getType()))
      return false;
    SmallVector<OpOperand *> uses;
    collectUses(buffer, uses);
    llvm::MapVector<Operation *, RowOp> users;
    for (OpOperand *use : uses) {
      Operation *op = use->getOwner();
      if (op != last && (op->getBlock() != last->getBlock() || !op->isBeforeInBlock(last)))
        return false;
      std::optional<RowOp> row = getRowOp(*use);
      if (!row)
        return false;
      for (const auto *known : {&users, &members})
        if (const auto *entry = known->find(op); entry != known->end() && !(entry->second.loops == row->loops))
          return false;
      users.insert({op, *row});
    }
    inner.insert(buffer);
    for (auto &[op, row] : users) {
      if (!members.insert({op, row}).second || isa<ContractOp>(op)) // what contractions read is computed before
        continue;
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()))
          candidates.push_back(getBuffer(operand));
    }
    return true;
  }

  // Whether the outermost dimensions of a buffer are the axes, so that rows of it are a smaller buffer of the same strides.
  bool hasAxes(MemRefType type) const {
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return false;
    ArrayRef<int64_t> left = extents;
    for (int64_t extent : type.getShape())
      if (extent != 1) {
        if (left.empty())
          break;
        if (extent != left.front())
          return false;
        left = left.drop_front();
      }
    return left.empty();
  }

  // Whether another contraction computes rows, and what reduces or rewrites them stands between. tpp-fuse-bands computes chains of contractions.
  bool hasSource(const RowRun &run) const {
    auto isSource = [&](const RowOp &row) { return row.op != last && isa<ContractOp>(row.op); };
    return llvm::any_of(run.ops, isSource) && llvm::any_of(run.ops, [](const RowOp &row) { return !isa<ContractOp>(row.op); });
  }

  // Sets the loops over the columns of which `visible` says which are needed. Returns false if they are not known, or not the only ones that count.
  bool findColumns(const VisibleColumns &visible, RowRun &run) const {
    if (extents.back() != visible.rows || llvm::count(extents, visible.rows) != 1)
      return false;
    llvm::DenseSet<Value> masked; // buffers whose masked columns are not needed
    for (RowOp &row : run.ops) {
      const bool isContract = isa<ContractOp>(row.op);
      if (isContract && row.op != last && !(VisibleColumns::get(row.op, VisibleColumns::Role::Source) == visible))
        return false;
      bool readsMasked = false;
      for (OpOperand &operand : row.op->getOpOperands()) {
        auto view = dyn_cast<MemRefType>(operand.get().getType());
        Value buffer = view ? getBuffer(operand.get()) : Value();
        if (!view || !inner.contains(buffer) || !hasColumns(buffer, visible.columns))
          continue;
        std::optional<SmallVector<AxisLoop>> loops = findLoops(view, visible.columns, 1, row.nest, operand.getOperandNumber());
        if (!loops || row.column.value_or(loops->front()) != loops->front() ||
            llvm::any_of(*loops, [&](const AxisLoop &each) { return row.countsAxis(each.loop); }))
          return false;
        row.column = loops->front();
        readsMasked |= masked.contains(buffer);
      }
      const std::optional<AxisLoop> column = row.column;
      if (!column)
        continue;
      for (unsigned i = 0; i < row.op->getNumOperands(); ++i) {
        auto type = dyn_cast<MemRefType>(row.op->getOperand(i).getType());
        if (type && !canCut(row.op, row.nest, i, column->loop))
          return false;
      }
      // What sums over columns sums over masked ones, and no buffer outside of the run misses columns.
      Value output = getBuffer(row.op->getOperand(row.nest.output));
      const bool hasOutput = row.nest.maps[row.nest.output].isFunctionOfDim(column->loop);
      if (hasOutput ? !inner.contains(output) : !readsMasked)
        return false;
      if (hasOutput && (readsMasked || isContract))
        masked.insert(output);
    }
    return true;
  }

  // Whether rows of an inner buffer have this many columns.
  bool hasColumns(Value buffer, int64_t columns) const {
    int64_t elements = cast<MemRefType>(buffer.getType()).getNumElements();
    for (int64_t extent : extents)
      elements /= extent;
    return elements == columns && columns > 1;
  }

  // Whether all operations can be computed where the last one stands, row by row.
  bool canMove(const RowRun &run) const {
    llvm::DenseSet<Value> read, written; // by members so far; buffers between them are accessed by nothing else
    for (Operation *op = run.ops.front().op; op; op = op == last ? nullptr : op->getNextNode()) {
      if (const auto *member = members.find(op); member != members.end()) {
        for (unsigned i = 0; i < op->getNumOperands(); ++i) {
          Value operand = op->getOperand(i);
          if (!isa<MemRefType>(operand.getType()) || inner.contains(getBuffer(operand)))
            continue;
          if (i != member->second.nest.output)
            read.insert(getBuffer(operand));
          else if (!written.insert(getBuffer(operand)).second) // by another member
            return false;
        }
      } else if (!canStandBetween(op, read, written)) {
        return false;
      }
    }
    return llvm::none_of(written, [&](Value buffer) { return read.contains(buffer); });
  }

  // Whether computing the members before `op` after it changes nothing. They read and write these buffers.
  static bool canStandBetween(Operation *op, const llvm::DenseSet<Value> &read, const llvm::DenseSet<Value> &written) {
    if (isMemoryEffectFree(op) || isa<memref::DeallocOp>(op))
      return true;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
    return effects && llvm::all_of(*effects, [&](const MemoryEffects::EffectInstance &effect) {
             if (isa<MemoryEffects::Allocate>(effect.getEffect()))
               return true;
             Value buffer = effect.getValue() ? getBuffer(effect.getValue()) : Value();
             return buffer && isDistinct(buffer) && !written.contains(buffer) &&
                    (isa<MemoryEffects::Read>(effect.getEffect()) || !read.contains(buffer));
           });
  }

  ContractOp last;
  unsigned image;
  SmallVector<int64_t> extents;
  llvm::SetVector<Value> inner;
  llvm::MapVector<Operation *, RowOp> members;
  SmallVector<Value> candidates; // buffers that may be inner
};

//===- costs -----------------------------------------------------------------------------------------------------------------===//

// Chooses the rows of a block, and estimates what blocks save.
class RowRunPlanner {
public:
  RowRunPlanner(RowRun &run, const tpp_machine &machine, int64_t threads) : run(run), machine(machine), threads(threads) {
    llvm::DenseSet<Value> counted;
    for (const RowOp &row : run.ops) {
      auto contract = dyn_cast<ContractOp>(row.op);
      if (!contract)
        continue;
      if (std::optional<ContractionInfo> info = getContractionInfo(contract, getTarget(contract)))
        products.push_back({std::move(*info), !row.nest.maps[0].isFunctionOfDim(row.getRowLoop())});
      for (unsigned i = 0; i < row.op->getNumOperands(); ++i) {
        Value operand = row.op->getOperand(i);
        if (!isa<MemRefType>(operand.getType()))
          continue;
        auto bytes = static_cast<double>(getValueBytes(operand));
        if (run.inner.contains(getBuffer(operand)))
          innerBytes += counted.insert(getBuffer(operand)).second ? bytes : 0;
        else if (row.nest.maps[i].isFunctionOfDim(row.getRowLoop()))
          rowBytes += bytes;
        else
          readBytes += isOfOneIndex(row, i) ? bytes / countOuter() : bytes;
      }
    }
  }

  // The estimated nanoseconds that a call saves.
  double choose() {
    // With fewer rows kernels are slow; with more than L2 holds, nothing is gained.
    constexpr int64_t leastRows = 16, mostCandidates = 256;
    const int64_t rows = run.extents.back(), least = std::min(leastRows, rows);
    int64_t most = std::clamp(static_cast<int64_t>(static_cast<double>(machine.l2_bytes) / getBlockBytes(1)), least, rows);
    if (run.visible) // low blocks have fewer columns that only some of their rows need
      most = std::clamp(rows / mostKinds, least, most);
    const int64_t step = (most - least) / mostCandidates + 1;
    double leastNs = 0;
    for (int64_t block = most; block >= least; block -= step) {
      const double ns = estimateNs(block);
      if (run.blockRows == 0 || ns < leastNs)
        run.blockRows = block, leastNs = ns;
    }
    run.workNs = estimateProductsNs(run.blockRows);
    const double needed = chooseColumnStep();
    run.workNs *= needed, leastNs *= needed;
    const double whole = estimateProductsNs(rows) + getTransferNs(innerBytes, innerBytes, threads);
    return run.countBlocks() * run.countOuter() == 1 ? 0 : whole - leastNs;
  }

private:
  static constexpr int64_t mostKinds = 8; // of blocks: each is code of its own

  // Chooses how far ranges of columns are enlarged. Returns the part of all columns that blocks compute.
  double chooseColumnStep() {
    if (!run.visible)
      return 1;
    constexpr int64_t leastStep = 128; // two register tiles of a kernel: less saves little, for more code
    run.columnStep = leastStep;
    for (const RowOp &row : run.ops)
      if (row.column)
        run.columnStep = std::lcm(run.columnStep, row.column->step);
    double needed = 0;
    for (;; run.columnStep *= 2) {
      int64_t kinds = 0;
      needed = 0;
      std::optional<RowBlock> before;
      for (int64_t block = 0; block < run.countBlocks(); ++block) {
        RowBlock current = run.getBlock(block);
        kinds += !before || !(*before == current);
        needed += static_cast<double>(current.rows * (current.columns.end - current.columns.begin));
        before = current;
      }
      if (kinds <= mostKinds + 1 || run.columnStep >= run.visible->columns) // the last block may have fewer rows
        return needed / static_cast<double>(run.visible->rows * run.visible->columns);
    }
  }

  struct Product {
    ContractionInfo info;
    bool ofColumns; // rows of the run are columns of the contraction
  };

  double countOuter() const { return static_cast<double>(run.countOuter()); }
  // Of what contractions access by rows, in `block` rows.
  double getBlockBytes(int64_t block) const {
    return (innerBytes + rowBytes) * static_cast<double>(block) / (countOuter() * static_cast<double>(run.extents.back()));
  }

  // The time of all blocks of `block` rows.
  double estimateNs(int64_t block) const {
    const int64_t rows = run.extents.back(), blocks = (rows + block - 1) / block;
    const double again = readBytes * countOuter() * static_cast<double>(blocks - 1),
                 share = getLargestShare({{run.countOuter(), 1}, {rows, block}}, threads);
    return share * estimateProductsNs(block) + getTransferNs(innerBytes, getBlockBytes(block), 1) +
           getTransferNs(again, getBlockBytes(block) + readBytes, 1) + again / machine.l2_gbs;
  }

  // The arithmetic of all contractions, on one thread.
  double estimateProductsNs(int64_t block) const {
    const int64_t rows = run.extents.back();
    double ns = 0;
    for (const Product &product : products) {
      BrgemmDims dims = getBrgemmDims(product.info);
      double outer = 1; // besides the rows
      for (const ContractionDim &dim : dims.outer)
        outer *= static_cast<double>(dim.extent);
      auto estimate = [&](int64_t part) {
        return part == 0 ? 0
                         : estimateBrgemm(product.info, product.ofColumns ? dims.m.extent : part,
                                          product.ofColumns ? part : dims.n.extent, dims.getDepth())
                               .ns;
      };
      ns += outer * (static_cast<double>(rows / block) * estimate(block) + estimate(rows % block));
    }
    return ns;
  }

  // Whether another index of the outer axes accesses other elements of an operand.
  bool isOfOneIndex(const RowOp &row, unsigned operand) const {
    return llvm::all_of(ArrayRef(row.loops).drop_back(),
                        [&](const AxisLoop &each) { return row.nest.maps[operand].isFunctionOfDim(each.loop); });
  }

  // How many nanoseconds longer than with all of it in L2 it takes to write and read `bytes`, or to read them from L3, if `distance` bytes are accessed in
  // between. Kernels hide half of the transfers to and from L3, and none of those to and from memory (measured: docs/decisions/attention.md).
  double getTransferNs(double bytes, double distance, int64_t caches) const {
    const double miss = std::clamp(distance / static_cast<double>(machine.l2_bytes * caches) - 0.5, 0.0, 1.0);
    return miss *
           (distance <= static_cast<double>(machine.l3_bytes) ? bytes / machine.l3_gbs / 2 : bytes / machine.memory_gbs * 2);
  }

  RowRun &run;
  const tpp_machine &machine;
  int64_t threads;
  std::vector<Product> products;
  double innerBytes = 0, rowBytes = 0; // of contractions: the buffers between, and other operands by rows
  double readBytes = 0;                // what each block of one outer index reads
};

} // namespace

std::vector<RowRun> planRowRuns(Block &block, const tpp_machine &machine, int64_t threads) {
  std::vector<RowRun> runs;
  llvm::DenseSet<Operation *> planned;
  for (ContractOp op : block.getOps<ContractOp>())
    for (unsigned image : {0, 1}) {
      std::optional<RowRun> run = Finder(op, image).find();
      if (!run || llvm::any_of(run->ops, [&](const RowOp &row) { return planned.contains(row.op); }) ||
          RowRunPlanner(*run, machine, threads).choose() <= 0)
        continue;
      for (const RowOp &row : run->ops)
        planned.insert(row.op);
      runs.push_back(std::move(*run));
      break;
    }
  return runs;
}

} // namespace mlir::tpp

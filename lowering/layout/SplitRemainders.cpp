// Splits values at the last tile boundary, so that the tiles of a packing strategy divide all parts.
//
// A loop of a contraction that a tile does not divide becomes two: the whole tiles, and the remainder. A join is the pair of insert_slice ops that
// concatenates the results. Forward: an op that reads a join is split, if it can be computed from the parts. Backward: an op of whose result only slices are
// read is split. Other joins and slices remain: where an op takes the whole value, and at arguments and results of the program.
#include "lowering/Passes.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/layout/OperandTiles.h"
#include "lowering/layout/PackableOpModels.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITREMAINDERS
#include "lowering/Passes.h.inc"

namespace {

// Where a dimension of a value, or a loop of an op, is split: after its first `boundary` indices.
struct Cut {
  int64_t dim, boundary;
};

// A part of a dimension.
struct Range {
  int64_t offset, size;
};

class RemainderSplitter {
public:
  explicit RemainderSplitter(func::FuncOp func) : func(func), rewriter(func.getContext()) {}

  void run() {
    SmallVector<Operation *> ops = getOps();
    for (Operation *op : ops)
      replace(op->getResults(), splitForward(op));
    ops = getOps();
    for (Operation *op : llvm::reverse(ops))
      splitBackward(op);
    for (Operation *op : llvm::reverse(retired))
      rewriter.eraseOp(op);
    ops = getOps();
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

private:
  struct Join {
    Cut cut;
    Value first, second;
  };

  SmallVector<Operation *> getOps() { return llvm::to_vector(llvm::make_pointer_range(func.getBody().front())); }

  // Takes an op out of use that has been split. It exists until run() ends, because maps refer to its results.
  void retire(Operation *op) {
    op->dropAllReferences();
    retired.push_back(op);
  }

  void replace(ValueRange old, ArrayRef<Value> values) {
    for (auto [from, to] : llvm::zip_equal(old, values)) {
      if (from == to)
        continue;
      rewriter.replaceAllUsesWith(from, to);
      replaced[from] = to;
    }
  }

  // What stands for a value now.
  Value getCurrent(Value value) const {
    for (auto found = replaced.find(value); found != replaced.end(); found = replaced.find(value))
      value = found->second;
    return value;
  }

  // Splits an op that reads a join, or whose tiles do not divide its loops. Returns its results, joined from parts.
  SmallVector<Value> splitForward(Operation *op) {
    auto splitPart = [&](Operation *part) { return splitForward(part); };
    SmallVector<Value> results(op->getResults());
    if (std::optional<Cut> cut = findCut(op)) {
      results = splitLoop(op, *cut, splitPart);
    } else if (isMove(op)) {
      for (Value operand : op->getOperands())
        if (auto found = joins.find(operand); found != joins.end())
          if (Cut at = found->second.cut; std::optional<int64_t> dim = getCounterpart(op, at.dim, /*ofResult=*/false)) {
            results = splitMove(op, {*dim, at.boundary}, splitPart);
            break;
          }
    }
    if (!llvm::equal(results, op->getResults()))
      retire(op);
    return results;
  }

  static bool isUnusedJoin(Operation *op) {
    return isa<tensor::InsertSliceOp>(op) && op->hasAttr(kCutAttr) && llvm::all_of(op->getUsers(), isUnusedJoin);
  }

  // The split that the slices of a value require; nullopt if something else reads it.
  std::optional<Cut> getCut(Value value) const {
    std::optional<Cut> cut;
    for (Operation *user : value.getUsers()) {
      if (isUnusedJoin(user))
        continue;
      if (!slicesMade.contains(user))
        return std::nullopt;
      auto [dim, range] = getCutRange(cast<tensor::ExtractSliceOp>(user));
      cut = {dim, range.offset == 0 ? range.size : range.offset};
    }
    return cut;
  }

  // Splits an op of whose result only slices are read.
  void splitBackward(Operation *op) {
    if (op->getNumResults() != 1)
      return;
    Value result = op->getResult(0);
    std::optional<Cut> cut = getCut(result);
    if (!cut)
      return;
    SmallVector<Operation *> parts;
    auto splitPart = [&](Operation *part) {
      parts.push_back(part);
      return SmallVector<Value>(part->getResults());
    };
    SmallVector<Value> joined;
    if (isSplittable(op)) {
      AffineMap map =
          isa<ContractOp>(op) ? getMaps(op)[2] : cast<linalg::LinalgOp>(op).getIndexingMapMatchingResult(op->getResult(0));
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(cut->dim));
      if (!loop || !canCut(op, loop.getPosition(), cut->boundary))
        return;
      joined = splitLoop(op, {loop.getPosition(), cut->boundary}, splitPart);
    } else if (isMove(op) && getCounterpart(op, cut->dim, /*ofResult=*/true)) {
      joined = splitMove(op, *cut, splitPart);
    } else {
      return;
    }
    SmallVector<Operation *> readers =
        llvm::filter_to_vector(result.getUsers(), [&](Operation *user) { return slicesMade.contains(user); });
    replace(result, joined);
    retire(op);
    for (Operation *reader : readers) {
      auto [dim, range] = getCutRange(cast<tensor::ExtractSliceOp>(reader));
      replace(reader->getResult(0), getSlice(joined[0], dim, range));
      retire(reader);
    }
    for (Operation *part : parts)
      splitBackward(part);
  }

  //===- ops -----------------------------------------------------------------------------------------------------------------===//

  static SmallVector<AffineMap> getMaps(Operation *op) {
    if (auto contract = dyn_cast<ContractOp>(op))
      return contract.getMaps();
    return cast<linalg::LinalgOp>(op).getIndexingMapsArray();
  }

  static bool isParallel(Operation *op, unsigned loop) {
    if (auto contract = dyn_cast<ContractOp>(op))
      return contract.getMaps()[2].isFunctionOfDim(loop);
    return linalg::isParallelIterator(cast<linalg::LinalgOp>(op).getIteratorTypesArray()[loop]);
  }

  // Whether `op` has loops that can be split. Contractions without tiles stay whole: their packing is chosen for these extents.
  static bool isSplittable(Operation *op) {
    return isa<ContractOp>(op) ? op->hasAttr(kChosenPackingAttr) : isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op);
  }

  // Whether each part of the loop reads and writes a part of each operand: the loop alone indexes one of its dimensions, all of it, or none.
  static bool canCut(Operation *op, unsigned loop, int64_t boundary) {
    auto contract = dyn_cast<ContractOp>(op);
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured ? !structured.hasPureTensorSemantics() || structured.hasDynamicShape() : !contract || !contract.getResult())
      return false;
    bool parallel = isParallel(op, loop);
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), getMaps(op))) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      std::optional<int64_t> dim = findDim(map, loop);
      if (map.isFunctionOfDim(loop) && (!dim || !type || type.getDimSize(*dim) != getExtent(op, loop)))
        return false;
    }
    if (contract && !llvm::all_of(contract->getOperandTypes(), [](Type type) { return cast<ShapedType>(type).hasStaticShape(); }))
      return false;
    if (contract)
      return parallel || canCutSum(contract, boundary);
    return llvm::all_of(structured.getDpsInitsMutable(), [&](OpOperand &init) {
      return structured.getMatchingIndexingMap(&init).isFunctionOfDim(loop) == parallel;
    });
  }

  // Whether the parts of a sum are stored without rounding, and consist of whole KC blocks and of whole groups of the VNNI form.
  static bool canCutSum(ContractOp op, int64_t boundary) {
    std::optional<ContractionInfo> info = getContractionInfo(op, getTarget(op));
    return info && info->c().elementType == info->getAccumulatorType() && getChosenPacking(op).kc == 0 &&
           boundary % info->getVnniFactor() == 0;
  }

  static int64_t getExtent(Operation *op, unsigned loop) {
    if (auto contract = dyn_cast<ContractOp>(op))
      return contract.getExtents()[loop];
    return cast<linalg::LinalgOp>(op).getStaticLoopRanges()[loop];
  }

  // The split required by a joined operand, or by a tile that does not divide a loop of the op.
  std::optional<Cut> findCut(Operation *op) {
    if (!isSplittable(op))
      return std::nullopt;
    if (auto contract = dyn_cast<ContractOp>(op))
      for (auto [loop, boundary] : getTileBoundaries(contract))
        if (canCut(op, loop, boundary))
          return Cut{static_cast<int64_t>(loop), boundary};
    for (auto [operand, map] : llvm::zip(op->getOperands(), getMaps(op)))
      if (auto join = joins.find(operand); join != joins.end())
        if (Cut at = join->second.cut; auto loop = dyn_cast<AffineDimExpr>(map.getResult(at.dim)))
          if (canCut(op, loop.getPosition(), at.boundary))
            return Cut{loop.getPosition(), at.boundary};
    return std::nullopt;
  }

  // The op that computes one part of `loop`, into `inits`, which are parts already.
  Operation *makePart(Operation *op, unsigned loop, Range range, ValueRange inits, bool isFirst) {
    auto destinations = cast<DestinationStyleOpInterface>(op);
    SmallVector<Value> operands = llvm::to_vector(op->getOperands());
    for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), getMaps(op)))
      if (std::optional<int64_t> dim = findDim(map, loop); dim && !destinations.isDpsInit(&operand))
        operands[operand.getOperandNumber()] = getSlice(operand.get(), *dim, range);
    for (auto [init, part] : llvm::zip_equal(destinations.getDpsInitsMutable(), inits))
      operands[init.getOperandNumber()] = part;
    rewriter.setInsertionPoint(op);
    Operation *part = rewriter.clone(*op);
    part->setOperands(operands);
    for (auto [result, init] : llvm::zip_equal(part->getResults(), inits))
      result.setType(init.getType());
    if (auto contract = dyn_cast<ContractOp>(part)) {
      SmallVector<int64_t> extents = llvm::to_vector(contract.getExtents());
      extents[loop] = range.size;
      contract.setExtents(extents);
      // The strategy chose for the whole: it may know no packing for the part.
      contract->setAttr(kPackingAttr, PackingFixedAttr::get(contract.getContext(), getChosenPacking(contract)));
      if (!isParallel(op, loop) && isFirst) { // the second part accumulates onto the first and applies the post-ops
        contract.getPostOperandsMutable().clear();
        contract.setPostOpsAttr(rewriter.getArrayAttr({}));
        contract.setIndexingMapsAttr(rewriter.getArrayAttr(contract.getIndexingMaps().getValue().take_front(3)));
      } else if (!isParallel(op, loop)) {
        contract.setBeta(1);
      }
    }
    if (range.offset != 0)
      part->walk([&](linalg::IndexOp index) {
        if (index.getDim() != loop || index->getParentOp() != part)
          return;
        rewriter.setInsertionPointAfter(index);
        Value offset = arith::ConstantIndexOp::create(rewriter, index.getLoc(), range.offset);
        Value sum = arith::AddIOp::create(rewriter, index.getLoc(), index, offset);
        rewriter.replaceAllUsesExcept(index, sum, sum.getDefiningOp());
      });
    return part;
  }

  // The results of `op`, computed in two parts; `splitPart` is applied to both.
  SmallVector<Value> splitLoop(Operation *op, Cut cut, function_ref<SmallVector<Value>(Operation *)> splitPart) {
    auto destinations = cast<DestinationStyleOpInterface>(op);
    unsigned loop = cut.dim;
    Range first = {0, cut.boundary}, second = {cut.boundary, getExtent(op, loop) - cut.boundary};
    SmallVector<Value> inits(destinations.getDpsInits());
    if (!isParallel(op, loop)) {
      SmallVector<Value> sums = splitPart(makePart(op, loop, first, inits, /*isFirst=*/true));
      return splitPart(makePart(op, loop, second, sums, /*isFirst=*/false));
    }
    SmallVector<int64_t> dims;
    SmallVector<Value> firstInits, secondInits;
    SmallVector<AffineMap> maps = getMaps(op);
    for (OpOperand &init : destinations.getDpsInitsMutable()) {
      dims.push_back(getAccepted(findDim(maps[init.getOperandNumber()], loop)));
      firstInits.push_back(getSlice(init.get(), dims.back(), first));
      secondInits.push_back(getSlice(init.get(), dims.back(), second));
    }
    SmallVector<Value> head = splitPart(makePart(op, loop, first, firstInits, /*isFirst=*/true));
    SmallVector<Value> tail = splitPart(makePart(op, loop, second, secondInits, /*isFirst=*/false));
    rewriter.setInsertionPoint(op);
    SmallVector<Value> results;
    for (auto [dim, one, other] : llvm::zip_equal(dims, head, tail))
      results.push_back(join(op->getLoc(), {dim, cut.boundary}, one, other));
    return results;
  }

  // Whether `op` is a reshape, extract_slice or insert_slice without rank reduction.
  static bool isMove(Operation *op) {
    auto isStatic = [](Type type) { return !isa<RankedTensorType>(type) || cast<RankedTensorType>(type).hasStaticShape(); };
    if (!llvm::all_of(op->getOperandTypes(), isStatic) || !llvm::all_of(op->getResultTypes(), isStatic) || op->hasAttr(kCutAttr))
      return false;
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
      return extract.getDroppedDims().none();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return insert.getDroppedDims().none();
    return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
  }

  // The dimension of the operands of a move that is the same as dimension `dim` of its result; or, if not `ofResult`, the reverse. In a reshape both
  // are alone in their group, not counting extents of 1; in a slice both have the same extent.
  static std::optional<int64_t> getCounterpart(Operation *move, int64_t dim, bool ofResult) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(move))
      return getShape(move->getOperand(0))[dim] == getShape(move->getResult(0))[dim] ? std::optional(dim) : std::nullopt;
    bool expands = isa<tensor::ExpandShapeOp>(move);
    ArrayRef<int64_t> expanded = getShape(expands ? move->getResult(0) : move->getOperand(0));
    auto groups = expands ? cast<tensor::ExpandShapeOp>(move).getReassociationIndices()
                          : cast<tensor::CollapseShapeOp>(move).getReassociationIndices();
    for (auto [collapsedDim, group] : llvm::enumerate(groups)) {
      auto own = llvm::make_filter_range(group, [&](int64_t i) { return expanded[i] != 1; });
      if (!llvm::hasSingleElement(own))
        continue;
      int64_t collapsedOne = static_cast<int64_t>(collapsedDim), expandedOne = *own.begin();
      if (dim == (ofResult == expands ? expandedOne : collapsedOne))
        return ofResult == expands ? collapsedOne : expandedOne;
    }
    return std::nullopt;
  }

  // Splits a move, and slices its operands.
  SmallVector<Value> splitMove(Operation *op, Cut cut, function_ref<SmallVector<Value>(Operation *)> splitPart) {
    int64_t from = getAccepted(getCounterpart(op, cut.dim, /*ofResult=*/true));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<Value> parts;
    for (Range range : {Range{0, cut.boundary}, Range{cut.boundary, type.getDimSize(cut.dim) - cut.boundary}}) {
      SmallVector<Value> operands = llvm::to_vector(op->getOperands());
      for (Value &operand : operands)
        if (isa<RankedTensorType>(operand.getType()))
          operand = getSlice(operand, from, range);
      SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
      shape[cut.dim] = range.size;
      rewriter.setInsertionPoint(op);
      Operation *part = rewriter.clone(*op);
      part->setOperands(operands);
      part->getResult(0).setType(type.clone(shape));
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(part))
        expand.setStaticOutputShape(shape);
      else if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(part)) {
        SmallVector<int64_t> sizes = llvm::to_vector(slice.getStaticSizes());
        sizes[cut.dim] = range.size;
        part->setAttr("static_sizes", rewriter.getDenseI64ArrayAttr(sizes));
      }
      parts.push_back(splitPart(part).front());
    }
    rewriter.setInsertionPoint(op);
    return {join(op->getLoc(), cut, parts[0], parts[1])};
  }

  //===- joins and slices ----------------------------------------------------------------------------------------------------===//

  // The ranges of a slice of `shape` that begins at `offset` in dimension `dim`.
  SmallVector<mlir::Range> getRanges(ArrayRef<int64_t> shape, int64_t dim, int64_t offset) {
    SmallVector<mlir::Range> ranges;
    for (auto [i, size] : llvm::enumerate(shape))
      ranges.push_back({rewriter.getIndexAttr(static_cast<int64_t>(i) == dim ? offset : 0), rewriter.getIndexAttr(size),
                        rewriter.getIndexAttr(1)});
    return ranges;
  }

  // Concatenates two parts.
  Value join(Location loc, Cut cut, Value first, Value second) {
    auto type = cast<RankedTensorType>(first.getType());
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
    shape[cut.dim] += getShape(second)[cut.dim];
    Value whole = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    int64_t offset = 0;
    for (Value part : {first, second}) {
      auto insert = tensor::InsertSliceOp::create(rewriter, loc, part, whole, getRanges(getShape(part), cut.dim, offset));
      insert->setAttr(kCutAttr, rewriter.getUnitAttr());
      whole = insert;
      offset += cut.boundary;
    }
    joins[whole] = {cut, first, second};
    return whole;
  }

  // The part of a value in `range` of dimension `dim`: a part of a join, or a slice. Changes the insertion point.
  Value getSlice(Value value, int64_t dim, Range range) {
    value = getCurrent(value);
    auto type = cast<RankedTensorType>(value.getType());
    if (range.size == type.getDimSize(dim))
      return value;
    auto key = std::tuple(value, dim, range.offset, range.size);
    if (Value slice = slices.lookup(key))
      return getCurrent(slice);
    if (auto found = joins.find(value); found != joins.end())
      return slices[key] = getSliceOfJoin(value, found->second, dim, range);
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
    shape[dim] = range.size;
    rewriter.setInsertionPointAfterValue(value);
    if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
      Value empty = tensor::EmptyOp::create(rewriter, value.getLoc(), shape, type.getElementType());
      return slices[key] = linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(), empty).getResult(0);
    }
    if (value.getDefiningOp<tensor::EmptyOp>())
      return slices[key] = tensor::EmptyOp::create(rewriter, value.getLoc(), shape, type.getElementType());
    auto extract = tensor::ExtractSliceOp::create(rewriter, value.getLoc(), value, getRanges(shape, dim, range.offset));
    extract->setAttr(kCutAttr, rewriter.getUnitAttr());
    slicesMade.insert(extract);
    return slices[key] = extract;
  }

  Value getSliceOfJoin(Value value, Join parts, int64_t dim, Range range) {
    int64_t boundary = parts.cut.boundary, end = range.offset + range.size;
    Value first = getCurrent(parts.first), second = getCurrent(parts.second);
    if (parts.cut.dim != dim) {
      first = getSlice(first, dim, range), second = getSlice(second, dim, range);
    } else if (end <= boundary) {
      return getSlice(first, dim, range);
    } else if (range.offset >= boundary) {
      return getSlice(second, dim, {range.offset - boundary, range.size});
    } else {
      first = getSlice(first, dim, {range.offset, boundary - range.offset}), second = getSlice(second, dim, {0, end - boundary});
      parts.cut.boundary -= range.offset;
    }
    rewriter.setInsertionPointAfterValue(value);
    return join(value.getLoc(), parts.cut, first, second);
  }

  // The dimension that a slice made by getSlice cuts, and the range that it takes.
  static std::pair<int64_t, Range> getCutRange(tensor::ExtractSliceOp slice) {
    for (auto [dim, whole, part] : llvm::enumerate(slice.getSourceType().getShape(), slice.getType().getShape()))
      if (whole != part)
        return {static_cast<int64_t>(dim), {slice.getStaticOffset(dim), part}};
    llvm_unreachable("a slice with tpp.cut takes a part of one dimension");
  }

  func::FuncOp func;
  IRRewriter rewriter;
  SmallVector<Operation *> retired;
  llvm::DenseMap<Value, Value> replaced;
  llvm::DenseMap<Value, Join> joins;                                          // by their results
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t, int64_t>, Value> slices; // by value, dimension, offset and size
  llvm::DenseSet<Operation *> slicesMade;
};

struct SplitRemainders : public impl::SplitRemaindersBase<SplitRemainders> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    if (failed(chooseOperandTiles(func)))
      return signalPassFailure();
    if (llvm::any_of(func.getOps<ContractOp>(), [](ContractOp op) { return !getTileBoundaries(op).empty(); }))
      RemainderSplitter(func).run();
  }
};

} // namespace
} // namespace mlir::tpp

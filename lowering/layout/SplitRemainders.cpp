// Cuts values behind their last whole tile, so that the tiles of a packing strategy divide all parts.
//
// A loop of a contraction that a tile does not divide becomes two: the whole tiles, and the remainder. Their results are joined, and the parts of a
// join are passed on to its readers: a reader that can compute them one by one is cut, too. Then the slices that this leaves are passed on to the ops
// that compute the values they read. What is cut in this way is stored in parts. A join or a slice is left only where an op takes the whole value, or an
// argument or result of the program is cut.
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

// Where a dimension of a value, or a loop of an op, is cut: behind `boundary` of its `extent` indices.
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
      replace(op->getResults(), passOn(op));
    ops = getOps();
    for (Operation *op : llvm::reverse(ops))
      passBack(op);
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

  // Old values stay until run() ends, because joins and slices refer to them.
  void replace(ValueRange old, ArrayRef<Value> values) {
    for (auto [from, to] : llvm::zip_equal(old, values)) {
      if (from == to)
        continue;
      rewriter.replaceAllUsesWith(from, to);
      if (auto found = joins.find(to); found != joins.end()) {
        Join parts = found->second;
        joins[from] = parts;
      }
    }
  }

  // Cuts an op that reads a joined value, or whose tiles do not divide its loops. Returns its results, joined from parts.
  SmallVector<Value> passOn(Operation *op) {
    auto further = [&](Operation *part) { return passOn(part); };
    if (std::optional<Cut> cut = findCut(op))
      return cutLoop(op, *cut, further);
    if (isMove(op))
      for (Value operand : op->getOperands())
        if (auto found = joins.find(operand); found != joins.end())
          if (Cut cut = found->second.cut; std::optional<int64_t> dim = getCounterpart(op, cut.dim, /*ofResult=*/false))
            return cutMove(op, {*dim, cut.boundary}, further);
    return SmallVector<Value>(op->getResults());
  }

  // A cut that the readers of a value ask for; nullopt if one of them reads more than a part.
  static std::optional<Cut> getCut(Value value) {
    std::optional<Cut> cut;
    for (Operation *user : value.getUsers()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice || !slice->hasAttr(kCutAttr))
        return std::nullopt;
      auto [dim, range] = getCutRange(slice);
      cut = {dim, range.offset == 0 ? range.size : range.offset};
    }
    return cut;
  }

  // Cuts an op of whose result only parts are read.
  void passBack(Operation *op) {
    if (op->getNumResults() != 1)
      return;
    Value result = op->getResult(0);
    std::optional<Cut> cut = getCut(result);
    if (!cut)
      return;
    SmallVector<Operation *> parts;
    auto further = [&](Operation *part) {
      parts.push_back(part);
      return SmallVector<Value>(part->getResults());
    };
    SmallVector<Value> joined;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op); structured && !isa<linalg::FillOp>(op)) {
      auto loop = dyn_cast<AffineDimExpr>(structured.getIndexingMapMatchingResult(op->getResult(0)).getResult(cut->dim));
      if (!loop || !canCut(op, loop.getPosition()))
        return;
      joined = cutLoop(op, {loop.getPosition(), cut->boundary}, further);
    } else if (isMove(op) && getCounterpart(op, cut->dim, /*ofResult=*/true)) {
      joined = cutMove(op, *cut, further);
    } else {
      return;
    }
    SmallVector<Operation *> slices(result.getUsers());
    replace(result, joined);
    for (Operation *slice : slices) {
      auto [dim, range] = getCutRange(cast<tensor::ExtractSliceOp>(slice));
      replace(slice->getResult(0), getSlice(joined[0], dim, range));
    }
    for (Operation *part : parts)
      passBack(part);
  }

  //===- cuts of ops ---------------------------------------------------------------------------------------------------------===//

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

  // Whether each part of the loop reads and writes a part of each operand: the loop alone indexes one of its dimensions, or none. A sum that is cut
  // must be stored in between, without being rounded.
  static bool canCut(Operation *op, unsigned loop) {
    auto contract = dyn_cast<ContractOp>(op);
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured ? !structured.hasPureTensorSemantics() || structured.hasDynamicShape() : !contract || !contract.getResult())
      return false;
    bool parallel = isParallel(op, loop);
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), getMaps(op)))
      if (map.isFunctionOfDim(loop) && (!findDim(map, loop) || !isa<RankedTensorType>(operand.getType())))
        return false;
    if (contract) {
      std::optional<ContractionInfo> info = getContractionInfo(contract, getTarget(contract));
      return parallel || (info && info->c().elementType == info->getAccumulatorType());
    }
    return llvm::all_of(structured.getDpsInitsMutable(), [&](OpOperand &init) {
      return structured.getMatchingIndexingMap(&init).isFunctionOfDim(loop) == parallel;
    });
  }

  // The cut of a loop that an operand asks for, because it is joined, or the op itself, because a tile does not divide the loop.
  std::optional<Cut> findCut(Operation *op) {
    if (!isa<ContractOp, linalg::LinalgOp>(op) || isa<linalg::FillOp>(op))
      return std::nullopt;
    if (auto contract = dyn_cast<ContractOp>(op))
      for (auto [loop, boundary] : getTileBoundaries(contract))
        if (canCut(op, loop))
          return Cut{static_cast<int64_t>(loop), boundary};
    for (auto [operand, map] : llvm::zip(op->getOperands(), getMaps(op)))
      if (auto join = joins.find(operand); join != joins.end())
        if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(join->second.cut.dim)); loop && canCut(op, loop.getPosition()))
          return Cut{loop.getPosition(), join->second.cut.boundary};
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
      if (contract->hasAttr(kChosenPackingAttr)) // the strategy chose for the whole: it may know no packing for the part
        contract->setAttr(kPackingAttr, PackingFixedAttr::get(contract.getContext(), getChosenPacking(contract)));
      if (!isParallel(op, loop) && isFirst) { // the second part goes on with the sum and finishes it
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

  // The results of `op`, computed in two parts; `further` is applied to both.
  SmallVector<Value> cutLoop(Operation *op, Cut cut, function_ref<SmallVector<Value>(Operation *)> further) {
    auto destinations = cast<DestinationStyleOpInterface>(op);
    unsigned loop = cut.dim;
    int64_t extent =
        isa<ContractOp>(op) ? cast<ContractOp>(op).getExtents()[loop] : cast<linalg::LinalgOp>(op).getStaticLoopRanges()[loop];
    Range first = {0, cut.boundary}, second = {cut.boundary, extent - cut.boundary};
    SmallVector<Value> inits(destinations.getDpsInits());
    if (!isParallel(op, loop)) {
      SmallVector<Value> sums = further(makePart(op, loop, first, inits, /*isFirst=*/true));
      return further(makePart(op, loop, second, sums, /*isFirst=*/false));
    }
    SmallVector<int64_t> dims;
    SmallVector<Value> firstInits, secondInits;
    SmallVector<AffineMap> maps = getMaps(op);
    for (OpOperand &init : destinations.getDpsInitsMutable()) {
      dims.push_back(getAccepted(findDim(maps[init.getOperandNumber()], loop)));
      firstInits.push_back(getSlice(init.get(), dims.back(), first));
      secondInits.push_back(getSlice(init.get(), dims.back(), second));
    }
    SmallVector<Value> head = further(makePart(op, loop, first, firstInits, /*isFirst=*/true));
    SmallVector<Value> tail = further(makePart(op, loop, second, secondInits, /*isFirst=*/false));
    rewriter.setInsertionPoint(op);
    SmallVector<Value> results;
    for (auto [dim, one, other] : llvm::zip_equal(dims, head, tail))
      results.push_back(join(op->getLoc(), {dim, cut.boundary}, one, other));
    return results;
  }

  // Whether `op` reshapes a value, or takes or places a part of one.
  static bool isMove(Operation *op) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return llvm::all_of(op->getOperandTypes(), [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); });
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
      return !op->hasAttr(kCutAttr) && extract.getType().hasStaticShape() && extract.getDroppedDims().none();
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    return insert && !op->hasAttr(kCutAttr) && insert.getSourceType().hasStaticShape() && insert.getDroppedDims().none();
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

  // The result of a move that is cut, and so are its operands.
  SmallVector<Value> cutMove(Operation *op, Cut cut, function_ref<SmallVector<Value>(Operation *)> further) {
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
      parts.push_back(further(part).front());
    }
    rewriter.setInsertionPoint(op);
    return {join(op->getLoc(), cut, parts[0], parts[1])};
  }

  //===- joins and slices ----------------------------------------------------------------------------------------------------===//

  // The value whose parts these are.
  Value join(Location loc, Cut cut, Value first, Value second) {
    auto type = cast<RankedTensorType>(first.getType());
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
    shape[cut.dim] += getShape(second)[cut.dim];
    Value whole = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    int64_t offset = 0;
    for (Value part : {first, second}) {
      SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)), strides(shape.size(), rewriter.getIndexAttr(1));
      offsets[cut.dim] = rewriter.getIndexAttr(offset);
      auto insert = tensor::InsertSliceOp::create(rewriter, loc, part, whole, offsets,
                                                  getAsIndexOpFoldResult(rewriter.getContext(), getShape(part)), strides);
      insert->setAttr(kCutAttr, rewriter.getUnitAttr());
      whole = insert;
      offset += cut.boundary;
    }
    joins[whole] = {cut, first, second};
    return whole;
  }

  // The part of a value in `range` of dimension `dim`: a part of a join, or a slice. Changes the insertion point.
  Value getSlice(Value value, int64_t dim, Range range) {
    auto type = cast<RankedTensorType>(value.getType());
    if (auto found = joins.find(value); found != joins.end()) {
      Join parts = found->second;
      if (parts.cut.dim == dim && range.offset == 0 && range.size == parts.cut.boundary)
        return parts.first;
      if (parts.cut.dim == dim && range.offset == parts.cut.boundary && range.offset + range.size == type.getDimSize(dim))
        return parts.second;
      if (parts.cut.dim != dim) {
        Value first = getSlice(parts.first, dim, range), second = getSlice(parts.second, dim, range);
        rewriter.setInsertionPointAfterValue(value);
        return join(value.getLoc(), parts.cut, first, second);
      }
    }
    auto key = std::pair(value, std::pair(dim, std::pair(range.offset, range.size)));
    if (Value slice = slices.lookup(key))
      return slice;
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
    shape[dim] = range.size;
    rewriter.setInsertionPointAfterValue(value);
    if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
      Value empty = tensor::EmptyOp::create(rewriter, value.getLoc(), shape, type.getElementType());
      return slices[key] = linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(), empty).getResult(0);
    }
    if (value.getDefiningOp<tensor::EmptyOp>())
      return slices[key] = tensor::EmptyOp::create(rewriter, value.getLoc(), shape, type.getElementType());
    SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)), strides(shape.size(), rewriter.getIndexAttr(1));
    offsets[dim] = rewriter.getIndexAttr(range.offset);
    auto extract = tensor::ExtractSliceOp::create(rewriter, value.getLoc(), value, offsets,
                                                  getAsIndexOpFoldResult(rewriter.getContext(), shape), strides);
    extract->setAttr(kCutAttr, rewriter.getUnitAttr());
    return slices[key] = extract;
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
  llvm::DenseMap<Value, Join> joins; // each joined value
  llvm::DenseMap<std::pair<Value, std::pair<int64_t, std::pair<int64_t, int64_t>>>, Value>
      slices; // by value, dimension and range
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

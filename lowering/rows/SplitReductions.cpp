// Splits reductions of few outputs, so that threads share them: the mean of an image's pixels, the sum of a matrix.
//
// The loops of a reduction that threads share are those over its outputs. A sum of all pixels of 32 channels is one vector or two: one thread would
// compute it, while the others wait. The outermost dimension of the reduction is cut into parts; a first op computes an output of each part, a
// second combines them.
#include "lowering/Passes.h"
#include "lowering/machine/Threads.h"
#include "lowering/rows/Combiners.h"
#include "lowering/rows/VectorLoops.h"
#include "lowering/tile/ThreadShares.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "lowering/Passes.h.inc"

namespace {

// Points of a reduction that takes longer than starting a team of threads.
constexpr int64_t fewestPoints = 1 << 15;
// What the first op reads, at least, relative to what the second one reads.
constexpr int64_t leastRatio = 8;
// The least factor by which the thread that has most of the work must have less.
constexpr double leastSpeedup = 1.3;
constexpr int64_t mostParts = 4096;

// A reduction, and how it is cut.
struct Split {
  unsigned dim;  // of the loops
  int64_t parts; // they divide its extent
  Operation *combiner;
  TypedAttr neutral;
};

// The dimension of the loops along which the input is contiguous; null if there is none.
AffineDimExpr getRowDim(AffineMap map) {
  return map.getNumResults() == 0 ? AffineDimExpr(nullptr) : dyn_cast<AffineDimExpr>(map.getResults().back());
}

// The input with the most elements: its strides decide how the op is vectorized, and what its outermost reduction is. Null if there is no tensor.
OpOperand *getLargestInput(linalg::GenericOp op) {
  OpOperand *largest = nullptr;
  int64_t most = 0;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand->get().getType()); type && type.getNumElements() > most)
      largest = operand, most = type.getNumElements();
  return largest;
}

// How many iterations tpp-vectorize-linalg makes for threads to share: those over the outputs, of which adjacent ones are in a vector or a chunk.
int64_t countTasks(linalg::GenericOp op, AffineMap largest, ArrayRef<int64_t> extents) {
  int64_t tasks = 1;
  AffineDimExpr row = getRowDim(largest);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (linalg::isReductionIterator(op.getIteratorTypesArray()[i]))
      continue;
    bool isVector = row && row.getPosition() == i;
    tasks *= !isVector ? extent : extent >= 2 * chunkElements ? int64_t(llvm::divideCeil(extent, chunkElements)) : 1;
  }
  return tasks;
}

// The reduction that is outermost in `largest`, if every input reads it in whole steps or not at all, and it chooses no output.
std::optional<unsigned> findOutermostReduction(linalg::GenericOp op, AffineMap largest, ArrayRef<int64_t> extents) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto found = llvm::find_if(largest.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && linalg::isReductionIterator(iterators[dim.getPosition()]) && extents[dim.getPosition()] > 1;
  });
  if (found == largest.getResults().end() || maps.back().isFunctionOfDim(cast<AffineDimExpr>(*found).getPosition()))
    return std::nullopt;
  unsigned outermost = cast<AffineDimExpr>(*found).getPosition();
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (expr.isFunctionOfDim(outermost) && !isa<AffineDimExpr>(expr))
        return std::nullopt;
  return outermost;
}

bool isDenseTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || !type.getEncoding();
}

std::optional<Split> findSplit(linalg::GenericOp op, int64_t threads) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || op.hasIndexSemantics() || op.getNumReductionLoops() == 0 ||
      llvm::is_contained(extents, ShapedType::kDynamic) || !llvm::all_of(op->getOperands(), isDenseTensor))
    return std::nullopt;
  SmallVector<Operation *> chain;
  SmallVector<BlockArgument> outs(op.getRegionOutputArgs());
  if (!matchReduction(outs, 0, chain) || chain.size() != 1 || !outs[0].hasOneUse())
    return std::nullopt;
  auto combiner = getCombiner(chain[0]);
  OpOperand *input = getLargestInput(op);
  if (!combiner || !input)
    return std::nullopt;
  AffineMap largest = op.getMatchingIndexingMap(input);
  std::optional<unsigned> dim = findOutermostReduction(op, largest, extents);
  int64_t points = ShapedType::getNumElements(extents);
  if (!dim || points < fewestPoints)
    return std::nullopt;
  int64_t outputs = cast<RankedTensorType>(op.getResult(0).getType()).getNumElements();
  int64_t tasks = countTasks(op, largest, extents);
  double least = getLargestShare({{tasks, 1}}, threads) / leastSpeedup;
  int64_t parts = 1, most = std::min(2 * std::min(threads, mostParts / 2), points / (outputs * leastRatio));
  for (int64_t count = 2; count <= most; ++count) {
    if (extents[*dim] % count != 0)
      continue;
    if (double share = getLargestShare({{count, 1}, {tasks, 1}}, threads); share < least)
      least = share, parts = count;
  }
  if (parts == 1)
    return std::nullopt;
  return Split{*dim, parts, chain[0], combiner->first};
}

// `map` with the dimension `dim` in two: the part, the first of all dimensions, and the position in it.
AffineMap splitMap(AffineMap map, unsigned dim) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.shiftDims(1).getResults()) {
    if (expr == getAffineDimExpr(dim + 1, context))
      results.push_back(getAffineDimExpr(0, context));
    results.push_back(expr);
  }
  return AffineMap::get(map.getNumDims() + 1, 0, results, context);
}

// `input` with each dimension that the reduction reads in two: parts, and positions in a part.
Value splitInput(OpBuilder &builder, Location loc, Value input, AffineMap map, const Split &split) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    return input;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  auto add = [&](int64_t extent) {
    groups.back().push_back(static_cast<int64_t>(shape.size()));
    shape.push_back(extent);
  };
  for (auto [extent, expr] : llvm::zip_equal(type.getShape(), map.getResults())) {
    groups.emplace_back();
    bool isSplit = expr == builder.getAffineDimExpr(split.dim);
    if (isSplit)
      add(split.parts);
    add(isSplit ? extent / split.parts : extent);
  }
  if (shape.size() == type.getShape().size())
    return input;
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), input, groups);
}

void splitReduction(linalg::GenericOp op, const Split &split, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  dropPromises(split.combiner);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  rewriter.setInsertionPoint(op);

  SmallVector<Value> inputs;
  SmallVector<AffineMap> partMaps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    inputs.push_back(splitInput(rewriter, loc, operand->get(), op.getMatchingIndexingMap(operand), split));
    partMaps.push_back(splitMap(op.getMatchingIndexingMap(operand), split.dim));
  }
  SmallVector<int64_t> partShape = {split.parts};
  llvm::append_range(partShape, type.getShape());
  Value empty = tensor::EmptyOp::create(rewriter, loc, partShape, type.getElementType());
  Value neutral = arith::ConstantOp::create(rewriter, loc, split.neutral);
  Value start = linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  AffineMap outMap = maps.back().shiftDims(1);
  SmallVector<AffineExpr> outResults = {rewriter.getAffineDimExpr(0)};
  llvm::append_range(outResults, outMap.getResults());
  partMaps.push_back(AffineMap::get(outMap.getNumDims(), 0, outResults, rewriter.getContext()));
  SmallVector<utils::IteratorType> iterators = {utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());
  auto parts = linalg::GenericOp::create(rewriter, loc, start.getType(), inputs, start, partMaps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), parts.getRegion(), parts.getRegion().end());

  SmallVector<utils::IteratorType> joinIterators(partShape.size(), utils::IteratorType::parallel);
  joinIterators[0] = utils::IteratorType::reduction;
  AffineMap all = rewriter.getMultiDimIdentityMap(partShape.size());
  auto joined = linalg::GenericOp::create(
      rewriter, loc, type, parts.getResult(0), op.getDpsInits()[0], ArrayRef<AffineMap>{all, all.dropResult(0)}, joinIterators,
      [&](OpBuilder &builder, Location bodyLoc, ValueRange args) {
        IRMapping mapping;
        for (Value operand : split.combiner->getOperands())
          mapping.map(operand, operand == op.getRegionOutputArgs()[0] ? args[1] : args[0]);
        linalg::YieldOp::create(builder, bodyLoc, builder.clone(*split.combiner, mapping)->getResult(0));
      });
  for (Operation *half : {parts.getOperation(), joined.getOperation()})
    half->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, joined);
}

struct SplitReductions : public impl::SplitReductionsBase<SplitReductions> {
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() override {
    if (failed(verifyThreads(getOperation(), threads)))
      return signalPassFailure();
    if (threads == 1)
      return;
    SmallVector<std::pair<linalg::GenericOp, Split>> splits;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Split> split = findSplit(op, threads))
        splits.push_back({op, *split});
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, split] : splits)
      splitReduction(op, split, rewriter);
  }
};

} // namespace
} // namespace mlir::tpp

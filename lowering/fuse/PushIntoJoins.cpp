// Lets what reads a value that is put together of parts compute in parts, where that saves copies.
//
// A concatenation copies each part that cannot be computed in its place: an argument, a constant (the class token of a vision
// transformer), a value that is also part of another concatenation (every layer of a DenseNet). Where the only reader works on each
// part alone (an elementwise op, a sum or pool along other dimensions), it reads the parts as they lie and writes its own results side by
// side: the bytes that were copied are now computed in the right place. A part that is computed only for this can then take the reader as
// a post-op.
#include "lowering/Passes.h"
#include "lowering/analysis/Joins.h"
#include "lowering/analysis/Relay.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PUSHINTOJOINS
#include "lowering/Passes.h.inc"

namespace {

// The dimensions of a value of this shape in which some of its parts are not as large as the whole.
SmallVector<int64_t> getJoinedDims(ArrayRef<JoinedPart> parts, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (llvm::any_of(parts, [dim = dim, size = size](const JoinedPart &part) { return part.sizes[dim] != size; }))
      dims.push_back(dim);
  return dims;
}

// Whether a part is still read when another one is computed: bufferization would take that for a write over it, were both in one buffer.
bool isReadWhileWritten(const JoinedPart &part, ArrayRef<JoinedPart> parts) {
  tensor::InsertSliceOp insert = part.insert;
  Operation *op = part.source.getDefiningOp();
  return llvm::any_of(parts, [&](const JoinedPart &other) {
    Operation *writer = other.source.getDefiningOp();
    if (!writer || writer->getBlock() != op->getBlock() || !op->isBeforeInBlock(writer))
      return false;
    return llvm::any_of(part.source.getUsers(), [&](Operation *user) {
      Operation *reader = op->getBlock()->findAncestorOpInBlock(*user);
      return user != insert && reader && !reader->isBeforeInBlock(writer);
    });
  });
}

// Whether a part is not computed where it is put, but moved there.
bool isMoved(const JoinedPart &part, ArrayRef<JoinedPart> parts) {
  auto op = part.source.getDefiningOp<linalg::LinalgOp>();
  return !isComputedInPlace(part.insert) || isReadWhileWritten(part, parts) || (op && isCopy(op));
}

// Whether two values are put together in the same way.
bool haveSameParts(ArrayRef<JoinedPart> x, ArrayRef<JoinedPart> y) {
  auto isAlike = [](const JoinedPart &a, const JoinedPart &b) { return a.offsets == b.offsets && a.sizes == b.sizes; };
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), isAlike);
}

struct PushIntoJoin : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op->getNumResults() != 1 || op.getNumDpsInits() != 1)
      return rewriter.notifyMatchFailure(op, "not on tensors of static shape with one result");
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value value = input->get();
      if (!value.hasOneUse() || !value.getDefiningOp<tensor::InsertSliceOp>())
        continue;
      SmallVector<JoinedPart> parts = getJoin(value);
      if (parts.size() < 2 || llvm::none_of(parts, [&](const JoinedPart &part) { return isMoved(part, parts); }))
        continue;
      auto loops = getCutLoops(op, input, getJoinedDims(parts, cast<RankedTensorType>(value.getType()).getShape()));
      if (!loops)
        continue;
      push(op, input, parts, *loops, rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no input put together of parts that would be copied, each of which gives a part of the result");
  }

private:
  // The loops along the joined dimensions: a parallel one each, which alone walks along that dimension and one of the result.
  static std::optional<SmallVector<std::pair<int64_t, int64_t>>> getCutLoops(linalg::LinalgOp op, OpOperand *input,
                                                                             ArrayRef<int64_t> dims) {
    AffineMap inMap = op.getMatchingIndexingMap(input), outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<std::pair<int64_t, int64_t>> loops; // dimension of the input, loop
    for (int64_t dim : dims) {
      auto loop = dyn_cast<AffineDimExpr>(inMap.getResult(dim));
      if (!loop || !llvm::is_contained(outMap.getResults(), AffineExpr(loop)))
        return std::nullopt;
      for (AffineMap map : op.getIndexingMapsArray())
        for (AffineExpr expr : map.getResults())
          if (expr != loop && expr.isFunctionOfDim(loop.getPosition()))
            return std::nullopt;
      loops.push_back({dim, loop.getPosition()});
    }
    return loops;
  }

  // One op for each part; each result is put where the part was.
  static void push(linalg::LinalgOp op, OpOperand *input, ArrayRef<JoinedPart> parts, ArrayRef<std::pair<int64_t, int64_t>> loops,
                   PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<SmallVector<JoinedPart>> joins; // of each input; empty where it is sliced
    for (OpOperand *other : op.getDpsInputOperands()) {
      bool isAlike = op.getMatchingIndexingMap(other) == op.getMatchingIndexingMap(input);
      joins.push_back(isAlike ? getJoin(other->get()) : SmallVector<JoinedPart>());
      if (!joins.back().empty() && !haveSameParts(joins.back(), parts))
        joins.back().clear();
    }
    OpOperand *init = op.getDpsInitOperand(0);
    JoinBuilder result(rewriter, loc, init->get(), op.payloadUsesValueFromOperand(init));
    for (auto [i, part] : llvm::enumerate(parts)) {
      SmallVector<int64_t> firsts(op.getNumLoops(), 0), extents = op.getStaticLoopRanges();
      SmallVector<OpFoldResult> tiles(op.getNumLoops(), rewriter.getIndexAttr(0)); // 0: not cut
      for (auto [dim, loop] : loops) {
        firsts[loop] = part.offsets[dim];
        extents[loop] = part.sizes[dim];
        tiles[loop] = rewriter.getIndexAttr(part.sizes[dim]);
      }
      SmallVector<OpFoldResult> starts = getAsIndexOpFoldResult(op.getContext(), firsts), cutStarts,
                                bounds = getAsIndexOpFoldResult(op.getContext(), op.getStaticLoopRanges());
      for (auto [start, tile] : llvm::zip_equal(starts, tiles))
        if (!isZeroInteger(tile))
          cutStarts.push_back(start);
      SmallVector<Value> operands = linalg::makeTiledShapes(rewriter, loc, op, llvm::to_vector(op.getDpsInputs()), cutStarts,
                                                            tiles, bounds, /*omitPartialTileCheck=*/true);
      // The slices of what is read as a join are dead: the parts themselves stand in.
      for (auto [operand, join] : llvm::zip_equal(operands, joins))
        if (!join.empty())
          operand = join[i].source;
      SmallVector<int64_t> offsets, sizes;
      ArrayRef<int64_t> shape = cast<RankedTensorType>(init->get().getType()).getShape();
      for (auto [expr, size] : llvm::zip_equal(op.getMatchingIndexingMap(init).getResults(), shape)) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        offsets.push_back(loop ? firsts[loop.getPosition()] : 0);
        sizes.push_back(loop ? extents[loop.getPosition()] : size);
      }
      operands.push_back(result.getInit(offsets, sizes));
      auto piece = cast<linalg::LinalgOp>(clone(rewriter, op, TypeRange{operands.back().getType()}, operands));
      linalg::offsetIndices(rewriter, piece, starts);
      result.add(piece->getResult(0), offsets);
    }
    rewriter.replaceOp(op, result.getResult());
  }
};

struct PushIntoJoins : public impl::PushIntoJoinsBase<PushIntoJoins> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PushIntoJoin>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), GreedyRewriteConfig().setUseTopDownTraversal(true))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

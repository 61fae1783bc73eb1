// Splits the only reader of a concatenation into one op per part, if that saves copies.
//
// A concatenation copies each part that cannot be computed directly into the whole: an argument, a constant (the class token of a vision
// transformer), or a value that is also part of another concatenation (every layer of a DenseNet). The pass applies if the only reader works on
// each part separately: an elementwise op, or a sum or pool along other dimensions. Each new op reads its part in place and writes its result
// into the right slice of the output, so that nothing is copied. A contraction that computes only this part can then fuse its op as a post-op.
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

// The dimensions along which a value of this shape is concatenated: some part is smaller than the whole there.
SmallVector<int64_t> getJoinedDims(ArrayRef<JoinedPart> parts, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (llvm::any_of(parts, [dim = dim, size = size](const JoinedPart &part) { return part.sizes[dim] != size; }))
      dims.push_back(dim);
  return dims;
}

// True if a part has a reader at or after the op that computes a later part. With both parts in one buffer, bufferization would take that op's
// write for a conflict with the read.
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

// True if a part is copied into the whole instead of being computed there.
bool isMoved(const JoinedPart &part, ArrayRef<JoinedPart> parts) {
  auto op = part.source.getDefiningOp<linalg::LinalgOp>();
  return !isComputedInPlace(part.insert) || isReadWhileWritten(part, parts) || (op && isCopy(op));
}

// True if two concatenations have parts of equal offsets and sizes.
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
        op, "no input is a concatenation with copied parts, each of which determines a separate part of the result");
  }

private:
  // The loops along the joined dimensions `dims` of the input. Each must alone index that dimension and a dimension of the result, so that it is
  // parallel, and must not occur in a sum with other loops; else nullopt.
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

  // Creates one op per part and inserts each result at the position of its part.
  static void push(linalg::LinalgOp op, OpOperand *input, ArrayRef<JoinedPart> parts, ArrayRef<std::pair<int64_t, int64_t>> loops,
                   PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<SmallVector<JoinedPart>> joins; // the parts of each input; empty for an input that is sliced instead
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
      // Inputs that are concatenations of the same parts are read part by part. Their slices are dead.
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
      SmallVector<int64_t> strides(sizes.size(), 1);
      operands.push_back(result.getInit(offsets, sizes, strides));
      auto piece = cast<linalg::LinalgOp>(clone(rewriter, op, TypeRange{operands.back().getType()}, operands));
      linalg::offsetIndices(rewriter, piece, starts);
      result.add(piece->getResult(0), offsets, strides);
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

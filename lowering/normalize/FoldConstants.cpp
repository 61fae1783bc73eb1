// Evaluates elementwise ops on small constants (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/ConstantIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "lowering/Passes.h.inc"

namespace {

constexpr int64_t mostElements = 4096;

struct FoldElementwise : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumReductionLoops() > 0 || op->getNumResults() != 1 ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return rewriter.notifyMatchFailure(op, "does not compute each element of one tensor of static shape");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!type.getElementType().isIntOrIndex() || type.getNumElements() > mostElements || type.getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "does not compute a few integers");
    SmallVector<SmallVector<Attribute>> inputs;
    for (Value input : op.getInputs()) {
      std::optional<SmallVector<APInt>> elements = getConstantIntegers(input, mostElements);
      if (!elements)
        return rewriter.notifyMatchFailure(op, "an input is not a small constant of integers");
      inputs.push_back(llvm::map_to_vector(*elements, [&](const APInt &element) -> Attribute {
        return rewriter.getIntegerAttr(getElementTypeOrSelf(input), element);
      }));
    }
    SmallVector<int64_t> extents = op.getStaticLoopRanges(), point(extents.size(), 0);
    SmallVector<Attribute> results;
    OwningOpRef<linalg::GenericOp> copy = cast<linalg::GenericOp>(op->clone()); // Operation::fold may exchange operands
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Attribute result = evaluate(*copy, inputs, point);
      if (!isa_and_nonnull<IntegerAttr>(result))
        return rewriter.notifyMatchFailure(op, "an operation of the body cannot be evaluated");
      results.push_back(result);
      for (size_t dim = point.size(); dim-- > 0 && ++point[dim] == extents[dim];)
        point[dim] = 0;
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, results));
    return success();
  }

  // The value that the body yields at `point`; null if it is unknown.
  static Attribute evaluate(linalg::GenericOp op, ArrayRef<SmallVector<Attribute>> inputs, ArrayRef<int64_t> point) {
    llvm::DenseMap<Value, Attribute> known;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [i, elements] : llvm::enumerate(inputs)) {
      int64_t place = 0;
      for (auto [index, size] :
           llvm::zip_equal(maps[i].compose(point), cast<RankedTensorType>(op.getInputs()[i].getType()).getShape()))
        place = place * size + index;
      known[op.getBody()->getArgument(i)] = elements[place];
    }
    auto get = [&](Value value) {
      Attribute attr = known.lookup(value);
      if (!attr)
        matchPattern(value, m_Constant(&attr));
      return attr;
    };
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        known[index] = Builder(op.getContext()).getIndexAttr(point[index.getDim()]);
        continue;
      }
      if (inner.getNumResults() != 1 || !isMemoryEffectFree(&inner))
        return {};
      SmallVector<OpFoldResult> folded;
      for (int tries = 0; tries < 2 && folded.empty(); ++tries) // the first may only change the op
        if (failed(inner.fold(llvm::map_to_vector(inner.getOperands(), get), folded)))
          return {};
      if (folded.size() != 1)
        return {};
      Attribute attr = dyn_cast<Attribute>(folded[0]);
      known[inner.getResult(0)] = attr ? attr : get(cast<Value>(folded[0]));
      if (!known[inner.getResult(0)])
        return {};
    }
    return get(op.getBody()->getTerminator()->getOperand(0));
  }
};

struct FoldConstants : public impl::FoldConstantsBase<FoldConstants> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldElementwise>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tpp

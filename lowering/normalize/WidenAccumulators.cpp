// Sums of bf16 and f16 elements accumulate in f32 and are rounded once, at the end.
//
// Linalg defines a reduction as one addition in the type of the output per element: with 8 significant bits, a sum of ones in bf16 ends at 256. In
// this compiler, small floating-point types are storage types (docs/numerics.md).
#include "lowering/Passes.h"
#include "lowering/analysis/CreateOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_WIDENACCUMULATORS
#include "lowering/Passes.h.inc"

namespace {

bool isSmall(Type type) { return type.isBF16() || type.isF16(); }

// A linalg op on tensors whose only output, of a small type, is a sum along at least one loop. The addition that computes it; null otherwise.
arith::AddFOp getSum(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !isSmall(getElementTypeOrSelf(op.getDpsInits()[0].getType())))
    return {};
  Block &body = *op.getBlock();
  BlockArgument out = body.getArguments().back();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  return add && out.hasOneUse() && *out.user_begin() == add.getOperation() && add.getLhs() != add.getRhs() ? add
                                                                                                           : arith::AddFOp();
}

class Widening {
public:
  Widening(linalg::GenericOp op, arith::AddFOp sum, RewriterBase &rewriter)
      : op(op), sum(sum), rewriter(rewriter), loc(op.getLoc()), wide(rewriter.getF32Type()) {}

  // Replaces the op. Returns the op that sums.
  linalg::GenericOp rewrite() {
    rewriter.setInsertionPoint(op);
    Type narrow = getElementTypeOrSelf(op.getResult(0));
    Value init = widenInit(op.getDpsInits()[0]);
    auto wideOp = linalg::GenericOp::create(rewriter, loc, init.getType(), op.getDpsInputs(), init, op.getIndexingMapsArray(),
                                            op.getIteratorTypesArray());
    createBody(wideOp);
    rewriter.setInsertionPointAfter(wideOp);
    rewriter.replaceOp(op, createConversion(rewriter, loc, wideOp.getResult(0), narrow));
    return wideOp;
  }

private:
  // The first value of the sums, in f32.
  Value widenInit(Value init) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    FloatAttr value;
    if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&value)))
      return createConversion(rewriter, loc, init, wide);
    Value empty = tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), wide);
    Value scalar = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(value.getValueAsDouble()));
    return linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
  }

  // The body of `op` with an accumulator of f32. A product that is the term of the sum is exact, too.
  void createBody(linalg::GenericOp wideOp) {
    Block &body = *op.getBody();
    SmallVector<Type> types(body.getArgumentTypes());
    types.back() = wide;
    OpBuilder::InsertionGuard guard(rewriter);
    Block *block = rewriter.createBlock(&wideOp.getRegion(), {}, types, SmallVector<Location>(types.size(), loc));
    IRMapping mapping;
    mapping.map(body.getArguments(), block->getArguments());
    BlockArgument out = body.getArguments().back();
    Value term = sum.getLhs() == out ? sum.getRhs() : sum.getLhs();
    auto product = term.hasOneUse() ? term.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    for (Operation &each : body.without_terminator())
      if (&each != sum.getOperation() && &each != product.getOperation())
        rewriter.clone(each, mapping);
    auto extend = [&](Value value) { return arith::ExtFOp::create(rewriter, loc, wide, mapping.lookupOrDefault(value)); };
    Value wideTerm = product
                         ? arith::MulFOp::create(rewriter, loc, extend(product.getLhs()), extend(product.getRhs())).getResult()
                         : extend(term).getResult();
    linalg::YieldOp::create(rewriter, loc,
                            arith::AddFOp::create(rewriter, loc, block->getArguments().back(), wideTerm).getResult());
  }

  linalg::GenericOp op;
  arith::AddFOp sum;
  RewriterBase &rewriter;
  Location loc;
  Type wide;
};

struct WidenAccumulators : public impl::WidenAccumulatorsBase<WidenAccumulators> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (getSum(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      DictionaryAttr attributes = op->getDiscardableAttrDictionary();
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> generalized = linalg::generalizeNamedOp(rewriter, op);
        if (failed(generalized))
          continue; // an op without indexing maps has no sums
        generic = *generalized;
      }
      linalg::GenericOp wideOp = Widening(generic, getSum(generic), rewriter).rewrite();
      for (StringRef name : kStrategyAttrs)
        if (Attribute value = attributes.get(name))
          wideOp->setDiscardableAttr(name, value);
    }
  }
};

} // namespace
} // namespace mlir::tpp

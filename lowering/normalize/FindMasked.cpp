// Finds the columns of attention's scores that a constant mask hides (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/TensorEvaluator.h"
#include "lowering/analysis/VisibleColumns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "tpp_dialect/PackingStrategies.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_FINDMASKED
#include "lowering/Passes.h.inc"

namespace {

// A number below which a score is masked: its exponential is zero beside that of any score that is not.
constexpr double lowest = -1e30;

// Whether a reshape keeps the last two dimensions.
bool keepsRows(Operation *op) {
  auto keeps = [](ArrayRef<ReassociationIndices> groups, int64_t rank) {
    return rank >= 2 && groups.size() >= 2 && groups.back().size() == 1 && groups[groups.size() - 2].back() == rank - 2;
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    return keeps(groups, collapse.getSrcType().getRank()) && groups[groups.size() - 2].size() == 1;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    return keeps(groups, expand.getResultType().getRank()) && groups[groups.size() - 2].size() == 1;
  }
  return false;
}

// Whether each element of the result of an elementwise op is computed from the element of an input with the same row and column.
bool isElementwise(linalg::GenericOp op, unsigned input) {
  AffineMap map = op.getIndexingMapsArray()[input];
  auto isLast = [&](unsigned fromEnd) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1 - fromEnd));
    return dim && dim.getPosition() == map.getNumDims() - 1 - fromEnd;
  };
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 && op->getNumResults() == 1 && op.getNumLoops() >= 2 &&
         op.getIndexingMapsArray().back().isIdentity() && map.getNumResults() >= 2 && isLast(0) && isLast(1);
}

// What a masked element becomes on its way.
enum class State { Any, Low, Zero, Accumulator }; // any number; -inf or nearly; 0; the value of a reduction so far

// Follows the masked elements of one value through the ops after it.
class Follower {
public:
  // Whether they have no influence on anything but zeros in the first operand of a contraction, which sums over the columns. Returns that contraction.
  linalg::LinalgOp follow(Operation *mask) {
    states[mask->getResult(0)] = State::Low;
    linalg::LinalgOp last;
    for (Operation *op = mask->getNextNode(); op; op = op->getNextNode()) {
      if (llvm::none_of(op->getOperands(), [&](Value operand) { return getState(operand) != State::Any; })) {
        bool usesInside = op->walk([&](Operation *inner) {
                              return inner != op && llvm::any_of(inner->getOperands(),
                                                                 [&](Value operand) { return getState(operand) != State::Any; })
                                         ? WalkResult::interrupt()
                                         : WalkResult::advance();
                            }).wasInterrupted();
        if (usesInside)
          return {};
        continue;
      }
      if (keepsRows(op)) {
        states[op->getResult(0)] = getState(op->getOperand(0));
        continue;
      }
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (linalgOp && isContraction(op)) {
        if (last || !sumsOverColumns(linalgOp))
          return {};
        last = linalgOp;
        continue;
      }
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic || !followBody(generic))
        return {};
    }
    return last;
  }

private:
  State getState(Value value) const { return states.lookup(value); }

  bool sumsOverColumns(linalg::LinalgOp op) const {
    AffineMap map = op.getIndexingMapsArray()[0];
    if (getState(op.getDpsInputs()[0]) != State::Zero || getState(op.getDpsInputs()[1]) != State::Any || map.getNumResults() < 2)
      return false;
    auto column = dyn_cast<AffineDimExpr>(map.getResults().back()),
         row = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 2));
    return column && row && op.getIteratorTypesArray()[column.getPosition()] == utils::IteratorType::reduction &&
           op.getIteratorTypesArray()[row.getPosition()] == utils::IteratorType::parallel;
  }

  bool followBody(linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics())
      return false;
    const bool isReduction = op.getNumReductionLoops() != 0;
    llvm::DenseMap<Value, State> inBody;
    for (unsigned i = 0; i < op.getNumDpsInputs(); ++i) {
      State state = getState(op.getDpsInputs()[i]);
      if (state == State::Any)
        continue;
      if (isReduction ? !reducesColumns(op, i) : !isElementwise(op, i))
        return false;
      inBody[op.getBody()->getArgument(i)] = state;
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (getState(init.get()) != State::Any)
        return false;
      if (isReduction)
        inBody[op.getMatchingBlockArgument(&init)] = State::Accumulator;
    }
    for (Operation &inner : op.getBody()->without_terminator())
      if (inner.getNumResults() == 1)
        inBody[inner.getResult(0)] = getResult(inner, inBody);
    for (auto [result, yielded] : llvm::zip_equal(op->getResults(), op.getBody()->getTerminator()->getOperands())) {
      State state = isZero(yielded) ? State::Zero : inBody.lookup(yielded);
      if (isReduction) {
        // The accumulator of this result itself.
        if (state != State::Accumulator ||
            !isAccumulated(yielded, op.getBody()->getArgument(op.getNumDpsInputs() + result.getResultNumber())))
          return false;
      } else if (state != State::Low && state != State::Zero) {
        return false;
      } else {
        states[result] = state;
      }
    }
    return true;
  }

  // Whether the last dimension of an input is reduced and the one before is not.
  static bool reducesColumns(linalg::GenericOp op, unsigned input) {
    AffineMap map = op.getIndexingMapsArray()[input];
    return map.isIdentity() && map.getNumDims() >= 2 && op.getNumReductionLoops() == 1 &&
           op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
  }

  static bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

  static bool isAccumulated(Value yielded, Value accumulator) {
    Operation *op = yielded.getDefiningOp();
    return yielded == accumulator || (op && llvm::is_contained(op->getOperands(), accumulator));
  }

  // What an operation of a body makes of masked elements.
  static State getResult(Operation &op, const llvm::DenseMap<Value, State> &states) {
    SmallVector<State> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value operand) { return isZero(operand) ? State::Zero : states.lookup(operand); });
    auto has = [&](State state) { return llvm::is_contained(operands, state); };
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
      return has(State::Low) && has(State::Accumulator) ? State::Accumulator : State::Any;
    if (isa<arith::AddFOp>(op)) {
      if (has(State::Accumulator))
        return has(State::Zero) ? State::Accumulator : State::Any;
      return has(State::Low) ? State::Low : operands[0] == operands[1] ? operands[0] : State::Any;
    }
    if (isa<arith::SubFOp>(op))
      return operands[0] == State::Low && operands[1] == State::Any ? State::Low : State::Any;
    if (isa<math::ExpOp, math::Exp2Op>(op))
      return operands[0] == State::Low ? State::Zero : State::Any;
    if (isa<arith::MulFOp>(op))
      return has(State::Zero) && !has(State::Accumulator) ? State::Zero : State::Any;
    if (isa<arith::DivFOp>(op))
      return operands[0] == State::Zero && operands[1] == State::Any ? State::Zero : State::Any;
    if (isa<arith::SelectOp>(op))
      return operands[1] == operands[2] ? operands[1] : State::Any;
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      return operands[0];
    return State::Any;
  }

  llvm::DenseMap<Value, State> states; // of masked elements, in values that have some
};

// Collects the contractions from whose results a value is computed with the same rows and columns, through ops that nothing else reads.
void collectSources(Value value, Block *block, SmallVectorImpl<Operation *> &sources) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || op->getBlock() != block)
    return;
  if (isContraction(op)) {
    if (cast<linalg::LinalgOp>(op).getIndexingMapsArray().back().getNumResults() >= 2)
      sources.push_back(op);
  } else if (keepsRows(op)) {
    collectSources(op->getOperand(0), block, sources);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    for (auto [i, input] : llvm::enumerate(generic.getDpsInputs()))
      if (isElementwise(generic, i))
        collectSources(input, block, sources);
  }
}

// The visible columns of a mask's result; null if it is not known which elements are masked, or if no group of rows has fewer than all.
std::optional<VisibleColumns> findVisible(linalg::GenericOp mask, TensorEvaluator &evaluator) {
  constexpr int64_t groupRows = 16, mostElements = INT64_C(1) << 26;
  auto type = cast<RankedTensorType>(mask->getResult(0).getType());
  const int64_t rank = type.getRank();
  VisibleColumns visible{type.getDimSize(rank - 2), type.getDimSize(rank - 1), groupRows, {}};
  // Dimensions before the rows that the mask does not depend on, such as heads, are evaluated at one index.
  TensorPart part{SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 1)};
  for (auto [input, map] : llvm::zip(mask.getDpsInputs(), mask.getIndexingMapsArray()))
    for (int64_t dim = 0; dim + 2 < rank; ++dim)
      if (map.isFunctionOfDim(dim) && isa<RankedTensorType>(input.getType()) &&
          evaluator.evaluate(input, {SmallVector<int64_t>(map.getNumResults(), 0), SmallVector<int64_t>(map.getNumResults(), 1)}))
        part.sizes[dim] = type.getDimSize(dim);
  if (part.countElements() * visible.rows > mostElements / visible.columns)
    return std::nullopt;
  bool masks = false;
  part.sizes[rank - 1] = visible.columns;
  for (int64_t first = 0; first < visible.rows; first += groupRows) {
    part.offsets[rank - 2] = first;
    part.sizes[rank - 2] = std::min(groupRows, visible.rows - first);
    std::optional<TensorElements> elements = evaluator.evaluateMasked(mask, part, lowest);
    if (!elements)
      return std::nullopt;
    VisibleColumns::Range range{visible.columns, 0};
    for (ArrayRef<double> row(*elements); !row.empty(); row = row.drop_front(visible.columns)) {
      auto isVisible = [](double element) { return !(element <= lowest); };
      const double *firstVisible = llvm::find_if(row.take_front(visible.columns), isVisible);
      if (firstVisible == row.take_front(visible.columns).end()) // softmax defines what such a row becomes
        return std::nullopt;
      int64_t end = visible.columns;
      while (!isVisible(row[end - 1]))
        --end;
      range = {std::min(range.begin, static_cast<int64_t>(firstVisible - row.begin())), std::max(range.end, end)};
    }
    masks |= range.begin > 0 || range.end < visible.columns;
    visible.groups.push_back(range);
  }
  return masks ? std::optional(std::move(visible)) : std::nullopt;
}

// Whether two ops add the same mask to scores.
bool addsSame(linalg::GenericOp x, linalg::GenericOp y) {
  auto adds = [](linalg::GenericOp op) {
    Block *body = op.getBody();
    auto sum = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
    return op.getNumDpsInputs() == 2 && sum && sum.getLhs() == body->getArgument(0) && sum.getRhs() == body->getArgument(1);
  };
  return adds(x) && adds(y) && x.getDpsInputs()[1] == y.getDpsInputs()[1] && x.getIndexingMaps() == y.getIndexingMaps() &&
         x->getResultTypes() == y->getResultTypes();
}

struct FindMasked : public impl::FindMaskedBase<FindMasked> {
  void runOnOperation() override {
    TensorEvaluator evaluator;
    SmallVector<std::pair<linalg::GenericOp, std::optional<VisibleColumns>>> masks;
    getOperation().walk([&](linalg::GenericOp mask) {
      if (mask.getNumDpsInputs() == 0 || mask->getNumResults() != 1 ||
          !isa<FloatType>(getElementTypeOrSelf(mask->getResult(0).getType())) || mask.hasDynamicShape())
        return;
      SmallVector<Operation *> sources;
      for (unsigned input = 0; input < mask.getNumDpsInputs(); ++input)
        if (isElementwise(mask, input))
          collectSources(mask.getDpsInputs()[input], mask->getBlock(), sources);
      linalg::LinalgOp last = sources.empty() ? linalg::LinalgOp() : Follower().follow(mask);
      if (!last)
        return;
      // Layers share their masks.
      auto equals = [&](const auto &known) { return addsSame(known.first, mask); };
      auto *known = llvm::find_if(masks, equals);
      if (known == masks.end()) {
        masks.emplace_back(mask, findVisible(mask, evaluator));
        known = &masks.back();
      }
      const std::optional<VisibleColumns> &visible = known->second;
      if (!visible)
        return;
      for (Operation *source : sources)
        visible->set(source);
      visible->set(last);
    });
  }
};

} // namespace
} // namespace mlir::tpp

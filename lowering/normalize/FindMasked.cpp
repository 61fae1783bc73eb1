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
  // The contraction that multiplies zeros with the rows of its second operand instead of the masked elements, if these have no other influence; else null.
  linalg::LinalgOp follow(Operation *mask) {
    block = mask->getBlock();
    if (!setState(mask->getResult(0), State::Low))
      return {};
    linalg::LinalgOp last;
    for (Operation *op = mask->getNextNode(); op; op = op->getNextNode()) {
      if (llvm::none_of(op->getOperands(), [&](Value operand) { return getState(operand) != State::Any; }))
        continue;
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      bool follows = false;
      if (keepsRows(op)) {
        follows = setState(op->getResult(0), getState(op->getOperand(0)));
      } else if (linalgOp && isContraction(op)) {
        follows = !last && sumsOverColumns(linalgOp);
        last = linalgOp;
      } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        follows = followBody(generic);
      }
      if (!follows)
        return {};
    }
    return last;
  }

  // Whether numbers that differ from column to column and are not known are added to masked elements, and to the others: those may be masked, too, then.
  bool addsColumns() const { return doesAddColumns; }

private:
  State getState(Value value) const { return states.lookup(value); }

  // Fails if the value is used where it is not followed.
  bool setState(Value value, State state) {
    states[value] = state;
    return llvm::all_of(value.getUsers(), [&](Operation *user) { return user->getBlock() == block; });
  }

  bool sumsOverColumns(linalg::LinalgOp op) const {
    AffineMap map = op.getIndexingMapsArray()[0];
    if (getState(op.getDpsInputs()[0]) != State::Zero || getState(op.getDpsInputs()[1]) != State::Any ||
        getState(op.getDpsInits()[0]) != State::Any || map.getNumResults() < 2)
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
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (inner.getNumResults() != 1)
        return false;
      inBody[inner.getResult(0)] = getResult(op, inner, inBody);
    }
    for (auto [result, yielded] : llvm::zip_equal(op->getResults(), op.getBody()->getTerminator()->getOperands())) {
      State state = isZero(yielded) ? State::Zero : inBody.lookup(yielded);
      if (isReduction) {
        // The accumulator of this result itself.
        if (state != State::Accumulator ||
            !isAccumulated(yielded, op.getBody()->getArgument(op.getNumDpsInputs() + result.getResultNumber())))
          return false;
      } else if ((state != State::Low && state != State::Zero) || !setState(result, state)) {
        return false;
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

  // Whether a value of a body is a constant, or an input that is the same in all columns.
  static bool isSameInColumns(linalg::GenericOp op, Value value) {
    if (matchPattern(value, m_Constant()))
      return true;
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBody() &&
           !op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(op.getNumLoops() - 1);
  }

  // What an operation of a body makes of masked elements.
  State getResult(linalg::GenericOp op, Operation &inner, const llvm::DenseMap<Value, State> &inBody) {
    SmallVector<State> operands = llvm::map_to_vector(
        inner.getOperands(), [&](Value operand) { return isZero(operand) ? State::Zero : inBody.lookup(operand); });
    auto has = [&](State state) { return llvm::is_contained(operands, state); };
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(inner))
      return has(State::Low) && has(State::Accumulator) ? State::Accumulator : State::Any;
    if (isa<arith::AddFOp>(inner) && has(State::Accumulator))
      return has(State::Zero) ? State::Accumulator : State::Any;
    if (isa<arith::AddFOp, arith::SubFOp>(inner) && has(State::Low)) {
      const unsigned other = operands[0] == State::Low ? 1 : 0;
      if (isa<arith::SubFOp>(inner) && (other == 0 || operands[1] == State::Low))
        return State::Any;
      doesAddColumns |= operands[other] != State::Zero && !isSameInColumns(op, inner.getOperand(other));
      return State::Low;
    }
    if (isa<arith::AddFOp>(inner))
      return operands[0] == State::Zero && operands[1] == State::Zero ? State::Zero : State::Any;
    if (isa<math::ExpOp, math::Exp2Op>(inner))
      return operands[0] == State::Low ? State::Zero : State::Any;
    if (isa<arith::MulFOp>(inner))
      return has(State::Zero) && !has(State::Accumulator) && !has(State::Low) ? State::Zero : State::Any;
    if (isa<arith::DivFOp>(inner))
      return operands[0] == State::Zero && operands[1] == State::Any ? State::Zero : State::Any;
    if (isa<arith::SelectOp>(inner))
      return operands[1] == operands[2] && operands[1] != State::Accumulator ? operands[1] : State::Any;
    if (isa<arith::ExtFOp, arith::TruncFOp>(inner))
      return operands[0] == State::Accumulator ? State::Any : operands[0];
    return State::Any;
  }

  Block *block = nullptr;
  llvm::DenseMap<Value, State> states; // of masked elements, in values that have some
  bool doesAddColumns = false;
};

// The contractions from whose results a value is computed with the same rows and columns, through ops that nothing else reads.
struct Sources {
  SmallVector<linalg::LinalgOp> contractions;
  bool areAlone = true; // the value is computed from one of them and nothing that differs from column to column

  void collect(Value value, Block *block) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || op->getBlock() != block) {
      areAlone = false;
    } else if (isContraction(op)) {
      auto contraction = dyn_cast<linalg::LinalgOp>(op);
      if (contraction && contraction.getIndexingMapsArray().back().getNumResults() >= 2)
        contractions.push_back(contraction);
      areAlone &= contractions.size() == 1;
    } else if (keepsRows(op)) {
      collect(op->getOperand(0), block);
    } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (auto [i, input] : llvm::enumerate(generic.getDpsInputs()))
        if (isElementwise(generic, i))
          collect(input, block);
      areAlone &= generic.getNumDpsInputs() == 1;
    } else {
      areAlone = false;
    }
  }
};

// What a mask leaves visible.
struct Mask {
  VisibleColumns visible;
  bool isInfinite = true; // it hides elements by -inf only
};

// Null if it is not known which elements are masked, if all of a row may be, or if no group of rows has fewer than all columns.
std::optional<Mask> evaluateMask(linalg::GenericOp op, TensorEvaluator &evaluator) {
  constexpr int64_t groupRows = 16, mostElements = INT64_C(1) << 26;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const int64_t rank = type.getRank();
  Mask mask;
  VisibleColumns &visible = mask.visible;
  visible = {type.getDimSize(rank - 2), type.getDimSize(rank - 1), groupRows, {}};
  if (type.getNumElements() == 0)
    return std::nullopt;
  // Of dimensions before the rows that the mask does not depend on, such as heads, one index is evaluated.
  TensorPart part{SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 1)};
  for (int64_t dim = 0; dim + 2 < rank; ++dim) {
    bool depends = false;
    for (auto [input, map] : llvm::zip(op.getDpsInputs(), op.getIndexingMapsArray())) {
      const size_t inputRank = map.getNumResults();
      depends |= map.isFunctionOfDim(dim) &&
                 evaluator.evaluate(input, {SmallVector<int64_t>(inputRank, 0), SmallVector<int64_t>(inputRank, 1)});
    }
    op.getBody()->walk([&, dim = dim](linalg::IndexOp index) { depends |= static_cast<int64_t>(index.getDim()) == dim; });
    part.sizes[dim] = depends ? type.getDimSize(dim) : 1;
  }
  if (part.countElements() > mostElements / visible.columns / visible.rows)
    return std::nullopt;
  bool masks = false;
  part.sizes[rank - 1] = visible.columns;
  for (int64_t first = 0; first < visible.rows; first += groupRows) {
    part.offsets[rank - 2] = first;
    part.sizes[rank - 2] = std::min(groupRows, visible.rows - first);
    std::optional<TensorElements> elements = evaluator.evaluateMasked(op, part, lowest);
    if (!elements)
      return std::nullopt;
    VisibleColumns::Range range{visible.columns, 0};
    for (ArrayRef<double> row(*elements); !row.empty(); row = row.drop_front(visible.columns)) {
      int64_t begin = visible.columns, end = 0;
      for (int64_t column = 0; column < visible.columns; ++column) {
        const double element = row[column];
        if (element <= lowest)
          mask.isInfinite &= std::isinf(element);
        else
          begin = std::min(begin, column), end = column + 1;
      }
      if (begin >= end) // softmax defines what such a row becomes
        return std::nullopt;
      range = {std::min(range.begin, begin), std::max(range.end, end)};
    }
    masks |= range.begin > 0 || range.end < visible.columns;
    visible.groups.push_back(range);
  }
  return masks ? std::optional(std::move(mask)) : std::nullopt;
}

// Whether two ops mask scores, their input number `scores`, alike.
bool maskAlike(linalg::GenericOp x, linalg::GenericOp y, unsigned scores) {
  if (x->getNumOperands() != y->getNumOperands() || x->getResultTypes() != y->getResultTypes() ||
      x.getIndexingMaps() != y.getIndexingMaps())
    return false;
  for (unsigned i = 0; i < x.getNumDpsInputs(); ++i)
    if (i != scores && x.getDpsInputs()[i] != y.getDpsInputs()[i])
      return false;
  return OperationEquivalence::isRegionEquivalentTo(&x.getRegion(), &y.getRegion(), OperationEquivalence::IgnoreLocations);
}

struct FindMasked : public impl::FindMaskedBase<FindMasked> {
  void runOnOperation() override {
    TensorEvaluator evaluator;
    struct Known { // layers share their masks
      linalg::GenericOp op;
      std::optional<Mask> mask;
    };
    std::vector<Known> known;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumDpsInputs() == 0 || op->getNumResults() != 1 ||
          !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) || op.hasDynamicShape())
        return;
      // The input that is masked is that computed by contractions; beside it, the mask itself.
      Sources sources;
      unsigned scores = 0;
      for (unsigned i = 0; i < op.getNumDpsInputs(); ++i) {
        Sources ofInput;
        if (isElementwise(op, i))
          ofInput.collect(op.getDpsInputs()[i], op->getBlock());
        if (ofInput.contractions.empty())
          continue;
        if (!sources.contractions.empty())
          return;
        sources = std::move(ofInput), scores = i;
      }
      if (sources.contractions.empty())
        return;
      Follower follower;
      linalg::LinalgOp last = follower.follow(op);
      if (!last)
        return;
      auto entry = llvm::find_if(known, [&](const Known &each) { return maskAlike(each.op, op, scores); });
      if (entry == known.end())
        entry = known.insert(known.end(), {op, evaluateMask(op, evaluator)});
      if (!entry->mask)
        return;
      // A finite mask hides something only beside scores that are not masked by anything else.
      const std::optional<Mask> &mask = entry->mask;
      if (!mask->isInfinite && (!sources.areAlone || follower.addsColumns() || !hasKnownInputs(op, scores, evaluator)))
        return;
      for (linalg::LinalgOp source : sources.contractions)
        mask->visible.set(source, VisibleColumns::Role::Source);
      mask->visible.set(last, VisibleColumns::Role::Reader);
    });
  }

  // Whether all inputs but one are computed from constants and indices.
  static bool hasKnownInputs(linalg::GenericOp op, unsigned scores, TensorEvaluator &evaluator) {
    for (auto [i, input] : llvm::enumerate(op.getDpsInputs())) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (i != scores && type &&
          !evaluator.evaluate(input, {SmallVector<int64_t>(type.getRank(), 0), SmallVector<int64_t>(type.getRank(), 1)}))
        return false;
    }
    return true;
  }
};

} // namespace
} // namespace mlir::tpp

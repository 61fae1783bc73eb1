// Adds assertions before accesses whose indices depend on data, and before divisions of integers, so that an index out of range or a divisor of zero
// fails the call instead of touching memory of others or ending the process.
#include "lowering/Passes.h"
#include "lowering/analysis/ConstantIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_INSERTASSERTIONS
#include "lowering/Passes.h.inc"

namespace {

// The values that an integer can have, as far as its defining ops tell.
class Ranges {
public:
  ConstantIntRanges get(Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    ConstantIntRanges range = infer(value);
    known.insert({value, range});
    return range;
  }

private:
  static ConstantIntRanges between(int64_t smallest, int64_t largest, unsigned width) {
    return ConstantIntRanges::fromSigned(APInt(width, smallest, /*isSigned=*/true), APInt(width, largest, /*isSigned=*/true));
  }

  ConstantIntRanges infer(Value value) {
    unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
    ConstantIntRanges all = ConstantIntRanges::maxRange(width);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (std::optional<ConstantIntRanges> elements = inferElement(argument))
        return *elements;
      return inferInductionVariable(argument).value_or(all);
    }
    Operation *op = value.getDefiningOp();
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      int64_t extent = cast<linalg::LinalgOp>(op->getParentOp()).getStaticLoopRanges()[index.getDim()];
      return extent > 0 ? between(0, extent - 1, width) : all;
    }
    auto inferable = dyn_cast<InferIntRangeInterface>(op);
    if (!inferable || !llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isIntOrIndex(); }))
      return all;
    SmallVector<ConstantIntRanges> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return get(operand); });
    ConstantIntRanges result = all;
    inferable.inferResultRanges(operands, [&](Value inferred, const ConstantIntRanges &range) {
      if (inferred == value)
        result = range;
    });
    return result;
  }

  // The range of the elements of a constant tensor, if they are what a linalg op reads as this argument.
  static std::optional<ConstantIntRanges> inferElement(BlockArgument argument) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (!op || static_cast<int64_t>(argument.getArgNumber()) >= op.getNumDpsInputs())
      return std::nullopt;
    constexpr int64_t most = 1 << 20;
    std::optional<SmallVector<APInt>> numbers = getConstantIntegers(op.getDpsInputOperand(argument.getArgNumber())->get(), most);
    if (!numbers || numbers->empty())
      return std::nullopt;
    auto less = [](const APInt &x, const APInt &y) { return x.slt(y); };
    auto [smallest, largest] = std::minmax_element(numbers->begin(), numbers->end(), less);
    return ConstantIntRanges::fromSigned(*smallest, *largest);
  }

  // The range of the induction variable of a loop whose bounds and step are constants.
  static std::optional<ConstantIntRanges> inferInductionVariable(BlockArgument argument) {
    auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> variables = loop ? loop.getLoopInductionVars() : std::nullopt;
    if (!variables)
      return std::nullopt;
    auto at = llvm::find(*variables, argument) - variables->begin();
    if (at == static_cast<int64_t>(variables->size()))
      return std::nullopt;
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), steps = loop.getLoopSteps();
    if (!lower || !upper || !steps)
      return std::nullopt;
    std::optional<int64_t> from = getConstantIntValue((*lower)[at]), to = getConstantIntValue((*upper)[at]),
                           step = getConstantIntValue((*steps)[at]);
    if (!from || !to || !step || *step <= 0 || *from >= *to)
      return std::nullopt;
    return between(*from, *from + (*to - *from - 1) / *step * *step, ConstantIntRanges::getStorageBitwidth(argument.getType()));
  }

  llvm::DenseMap<Value, ConstantIntRanges> known;
};

Value skipIndexCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

// Whether assertions before `op` in its block, as torch-mlir writes them, bound `index` to [0, size).
bool isAsserted(Operation *op, Value index, int64_t size) {
  bool lower = false, upper = false;
  for (Operation &before : llvm::make_range(op->getBlock()->begin(), op->getIterator())) {
    auto assertion = dyn_cast<cf::AssertOp>(before);
    auto compare = assertion ? assertion.getArg().getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!compare || skipIndexCasts(compare.getLhs()) != skipIndexCasts(index))
      continue;
    std::optional<int64_t> bound = getConstantIntValue(compare.getRhs());
    if (!bound)
      continue;
    arith::CmpIPredicate predicate = compare.getPredicate();
    lower |= (predicate == arith::CmpIPredicate::sge && *bound >= 0) || (predicate == arith::CmpIPredicate::sgt && *bound >= -1);
    upper |=
        (predicate == arith::CmpIPredicate::slt && *bound <= size) || (predicate == arith::CmpIPredicate::sle && *bound < size);
    if (predicate == arith::CmpIPredicate::ult && *bound <= size)
      lower = upper = true;
  }
  return lower && upper;
}

struct InsertAssertions : public impl::InsertAssertionsBase<InsertAssertions> {
  using InsertAssertionsBase::InsertAssertionsBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto extract = dyn_cast<tensor::ExtractOp>(op))
        checkElement(op, extract.getIndices(), extract.getTensor().getType());
      else if (auto insert = dyn_cast<tensor::InsertOp>(op))
        checkElement(op, insert.getIndices(), insert.getDest().getType());
      else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        checkSlice(slice, slice.getSourceType());
      else if (auto part = dyn_cast<tensor::InsertSliceOp>(op))
        checkSlice(part, part.getDestType());
      else if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(op))
        checkDivision(op, /*isSigned=*/true);
      else if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
        checkDivision(op, /*isSigned=*/false);
    });
  }

private:
  void checkElement(Operation *op, ValueRange indices, RankedTensorType type) {
    for (auto [dim, index] : llvm::enumerate(indices))
      if (!type.isDynamicDim(dim))
        check(op, index, type.getDimSize(dim), "index", dim);
  }

  // Offset + (size - 1) * stride must be in the dimension, and offset, too.
  void checkSlice(OffsetSizeAndStrideOpInterface op, RankedTensorType type) {
    OpBuilder builder(op);
    for (auto [dim, offset, size, stride] : llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
      std::optional<int64_t> extent = getConstantIntValue(size), step = getConstantIntValue(stride);
      if (type.isDynamicDim(dim) || !extent || *extent == 0)
        continue;
      Location loc = op.getLoc();
      int64_t available = type.getDimSize(dim);
      if (step && *step >= 0) { // the last element bounds the offset
        if (auto first = dyn_cast<Value>(offset))
          check(op, first, available - (*extent - 1) * *step, "offset", dim);
        continue;
      }
      Value first = getValueOrCreateConstantIndexOp(builder, loc, offset);
      check(op, first, available, "offset", dim);
      if (*extent == 1)
        continue;
      // A stride below the size of the dimension cannot make the product overflow.
      Value distance = getValueOrCreateConstantIndexOp(builder, loc, stride);
      Value magnitude = arith::MaxSIOp::create(
          builder, loc, distance, arith::SubIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, 0), distance));
      check(op, magnitude, available, "stride", dim);
      Value steps = arith::ConstantIndexOp::create(builder, loc, *extent - 1);
      Value last = arith::AddIOp::create(builder, loc, first, arith::MulIOp::create(builder, loc, distance, steps));
      check(op, last, available, "last index", dim);
    }
  }

  // Asserts before a division of scalars that the divisor is not 0 and, if it is signed, that the quotient does not overflow.
  void checkDivision(Operation *op, bool isSigned) {
    Value dividend = op->getOperand(0), divisor = op->getOperand(1);
    Type type = divisor.getType();
    if (!type.isIntOrIndex())
      return; // vectors of a program that is in vectors already
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto insert = [&](Value condition, StringRef what) {
      cf::AssertOp::create(builder, loc, condition, builder.getStringAttr(Twine(op->getName().getStringRef()) + ": " + what));
    };
    auto differs = [&](Value value, const APInt &from) -> Value {
      Value constant = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, from));
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, constant);
    };
    const ConstantIntRanges range = ranges.get(divisor);
    const unsigned width = range.umin().getBitWidth();
    if (range.umin().isZero() && !range.smin().isStrictlyPositive() && !range.smax().isNegative())
      insert(differs(divisor, APInt::getZero(width)), "the divisor is 0");
    const APInt lowest = APInt::getSignedMinValue(width);
    const bool mayBeMinusOne = range.smin().isNegative() && range.smax().sge(-1);
    if (isSigned && mayBeMinusOne && ranges.get(dividend).smin() == lowest)
      insert(
          arith::OrIOp::create(builder, loc, differs(divisor, APInt::getAllOnes(width)), differs(dividend, lowest)).getResult(),
          "the quotient overflows");
  }

  // Asserts before `op` that `index` is in [0, size), unless that is known.
  void check(Operation *op, Value index, int64_t size, StringRef what, int64_t dim) {
    ConstantIntRanges range = ranges.get(index);
    if ((range.smin().isNonNegative() && range.smax().slt(size)) || isAsserted(op, index, size))
      return;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    size = std::max<int64_t>(size, 0); // below 1: no index is valid
    Value bound = arith::ConstantIndexOp::create(builder, loc, size);
    Value isInRange = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, bound);
    cf::AssertOp::create(builder, loc, isInRange,
                         builder.getStringAttr(Twine(op->getName().getStringRef()) + ": " + what + " of dimension " + Twine(dim) +
                                               " is not in [0, " + Twine(size) + ")"));
  }

  Ranges ranges;
};

} // namespace
} // namespace mlir::tpp

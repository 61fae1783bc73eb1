// Combines the scales and shifts of values that are rounded to 8-bit integers (see Passes.td).
#include "lowering/Passes.h"
#include "lowering/analysis/UnaryKinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

namespace mlir::tpp {
#define GEN_PASS_DEF_COMBINESCALES
#include "lowering/Passes.h.inc"

namespace {

// An integer that equals `source` + `shift`; source is an integer of 8 bits.
struct ShiftedInteger {
  Value source;
  bool isUnsigned = false;
  int64_t shift = 0;
};

// Reads extensions, truncations, additions and subtractions of constants that never overflow; else nullopt.
std::optional<ShiftedInteger> getShiftedInteger(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op) && op->getOperand(0).getType().isInteger(8))
    return ShiftedInteger{op->getOperand(0), isa<arith::ExtUIOp>(op), 0};
  if (!isa<arith::ExtSIOp, arith::TruncIOp, arith::AddIOp, arith::SubIOp>(op) || value.getType().getIntOrFloatBitWidth() < 16)
    return std::nullopt;
  std::optional<ShiftedInteger> result = getShiftedInteger(op->getOperand(0));
  if (result && isa<arith::AddIOp, arith::SubIOp>(op)) {
    APInt number;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&number)) || number.getSignificantBits() > 12)
      return std::nullopt;
    result->shift += isa<arith::AddIOp>(op) ? number.getSExtValue() : -number.getSExtValue();
  }
  // The widest sum is far from the ends of 16 bits.
  return result && std::abs(result->shift) < (1 << 14) ? result : std::nullopt;
}

// A sum of scaled values and a constant.
struct LinearForm {
  struct Term {
    Value value; // f32, or an 8-bit integer
    bool isUnsigned = false;
    double scale = 1;
  };
  SmallVector<Term> terms;
  double shift = 0;
  int scales = 0;     // operations that multiply or divide
  int divisions = 0;  // those that divide
  int operations = 0; // all that the form replaces

  // Adds value * scale.
  void add(Value value, double scale, bool isRoot = false) {
    Operation *op = value.getDefiningOp();
    if (std::optional<double> number = getConstant(value)) {
      shift += *number * scale;
      return;
    }
    bool mayReplace = op && (isRoot || value.hasOneUse());
    if (mayReplace && isa<arith::AddFOp, arith::SubFOp>(op)) {
      ++operations;
      add(op->getOperand(0), scale);
      add(op->getOperand(1), isa<arith::SubFOp>(op) ? -scale : scale);
      return;
    }
    if (mayReplace && isa<arith::MulFOp, arith::DivFOp>(op)) {
      bool first = isa<arith::MulFOp>(op) && getConstant(op->getOperand(0)); // the constant
      if (std::optional<double> number = getConstant(op->getOperand(first ? 0 : 1))) {
        ++operations;
        ++scales;
        divisions += isa<arith::DivFOp>(op);
        add(op->getOperand(first ? 1 : 0), isa<arith::MulFOp>(op) ? scale * *number : scale / *number);
        return;
      }
    }
    if (mayReplace && isa<arith::SIToFPOp>(op)) {
      if (std::optional<ShiftedInteger> integer = getShiftedInteger(op->getOperand(0))) {
        operations += integer->shift != 0;
        shift += scale * static_cast<double>(integer->shift);
        terms.push_back({integer->source, integer->isUnsigned, scale});
        return;
      }
    }
    terms.push_back({value, false, scale});
  }

  // Whether the form takes fewer operations, a multiply-add for each term, or as many and no division, which takes as long as ten of them.
  bool isFaster() const {
    int count = static_cast<int>(terms.size());
    return (scales >= 2 && count < operations) || (divisions > 0 && count <= operations);
  }

  // Whether the form can be computed in f32 with an error far below one step: a constant that is much larger than an 8-bit integer would cancel.
  bool isAccurate() const {
    constexpr double largest = 1 << 19; // its last bit is a sixteenth
    auto fits = [](double number) { return std::isnormal(static_cast<float>(number)); };
    return (shift == 0 || (fits(shift) && std::abs(shift) < largest)) && !terms.empty() &&
           llvm::all_of(terms, [&](const Term &term) { return fits(term.scale); });
  }

  Value create(OpBuilder &builder, Location loc) const {
    auto constant = [&](double number) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(static_cast<float>(number)));
    };
    Value sum = shift != 0 ? constant(shift) : Value();
    for (const Term &term : terms) {
      Value value = term.value;
      if (!value.getType().isF32())
        value = term.isUnsigned ? arith::UIToFPOp::create(builder, loc, builder.getF32Type(), value).getResult()
                                : arith::SIToFPOp::create(builder, loc, builder.getF32Type(), value).getResult();
      if (sum)
        sum = math::FmaOp::create(builder, loc, value, constant(term.scale), sum);
      else
        sum = arith::MulFOp::create(builder, loc, value, constant(term.scale));
    }
    return sum;
  }
};

// Whether `value` becomes an integer of 8 bits or less, after constants are added and bounds applied, and has no other use. Collects the bounds.
bool becomesSmallInteger(Value value, SmallVectorImpl<Operation *> &bounds) {
  return !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(user))
      return user->getResult(0).getType().getIntOrFloatBitWidth() <= 8;
    if (!isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp>(user) || !getConstant(user->getOperand(1)))
      return false;
    if (!isa<arith::AddFOp>(user))
      bounds.push_back(user);
    return becomesSmallInteger(user->getResult(0), bounds);
  });
}

void combine(math::RoundEvenOp round, PatternRewriter &rewriter) {
  SmallVector<Operation *> bounds;
  if (!round.getType().isF32() || !becomesSmallInteger(round, bounds))
    return;
  LinearForm form;
  form.add(round.getOperand(), 1, /*isRoot=*/round.getOperand().hasOneUse());
  rewriter.setInsertionPoint(round);
  if (form.isFaster() && form.isAccurate())
    rewriter.modifyOpInPlace(round, [&] { round->setOperand(0, form.create(rewriter, round.getLoc())); });
  // A NaN has no integer: bounds need not keep it.
  for (Operation *bound : bounds) {
    rewriter.setInsertionPoint(bound);
    if (isa<arith::MaximumFOp>(bound))
      rewriter.replaceOpWithNewOp<arith::MaxNumFOp>(bound, bound->getOperand(0), bound->getOperand(1));
    else
      rewriter.replaceOpWithNewOp<arith::MinNumFOp>(bound, bound->getOperand(0), bound->getOperand(1));
  }
}

struct CombineScales : public impl::CombineScalesBase<CombineScales> {
  void runOnOperation() override {
    PatternRewriter rewriter(&getContext());
    SmallVector<math::RoundEvenOp> rounds;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics())
        llvm::append_range(rounds, op.getBody()->getOps<math::RoundEvenOp>());
    });
    for (math::RoundEvenOp round : rounds)
      combine(round, rewriter);
  }
};

} // namespace
} // namespace mlir::tpp

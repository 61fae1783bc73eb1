// See Combiners.h.
#include "lowering/rows/Combiners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::tpp {

std::optional<std::pair<TypedAttr, vector::CombiningKind>> getCombiner(Operation *op) {
  TypedAttr neutral;
  std::optional<arith::AtomicRMWKind> atomic;
  std::optional<vector::CombiningKind> kind;
  auto set = [&](arith::AtomicRMWKind a, vector::CombiningKind k) { atomic = a, kind = k; };
  if (isa<arith::AddFOp>(op))
    set(arith::AtomicRMWKind::addf, vector::CombiningKind::ADD);
  else if (isa<arith::MulFOp>(op))
    set(arith::AtomicRMWKind::mulf, vector::CombiningKind::MUL);
  else if (isa<arith::MaximumFOp>(op))
    set(arith::AtomicRMWKind::maximumf, vector::CombiningKind::MAXIMUMF);
  else if (isa<arith::MinimumFOp>(op))
    set(arith::AtomicRMWKind::minimumf, vector::CombiningKind::MINIMUMF);
  else if (isa<arith::MaxNumFOp>(op))
    set(arith::AtomicRMWKind::maxnumf, vector::CombiningKind::MAXNUMF);
  else if (isa<arith::MinNumFOp>(op))
    set(arith::AtomicRMWKind::minnumf, vector::CombiningKind::MINNUMF);
  else if (isa<arith::AddIOp>(op))
    set(arith::AtomicRMWKind::addi, vector::CombiningKind::ADD);
  else if (isa<arith::MulIOp>(op))
    set(arith::AtomicRMWKind::muli, vector::CombiningKind::MUL);
  else if (isa<arith::MaxSIOp>(op))
    set(arith::AtomicRMWKind::maxs, vector::CombiningKind::MAXSI);
  else if (isa<arith::MinSIOp>(op))
    set(arith::AtomicRMWKind::mins, vector::CombiningKind::MINSI);
  else if (isa<arith::MaxUIOp>(op))
    set(arith::AtomicRMWKind::maxu, vector::CombiningKind::MAXUI);
  else if (isa<arith::MinUIOp>(op))
    set(arith::AtomicRMWKind::minu, vector::CombiningKind::MINUI);
  else if (isa<arith::AndIOp>(op))
    set(arith::AtomicRMWKind::andi, vector::CombiningKind::AND);
  else if (isa<arith::OrIOp>(op))
    set(arith::AtomicRMWKind::ori, vector::CombiningKind::OR);
  if (!atomic || !kind)
    return std::nullopt;
  OpBuilder builder(op->getContext());
  Type type = op->getResult(0).getType();
  // Upstream does not know how many bits an index has.
  Type asInteger = type.isIndex() ? builder.getI64Type() : type;
  // The neutral element of maximumf and minimumf is an infinity, that of maxnumf and minnumf is NaN.
  neutral = arith::getIdentityValueAttr(*atomic, asInteger, builder, op->getLoc(), /*useOnlyFiniteValue=*/false);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(neutral); integer && type.isIndex())
    neutral = builder.getIndexAttr(integer.getInt());
  // -0 + x is x for every x, but +0 + -0 is +0.
  if (isa<arith::AddFOp>(op))
    neutral = builder.getFloatAttr(type, -0.0);
  if (!neutral)
    return std::nullopt;
  return std::make_pair(neutral, *kind);
}

void dropPromises(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    arith::FastMathFlags promises = arith::FastMathFlags::nnan | arith::FastMathFlags::ninf;
    op->setAttr(fast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(context, fast.getFastMathFlagsAttr().getValue() & ~promises));
  }
  if (auto integer = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(integer.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
}

void ignoreSignOfZero(Operation *op) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return;
  auto fast = cast<arith::ArithFastMathInterface>(op);
  op->setAttr(fast.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), fast.getFastMathFlagsAttr().getValue() |
                                                                                              arith::FastMathFlags::nsz));
}

Value getNan(OpBuilder &builder, Location loc, Type type) {
  const llvm::fltSemantics &semantics = cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  TypedAttr nan = builder.getFloatAttr(getElementTypeOrSelf(type), APFloat::getNaN(semantics));
  if (auto shaped = dyn_cast<ShapedType>(type))
    nan = DenseElementsAttr::get(shaped, cast<Attribute>(nan));
  return arith::ConstantOp::create(builder, loc, nan);
}

Value reduceLanes(OpBuilder &builder, Location loc, vector::CombiningKind kind, Value vector) {
  using vector::CombiningKind;
  bool isMaximum = kind == CombiningKind::MAXIMUMF;
  // reassoc: a sequential sum of 16 lanes takes as long as the sum of a row of 2000.
  if (!isMaximum && kind != CombiningKind::MINIMUMF)
    return vector::ReductionOp::create(builder, loc, kind, vector, arith::FastMathFlags::reassoc);
  // NaN is tested once, before the reduction. A reduction whose steps propagate NaN has four times the latency, and the rest of a short row
  // waits for it. If a lane is NaN, the result of the `nnan` reduction is not used.
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, vector, vector);
  Value anyNan = vector::ReductionOp::create(builder, loc, CombiningKind::OR, isNan);
  Value number = vector::ReductionOp::create(builder, loc, isMaximum ? CombiningKind::MAXNUMF : CombiningKind::MINNUMF, vector,
                                             arith::FastMathFlags::nnan | arith::FastMathFlags::nsz);
  return arith::SelectOp::create(builder, loc, anyNan, getNan(builder, loc, number.getType()), number);
}

bool asksForNanInPairs(vector::CombiningKind kind, Type elementType, int64_t lanes) {
  return (kind == vector::CombiningKind::MAXIMUMF || kind == vector::CombiningKind::MINIMUMF) && elementType.isF32() &&
         lanes * 32 == 512;
}

// Returns the vector that a maximum or minimum `step` combines with its accumulator `old`; null for other steps.
static Value getNewVector(Value step, Value old) {
  Operation *op = step.getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(op) || !llvm::is_contained(op->getOperands(), old))
    return {};
  return op->getOperand(op->getOperand(0) == old ? 1 : 0);
}

Value askForNanInPairs(RewriterBase &rewriter, MutableArrayRef<Value> steps, ValueRange old, size_t first, size_t stride,
                       Value isNan) {
  for (size_t p = first; p + stride < steps.size(); p += 2 * stride) {
    Value vectors[2] = {getNewVector(steps[p], old[p]), getNewVector(steps[p + stride], old[p + stride])};
    if (!vectors[0] || !vectors[1])
      continue;
    for (size_t q : {0, 1}) {
      Value &step = steps[p + q * stride], accumulator = old[p + q * stride];
      Operation *op = step.getDefiningOp();
      auto predicate = isa<arith::MaximumFOp>(op) ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
      Value isNew = arith::CmpFOp::create(rewriter, op->getLoc(), predicate, vectors[q], accumulator);
      step = arith::SelectOp::create(rewriter, op->getLoc(), isNew, vectors[q], accumulator);
      rewriter.eraseOp(op);
    }
    Value either = arith::CmpFOp::create(rewriter, isNan.getLoc(), arith::CmpFPredicate::UNO, vectors[0], vectors[1]);
    isNan = arith::OrIOp::create(rewriter, isNan.getLoc(), isNan, either);
  }
  return isNan;
}

} // namespace mlir::tpp

// See Combiners.h.
#include "lowering/tile/Combiners.h"
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
  // maxnum's and minnum's neutral element is NaN upstream, which an all-masked lane must not leak into maximum; infinities serve
  // both.
  neutral = arith::getIdentityValueAttr(*atomic, type, builder, op->getLoc(), /*useOnlyFiniteValue=*/false);
  // -0 + x is x for every x; +0 would turn a sum of -0 into +0.
  if (isa<arith::AddFOp>(op))
    neutral = builder.getFloatAttr(type, -0.0);
  if (!neutral)
    return std::nullopt;
  return std::make_pair(neutral, *kind);
}

} // namespace mlir::tpp

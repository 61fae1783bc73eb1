//===- IntegerPowers.cpp - math.fpowi with any exponent ---------------------------------------------------------------------------===//

#include "lowering/emit/IntegerPowers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <limits>

namespace mlir::tpp {
namespace {

/// Converts `exponent` to i32. A value out of range becomes the nearest i32 of the same parity, since the parity decides the sign of the
/// power.
Value toInt32(OpBuilder &builder, Location loc, Value exponent) {
  auto type = cast<IntegerType>(exponent.getType());
  IntegerType i32 = builder.getI32Type();
  if (type.getWidth() == 32)
    return exponent;
  if (type.getWidth() < 32)
    return arith::ExtSIOp::create(builder, loc, i32, exponent);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  // Both bounds are even, so the lowest bit of the exponent can be restored after clamping.
  Value even = arith::AndIOp::create(builder, loc, exponent, constant(-2));
  even = arith::MinSIOp::create(builder, loc, even, constant(std::numeric_limits<int32_t>::max() - 1));
  even = arith::MaxSIOp::create(builder, loc, even, constant(std::numeric_limits<int32_t>::min()));
  Value odd = arith::AndIOp::create(builder, loc, exponent, constant(1));
  return arith::TruncIOp::create(builder, loc, i32, arith::OrIOp::create(builder, loc, even, odd));
}

/// Creates one scalar power for each element of a vector: LLVM's intrinsic takes a single exponent for all elements.
Value powerOfElements(OpBuilder &builder, math::FPowIOp op, VectorType type) {
  Location loc = op.getLoc();
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<int64_t> position = delinearize(i, computeStrides(type.getShape()));
    Value base = vector::ExtractOp::create(builder, loc, op.getLhs(), position);
    Value exponent = toInt32(builder, loc, vector::ExtractOp::create(builder, loc, op.getRhs(), position));
    Value power = math::FPowIOp::create(builder, loc, base, exponent, op.getFastmath());
    result = vector::InsertOp::create(builder, loc, power, result, position);
  }
  return result;
}

/// The exponent, if it is a scalar or broadcast constant so small that few multiplications suffice.
std::optional<int64_t> getSmallExponent(Value exponent) {
  constexpr int64_t largest = 64;
  while (auto broadcast = exponent.getDefiningOp<vector::BroadcastOp>())
    exponent = broadcast.getSource();
  APInt value;
  if (!matchPattern(exponent, m_ConstantInt(&value)) || value.getSignificantBits() > 32)
    return std::nullopt;
  int64_t n = value.getSExtValue();
  return std::abs(n) <= largest ? std::optional(n) : std::nullopt;
}

/// Computes base^n by repeated squaring. A negative power is the reciprocal of the positive one.
Value multiplyOut(OpBuilder &builder, Location loc, Value base, int64_t n) {
  Value one = arith::ConstantOp::create(builder, loc, builder.getOneAttr(base.getType()));
  Value result, square = base;
  for (int64_t rest = std::abs(n); rest != 0; rest /= 2) {
    if (rest % 2 != 0)
      result = result ? arith::MulFOp::create(builder, loc, result, square).getResult() : square;
    if (rest > 1)
      square = arith::MulFOp::create(builder, loc, square, square);
  }
  if (!result)
    return one;
  return n < 0 ? arith::DivFOp::create(builder, loc, one, result).getResult() : result;
}

} // namespace

void lowerIntegerPowers(RewriterBase &rewriter, Operation *root) {
  SmallVector<math::FPowIOp> powers;
  root->walk([&](math::FPowIOp op) { powers.push_back(op); });
  for (math::FPowIOp op : powers) {
    rewriter.setInsertionPoint(op);
    if (std::optional<int64_t> n = getSmallExponent(op.getRhs()))
      rewriter.replaceOp(op, multiplyOut(rewriter, op.getLoc(), op.getLhs(), *n));
    else if (auto type = dyn_cast<VectorType>(op.getType()))
      rewriter.replaceOp(op, powerOfElements(rewriter, op, type));
    else
      rewriter.modifyOpInPlace(op, [&] { op.getRhsMutable().assign(toInt32(rewriter, op.getLoc(), op.getRhs())); });
  }
}

} // namespace mlir::tpp

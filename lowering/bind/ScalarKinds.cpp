// Creates arith and math ops that compute one element of each kind. They follow kinds.def, special values included, except that results near 0 are
// not set to 0 (sigmoid, silu, gelu, gelu_tanh, exp).
#include "lowering/bind/Bind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tpp;

Type tpp::getComputeType(ArrayRef<Type> elementTypes) {
  Type first = elementTypes.front();
  if (!isa<FloatType>(first))
    return first;
  if (llvm::any_of(elementTypes, [](Type type) { return type.isF64(); }))
    return Float64Type::get(first.getContext());
  return Float32Type::get(first.getContext());
}

static Value constantFloat(OpBuilder &builder, Location loc, Type type, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

static Value constantInt(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

//===- conversions -----------------------------------------------------------------------------------------------------------===//

static Value floatToInteger(OpBuilder &builder, Location loc, Value value, IntegerType to, bool isUnsigned) {
  // f64 represents every bound and every source value exactly, so the only rounding is the one below.
  auto f64 = builder.getF64Type();
  Value x = value.getType().isF64() ? value : arith::ExtFOp::create(builder, loc, f64, value);
  x = math::RoundEvenOp::create(builder, loc, x);
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  x = arith::SelectOp::create(builder, loc, isNan, constantFloat(builder, loc, f64, 0.0), x);
  double values = std::ldexp(1.0, to.getWidth()), lowest = isUnsigned ? 0 : -values / 2, largest = lowest + values - 1;
  x = arith::MaximumFOp::create(builder, loc, x, constantFloat(builder, loc, f64, lowest));
  x = arith::MinimumFOp::create(builder, loc, x, constantFloat(builder, loc, f64, largest));
  return isUnsigned ? arith::FPToUIOp::create(builder, loc, to, x).getResult() : arith::FPToSIOp::create(builder, loc, to, x);
}

static Value floatToFloat(OpBuilder &builder, Location loc, Value value, FloatType to) {
  auto from = cast<FloatType>(value.getType());
  if (from.getWidth() == to.getWidth()) // between bf16 and f16: through f32, which represents both exactly
    return floatToFloat(builder, loc, arith::ExtFOp::create(builder, loc, builder.getF32Type(), value), to);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::TruncFOp::create(builder, loc, to, value);
}

static Value integerToInteger(OpBuilder &builder, Location loc, Value value, IntegerType to, bool isUnsigned) {
  auto from = cast<IntegerType>(value.getType());
  if (from.getWidth() < to.getWidth())
    return isUnsigned ? arith::ExtUIOp::create(builder, loc, to, value).getResult()
                      : arith::ExtSIOp::create(builder, loc, to, value).getResult();
  int64_t largest = isUnsigned ? llvm::maxUIntN(to.getWidth()) : llvm::maxIntN(to.getWidth());
  int64_t lowest = isUnsigned ? 0 : llvm::minIntN(to.getWidth());
  value = arith::MinSIOp::create(builder, loc, value, constantInt(builder, loc, from, largest));
  value = arith::MaxSIOp::create(builder, loc, value, constantInt(builder, loc, from, lowest));
  return arith::TruncIOp::create(builder, loc, to, value);
}

Value tpp::convertScalar(OpBuilder &builder, Location loc, Value value, Type to, bool isUnsigned) {
  Type from = value.getType();
  if (from == to)
    return value;
  if (auto toFloat = dyn_cast<FloatType>(to)) {
    if (isa<FloatType>(from))
      return floatToFloat(builder, loc, value, toFloat);
    // Through f64, which represents these integers exactly, so the result is rounded only once.
    auto f64 = builder.getF64Type();
    Value exact = isUnsigned ? arith::UIToFPOp::create(builder, loc, f64, value).getResult()
                             : arith::SIToFPOp::create(builder, loc, f64, value).getResult();
    return convertScalar(builder, loc, exact, to);
  }
  auto toInteger = cast<IntegerType>(to);
  return isa<FloatType>(from) ? floatToInteger(builder, loc, value, toInteger, isUnsigned)
                              : integerToInteger(builder, loc, value, toInteger, isUnsigned);
}

//===- kinds -----------------------------------------------------------------------------------------------------------------===//

namespace {
/// Floating-point arithmetic written like the formulas of kinds.def.
struct Formula {
  OpBuilder &builder;
  Location loc;
  Type type;

  Value constant(double value) const { return constantFloat(builder, loc, type, value); }
  Value add(Value x, Value y) const { return arith::AddFOp::create(builder, loc, x, y); }
  Value mul(Value x, Value y) const { return arith::MulFOp::create(builder, loc, x, y); }
  Value div(Value x, Value y) const { return arith::DivFOp::create(builder, loc, x, y); }
  Value exp(Value x) const { return math::ExpOp::create(builder, loc, x); }
  Value tanh(Value x) const { return math::TanhOp::create(builder, loc, x); }
  Value erf(Value x) const { return math::ErfOp::create(builder, loc, x); }

  Value onePlusExpOfMinus(Value x) const { return add(constant(1), exp(arith::NegFOp::create(builder, loc, x))); }
  Value halfTimesOnePlus(Value x, Value y) const { return mul(mul(constant(0.5), x), add(constant(1), y)); }

  /// `y`, or -0 if x is -inf. For formulas of the form x * g(x) with g(-inf) = 0: they would give NaN at -inf, but their limit is -0.
  Value withLimit(Value x, Value y) const {
    Value isLowest =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, constant(-std::numeric_limits<double>::infinity()));
    return arith::SelectOp::create(builder, loc, isLowest, constant(-0.0), y);
  }
};
} // namespace

Value tpp::createUnary(OpBuilder &builder, Location loc, UnaryKind kind, Value x, FloatAttr alpha) {
  Type type = x.getType();
  Formula f{builder, loc, type};
  switch (kind) {
  case UnaryKind::Identity:
  case UnaryKind::Convert:
  case UnaryKind::Transpose:
  case UnaryKind::VnniPack:
    return x;
  case UnaryKind::Zero:
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  case UnaryKind::Relu:
    if (isa<IntegerType>(type))
      return arith::MaxSIOp::create(builder, loc, x, constantInt(builder, loc, type, 0));
    return arith::MaximumFOp::create(builder, loc, x, f.constant(0));
  case UnaryKind::Gelu:
    return f.withLimit(x, f.halfTimesOnePlus(x, f.erf(f.mul(x, f.constant(std::sqrt(0.5))))));
  case UnaryKind::GeluTanh: {
    Value cube = f.mul(f.constant(0.044715), f.mul(x, f.mul(x, x)));
    return f.withLimit(x, f.halfTimesOnePlus(x, f.tanh(f.mul(f.constant(std::sqrt(2 / M_PI)), f.add(x, cube)))));
  }
  case UnaryKind::Tanh:
    return f.tanh(x);
  case UnaryKind::Sigmoid:
    return f.div(f.constant(1), f.onePlusExpOfMinus(x));
  case UnaryKind::Silu:
    return f.withLimit(x, f.div(x, f.onePlusExpOfMinus(x)));
  case UnaryKind::Exp:
    return f.exp(x);
  case UnaryKind::LeakyRelu: {
    Value isPositive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, x, f.constant(0));
    return arith::SelectOp::create(builder, loc, isPositive, x, f.mul(f.constant(alpha.getValueAsDouble()), x));
  }
  case UnaryKind::Erf:
    return f.erf(x);
  case UnaryKind::Log:
    return math::LogOp::create(builder, loc, x);
  case UnaryKind::Sqrt:
    return math::SqrtOp::create(builder, loc, x);
  case UnaryKind::Rsqrt:
    return f.div(f.constant(1), math::SqrtOp::create(builder, loc, x));
  case UnaryKind::Reciprocal:
    return f.div(f.constant(1), x);
  case UnaryKind::Square:
    return f.mul(x, x);
  case UnaryKind::Neg:
    return arith::NegFOp::create(builder, loc, x);
  case UnaryKind::Abs:
    return math::AbsFOp::create(builder, loc, x);
  case UnaryKind::Round:
    return math::RoundEvenOp::create(builder, loc, x);
  }
  llvm_unreachable("every unary kind has a case");
}

Value tpp::createBinary(OpBuilder &builder, Location loc, BinaryKind kind, Value x, Value y) {
  bool integers = isa<IntegerType>(x.getType());
  switch (kind) {
  case BinaryKind::Add:
    return integers ? arith::AddIOp::create(builder, loc, x, y).getResult()
                    : arith::AddFOp::create(builder, loc, x, y).getResult();
  case BinaryKind::Sub:
    return integers ? arith::SubIOp::create(builder, loc, x, y).getResult()
                    : arith::SubFOp::create(builder, loc, x, y).getResult();
  case BinaryKind::Mul:
    return integers ? arith::MulIOp::create(builder, loc, x, y).getResult()
                    : arith::MulFOp::create(builder, loc, x, y).getResult();
  case BinaryKind::Div: // of floats: the verifier refuses integers
    return arith::DivFOp::create(builder, loc, x, y);
  case BinaryKind::Max:
    return integers ? arith::MaxSIOp::create(builder, loc, x, y).getResult()
                    : arith::MaximumFOp::create(builder, loc, x, y).getResult();
  case BinaryKind::Min:
    return integers ? arith::MinSIOp::create(builder, loc, x, y).getResult()
                    : arith::MinimumFOp::create(builder, loc, x, y).getResult();
  }
  llvm_unreachable("every binary kind has a case");
}

Value tpp::createReduceStep(OpBuilder &builder, Location loc, ReduceKind kind, Value x, Value y) {
  switch (kind) {
  case ReduceKind::Sum:
    return createBinary(builder, loc, BinaryKind::Add, x, y);
  case ReduceKind::Max:
    return createBinary(builder, loc, BinaryKind::Max, x, y);
  }
  llvm_unreachable("every reduce kind has a case");
}

Value tpp::applyPostOps(OpBuilder &builder, Location loc, ArrayRef<PostOpAttr> postOps, Value acc,
                        function_ref<Value(unsigned operand, Broadcast broadcast)> load) {
  unsigned operand = 0;
  for (PostOpAttr postOp : postOps) {
    if (postOp.isUnary(UnaryKind::Convert)) {
      acc = convertScalar(builder, loc, acc, builder.getF32Type());
      continue;
    }
    if (postOp.isUnary()) {
      acc = createUnary(builder, loc, postOp.getUnaryKind(), acc);
      continue;
    }
    Value element = convertScalar(builder, loc, load(operand++, postOp.getBroadcast()), acc.getType());
    acc = createBinary(builder, loc, postOp.getBinaryKind(), acc, element);
  }
  return acc;
}

Value tpp::createReduceInit(OpBuilder &builder, Location loc, ReduceKind kind, Type type) {
  switch (kind) {
  case ReduceKind::Sum:
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  case ReduceKind::Max:
    if (auto integer = dyn_cast<IntegerType>(type))
      return constantInt(builder, loc, type, llvm::minIntN(integer.getWidth()));
    return constantFloat(builder, loc, type, -std::numeric_limits<double>::infinity());
  }
  llvm_unreachable("every reduce kind has a case");
}

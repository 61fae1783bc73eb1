// Recognizes unary kinds in the decomposed forms that exporters write.
#include "lowering/analysis/UnaryKinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tpp {

std::optional<double> getConstant(Value value) {
  FloatAttr attr;
  if (matchPattern(value, m_Constant(&attr)))
    return attr.getValueAsDouble();
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return cast<FloatAttr>(elements.getSplatValue<Attribute>()).getValueAsDouble();
  if (auto trunc = value.getDefiningOp<arith::TruncFOp>())
    return getConstant(trunc.getIn());
  return std::nullopt;
}

namespace {

bool isConstant(Value value, double wanted, double tolerance = 0) {
  auto constant = getConstant(value);
  return constant && std::abs(*constant - wanted) <= tolerance * std::abs(wanted);
}

// Exporters round the constants of gelu to f32, some to fewer digits.
constexpr double constantTolerance = 1e-5;

// The factors of a product. `constant` is the product of the constant factors; a division by a constant c is a factor 1/c. `x`, if given, is
// not split further; else, partial products with other uses are not: x has several in the formulas below, and may be a product itself.
struct Product {
  double constant = 1;
  SmallVector<Value> factors;

  explicit Product(Value value, Value x = {}) : whole(value), x(x) { add(value); }
  bool isConstantNear(double wanted) const { return std::abs(constant - wanted) <= constantTolerance * wanted; }

private:
  Value whole, x;

  void add(Value value) {
    constexpr size_t enough = 4; // more than a formula has
    bool splits = factors.size() < enough && (x ? value != x : value == whole || value.hasOneUse());
    auto mul = splits ? value.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    auto div = splits ? value.getDefiningOp<arith::DivFOp>() : arith::DivFOp();
    auto divisor = div ? getConstant(div.getRhs()) : std::nullopt;
    if (auto number = getConstant(value)) {
      constant *= *number;
    } else if (mul) {
      add(mul.getLhs());
      add(mul.getRhs());
    } else if (divisor) {
      constant /= *divisor;
      add(div.getLhs());
    } else {
      factors.push_back(value);
    }
  }
};

// x if value is x + c or c + x, else null.
Value matchAddConstant(Value value, double c) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  if (isConstant(add.getRhs(), c))
    return add.getLhs();
  return isConstant(add.getLhs(), c) ? add.getRhs() : Value();
}

// x if value is 1 + exp(-x), else null.
Value matchOnePlusExpNegated(Value value) {
  Value sum = matchAddConstant(value, 1);
  auto exp = sum ? sum.getDefiningOp<math::ExpOp>() : nullptr;
  if (!exp)
    return {};
  if (auto neg = exp.getOperand().getDefiningOp<arith::NegFOp>())
    return neg.getOperand();
  return {};
}

Value matchSigmoid(Value value) {
  auto div = value.getDefiningOp<arith::DivFOp>();
  return div && isConstant(div.getLhs(), 1) ? matchOnePlusExpNegated(div.getRhs()) : Value();
}

// x if value is a relu of x that propagates NaN: max(x, 0), or (x > 0 or unordered) ? x : 0. Else null.
Value matchRelu(Value value) {
  if (auto max = value.getDefiningOp<arith::MaximumFOp>()) {
    if (isConstant(max.getRhs(), 0))
      return max.getLhs();
    return isConstant(max.getLhs(), 0) ? max.getRhs() : Value();
  }
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::UGT || !isConstant(compare.getRhs(), 0) ||
      !isConstant(select.getFalseValue(), 0) || select.getTrueValue() != compare.getLhs())
    return {};
  return compare.getLhs();
}

bool isCube(Value value, Value x) {
  if (auto pow = value.getDefiningOp<math::PowFOp>())
    return pow.getLhs() == x && isConstant(pow.getRhs(), 3);
  if (auto pow = value.getDefiningOp<math::FPowIOp>()) {
    IntegerAttr exponent;
    return pow.getLhs() == x && matchPattern(pow.getRhs(), m_Constant(&exponent)) && exponent.getInt() == 3;
  }
  return false;
}

} // namespace

Value matchGelu(Value value, UnaryKind &kind) {
  Product product(value);
  if (product.factors.size() != 2 || !product.isConstantNear(0.5))
    return {};
  for (int i : {0, 1}) {
    Value x = product.factors[i], inner = matchAddConstant(product.factors[1 - i], 1);
    if (!inner)
      continue;
    if (auto erf = inner.getDefiningOp<math::ErfOp>()) {
      Product argument(erf.getOperand(), x);
      if (argument.factors.size() == 1 && argument.factors[0] == x && argument.isConstantNear(0.70710678118654752)) {
        kind = UnaryKind::Gelu;
        return x;
      }
    }
    if (auto tanh = inner.getDefiningOp<math::TanhOp>()) {
      Product argument(tanh.getOperand(), x);
      if (argument.factors.size() != 1 || !argument.isConstantNear(0.79788456080286536))
        continue;
      auto sum = argument.factors[0].getDefiningOp<arith::AddFOp>();
      if (!sum)
        continue;
      for (auto [linear, cubic] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
        Product cube(cubic, x);
        bool isThird = (cube.factors.size() == 3 && llvm::all_of(cube.factors, [&](Value f) { return f == x; })) ||
                       (cube.factors.size() == 1 && isCube(cube.factors[0], x));
        if (linear == x && isThird && cube.isConstantNear(0.044715)) {
          kind = UnaryKind::GeluTanh;
          return x;
        }
      }
    }
  }
  return {};
}

Value matchUnary(Value value, UnaryKind &kind) {
  auto found = [&](UnaryKind k, Value x) {
    kind = k;
    return x;
  };
  if (Value x = matchRelu(value))
    return found(UnaryKind::Relu, x);
  if (auto tanh = value.getDefiningOp<math::TanhOp>())
    return found(UnaryKind::Tanh, tanh.getOperand());
  if (auto exp = value.getDefiningOp<math::ExpOp>())
    return found(UnaryKind::Exp, exp.getOperand());
  if (auto round = value.getDefiningOp<math::RoundEvenOp>())
    return found(UnaryKind::Round, round.getOperand());
  if (Value x = matchSigmoid(value))
    return found(UnaryKind::Sigmoid, x);
  if (auto div = value.getDefiningOp<arith::DivFOp>())
    if (Value x = matchOnePlusExpNegated(div.getRhs()); x && x == div.getLhs())
      return found(UnaryKind::Silu, x);
  if (auto mul = value.getDefiningOp<arith::MulFOp>()) {
    if (Value x = matchSigmoid(mul.getRhs()); x && x == mul.getLhs())
      return found(UnaryKind::Silu, x);
    if (Value x = matchSigmoid(mul.getLhs()); x && x == mul.getRhs())
      return found(UnaryKind::Silu, x);
  }
  return matchGelu(value, kind);
}

} // namespace mlir::tpp

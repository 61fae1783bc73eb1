//===- VectorMath.cpp - math functions and division on vectors of f32 ---------------------------------------------------------===//
//
// Upstream's approximation of log loses subnormals (that of the smallest floats is off by 8 %). Its tanh and erf have an error of 4 ulp, and
// its sin and cos an error that grows with the argument (0.02 at 10^5). Its atan2 gives NaN for two infinities and loses the sign of zeros;
// its cbrt gives a number for an infinity.
// exp, tanh, erf, gelu and log are those of microkernels/common/vector_math-inl.h with the same coefficients, so that vector code and kernels
// have the same error bound (test/accuracy). A multiplication and the addition of its result both have the fast-math flag `contract`: LLVM
// fuses them if the machine has fused multiply-add, and otherwise fmaf is not called.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/emit/VectorMath.h"
#include "lowering/analysis/UnaryKinds.h"
#include "lowering/rows/VersionLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace {

/// Arithmetic on vectors of f32 and on their bits, written like the C++ code that it follows.
class VectorF32 {
public:
  VectorF32(OpBuilder &builder, Location loc, VectorType type, bool hasScale)
      : builder(builder), loc(loc), type(type), bitsType(VectorType::get(type.getShape(), builder.getI32Type())),
        hasScale(hasScale && type.getShape() == ArrayRef<int64_t>(16)),
        contract(arith::FastMathFlagsAttr::get(builder.getContext(), arith::FastMathFlags::contract)) {}

  Value constant(float value) const { return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value)); }
  Value bits(int32_t value) const { return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(bitsType, value)); }

  Value add(Value x, Value y) const { return arith::AddFOp::create(builder, loc, x, y); }
  Value sub(Value x, Value y) const { return arith::SubFOp::create(builder, loc, x, y); }
  Value mul(Value x, Value y) const { return arith::MulFOp::create(builder, loc, x, y); }
  Value div(Value x, Value y) const { return arith::DivFOp::create(builder, loc, x, y); }
  Value neg(Value x) const { return arith::NegFOp::create(builder, loc, x); }
  Value abs(Value x) const { return math::AbsFOp::create(builder, loc, x); }
  Value copySign(Value magnitude, Value sign) const { return math::CopySignOp::create(builder, loc, magnitude, sign); }
  Value mulAdd(Value x, Value y, Value z) const {
    Value product = arith::MulFOp::create(builder, loc, x, y, contract);
    return arith::AddFOp::create(builder, loc, product, z, contract);
  }
  /// c[0] + c[1] x + c[2] x^2 + ...
  Value polynomial(Value x, ArrayRef<float> c) const {
    Value sum = constant(c.back());
    for (float coefficient : llvm::reverse(c.drop_back()))
      sum = mulAdd(sum, x, constant(coefficient));
    return sum;
  }

  /// The same for eight terms by Estrin's scheme: a third of the latency for two more multiplications.
  Value polynomialByPairs(Value x, const float (&c)[8]) const {
    Value x2 = mul(x, x), x4 = mul(x2, x2);
    auto pair = [&](int i) { return mulAdd(x, constant(c[i + 1]), constant(c[i])); };
    return mulAdd(mulAdd(pair(6), x2, pair(4)), x4, mulAdd(pair(2), x2, pair(0)));
  }

  /// Compares x with y. False for NaN if the predicate is ordered.
  Value is(arith::CmpFPredicate predicate, Value x, Value y) const {
    return arith::CmpFOp::create(builder, loc, predicate, x, y);
  }
  Value is(arith::CmpFPredicate predicate, Value x, float y) const { return is(predicate, x, constant(y)); }
  /// Whether the sign bit is set.
  Value isNegative(Value x) const { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, toBits(x), bits(0)); }
  Value select(Value condition, Value x, Value y) const { return arith::SelectOp::create(builder, loc, condition, x, y); }
  Value clampKeepNaN(Value x, float limit) const {
    x = select(is(arith::CmpFPredicate::OGT, x, limit), constant(limit), x);
    return select(is(arith::CmpFPredicate::OLT, x, -limit), constant(-limit), x);
  }

  Value toBits(Value x) const { return arith::BitcastOp::create(builder, loc, bitsType, x); }
  Value fromBits(Value x) const { return arith::BitcastOp::create(builder, loc, type, x); }
  Value toFloat(Value x) const { return arith::SIToFPOp::create(builder, loc, type, x); }
  Value addBits(Value x, Value y) const { return arith::AddIOp::create(builder, loc, x, y); }
  Value subBits(Value x, Value y) const { return arith::SubIOp::create(builder, loc, x, y); }
  Value divideBits(Value x, int32_t by) const { return arith::DivUIOp::create(builder, loc, x, bits(by)); }
  Value shiftLeft(Value x, int32_t by) const { return arith::ShLIOp::create(builder, loc, x, bits(by)); }
  Value shiftRight(Value x, int32_t by) const { return arith::ShRSIOp::create(builder, loc, x, bits(by)); }
  /// e^x = (1 + p) * 2^q with |p| < 0.42, for |x| <= 150 or NaN (then p is NaN). The low bits of `biased` are q + 127.
  struct ExpParts {
    Value p, q, biased;
  };
  /// With `twoParts`, ln 2 is the sum of two constants. The first has 15 significant bits, so its product with q is exact even without fused
  /// multiply-add. One constant is enough to compute 1 - e^x for x < 0: the error grows with |x|, but e^x becomes small relative to 1.
  ExpParts reduceExp(Value x, bool twoParts = true) const {
    Value shift = constant(12582912.0f + 127.0f); // adding 1.5 * 2^23 rounds to an integer
    Value shifted = mulAdd(x, constant(1.442695041f), shift);
    Value q = sub(shifted, shift);
    Value r = mulAdd(q, constant(twoParts ? -0.693145751953125f : -0.6931471805599453f), x);
    if (twoParts)
      r = mulAdd(q, constant(-1.428606765330187e-6f), r);
    Value r2 = mul(r, r);
    Value high = mulAdd(r, constant(0.0013882520142942667f), constant(0.008366547524929047f));
    Value low = mulAdd(r, constant(0.04166720062494278f), constant(0.1666654348373413f));
    Value poly = mulAdd(mulAdd(high, r2, low), r, constant(0.4999999701976776f));
    return {mulAdd(poly, r2, r), q, toBits(shifted)};
  }
  /// 2^q for q in [-126, 127].
  Value powerOfTwo(const ExpParts &parts) const { return fromBits(shiftLeft(parts.biased, 23)); }
  /// v * 2^q for any q of reduceExp, rounded once.
  Value scale(Value v, const ExpParts &parts) const {
    if (hasScale) {
      Value all = arith::ConstantOp::create(builder, loc, builder.getI16IntegerAttr(-1));
      Value rounding = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(4)); // the current mode
      return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr("llvm.x86.avx512.mask.scalef.ps.512"),
                                           ValueRange{v, parts.q, v, all, rounding})
          .getResult(0);
    }
    // Two factors; the result of the first multiplication is a normal number. With h = q / 2: h + 127 = (exponent + 127) / 2.
    Value exponent = subBits(parts.biased, bits(0x4b400000)); // q + 127
    Value half = shiftRight(addBits(exponent, bits(127)), 1);
    Value rest = addBits(subBits(exponent, half), bits(127));
    return mul(mul(v, fromBits(shiftLeft(half, 23))), fromBits(shiftLeft(rest, 23)));
  }

  struct Angle {
    Value rest, quarters;
  };
  /// x = quarters * pi/2 + rest with |rest| <= pi/4, computed in f64: pi/2 is the sum of two constants, the first with 33 bits, so its product with up
  /// to 2^20 quarters is exact. Of `quarters`, the last two bits are right if |x| < 2^51. NaN and infinities give NaN.
  Angle reduceAngle(Value x) const {
    auto wide = VectorType::get(type.getShape(), builder.getF64Type());
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(wide, value));
    };
    Value y = arith::ExtFOp::create(builder, loc, wide, x);
    Value shift = number(0x1.8p52); // adding 1.5 * 2^52 rounds to an integer
    Value shifted = add(mul(y, number(0.63661977236758134)), shift);
    Value k = sub(shifted, shift);
    Value rest = sub(sub(y, mul(k, number(1.57079632673412561417))), mul(k, number(6.07710050650619224932e-11)));
    Value whole = arith::BitcastOp::create(builder, loc, VectorType::get(type.getShape(), builder.getI64Type()), shifted);
    Value quarters = arith::TruncIOp::create(builder, loc, bitsType, whole);
    return {clampKeepNaN(arith::TruncFOp::create(builder, loc, type, rest), 0.785398185f), quarters};
  }
  /// The sine of an angle after a number of further quarters of a turn.
  Value sine(const Angle &angle, int32_t further) const {
    Value r = angle.rest, r2 = mul(r, r);
    Value sin = mulAdd(mul(r, r2), polynomial(r2, {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f}), r);
    Value cos = mulAdd(mul(r2, r2), polynomial(r2, {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f}),
                       mulAdd(r2, constant(-0.5f), constant(1.0f)));
    Value quarters = addBits(angle.quarters, bits(further));
    auto masked = [&](int32_t mask) { return arith::AndIOp::create(builder, loc, quarters, bits(mask)); };
    Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked(1), bits(0));
    Value sign = shiftLeft(masked(2), 30);
    return fromBits(arith::XOrIOp::create(builder, loc, toBits(select(isOdd, cos, sin)), sign));
  }

private:
  OpBuilder &builder;
  Location loc;
  VectorType type, bitsType;
  bool hasScale; // whether there is an instruction that multiplies by a power of two
  arith::FastMathFlagsAttr contract;
};

// Results below 2^-126 are 0, as in the kernels.
Value createExp(const VectorF32 &f, Value x) {
  VectorF32::ExpParts e = f.reduceExp(f.select(f.is(arith::CmpFPredicate::OGT, x, 150.0f), f.constant(150.0f), x));
  return f.select(f.is(arith::CmpFPredicate::OLT, x, -87.33654f), f.constant(0.0f), f.scale(f.add(e.p, f.constant(1.0f)), e));
}

Value createTanh(const VectorF32 &f, Value x) {
  Value bounded = f.clampKeepNaN(x, 10.0f); // |tanh| rounds to 1 from 9.02 on
  VectorF32::ExpParts e = f.reduceExp(f.abs(f.add(bounded, bounded)));
  Value scale = f.powerOfTwo(e);
  Value expm1 = f.mulAdd(e.p, scale, f.sub(scale, f.constant(1.0f)));
  return f.copySign(f.div(expm1, f.add(expm1, f.constant(2.0f))), x);
}

// erf(y) = 1 - e^-r for y = |x|, with r = y + y P(y) = -ln(1 - erf(y)).
Value createErf(const VectorF32 &f, Value x) {
  Value y = f.abs(x);
  y = f.select(f.is(arith::CmpFPredicate::OGT, y, 4.0f), f.constant(4.0f), y); // |erf| rounds to 1 from 3.92 on
  Value r =
      f.polynomialByPairs(y, {0.1283792108297348f, 0.6366162300109863f, 0.10281726717948914f, -0.01933247037231922f,
                              0.00022391432139556855f, 0.0012367285089567304f, -0.0003751346084754914f, 3.9845450373832136e-05f});
  VectorF32::ExpParts e = f.reduceExp(f.neg(f.mulAdd(r, y, y)), /*twoParts=*/false);
  Value scale = f.powerOfTwo(e);
  return f.copySign(f.mulAdd(f.neg(e.p), scale, f.sub(f.constant(1.0f), scale)), x);
}

// max(x, 0) - |x| h with h = Phi(-|x|) = 2^(-1 - |x| P(|x|)), where Phi is the standard normal distribution function. P is fitted (Lawson
// iteration) so that the error of h is at most 8e-9, a quarter of an ulp just below 1/2. For x < -9.75, h is taken to be 0. The
// formula x (1 + erf(x / sqrt(2))) / 2 is less accurate: it rounds its sum with an error of 6e-8 and is 0 below -5.5.
Value createGelu(const VectorF32 &f, Value x) {
  Value y = f.neg(f.abs(x));                                                       // -|x|
  y = f.select(f.is(arith::CmpFPredicate::OLT, y, -9.75f), f.constant(-9.75f), y); // keeps NaN
  Value p = f.polynomialByPairs(y, {1.15110521f, -0.459208197f, 0.0524961784f, 0.00706342014f, 0.000136936375f, -0.00018618024f,
                                    -3.93776912e-05f, -2.83491284e-06f});
  Value exponent = f.mul(p, y);
  Value shift =
      f.constant(12582912.0f - 1.0f); // as in reduceExp: the low bits of `shifted` are the exponent of the power of two, less 1
  Value shifted = f.add(exponent, shift);
  Value r = f.sub(exponent, f.sub(shifted, shift)), r2 = f.mul(r, r);
  Value high = f.mulAdd(r, f.constant(0.000153533619f), f.constant(0.00133988744f));
  Value middle = f.mulAdd(r, f.constant(0.00961843736f), f.constant(0.0555033247f));
  Value low = f.mulAdd(r, f.constant(0.240226479f), f.constant(0.693147203f));
  Value power = f.mulAdd(f.mulAdd(f.mulAdd(high, r2, middle), r2, low), r, f.constant(1.0f));
  Value h = f.fromBits(f.addBits(f.toBits(power), f.shiftLeft(f.toBits(shifted), 23)));
  Value positive = f.select(f.is(arith::CmpFPredicate::OLT, x, -0.0f), f.constant(-0.0f), x);
  return f.select(f.is(arith::CmpFPredicate::OLT, x, -9.75f), f.constant(-0.0f), f.mulAdd(y, h, positive));
}

/// x = 2^exponent (1 + m) for a positive x, with |m| <= 1/3, m2 = m^2 and ln(1 + m) = m - m2 / 2 + m2 rest.
struct LogParts {
  Value exponent, m, m2, rest;
};
LogParts reduceLog(const VectorF32 &f, Value x) {
  Value isTiny = f.is(arith::CmpFPredicate::OLT, x, 0x1p-126f);
  Value bits = f.toBits(f.select(isTiny, f.mul(x, f.constant(0x1p24f)), x));
  Value exponent = f.shiftRight(f.subBits(bits, f.bits(0x3f2aaaab)), 23);
  Value m = f.sub(f.fromBits(f.subBits(bits, f.shiftLeft(exponent, 23))), f.constant(1.0f));
  Value e = f.sub(f.toFloat(exponent), f.select(isTiny, f.constant(24.0f), f.constant(0.0f)));
  Value m2 = f.mul(m, m);
  Value even = f.polynomial(m2, {0.3333321511745453f, 0.20010405778884888f, 0.14005868136882782f, 0.1398443728685379f});
  Value odd = f.polynomial(m2, {-0.24999797344207764f, -0.16680487990379333f, -0.12184261530637741f, -0.12891684472560883f});
  Value p = f.mulAdd(odd, m, even);
  return {e, m, m2, f.mul(p, m)};
}

/// The logarithm `y` of a positive finite x, or what it is of zero, infinity, NaN and negative x.
Value limitLog(const VectorF32 &f, Value x, Value y) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Value outside = f.select(f.is(arith::CmpFPredicate::OEQ, x, 0.0f), f.constant(-infinity),
                           f.constant(std::numeric_limits<float>::quiet_NaN()));
  y = f.select(f.is(arith::CmpFPredicate::OGT, x, 0.0f), y, outside);
  return f.select(f.is(arith::CmpFPredicate::OEQ, x, infinity), x, y);
}

// ln 2 is the sum of two constants. The first has few significant bits, so its product with the exponent is exact.
Value createLog(const VectorF32 &f, Value x) {
  LogParts parts = reduceLog(f, x);
  Value y = f.mulAdd(parts.rest, parts.m2, f.mul(parts.exponent, f.constant(-2.1219444e-4f)));
  y = f.add(f.mulAdd(parts.m2, f.constant(-0.5f), y), parts.m);
  return limitLog(f, x, f.mulAdd(parts.exponent, f.constant(0.693359375f), y));
}

Value createLog2(const VectorF32 &f, Value x) {
  LogParts parts = reduceLog(f, x);
  Value y = f.add(f.mulAdd(parts.rest, parts.m2, f.mul(parts.m2, f.constant(-0.5f))), parts.m);
  return limitLog(f, x, f.mulAdd(y, f.constant(1.442695041f), parts.exponent));
}

// atan(t) = t + t^3 P(t^2) for 0 <= t <= 1, within 1.1 ulp. P is fitted like that of createGelu, for the relative error.
Value createAtanOfFraction(const VectorF32 &f, Value t) {
  Value t2 = f.mul(t, t);
  Value p = f.polynomialByPairs(t2, {-0.33333152532577515f, 0.19993773102760315f, -0.14211055636405945f, 0.10666003823280334f,
                                     -0.07552212476730347f, 0.04321183264255524f, -0.01636791042983532f, 0.0029206876643002033f});
  return f.mulAdd(f.mul(t, t2), p, t);
}

constexpr float pi = 3.14159265f;

Value createAtan(const VectorF32 &f, Value x) {
  Value y = f.abs(x), isSteep = f.is(arith::CmpFPredicate::OGT, y, 1.0f);
  Value angle = createAtanOfFraction(f, f.div(f.select(isSteep, f.constant(1.0f), y), f.select(isSteep, y, f.constant(1.0f))));
  return f.copySign(f.select(isSteep, f.sub(f.constant(pi / 2), angle), angle), x);
}

// The angle of (|x|, |y|), whose fraction is 1 for two infinities and 0 for two zeros, is mirrored where y > x, x < 0 (or -0) and y < 0 (or -0).
Value createAtan2(const VectorF32 &f, Value y, Value x) {
  using arith::CmpFPredicate;
  Value ay = f.abs(y), ax = f.abs(x), isSteep = f.is(CmpFPredicate::OGT, ay, ax);
  Value low = f.select(isSteep, ax, ay), high = f.select(isSteep, ay, ax);
  Value ofEqual = f.select(f.is(CmpFPredicate::OEQ, high, 0.0f), f.constant(0.0f), f.constant(1.0f));
  Value angle = createAtanOfFraction(f, f.select(f.is(CmpFPredicate::OEQ, low, high), ofEqual, f.div(low, high)));
  angle = f.select(isSteep, f.sub(f.constant(pi / 2), angle), angle);
  angle = f.select(f.isNegative(x), f.sub(f.constant(pi), angle), angle);
  return f.copySign(angle, y);
}

// Halley's iterations for t^3 = x, from an exponent divided by 3. x is scaled so that no intermediate result overflows or is subnormal.
Value createCbrt(const VectorF32 &f, Value x) {
  using arith::CmpFPredicate;
  Value magnitude = f.abs(x), isTiny = f.is(CmpFPredicate::OLT, magnitude, 0x1p-100f),
        isHuge = f.is(CmpFPredicate::OGT, magnitude, 0x1p100f);
  auto choose = [&](float tiny, float huge) {
    return f.select(isTiny, f.constant(tiny), f.select(isHuge, f.constant(huge), f.constant(1.0f)));
  };
  Value y = f.mul(magnitude, choose(0x1p48f, 0x1p-48f));
  Value t = f.fromBits(f.addBits(f.divideBits(f.toBits(y), 3), f.bits(0x2a512000)));
  for (int i = 0; i < 2; ++i) {
    Value cube = f.mul(f.mul(t, t), t);
    Value change = f.div(f.sub(cube, y), f.add(f.add(cube, cube), y));
    t = f.sub(t, f.mul(t, change));
  }
  Value root = f.copySign(f.mul(t, choose(0x1p-16f, 0x1p16f)), x);
  Value isLimit = f.is(CmpFPredicate::OEQ, f.mul(x, f.constant(0.5f)), x); // zeros and infinities
  return f.select(isLimit, x, root);
}

/// For divisors of these magnitudes, both parts of the reciprocal are normal numbers (the second is at least 2^-48 times the first).
constexpr float leastDivisor = 0x1p-126f, greatestDivisor = 0x1p64f;

Value createSin(const VectorF32 &f, Value x) {
  return f.select(f.is(arith::CmpFPredicate::OEQ, x, 0.0f), x, f.sine(f.reduceAngle(x), 0)); // keeps the sign of -0
}
Value createCos(const VectorF32 &f, Value x) { return f.sine(f.reduceAngle(x), 1); }

/// Replaces an operation on vectors of f32 by one of the functions above, which has a parameter for each operand.
template <typename Op, auto create> struct ExpandVectorMath : OpRewritePattern<Op> {
  // The benefit is higher than that of upstream's approximations of the same operations.
  ExpandVectorMath(MLIRContext *context, bool hasScale) : OpRewritePattern<Op>(context, /*benefit=*/2), hasScale(hasScale) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32() || type.isScalable())
      return rewriter.notifyMatchFailure(op, "no fixed vector of f32");
    VectorF32 f(rewriter, op.getLoc(), type, hasScale);
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, create(f, op.getOperand()));
    else
      rewriter.replaceOp(op, create(f, op.getLhs(), op.getRhs()));
    return success();
  }

  bool hasScale;
};

} // namespace

void tpp::populateVectorMathPatterns(RewritePatternSet &patterns, TargetAttr target) {
  patterns.add<ExpandVectorMath<math::ExpOp, createExp>, ExpandVectorMath<math::TanhOp, createTanh>,
               ExpandVectorMath<math::ErfOp, createErf>, ExpandVectorMath<math::LogOp, createLog>,
               ExpandVectorMath<math::Log2Op, createLog2>, ExpandVectorMath<math::SinOp, createSin>,
               ExpandVectorMath<math::CosOp, createCos>, ExpandVectorMath<math::AtanOp, createAtan>,
               ExpandVectorMath<math::Atan2Op, createAtan2>, ExpandVectorMath<math::CbrtOp, createCbrt>>(
      patterns.getContext(), target.getIsa() == "avx512");
}

/// The reciprocal of `divisor`, an f32, as the sum of two parts. The magnitude of the first is below that of the reciprocal, so both parts
/// have the same sign and neither is zero. Therefore x high + x low is infinite if x is.
static std::pair<Value, Value> createReciprocal(OpBuilder &builder, Location loc, Value divisor) {
  Value one = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1.0f));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  Value minus = arith::NegFOp::create(builder, loc, divisor);
  Value nearest = arith::DivFOp::create(builder, loc, one, divisor);
  Value missing = math::FmaOp::create(builder, loc, nearest, minus, one);
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), nearest);
  Value step = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value below = arith::BitcastOp::create(builder, loc, builder.getF32Type(), arith::SubIOp::create(builder, loc, bits, step));
  Value beyond = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, missing, zero);
  Value high = arith::SelectOp::create(builder, loc, beyond, below, nearest);
  Value rest = math::FmaOp::create(builder, loc, high, minus, one);
  return {high, arith::MulFOp::create(builder, loc, rest, high)};
}

namespace {
/// A division of a vector by a scalar, as a multiplication by the two parts of the scalar's reciprocal.
struct ByReciprocal {
  Operation *division;
  Value ordinary, highs, lows; // whether the divisor's magnitude is in range (null for a constant), and the two parts

  Value createQuotient(OpBuilder &builder, Value dividend) const {
    Location loc = highs.getLoc();
    return math::FmaOp::create(builder, loc, dividend, highs, arith::MulFOp::create(builder, loc, dividend, lows));
  }
};
} // namespace

/// Rewrites a division by a constant. Returns false if the division is not changed.
static bool divideByConstant(RewriterBase &rewriter, arith::DivFOp op, VectorType type) {
  DenseFPElementsAttr constant;
  if (!matchPattern(op.getRhs(), m_Constant(&constant)) || !constant.isSplat())
    return false;
  auto divisor = constant.getSplatValue<float>();
  // LLVM itself multiplies by a reciprocal that is exact.
  if (!(std::abs(divisor) >= leastDivisor && std::abs(divisor) <= greatestDivisor) ||
      llvm::APFloat(divisor).getExactInverse(nullptr))
    return false;
  double exact = 1.0 / divisor;
  auto high = static_cast<float>(exact);
  if (std::abs(high) > std::abs(exact))
    high = std::nextafter(high, 0.0f);
  rewriter.setInsertionPoint(op);
  auto create = [&](float value) -> Value {
    return arith::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, value));
  };
  ByReciprocal parts{op, Value(), create(high), create(static_cast<float>(exact - high))};
  rewriter.replaceOp(op, parts.createQuotient(rewriter, op.getLhs()));
  return true;
}

/// Computes the two parts of the divisor's reciprocal, right after the divisor is broadcast. nullopt if it is not a broadcast f32.
static std::optional<ByReciprocal> splitDivisor(RewriterBase &rewriter, arith::DivFOp op, VectorType type) {
  auto broadcast = op.getRhs().getDefiningOp<vector::BroadcastOp>();
  if (!broadcast || !broadcast.getSource().getType().isF32())
    return std::nullopt;
  Location loc = op.getLoc();
  Value divisor = broadcast.getSource();
  rewriter.setInsertionPointAfter(broadcast);
  auto scalar = [&](float value) -> Value { return arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(value)); };
  Value magnitude = math::AbsFOp::create(rewriter, loc, divisor);
  Value large = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE, magnitude, scalar(leastDivisor));
  Value small = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLE, magnitude, scalar(greatestDivisor));
  Value ordinary = arith::AndIOp::create(rewriter, loc, large, small);
  auto [high, low] = createReciprocal(rewriter, loc, divisor);
  Value highs = vector::BroadcastOp::create(rewriter, loc, type, high),
        lows = vector::BroadcastOp::create(rewriter, loc, type, low);
  return ByReciprocal{op, ordinary, highs, lows};
}

void tpp::divideByReciprocals(RewriterBase &rewriter, Operation *root) {
  SmallVector<arith::DivFOp> divisions;
  root->walk([&](arith::DivFOp op) { divisions.push_back(op); });
  llvm::MapVector<scf::ForOp, SmallVector<ByReciprocal>> byLoop;
  SmallVector<ByReciprocal> single;
  for (arith::DivFOp op : divisions) {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32() || type.isScalable() || divideByConstant(rewriter, op, type))
      continue;
    std::optional<ByReciprocal> parts = splitDivisor(rewriter, op, type);
    if (!parts)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (loop && loop.isDefinedOutsideOfLoop(parts->ordinary))
      byLoop[loop].push_back(*parts);
    else
      single.push_back(*parts);
  }
  // The divisor is checked once, before the loop: a branch for each vector would cost as much as the multiplications.
  for (auto &[loop, ofLoop] : byLoop) {
    rewriter.setInsertionPoint(loop);
    Value ordinary = ofLoop.front().ordinary;
    for (const ByReciprocal &parts : ArrayRef(ofLoop).drop_front())
      if (parts.ordinary != ordinary)
        ordinary = arith::AndIOp::create(rewriter, loop.getLoc(), ordinary, parts.ordinary);
    IRMapping inVersion;
    versionLoop(loop, ordinary, inVersion);
    for (const ByReciprocal &parts : ofLoop) {
      Operation *division = inVersion.lookup(parts.division);
      rewriter.setInsertionPoint(division);
      rewriter.replaceOp(division, parts.createQuotient(rewriter, division->getOperand(0)));
    }
  }
  for (const ByReciprocal &parts : single) {
    auto op = cast<arith::DivFOp>(parts.division);
    rewriter.setInsertionPoint(op);
    auto choice = scf::IfOp::create(
        rewriter, op.getLoc(), parts.ordinary,
        [&](OpBuilder &builder, Location where) {
          scf::YieldOp::create(builder, where, parts.createQuotient(builder, op.getLhs()));
        },
        [&](OpBuilder &builder, Location where) {
          Value quotient = arith::DivFOp::create(builder, where, op.getLhs(), op.getRhs());
          scf::YieldOp::create(builder, where, quotient);
        });
    rewriter.replaceOp(op, choice.getResult(0));
  }
}

void tpp::replaceGelus(RewriterBase &rewriter, Operation *root) {
  SmallVector<Operation *> products;
  root->walk([&](Operation *op) {
    if (!isa<arith::MulFOp, arith::DivFOp>(op))
      return;
    if (auto type = dyn_cast<VectorType>(op->getResult(0).getType()); type && type.getElementType().isF32() && !type.isScalable())
      products.push_back(op);
  });
  bool replaced = false;
  for (Operation *op : products) {
    UnaryKind kind{};
    Value x = matchGelu(op->getResult(0), kind);
    if (!x || kind != UnaryKind::Gelu)
      continue;
    rewriter.setInsertionPoint(op);
    VectorF32 f(rewriter, op->getLoc(), cast<VectorType>(x.getType()), /*hasScale=*/false);
    Value gelu = createGelu(f, x);
    rewriter.replaceOp(op, gelu);
    replaced = true;
  }
  // The unused ops of the replaced formulas would otherwise be expanded too.
  if (replaced)
    (void)runRegionDCE(rewriter, root->getRegions());
}

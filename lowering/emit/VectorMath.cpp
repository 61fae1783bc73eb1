//===- VectorMath.cpp - exp, log, tanh and erf on vectors of f32 -------------------------------------------------------------===//
//
// Upstream's approximations of exp and log lose subnormals (e^-87.7 is 0, log of the smallest floats off by 8 %), its tanh and erf are 4 ulp
// off. These are the functions of microkernels/common/vector_math-inl.h, step by step and with its coefficients, so that vector code
// and kernels keep one bound (test/accuracy). Where a product is added, both carry the fast-math flag `contract`: LLVM makes one instruction
// of them where the machine has it, and nobody calls fmaf where it does not.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/emit/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

using namespace mlir;

namespace {

/// Arithmetic on vectors of f32 (and their bits) that reads like the C++ it follows.
class VectorF32 {
public:
  VectorF32(OpBuilder &builder, Location loc, VectorType type)
      : builder(builder), loc(loc), type(type), bitsType(VectorType::get(type.getShape(), builder.getI32Type())),
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

  /// False for NaN.
  Value is(arith::CmpFPredicate predicate, Value x, float y) const {
    return arith::CmpFOp::create(builder, loc, predicate, x, constant(y));
  }
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
  Value shiftLeft(Value x, int32_t by) const { return arith::ShLIOp::create(builder, loc, x, bits(by)); }
  Value shiftRight(Value x, int32_t by) const { return arith::ShRSIOp::create(builder, loc, x, bits(by)); }
  /// 2^q for q in [-126, 127].
  Value powerOfTwo(Value q) const { return fromBits(shiftLeft(addBits(q, bits(127)), 23)); }

  /// e^x = (1 + p) * 2^q with |p| < 0.42, for |x| <= 150 or NaN (then p is NaN).
  struct ExpParts {
    Value p, q;
  };
  ExpParts reduceExp(Value x) const {
    Value shift = constant(12582912.0f); // beside 1.5 * 2^23 nothing is left of a fraction
    Value shifted = mulAdd(x, constant(1.442695041f), shift);
    Value qf = sub(shifted, shift), q = subBits(toBits(shifted), toBits(shift));
    Value r = mulAdd(qf, constant(-0.693145751953125f), x);
    r = mulAdd(qf, constant(-1.428606765330187e-6f), r);
    Value r2 = mul(r, r);
    Value high = mulAdd(r, constant(0.0013882520142942667f), constant(0.008366547524929047f));
    Value low = mulAdd(r, constant(0.04166720062494278f), constant(0.1666654348373413f));
    Value poly = mulAdd(mulAdd(high, r2, low), r, constant(0.4999999701976776f));
    return {mulAdd(poly, r2, r), q};
  }

private:
  OpBuilder &builder;
  Location loc;
  VectorType type, bitsType;
  arith::FastMathFlagsAttr contract;
};

Value createExp(const VectorF32 &f, Value x) {
  auto [p, q] = f.reduceExp(f.clampKeepNaN(x, 150.0f));
  // 2^q in two factors, of which the first leaves no normal number's range.
  Value half = f.shiftRight(q, 1);
  return f.mul(f.mul(f.add(p, f.constant(1.0f)), f.powerOfTwo(half)), f.powerOfTwo(f.subBits(q, half)));
}

Value createTanh(const VectorF32 &f, Value x) {
  Value bounded = f.clampKeepNaN(x, 10.0f); // |tanh| rounds to 1 from 9.02 on
  auto [p, q] = f.reduceExp(f.abs(f.add(bounded, bounded)));
  Value scale = f.powerOfTwo(q);
  Value expm1 = f.mulAdd(p, scale, f.sub(scale, f.constant(1.0f)));
  return f.copySign(f.div(expm1, f.add(expm1, f.constant(2.0f))), x);
}

Value createErf(const VectorF32 &f, Value x) {
  Value y = f.abs(f.clampKeepNaN(x, 4.0f)); // |erf| rounds to 1 from 3.92 on
  Value y2 = f.mul(y, y);
  Value small = f.polynomial(y2, {0.12837915122509003f, -0.3761252462863922f, 0.11282140761613846f, -0.02677890658378601f,
                                  0.00501196039840579f, -0.0006090350216254592f});
  small = f.mulAdd(small, y, y);
  Value r = f.polynomial(y, {-1.1285200119018555f, -0.6356993913650513f, -0.1052868515253067f, 0.022906029596924782f,
                             -0.0032199749257415533f, 0.00021459494018927217f});
  auto [p, q] = f.reduceExp(f.mul(r, y));
  Value scale = f.powerOfTwo(q);
  Value large = f.mulAdd(f.neg(p), scale, f.sub(f.constant(1.0f), scale));
  return f.copySign(f.select(f.is(arith::CmpFPredicate::OLT, y, 0.9f), small, large), x);
}

Value createLog(const VectorF32 &f, Value x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Value isTiny = f.is(arith::CmpFPredicate::OLT, x, 0x1p-126f);
  Value bits = f.toBits(f.select(isTiny, f.mul(x, f.constant(0x1p24f)), x));
  Value exponent = f.shiftRight(f.subBits(bits, f.bits(0x3f2aaaab)), 23);
  Value m = f.sub(f.fromBits(f.subBits(bits, f.shiftLeft(exponent, 23))), f.constant(1.0f));
  Value e = f.sub(f.toFloat(exponent), f.select(isTiny, f.constant(24.0f), f.constant(0.0f)));
  Value m2 = f.mul(m, m);
  Value even = f.polynomial(m2, {0.3333321511745453f, 0.20010405778884888f, 0.14005868136882782f, 0.1398443728685379f});
  Value odd = f.polynomial(m2, {-0.24999797344207764f, -0.16680487990379333f, -0.12184261530637741f, -0.12891684472560883f});
  Value p = f.mulAdd(odd, m, even);
  Value y = f.mulAdd(f.mul(p, m), m2, f.mul(e, f.constant(-2.1219444e-4f)));
  y = f.add(f.mulAdd(m2, f.constant(-0.5f), y), m);
  y = f.mulAdd(e, f.constant(0.693359375f), y);
  Value outside = f.select(f.is(arith::CmpFPredicate::OEQ, x, 0.0f), f.constant(-infinity),
                           f.constant(std::numeric_limits<float>::quiet_NaN()));
  y = f.select(f.is(arith::CmpFPredicate::OGT, x, 0.0f), y, outside);
  return f.select(f.is(arith::CmpFPredicate::OEQ, x, infinity), x, y);
}

/// One of the functions above for an operation on a vector of f32.
template <typename Op, Value (*create)(const VectorF32 &, Value)> struct ExpandVectorMath : OpRewritePattern<Op> {
  // Before upstream's approximations of the same operations.
  explicit ExpandVectorMath(MLIRContext *context) : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32() || type.isScalable())
      return rewriter.notifyMatchFailure(op, "no fixed vector of f32");
    rewriter.replaceOp(op, create(VectorF32(rewriter, op.getLoc(), type), op.getOperand()));
    return success();
  }
};

} // namespace

void tpp::populateVectorMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandVectorMath<math::ExpOp, createExp>, ExpandVectorMath<math::TanhOp, createTanh>,
               ExpandVectorMath<math::ErfOp, createErf>, ExpandVectorMath<math::LogOp, createLog>>(patterns.getContext());
}

// Vector math for f32 on any Highway target, used by the unary kernels and by post-ops.
//
// Why not hwy/contrib/math: its Exp and Expm1 are wrong for NaN and above 104, it has no erf, and a logistic built on it loses relative
// accuracy where the result is small. The functions of e^x here, but gelu, use one range reduction, e^x = (1 + p) * 2^q.
//
// Special values are those of kinds.def, which also says below which argument exp, the logistic functions and both gelus are 0. So only arguments
// near 0 give subnormal numbers; instructions that read these can take 150 cycles. The error bounds (accuracy_of in
// test/microkernels/elementwise_problem.hpp) are measured over all floats by test/accuracy/run. Targets without fused multiply-add (SSE) lose
// a little accuracy. Coefficients are minimax fits (Lawson iteration) with a relative error below 0.3 ulp (erf: 0.65; gelu: see there). The
// rounding mode must be to nearest.

#if defined(TPP_MICROKERNELS_COMMON_VECTOR_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_VECTOR_MATH_INL_H
#undef TPP_MICROKERNELS_COMMON_VECTOR_MATH_INL_H
#else
#define TPP_MICROKERNELS_COMMON_VECTOR_MATH_INL_H
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace vector_math {
namespace hn = hwy::HWY_NAMESPACE;

// x limited to [-limit, limit]. NaN stays NaN: hardware minimum instructions treat it differently from target to target.
template <class D, class V> HWY_INLINE V ClampKeepNaN(D d, V x, float limit) {
  const V high = hn::Set(d, limit), low = hn::Set(d, -limit);
  x = hn::IfThenElse(hn::Gt(x, high), high, x);
  return hn::IfThenElse(hn::Lt(x, low), low, x);
}

// e^x = (1 + p) * 2^q with |p| < 0.42; the low bits of `biased` hold q + 127.
template <class D> struct ExpParts {
  hn::Vec<D> p, q;
  hn::Vec<hn::RebindToSigned<D>> biased;
};

// q is the integer for which q ln 2 is nearest to x, for |x| <= 150 or NaN. p is not set.
template <class D, class V> HWY_INLINE ExpParts<D> NearestPowerOfTwo(D d, V x) {
  // Adding 1.5 * 2^23 leaves no fraction bits: rounds to nearest like NearestInt, without its handling of overflow.
  const V shift = hn::Set(d, 12582912.0f + 127.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.442695041f), shift);
  return {hn::Undefined(d), hn::Sub(shifted, shift), hn::BitCast(hn::RebindToSigned<D>(), shifted)};
}

// e^r - 1 for |r| < 0.35.
template <class D, class V> HWY_INLINE V SmallExpMinusOne(D d, V r) {
  const V r2 = hn::Mul(r, r);
  V poly = hn::MulAdd(r, hn::Set(d, 0.0013882520142942667f), hn::Set(d, 0.008366547524929047f));
  poly = hn::MulAdd(poly, r2, hn::MulAdd(r, hn::Set(d, 0.04166720062494278f), hn::Set(d, 0.1666654348373413f)));
  poly = hn::MulAdd(poly, r, hn::Set(d, 0.4999999701976776f));
  return hn::MulAdd(poly, r2, r);
}

// x - q ln 2, with ln 2 in two parts. The first has 15 significant bits, so that its product with q is exact even without FMA.
template <class D, class V> HWY_INLINE V Remainder(D d, V x, V q) {
  const V r = hn::MulAdd(q, hn::Set(d, -0.693145751953125f), x);
  return hn::MulAdd(q, hn::Set(d, -1.428606765330187e-6f), r);
}

// The parts of e^x, |x| <= 150 or NaN (then p is NaN).
template <class D, class V> HWY_INLINE ExpParts<D> ReduceExp(D d, V x) {
  ExpParts<D> e = NearestPowerOfTwo(d, x);
  e.p = SmallExpMinusOne(d, vector_math::Remainder(d, x, e.q));
  return e;
}

// 2^q for q in [-126, 127].
template <class D> HWY_INLINE hn::Vec<D> PowerOfTwo(D d, const ExpParts<D> &e) {
  return hn::BitCast(d, hn::ShiftLeft<23>(e.biased));
}

// v * 2^q for |q| <= 250, rounded once.
template <class D, class V> HWY_INLINE V ScaleByPowerOfTwo(D d, V v, const ExpParts<D> &e) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V) == 64)
    return V{_mm512_scalef_ps(v.raw, e.q.raw)};
#endif
  // Two factors; the first keeps the product in the normal range if |v| is near 1. With h = q / 2: h + 127 = (q + 254) / 2.
  const hn::RebindToSigned<D> di;
  const auto bias = hn::Set(di, 127), exponent = hn::Sub(e.biased, hn::Set(di, 0x4b400000)); // q + 127
  const auto half = hn::ShiftRight<1>(hn::Add(exponent, bias)), rest = hn::Add(hn::Sub(exponent, half), bias);
  return hn::Mul(hn::Mul(v, hn::BitCast(d, hn::ShiftLeft<23>(half))), hn::BitCast(d, hn::ShiftLeft<23>(rest)));
}

// 1 + e^-x. x is limited to [-87, 87], where e^-x is normal.
template <class D, class V> HWY_INLINE V OnePlusExpOfNegated(D d, V x) {
  const auto e = ReduceExp(d, hn::Neg(ClampKeepNaN(d, x, 87.0f)));
  const V scale = PowerOfTwo(d, e);
  return hn::Add(hn::MulAdd(e.p, scale, scale), hn::Set(d, 1.0f));
}

} // namespace vector_math

// max(x, 0). NaN stays NaN, -0 becomes +0. Exact.
template <class D, class V> HWY_INLINE V Relu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
}

// e^x. Results below 2^-126 are 0: softmax with a mask of -100 has many.
template <class D, class V> HWY_INLINE V Exp(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V high = hn::Set(d, 150.0f);
  const auto e = vector_math::ReduceExp(d, hn::IfThenElse(hn::Gt(x, high), high, x));
  const V scaled = vector_math::ScaleByPowerOfTwo(d, hn::Add(e.p, hn::Set(d, 1.0f)), e);
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33654f)), scaled); // also discards what x below -150 gives
}

// (e^2|x| - 1) / (e^2|x| + 1), with e^2|x| - 1 = p 2^q + (2^q - 1), which is accurate for small arguments.
template <class D, class V> HWY_INLINE V Tanh(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V bounded = vector_math::ClampKeepNaN(d, x, 10.0f); // |tanh| rounds to 1 from 9.02 on
  const V twice = hn::Abs(hn::Add(bounded, bounded));
  const auto e = vector_math::ReduceExp(d, twice);
  const V scale = vector_math::PowerOfTwo(d, e);
  const V expm1 = hn::MulAdd(e.p, scale, hn::Sub(scale, hn::Set(d, 1.0f)));
  return hn::CopySignToAbs(hn::Div(expm1, hn::Add(expm1, hn::Set(d, 2.0f))), x);
}

// 1 - e^-r with r = y + y P(y), y = |x|, so that e^-r = 1 - erf(y). The relative error of r stays small down to y = 0.
template <class D, class V> HWY_INLINE V Erf(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V four = hn::Set(d, 4.0f), abs = hn::Abs(x);
  const V y = hn::IfThenElse(hn::Gt(abs, four), four, abs); // |erf| rounds to 1 from 3.92 on; NaN stays
  // Estrin's scheme, adjacent coefficients first: less than half of the latency for two more multiplications.
  const V y2 = hn::Mul(y, y), y4 = hn::Mul(y2, y2);
  const V p67 = hn::MulAdd(y, hn::Set(d, 3.9845450373832136e-05f), hn::Set(d, -0.0003751346084754914f));
  const V p45 = hn::MulAdd(y, hn::Set(d, 0.0012367285089567304f), hn::Set(d, 0.00022391432139556855f));
  const V p23 = hn::MulAdd(y, hn::Set(d, -0.01933247037231922f), hn::Set(d, 0.10281726717948914f));
  const V p01 = hn::MulAdd(y, hn::Set(d, 0.6366162300109863f), hn::Set(d, 0.1283792108297348f));
  const V p = hn::MulAdd(hn::MulAdd(p67, y2, p45), y4, hn::MulAdd(p23, y2, p01));
  const V minus_r = hn::Neg(hn::MulAdd(p, y, y));
  // The larger r is, the less a relative error of e^-r matters, so ln 2 in one part is enough.
  auto e = vector_math::NearestPowerOfTwo(d, minus_r);
  e.p = vector_math::SmallExpMinusOne(d, hn::MulAdd(e.q, hn::Set(d, -0.69314718056f), minus_r));
  const V scale = vector_math::PowerOfTwo(d, e);
  return hn::CopySignToAbs(hn::NegMulAdd(e.p, scale, hn::Sub(hn::Set(d, 1.0f), scale)), x);
}

// x = m 2^e with m in [2/3, 4/3); log m = f - f^2/2 + f^3 P(f), f = m - 1.
template <class D, class V> HWY_INLINE V Log(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  const V zero = hn::Zero(d), infinity = hn::Inf(d);
  const auto is_tiny = hn::Lt(x, hn::Set(d, 0x1p-126f));
  const auto bits = hn::BitCast(di, hn::IfThenElse(is_tiny, hn::Mul(x, hn::Set(d, 0x1p24f)), x));
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f2aaaab)));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent))), hn::Set(d, 1.0f));
  const V e = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(is_tiny, hn::Set(d, 24.0f)));
  const V f2 = hn::Mul(f, f);
  // Even and odd powers are evaluated separately: half the latency.
  V even = hn::MulAdd(f2, hn::Set(d, 0.1398443728685379f), hn::Set(d, 0.14005868136882782f));
  V odd = hn::MulAdd(f2, hn::Set(d, -0.12891684472560883f), hn::Set(d, -0.12184261530637741f));
  even = hn::MulAdd(even, f2, hn::Set(d, 0.20010405778884888f));
  odd = hn::MulAdd(odd, f2, hn::Set(d, -0.16680487990379333f));
  even = hn::MulAdd(even, f2, hn::Set(d, 0.3333321511745453f));
  odd = hn::MulAdd(odd, f2, hn::Set(d, -0.24999797344207764f));
  const V p = hn::MulAdd(odd, f, even);
  // ln 2 in two parts. The first has 9 significant bits, so that its product with e is exact.
  V y = hn::MulAdd(hn::Mul(p, f), f2, hn::Mul(e, hn::Set(d, -2.1219444e-4f)));
  y = hn::Add(hn::NegMulAdd(f2, hn::Set(d, 0.5f), y), f);
  y = hn::MulAdd(e, hn::Set(d, 0.693359375f), y);
  const V outside = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity), hn::NaN(d));
  y = hn::IfThenElse(hn::Gt(x, zero), y, outside);
  return hn::IfThenElse(hn::Eq(x, infinity), x, y);
}

// max(x, 0) - y h with y = |x| and h = Phi(-y) = 2^(-1 - y P(y)), where Phi is the standard normal distribution function. P is fitted so that
// the error of h is at most 8e-9, a quarter of an ulp just below 1/2; relative to h it is 1 % at -5, 57 % at -7. For x < -9.75, h is taken to be 0. createGelu in lowering/emit/VectorMath.cpp is the same
// formula.
template <class D, class V> HWY_INLINE V Gelu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  const V limit = hn::Set(d, 9.75f), abs = hn::Abs(x), minus_zero = hn::SignBit(d);
  const V y = hn::IfThenElse(hn::Gt(abs, limit), limit, abs), y2 = hn::Mul(y, y); // NaN stays
  V p = hn::MulAdd(y, hn::Set(d, -2.83491284e-06f), hn::Set(d, 3.93776912e-05f));
  p = hn::MulAdd(p, y2, hn::MulAdd(y, hn::Set(d, -0.00018618024f), hn::Set(d, -0.000136936375f)));
  p = hn::MulAdd(p, y2, hn::MulAdd(y, hn::Set(d, 0.00706342014f), hn::Set(d, -0.0524961784f)));
  p = hn::MulAdd(p, y2, hn::MulAdd(y, hn::Set(d, -0.459208197f), hn::Set(d, -1.15110521f)));
  const V exponent = hn::Mul(p, y);
  // As in NearestPowerOfTwo: the low bits of `shifted` are the nearest integer to the exponent, less 1.
  const V shift = hn::Set(d, 12582912.0f - 1.0f), shifted = hn::Add(exponent, shift);
  const V r = hn::Sub(exponent, hn::Sub(shifted, shift)), r2 = hn::Mul(r, r);
  V power = hn::MulAdd(r, hn::Set(d, 0.000153533619f), hn::Set(d, 0.00133988744f)); // 2^r
  power = hn::MulAdd(power, r2, hn::MulAdd(r, hn::Set(d, 0.00961843736f), hn::Set(d, 0.0555033247f)));
  power = hn::MulAdd(power, r2, hn::MulAdd(r, hn::Set(d, 0.240226479f), hn::Set(d, 0.693147203f)));
  power = hn::MulAdd(power, r, hn::Set(d, 1.0f));
  const V h = hn::BitCast(d, hn::Add(hn::BitCast(di, power), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
  const V positive = hn::IfThenElse(hn::Lt(x, minus_zero), minus_zero, x);
  return hn::IfThenElse(hn::Lt(x, hn::Neg(limit)), minus_zero, hn::NegMulAdd(y, h, positive));
}

// x / (1 + e^-w) with w = 2 sqrt(2/pi) (x + 0.044715 x^3). The result is -0 for x < -10; w < -87 there.
template <class D, class V> HWY_INLINE V GeluTanh(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V w = hn::Mul(x, hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.071354814f), hn::Set(d, 1.5957692f)));
  const V quotient = hn::Div(x, vector_math::OnePlusExpOfNegated(d, w));
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, -10.0f)), hn::SignBit(d), quotient);
}

// 1 / (1 + e^-x). For x < -87 the result is 0.
template <class D, class V> HWY_INLINE V Sigmoid(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V quotient = hn::Div(hn::Set(d, 1.0f), vector_math::OnePlusExpOfNegated(d, x));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.0f)), quotient);
}

// x / (1 + e^-x). For x < -87 the result is -0.
template <class D, class V> HWY_INLINE V Silu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V quotient = hn::Div(x, vector_math::OnePlusExpOfNegated(d, x));
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, -87.0f)), hn::SignBit(d), quotient);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

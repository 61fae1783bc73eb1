// Vector math for f32 on any Highway target, used by the unary kernels and brgemm's post-ops.
//
// Why not hwy/contrib/math: its Exp and Expm1 are wrong for NaN and above 104, it has no erf, and a logistic or gelu built on it loses
// relative accuracy where the result is small. All functions of e^x here use one range reduction, e^x = (1 + p) * 2^q. Its two parts are
// kept separate until the last multiplication, so that even subnormal results are rounded once.
//
// Special values are those of kinds.def. test/microkernels/unary_accuracy_test.cpp holds the error bounds, in ulp of the f32 result,
// measured over all floats. Targets without fused multiply-add (SSE) lose a little accuracy. Coefficients are minimax fits (Lawson
// iteration) with a relative error below 0.3 ulp (erf: 0.65). The rounding mode must be to nearest. The functions work with or without
// flushing of subnormals and preserve subnormals, but for the results of Exp.

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

// `yes` where the sign bit of x is set, including -0 and NaN. (Highway's IfNegativeThenElse treats these differently from target to
// target.)
template <class D, class V> HWY_INLINE V IfSignBit(D d, V x, V yes, V no) {
  const hn::RebindToSigned<D> di;
  return hn::IfThenElse(hn::RebindMask(d, hn::Lt(hn::BitCast(di, x), hn::Zero(di))), yes, no);
}

// The exact value of a * b - product, where product is a * b rounded and neither overflows nor underflows.
template <class D, class V> HWY_INLINE V ProductError(D d, V a, V b, V product) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulSub(a, b, product);
#else
  // Veltkamp's split into halves of 12 bits, whose products are exact (Dekker).
  const V split = hn::Set(d, 4097.0f);
  const V as = hn::Mul(a, split), bs = hn::Mul(b, split);
  const V a_hi = hn::Sub(as, hn::Sub(as, a)), b_hi = hn::Sub(bs, hn::Sub(bs, b));
  const V a_lo = hn::Sub(a, a_hi), b_lo = hn::Sub(b, b_hi);
  const V high = hn::Sub(hn::Mul(a_hi, b_hi), product);
  return hn::Add(hn::Add(hn::Add(high, hn::Mul(a_hi, b_lo)), hn::Mul(a_lo, b_hi)), hn::Mul(a_lo, b_lo));
#endif
}

// c - a * b, rounded once, or nearly so where c is close to a * b.
template <class D, class V> HWY_INLINE V ExactNegMulAdd(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::NegMulAdd(a, b, c);
#else
  const V product = hn::Mul(a, b);
  return hn::Sub(hn::Sub(c, product), ProductError(d, a, b, product));
#endif
}

// e^x = (1 + p) * 2^q with |p| < 0.42; the low bits of `biased` hold q + 127.
template <class D> struct ExpParts {
  hn::Vec<D> p, q;
  hn::Vec<hn::RebindToSigned<D>> biased;
};

// The multiple q of ln 2 nearest to x, for |x| <= 150 or NaN. p is not set.
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

// The parts of e^(hi + lo), where |lo| is small compared to 1.
template <class D, class V> HWY_INLINE ExpParts<D> ReduceExp(D d, V hi, V lo) {
  ExpParts<D> e = NearestPowerOfTwo(d, hi);
  e.p = SmallExpMinusOne(d, hn::Add(vector_math::Remainder(d, hi, e.q), lo));
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

// 2^(q + 100) for q in [-220, 0]. v multiplied by this and then by 2^-100 is v * 2^q rounded once, for |v| < 2^27: the intermediate
// product is normal, or v is tiny and q is near 0.
template <class D> HWY_INLINE hn::Vec<D> RaisedPowerOfTwo(D d, const ExpParts<D> &e) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(e.biased), hn::Set(di, 100 << 23)));
}

// x / (1 + e^-(w + w_lo)), where x and w have the same sign, |w| <= 150, and x >= -150 (+inf allowed). For w < 0 it is x e^w / (1 + e^w),
// with the power of two applied last.
template <class D, class V> HWY_INLINE V TimesLogistic(D d, V x, V w, V w_lo) {
  const V sign = hn::And(hn::SignBit(d), w);
  const V flip = hn::Xor(sign, hn::SignBit(d)); // changes w to -|w|
  const auto e = ReduceExp(d, hn::Xor(w, flip), hn::Xor(w_lo, flip));
  const V one = hn::Set(d, 1.0f), raised = RaisedPowerOfTwo(d, e), lower = hn::Set(d, 0x1p-100f);
  const V denominator = hn::Add(hn::Mul(hn::Mul(hn::Add(e.p, one), raised), lower), one);
  const V numerator = vector_math::IfSignBit(d, w, hn::MulAdd(x, e.p, x), x);
  const V quotient = hn::Div(numerator, denominator);
  return hn::Mul(hn::Mul(quotient, vector_math::IfSignBit(d, w, raised, one)), vector_math::IfSignBit(d, w, lower, one));
}

} // namespace vector_math

// max(x, 0). NaN stays NaN, -0 becomes +0. Exact.
template <class D, class V> HWY_INLINE V Relu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
}

// Results below 2^-126 are 0: where e^x is subnormal (softmax with a mask of -100), each instruction that reads it can take 150 cycles.
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
  // Estrin's scheme, adjacent coefficients first: a third of the latency for two more multiplications.
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

// 1 / (1 + e^-x)
template <class D, class V> HWY_INLINE V Sigmoid(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return vector_math::TimesLogistic(d, hn::Set(d, 1.0f), vector_math::ClampKeepNaN(d, x, 150.0f), hn::Zero(d));
}

// x / (1 + e^-x)
template <class D, class V> HWY_INLINE V Silu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V bounded = vector_math::ClampKeepNaN(d, x, 150.0f); // below -110 the result rounds to -0
  return vector_math::TimesLogistic(d, vector_math::IfSignBit(d, x, bounded, x), bounded, hn::Zero(d));
}

// x Phi(x) for x < 0, else x - x Phi(-x), where Phi is the normal distribution. Phi(-y) = e^(-y^2/2) T(y), y = |x|, and
//
//   T(y) = n / q,   n = y m + 1/2,   q = y (b y m + r) + 1,   m and r polynomials of y, b = sqrt(2 pi)
//
// For large y, T(y) is 1 / (b y), so r is small compared to b y m, and rounding errors of m cancel.
//
// y^2 / 2 is carried in two parts: its rounding error alone would cost 40 ulp in the negative tail. The quotient x n / q is corrected by
// its remainder, computed without rounding n and q themselves.
template <class D, class V> HWY_INLINE V Gelu(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V bounded = vector_math::ClampKeepNaN(d, x, 15.0f); // below -14.3 the result rounds to -0
  const V y = hn::Abs(bounded), half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f);
  V m = hn::MulAdd(y, hn::Set(d, 0.004822281189262867f), hn::Set(d, 0.04532375559210777f));
  m = hn::MulAdd(m, y, hn::Set(d, 0.19702544808387756f));
  m = hn::MulAdd(m, y, hn::Set(d, 0.4566919207572937f));
  V r = hn::MulAdd(y, hn::Set(d, 1.2186277444925508e-6f), hn::Set(d, 0.012032185681164265f));
  r = hn::MulAdd(r, y, hn::Set(d, 0.11467978358268738f));
  r = hn::MulAdd(r, y, hn::Set(d, 1.7112691402435303f));
  const V by = hn::Mul(y, hn::Set(d, 2.5066282749f));
  const V n = hn::MulAdd(m, y, half);
  const V q = hn::MulAdd(hn::MulAdd(by, m, r), y, one);
  const V minus_half = hn::Mul(bounded, hn::Set(d, -0.5f)); // exact
  const V hi = hn::Mul(minus_half, bounded);
  const auto e = vector_math::ReduceExp(d, hi, vector_math::ProductError(d, minus_half, bounded, hi));
  const V inverse = hn::Div(one, q);
  const V quotient = hn::Mul(hn::Mul(bounded, n), inverse);
  // quotient q - x n, with the terms of n and q paired by powers of y so that each difference is small.
  const V high = hn::NegMulAdd(m, vector_math::ExactNegMulAdd(d, quotient, by, bounded), hn::Mul(quotient, r));
  const V excess = hn::MulAdd(high, y, hn::NegMulAdd(bounded, half, quotient));
  const V product = hn::Sub(quotient, hn::NegMulAdd(quotient, e.p, hn::Mul(excess, inverse))); // keeps the sign of zero
  const V below = hn::Mul(hn::Mul(product, vector_math::RaisedPowerOfTwo(d, e)), hn::Set(d, 0x1p-100f));
  return vector_math::IfSignBit(d, x, below, hn::Sub(x, below));
}

// x / (1 + e^-w) with w = 2 sqrt(2/pi) (x + 0.044715 x^3) = x (c1 + c2 x^2), carried in two parts as in Gelu.
template <class D, class V> HWY_INLINE V GeluTanh(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V bounded = vector_math::ClampKeepNaN(d, x, 11.5f); // below -11.2 the result rounds to -0; |w| stays below 150
  const V c1 = hn::Set(d, 1.5957692f), c1_lo = hn::Set(d, -4.534068e-8f);
  const V c2 = hn::Set(d, 0.071354814f), c2_lo = hn::Set(d, 2.3988324e-9f);
  const V x2 = hn::Mul(bounded, bounded);
  const V x2_lo = vector_math::ProductError(d, bounded, bounded, x2);
  const V s = hn::Mul(c2, x2);
  const V s_lo = hn::MulAdd(c2_lo, x2, hn::MulAdd(c2, x2_lo, vector_math::ProductError(d, c2, x2, s)));
  const V p = hn::Add(c1, s);
  const V virtual_s = hn::Sub(p, c1); // Knuth's exact sum: either term may be the larger
  const V sum_lo = hn::Add(hn::Sub(c1, hn::Sub(p, virtual_s)), hn::Sub(s, virtual_s));
  const V p_lo = hn::Add(hn::Add(sum_lo, s_lo), c1_lo);
  const V w = hn::Mul(bounded, p);
  const V w_lo = hn::MulAdd(bounded, p_lo, vector_math::ProductError(d, bounded, p, w));
  return vector_math::TimesLogistic(d, vector_math::IfSignBit(d, x, bounded, x), w, w_lo);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

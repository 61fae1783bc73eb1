// The element-wise unary kinds on f32 vectors, with the special values of kinds.def. Used by the unary kernels and by brgemm's post-ops.

#if defined(TPP_MICROKERNELS_COMMON_UNARY_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_COMMON_UNARY_MATH_INL_H
#undef TPP_MICROKERNELS_COMMON_UNARY_MATH_INL_H
#else
#define TPP_MICROKERNELS_COMMON_UNARY_MATH_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/common/vector_math-inl.h"
#include "tpp/types.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {

// `alpha` is leaky_relu's factor.
template <int kKind, class D, class V> HWY_INLINE V ApplyUnary(D d, V x, V alpha) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (kKind == TPP_UNARY_relu)
    return Relu(d, x);
  else if constexpr (kKind == TPP_UNARY_gelu)
    return Gelu(d, x);
  else if constexpr (kKind == TPP_UNARY_gelu_tanh)
    return GeluTanh(d, x);
  else if constexpr (kKind == TPP_UNARY_tanh)
    return Tanh(d, x);
  else if constexpr (kKind == TPP_UNARY_sigmoid)
    return Sigmoid(d, x);
  else if constexpr (kKind == TPP_UNARY_silu)
    return Silu(d, x);
  else if constexpr (kKind == TPP_UNARY_exp)
    return Exp(d, x);
  else if constexpr (kKind == TPP_UNARY_leaky_relu)
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, x));
  else if constexpr (kKind == TPP_UNARY_erf)
    return Erf(d, x);
  else if constexpr (kKind == TPP_UNARY_log)
    return Log(d, x);
  else if constexpr (kKind == TPP_UNARY_sqrt)
    return hn::Sqrt(x);
  else if constexpr (kKind == TPP_UNARY_rsqrt)
    return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x));
  else if constexpr (kKind == TPP_UNARY_reciprocal)
    return hn::Div(hn::Set(d, 1.0f), x);
  else if constexpr (kKind == TPP_UNARY_square)
    return hn::Mul(x, x);
  else if constexpr (kKind == TPP_UNARY_neg)
    return hn::Neg(x);
  else if constexpr (kKind == TPP_UNARY_abs)
    return hn::Abs(x);
  else if constexpr (kKind == TPP_UNARY_round)
    return HWY_TARGET == HWY_EMU128 ? hn::CopySign(hn::Round(x), x)
                                    : hn::Round(x); // Highway's portable Round loses the sign of zero
  else {
    static_assert(kKind == TPP_UNARY_convert || kKind == TPP_UNARY_identity, "kind has no vector implementation");
    return x;
  }
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#endif

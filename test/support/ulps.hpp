// Error measure for f32 functions.
#pragma once
#include "tpp/microkernels.hpp"

#include <algorithm>
#include <cmath>

namespace tpp_test {

// Distance between a result and the exact value, in f32 ulp of `number`. Infinite if only one is NaN or infinite, or if the signs differ.
inline double ulps(float got, double want, double number) {
  auto rounded = static_cast<float>(want);
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want) ? 0.0 : HUGE_VAL;
  if (std::isinf(got) || std::isinf(rounded))
    return got == rounded ? 0.0 : HUGE_VAL;
  if (std::signbit(got) != std::signbit(rounded))
    return HUGE_VAL;
  if (static_cast<double>(got) == want)
    return 0.0;
  const int exponent = number == 0 || std::isinf(number) ? -125 : std::ilogb(number) + 1;
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

// The error of a unary kind at x, in f32 ulp of the result that kinds.def defines. For gelu and gelu_tanh of x < 0 it is in ulp of x: it is
// small compared to x only.
inline double unary_error(int32_t kind, double x, float got, double want) {
  return ulps(got, want, x < 0 && (kind == TPP_UNARY_gelu || kind == TPP_UNARY_gelu_tanh) ? x : want);
}

// Whether the f32 result of a unary kind is accurate, if its argument is not known. The relative error may be 1e-6 (8 ulp), 4e-6 without fused
// multiply-add; gelu and gelu_tanh of negative numbers may be off by another 1e-7. Other kinds of post-ops (relu, round) are exact.
inline bool is_accurate(int32_t kind, bool fused, float got, float want) {
  if (got == want || !std::isfinite(got) || !std::isfinite(want))
    return got == want;
  const bool exact = kind == TPP_UNARY_identity || kind == TPP_UNARY_relu || kind == TPP_UNARY_round;
  const float relative = exact ? 0.0f : fused ? 1e-6f : 4e-6f;
  const float absolute = std::signbit(want) && (kind == TPP_UNARY_gelu || kind == TPP_UNARY_gelu_tanh) ? 1e-7f : 1e-37f;
  return std::fabs(got - want) <= relative * std::fabs(want) + absolute;
}

} // namespace tpp_test

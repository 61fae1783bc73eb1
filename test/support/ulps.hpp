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
  const int exponent = number == 0 ? -125 : std::ilogb(number) + 1;
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}
inline double ulps(float got, double want) { return ulps(got, want, want); }

// The error of a unary kind at x, in f32 ulp of the exact result. For gelu and gelu_tanh it is in ulp of x: their error for x < 0 is small
// compared to x only.
inline double unary_error(int32_t kind, double x, float got, double want) {
  return ulps(got, want, kind == TPP_UNARY_gelu || kind == TPP_UNARY_gelu_tanh ? x : want);
}

} // namespace tpp_test

// Error measure for f32 functions.
#pragma once
#include <algorithm>
#include <cmath>

namespace tpp_test {

// Distance in f32 ulp between a result and the exact value. Infinite if only one is NaN or infinite, or if the signs differ.
inline double ulps(float got, double want) {
  auto rounded = static_cast<float>(want);
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want) ? 0.0 : HUGE_VAL;
  if (std::isinf(got) || std::isinf(rounded))
    return got == rounded ? 0.0 : HUGE_VAL;
  if (std::signbit(got) != std::signbit(rounded))
    return HUGE_VAL;
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

} // namespace tpp_test

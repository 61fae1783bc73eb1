// Each kind on one element, in plain C++: what the references compute, and what tests compare with. Special values are those of kinds.def.
// Floating-point kinds are computed in double. The result is rounded once: to f32 here, for post-ops, else by the caller, to the output's type
// (store_double). Callers have validated kinds and types and have rejected those that an operation does not support.
#pragma once
#include "microkernels/common/kinds.hpp"

#include <cmath>
#include <cstring>

namespace tpp {

inline float float_from_bf16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

// Rounds to nearest even; a NaN stays a (quiet) NaN.
inline uint16_t bf16_from_float(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

// Reads element `index` of an array of f32, bf16, i8 or u8. For other types: load_double.
inline float load_float(int32_t type, const void *base, int64_t index) {
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_f32: {
    float value;
    std::memcpy(&value, static_cast<const char *>(base) + index * 4, sizeof(value));
    return value;
  }
  case TPP_TYPE_bf16: {
    uint16_t bits;
    std::memcpy(&bits, static_cast<const char *>(base) + index * 2, sizeof(bits));
    return float_from_bf16(bits);
  }
  case TPP_TYPE_i8:
    return static_cast<const int8_t *>(base)[index];
  case TPP_TYPE_u8:
    return static_cast<const uint8_t *>(base)[index];
  case TPP_TYPE_i32:
  case TPP_TYPE_f16:
  case TPP_TYPE_f64:
    break;
  }
  not_supported();
}

// Unary kinds on one element. Kinds that only convert types or move elements are the identity here. `alpha` is leaky_relu's.
inline double scalar_unary(int32_t kind, double x, double alpha = 0.0) {
  switch (static_cast<tpp_unary_kind>(kind)) {
  case TPP_UNARY_identity:
  case TPP_UNARY_convert:
  case TPP_UNARY_transpose:
  case TPP_UNARY_vnni_pack:
    return x;
  case TPP_UNARY_zero:
    return 0.0;
  case TPP_UNARY_relu:
    return x <= 0.0 ? 0.0 : x;
  case TPP_UNARY_gelu:
    return x < -9.75 ? -0.0 : 0.5 * x * std::erfc(-x * 0.70710678118654752440); // erfc keeps the precision of the left tail
  case TPP_UNARY_gelu_tanh: {
    // x/2 * (1 + tanh(u)) = x / (1 + exp(-2u)), which keeps the precision of the left tail.
    double u = 0.79788456080286535588 * (x + 0.044715 * x * x * x);
    return x < -10.0 ? -0.0 : x / (1.0 + std::exp(-2.0 * u));
  }
  case TPP_UNARY_tanh:
    return std::tanh(x);
  case TPP_UNARY_sigmoid:
    return x < -87.0 ? 0.0 : 1.0 / (1.0 + std::exp(-x));
  case TPP_UNARY_silu:
    return x < -87.0 ? -0.0 : x / (1.0 + std::exp(-x));
  case TPP_UNARY_exp: {
    const double result = std::exp(x);
    return result < 0x1p-126 ? 0.0 : result;
  }
  case TPP_UNARY_leaky_relu:
    return x > 0.0 ? x : alpha * x;
  case TPP_UNARY_erf:
    return std::erf(x);
  case TPP_UNARY_log:
    return std::log(x);
  case TPP_UNARY_sqrt:
    return std::sqrt(x);
  case TPP_UNARY_rsqrt:
    return 1.0 / std::sqrt(x);
  case TPP_UNARY_reciprocal:
    return 1.0 / x;
  case TPP_UNARY_square:
    return x * x;
  case TPP_UNARY_neg:
    return -x;
  case TPP_UNARY_abs:
    return std::fabs(x);
  case TPP_UNARY_round:
    return std::nearbyint(x); // in the default rounding mode
  }
  not_supported();
}
inline float scalar_unary(int32_t kind, float x) { // of post-ops, which have no alpha
  if (kind == TPP_UNARY_leaky_relu)
    not_supported();
  return static_cast<float>(scalar_unary(kind, static_cast<double>(x)));
}

inline double scalar_binary(int32_t kind, double x, double y) {
  switch (static_cast<tpp_binary_kind>(kind)) {
  case TPP_BINARY_add:
    return x + y;
  case TPP_BINARY_sub:
    return x - y;
  case TPP_BINARY_mul:
    return x * y;
  case TPP_BINARY_div:
    return x / y;
  case TPP_BINARY_max:
    if (std::isnan(x) || std::isnan(y))
      return x + y;
    return x > y || (x == y && !std::signbit(x)) ? x : y;
  case TPP_BINARY_min:
    if (std::isnan(x) || std::isnan(y))
      return x + y;
    return x < y || (x == y && std::signbit(x)) ? x : y;
  }
  not_supported();
}
inline float scalar_binary(int32_t kind, float x, float y) { // as if rounded once: double has 53 >= 2 * 24 + 2 bits
  return static_cast<float>(scalar_binary(kind, static_cast<double>(x), static_cast<double>(y)));
}

inline int32_t scalar_unary(int32_t kind, int32_t x) { // of post-ops on sums of integers
  switch (static_cast<tpp_unary_kind>(kind)) {
  case TPP_UNARY_identity:
    return x;
  case TPP_UNARY_relu:
    return x < 0 ? 0 : x;
  case TPP_UNARY_convert:
  case TPP_UNARY_transpose:
  case TPP_UNARY_vnni_pack:
  case TPP_UNARY_zero:
  case TPP_UNARY_gelu:
  case TPP_UNARY_gelu_tanh:
  case TPP_UNARY_tanh:
  case TPP_UNARY_sigmoid:
  case TPP_UNARY_silu:
  case TPP_UNARY_exp:
  case TPP_UNARY_leaky_relu:
  case TPP_UNARY_erf:
  case TPP_UNARY_log:
  case TPP_UNARY_sqrt:
  case TPP_UNARY_rsqrt:
  case TPP_UNARY_reciprocal:
  case TPP_UNARY_square:
  case TPP_UNARY_neg:
  case TPP_UNARY_abs:
  case TPP_UNARY_round:
    break; // not post-ops of integers (convert is applied elsewhere)
  }
  not_supported();
}

inline int32_t scalar_binary(int32_t kind, int32_t x, int32_t y) { // results wrap around, like sums of integers
  uint32_t a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
  switch (static_cast<tpp_binary_kind>(kind)) {
  case TPP_BINARY_add:
    return static_cast<int32_t>(a + b);
  case TPP_BINARY_sub:
    return static_cast<int32_t>(a - b);
  case TPP_BINARY_mul:
    return static_cast<int32_t>(a * b);
  case TPP_BINARY_max:
    return x > y ? x : y;
  case TPP_BINARY_min:
    return x < y ? x : y;
  case TPP_BINARY_div:
    break; // floating-point types only
  }
  not_supported();
}

} // namespace tpp

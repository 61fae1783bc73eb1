// Elements of any tpp_type as double, which represents all of them exactly. The element-wise references read and write through it.
#pragma once
#include "microkernels/common/matrix.hpp"
#include "microkernels/common/scalar.hpp"

#include <limits>

namespace tpp {

constexpr bool is_floating(int32_t type) {
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_f32:
  case TPP_TYPE_bf16:
  case TPP_TYPE_f16:
  case TPP_TYPE_f64:
    return true;
  case TPP_TYPE_i8:
  case TPP_TYPE_u8:
  case TPP_TYPE_i32:
    return false;
  }
  return false;
}

// 2^exponent, for exponents of normal doubles.
inline double power_of_two(int exponent) {
  uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}

// x rounded to nearest even (in the default rounding mode), to at most `digits` significant bits and no bit below 2^lowest. From 2^130 on, which
// overflows all types that are rounded here, x is returned as it is.
inline double round_to_digits(double x, int digits, int lowest) {
  if (x == 0 || !(std::fabs(x) < 0x1p130))
    return x;
  int exponent = std::ilogb(x) + 1;
  int place = exponent - digits > lowest ? exponent - digits : lowest;
  double anchor = power_of_two(place + 52) * 1.5; // doubles near it are the multiples of 2^place
  return std::copysign((x + anchor) - anchor, x);
}

inline double double_from_f16(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude = exponent == 31  ? (mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL)
                     : exponent == 0 ? mantissa * 0x1p-24
                                     : (1024 + mantissa) * power_of_two(exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

inline uint16_t f16_from_double(double x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x))
    return sign | 0x7e00;
  double magnitude = std::fabs(round_to_digits(x, 11, -24));
  if (magnitude >= 65536.0)
    return sign | 0x7c00;
  if (magnitude < 0x1p-14)
    return sign | static_cast<uint16_t>(magnitude * 0x1p24);
  int exponent = std::ilogb(magnitude);
  return sign | static_cast<uint16_t>(((exponent + 14) << 10) + static_cast<int>(magnitude * power_of_two(10 - exponent)));
}

inline double load_double(int32_t type, const void *base, int64_t index) {
  const char *at = static_cast<const char *>(base) + index * type_bytes(type);
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_i32: {
    int32_t value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  case TPP_TYPE_f16: {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof(bits));
    return double_from_f16(bits);
  }
  case TPP_TYPE_f64: {
    double value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  case TPP_TYPE_f32:
  case TPP_TYPE_bf16:
  case TPP_TYPE_i8:
  case TPP_TYPE_u8:
    return static_cast<double>(load_float(type, base, index));
  }
  not_supported();
}

// x rounded to the nearest even integer of T; saturates, and NaN gives 0.
template <class T> T saturate(double x) {
  if (std::isnan(x))
    return 0;
  double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  double nearest = std::nearbyint(x);
  return static_cast<T>(nearest < low ? low : nearest > high ? high : nearest);
}

// Stores `value`, rounded once to nearest even.
inline void store_double(int32_t type, void *base, int64_t index, double value) {
  char *at = static_cast<char *>(base) + index * type_bytes(type);
  auto put = [at](auto element) { std::memcpy(at, &element, sizeof(element)); };
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_f32:
    return put(static_cast<float>(value));
  case TPP_TYPE_bf16: // eight digits are exact in float; what overflows float also overflows bf16
    return put(bf16_from_float(static_cast<float>(round_to_digits(value, 8, -133))));
  case TPP_TYPE_f16:
    return put(f16_from_double(value));
  case TPP_TYPE_f64:
    return put(value);
  case TPP_TYPE_i32:
    return put(saturate<int32_t>(value));
  case TPP_TYPE_i8:
    return put(saturate<int8_t>(value));
  case TPP_TYPE_u8:
    return put(saturate<uint8_t>(value));
  }
}

// Stores the low bits of `value`: integer results wrap around.
inline void store_wrapped(int32_t type, void *base, int64_t index, int32_t value) {
  char *at = static_cast<char *>(base) + index * type_bytes(type);
  if (type == TPP_TYPE_i32)
    std::memcpy(at, &value, sizeof(value));
  else
    *at = static_cast<char>(static_cast<unsigned char>(static_cast<uint32_t>(value) & 255u));
}

} // namespace tpp

// The chain of post-ops that quantizes sums of integers to 8 bits, which native kernels apply in registers.
#pragma once
#include "microkernels/common/post_ops.hpp"

namespace tpp {

// The steps of the chain, in this order, with operands that are the same for all rows. Those that may be missing are -1.
struct requantization {
  int32_t offset = -1;           // added to the integers before they are converted to f32, or subtracted
  int32_t scale = -1, bias = -1; // multiplies them; added to the product. Without a scale, the post-ops are another chain
  int32_t zero_point = -1;       // added after rounding
};

// The chain, if it consists of steps `first` to `count` - 1.
inline requantization find_requantization(const post_step *post, int32_t first, int32_t count) {
  const auto is_binary = [&](int32_t s, int32_t kind, bool of_integers) {
    return s < count && post[s].mode != post_mode::unary && post[s].kind == kind && post[s].of_integers == of_integers &&
           post[s].row_stride == 0;
  };
  const auto is_unary = [&](int32_t s, int32_t kind) {
    return s < count && post[s].mode == post_mode::unary && post[s].kind == kind;
  };
  requantization found;
  int32_t s = first;
  if (is_binary(s, TPP_BINARY_sub, true) || is_binary(s, TPP_BINARY_add, true))
    found.offset = s++;
  if (!is_unary(s, TPP_UNARY_convert) || !is_binary(s + 1, TPP_BINARY_mul, false))
    return {};
  const int32_t scale = s + 1;
  s += 2;
  if (is_binary(s, TPP_BINARY_add, false))
    found.bias = s++;
  if (is_unary(s, TPP_UNARY_round) && is_binary(s + 1, TPP_BINARY_add, false)) {
    found.zero_point = s + 1;
    s += 2;
  }
  if (s == count)
    found.scale = scale;
  return found;
}

} // namespace tpp

// The loop that measures the rate of AMX's products (x86-64). Callers check host_has_amx (tpp/machine.hpp) first.
#pragma once
#include "tpp/amx.hpp"

#include <type_traits>
#if defined(__x86_64__)

namespace tpp::amx {

enum { products_of_round = 4 };

// Executes `rounds` rounds of four products of full tiles, of bf16 or of bytes (u8 times i8). Each adds to a sum of its own, which hides the latency: a
// product takes 16 cycles, and its latency is 52. The words are not zero, because zeros draw less power and may allow a higher clock than real
// work: 1 and 1 as bf16, -128 (or 128) and 63 as bytes. Sums of floats stay finite: they grow until the products are too small to change them.
template <bool bf16> void multiply_rounds(int64_t rounds) {
  const auto multiply = [](auto sum) {
    if constexpr (bf16)
      multiply_bf16<decltype(sum)::value, 4, 5>();
    else
      multiply_i8<false, true, decltype(sum)::value, 4, 5>();
  };
  uint32_t words[most_rows][row_bytes / sizeof(uint32_t)];
  for (auto &row : words)
    for (uint32_t &word : row)
      word = 0x3f803f80;
  tile_sizes sizes;
  for (int tile = 0; tile < registers; ++tile)
    sizes.set(tile, most_rows, row_bytes);
  configure(sizes); // clears the registers
  order();
  load<4>(words, row_bytes);
  load<5>(words, row_bytes);
  for (; rounds > 0; --rounds) {
    multiply(std::integral_constant<int, 0>());
    multiply(std::integral_constant<int, 1>());
    multiply(std::integral_constant<int, 2>());
    multiply(std::integral_constant<int, 3>());
  }
  release();
}

} // namespace tpp::amx
#endif

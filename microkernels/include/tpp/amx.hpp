// The tile registers of AMX and their instructions (x86-64). They are assembly, which needs no target attribute: callers check host_has_amx
// (tpp/machine.hpp) first.
//
// A tile register holds up to 16 rows of up to 64 bytes. configure() sets the sizes of all eight registers and clears them; release() gives them
// back, so that the operating system has nothing to save. Between the two, no other code may use the registers.
//
// Source: Intel 64 Software Developer's Manual, volume 1, chapter "Programming with Intel AMX".
#pragma once
#if defined(__x86_64__)
#include <cstdint>

namespace tpp::amx {

enum { registers = 8, most_rows = 16, row_bytes = 64 };

// The sizes of the registers, as ldtilecfg reads them.
struct alignas(64) tile_sizes {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t bytes[16] = {}; // of a row
  uint8_t rows[16] = {};

  void set(int tile, int64_t of_rows, int64_t of_bytes) {
    rows[tile] = static_cast<uint8_t>(of_rows);
    bytes[tile] = static_cast<uint16_t>(of_bytes);
  }
};
static_assert(sizeof(tile_sizes) == 64, "as ldtilecfg reads it");

inline void configure(const tile_sizes &sizes) { asm volatile("ldtilecfg %0" ::"m"(sizes)); }
inline void release() { asm volatile("tilerelease"); }

template <int tile> inline void zero() { asm volatile("tilezero %%tmm%c0" ::"i"(tile)); }
// `step`: bytes between rows in memory. The compiler does not know what is read: order() before it if this function's caller wrote it.
template <int tile> inline void load(const void *from, int64_t step) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(step), "i"(tile));
}
inline void order() { asm volatile("" ::: "memory"); }
template <int tile> inline void store(void *to, int64_t step) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(step), "i"(tile) : "memory");
}

// sums += a * b: each word (32 bits) of a row of `a`, whose elements are multiplied in pairs with those of a word of `b`, of the row with the word's
// index. Sums are of f32, with denormals as 0, or of i32, modulo 2^32.
template <int sums, int a, int b> inline void multiply_bf16() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(a), "i"(b));
}
template <bool signed_a, bool signed_b, int sums, int a, int b> inline void multiply_i8() {
  if constexpr (signed_a && signed_b)
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(a), "i"(b));
  else if constexpr (signed_a)
    asm volatile("tdpbsud %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(a), "i"(b));
  else if constexpr (signed_b)
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(a), "i"(b));
  else
    asm volatile("tdpbuud %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(a), "i"(b));
}

} // namespace tpp::amx
#endif

// What the xsmm provider asks of libxsmm, whichever API it has: xsmm_api_1.h answers with 1.17's functions, xsmm_api_2.h with those
// of 2.x (and of the main branch that became it). CMake sets TPP_XSMM_API to the one that the header found declares
// (tools/cmake/TppXsmm.cmake). libxsmm's flag and type values differ between the two; they appear in those two files only.
//
// Each defines, in namespace tpp::xsmm:
//   level machine_level()                  initializes libxsmm and says what it compiles fast code for here
//   kernel compile(const problem &)        null when libxsmm refuses
//   void call_strided(kernel, ...)         the two calls; they allocate nothing and cannot fail
//   void call_offset(kernel, ...)
#pragma once
#include <stdint.h>

// A JIT-compiled function carries none of the type information that clang's -fsanitize=function looks for in front of it.
#if defined(__clang__)
#define TPP_CALLS_JIT __attribute__((no_sanitize("function")))
#else
#define TPP_CALLS_JIT
#endif

namespace tpp::xsmm {

// What libxsmm can compute at speed on a machine, each level including those before it.
enum class level {
  none,
  f32,   // AVX2
  words, // AVX-512: bf16
  bytes, // VNNI instructions: 8-bit products are not saturated
};

// Element types of A, B and C: what libxsmm calls the precision. i8 * u8 is left out: libxsmm 1.17 emits an instruction that its own
// encoder does not know (and prints about it), and the kernel computes nonsense for few rows.
enum class types { f32, bf16_f32, bf16_bf16, u8_i8, none };

// A brgemm in libxsmm's own, column-major terms: its A is our B, its m our n. Leading dimensions in elements (a VNNI group of A
// counts as one), strides in bytes.
struct problem {
  types of;
  int m, n, k;
  int lda, ldb, ldc;
  bool strided; // else by offset tables
  int stride_a, stride_b;
  bool clears; // beta is 0, else 1
};

} // namespace tpp::xsmm

#if TPP_XSMM_API == 1
#include "xsmm_api_1.h"
#elif TPP_XSMM_API == 2
#include "xsmm_api_2.h"
#else
#error "TPP_XSMM_API is neither 1 nor 2"
#endif

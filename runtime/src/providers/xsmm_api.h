// The interface between the xsmm provider and libxsmm's two APIs. xsmm_api_1.h implements it with the functions of 1.17, xsmm_api_2.h
// with those of 2.x (and of the main branch from which 2.x was released). CMake sets TPP_XSMM_API to the API that libxsmm's header
// declares (tools/cmake/TppXsmm.cmake). libxsmm's flag and type values differ between the two, and appear in those two files only.
//
// Each of them defines, in namespace tpp::xsmm:
//   level machine_level()                  initializes libxsmm; returns what it computes at speed on this machine
//   kernel compile(const problem &)        null if libxsmm fails
//   void call_strided(kernel, ...)         the two calls; they allocate nothing and cannot fail
//   void call_offset(kernel, ...)
#pragma once
#include <stdint.h>

// A JIT-compiled function has no type information before its code, which clang's -fsanitize=function would check.
#if defined(__clang__)
#define TPP_CALLS_JIT __attribute__((no_sanitize("function")))
#else
#define TPP_CALLS_JIT
#endif

namespace tpp::xsmm {

// Element types that libxsmm computes at speed on a machine. Each level includes those before it.
enum class level {
  none,
  f32,   // AVX2
  words, // AVX-512: bf16
  bytes, // VNNI instructions: 8-bit products are not saturated
  dots,  // AVX512-BF16: words of bf16 are multiplied whole
};

// Element types of A, B and C (libxsmm's precision). i8 * u8 is left out: libxsmm 1.17 emits an instruction that its own encoder does not
// know, and prints a message; with few rows, the kernel's results are wrong.
enum class types { f32, bf16_f32, bf16_bf16, u8_i8, none };

// A brgemm in libxsmm's column-major terms: its A is our B, its m is our n. Leading dimensions are in elements (a VNNI group of A counts
// as one), strides in bytes.
struct problem {
  types of;
  int m, n, k;
  int lda, ldb, ldc;
  bool strided; // else by offset tables
  int stride_a, stride_b;
  bool clears; // true: beta is 0; false: beta is 1
};

} // namespace tpp::xsmm

#if TPP_XSMM_API == 1
#include "xsmm_api_1.h"
#elif TPP_XSMM_API == 2
#include "xsmm_api_2.h"
#else
#error "TPP_XSMM_API is neither 1 nor 2"
#endif

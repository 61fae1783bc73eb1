// xsmm_api.h for libxsmm 1.17: one dispatch function per precision and batch kind, and kernels that take their operands in registers.
#pragma once
#include <libxsmm.h>

namespace tpp::xsmm {

// libxsmm's function types without their trailing "...": the compiled code takes exactly these arguments.
using strided_function = void (*)(const void *, const void *, void *, const unsigned long long *);
using offset_function = void (*)(const void *, const void *, void *, const unsigned long long *, const void *, const void *);
using kernel = void (*)();

inline level machine_level() {
  libxsmm_init();
  libxsmm_set_verbosity(0);
  const int arch = libxsmm_get_target_archid();
  if (arch < LIBXSMM_X86_AVX2)
    return level::none;
  if (arch < LIBXSMM_X86_AVX512_CORE)
    return level::f32;
  if (arch < LIBXSMM_X86_AVX512_CLX)
    return level::words;
  return arch < LIBXSMM_X86_AVX512_CPX ? level::bytes : level::dots;
}

inline kernel compile(const problem &p) {
  const float alpha = 1, beta = p.clears ? 0 : 1;
  const int integer_alpha = 1, integer_beta = p.clears ? 0 : 1;
  const int flags = p.of == types::f32 ? LIBXSMM_GEMM_FLAG_NONE : LIBXSMM_GEMM_FLAG_VNNI_A;
  const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;

#define TPP_COMPILE(prefix, alpha, beta)                                                                                         \
  (p.strided ? reinterpret_cast<kernel>(libxsmm_##prefix##dispatch_reducebatch_strd(                                             \
                   p.m, p.n, p.k, p.stride_a, p.stride_b, &p.lda, &p.ldb, &p.ldc, &alpha, &beta, &flags, &prefetch))             \
             : reinterpret_cast<kernel>(libxsmm_##prefix##dispatch_reducebatch_offs(p.m, p.n, p.k, &p.lda, &p.ldb, &p.ldc,       \
                                                                                    &alpha, &beta, &flags, &prefetch)))
  switch (p.of) {
  case types::f32:
    return TPP_COMPILE(smm, alpha, beta);
  case types::bf16_f32:
    return TPP_COMPILE(bsmm, alpha, beta);
  case types::bf16_bf16:
    return TPP_COMPILE(bmm, alpha, beta);
  case types::u8_i8: // libxsmm's A is our B, which is signed
    return TPP_COMPILE(subimm, integer_alpha, integer_beta);
  case types::none:
    break;
  }
#undef TPP_COMPILE
  return nullptr;
}

TPP_CALLS_JIT inline void call_strided(kernel code, const void *a, const void *b, void *c, const int64_t *count) {
  reinterpret_cast<strided_function>(code)(a, b, c, reinterpret_cast<const unsigned long long *>(count));
}

TPP_CALLS_JIT inline void call_offset(kernel code, const void *a, const void *b, void *c, const int64_t *count,
                                      const void *a_offsets, const void *b_offsets) {
  reinterpret_cast<offset_function>(code)(a, b, c, reinterpret_cast<const unsigned long long *>(count), a_offsets, b_offsets);
}

} // namespace tpp::xsmm

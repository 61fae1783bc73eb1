// xsmm_api.h for libxsmm 2.x: one dispatch function for every precision and batch kind, and kernels that take their operands in a struct.
#pragma once
#include <libxsmm.h>

namespace tpp::xsmm {

using kernel = libxsmm_gemmfunction;

inline level machine_level() {
  libxsmm_init();
  libxsmm_set_verbosity(0);
  const int arch = libxsmm_get_target_archid();
  if (arch < LIBXSMM_X86_AVX2)
    return level::none;
  // 2.x also supports Arm, but with other VNNI groups. Levels between AVX2 and AVX512_SKX have narrower vectors.
  if (arch < LIBXSMM_X86_AVX512_SKX || arch > LIBXSMM_X86_ALLFEAT)
    return level::f32;
  if (arch < LIBXSMM_X86_AVX512_CLX)
    return level::words;
  return arch < LIBXSMM_X86_AVX512_CPX ? level::bytes : level::dots;
}

// The element types of A, B, C and of the sum.
struct precision {
  libxsmm_datatype a, b, c, sum;
};

inline precision precision_of(types of) {
  switch (of) {
  case types::f32:
    return {LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32};
  case types::bf16_f32:
    return {LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_F32, LIBXSMM_DATATYPE_F32};
  case types::bf16_bf16:
    return {LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_BF16, LIBXSMM_DATATYPE_F32};
  case types::u8_i8: // a flag makes libxsmm's B, which is our A, unsigned
    return {LIBXSMM_DATATYPE_I8, LIBXSMM_DATATYPE_I8, LIBXSMM_DATATYPE_I32, LIBXSMM_DATATYPE_I32};
  case types::none:
    break;
  }
  return {LIBXSMM_DATATYPE_UNSUPPORTED, LIBXSMM_DATATYPE_UNSUPPORTED, LIBXSMM_DATATYPE_UNSUPPORTED, LIBXSMM_DATATYPE_UNSUPPORTED};
}

inline kernel compile(const problem &p) {
  const precision of = precision_of(p.of);
  libxsmm_bitfield flags = p.clears ? LIBXSMM_GEMM_FLAG_BETA_0 : LIBXSMM_GEMM_FLAG_NONE;
  if (p.of != types::f32)
    flags |= LIBXSMM_GEMM_FLAG_VNNI_A;
  if (p.of == types::u8_i8)
    flags |= LIBXSMM_GEMM_FLAG_B_UNSIGNED;
  const libxsmm_gemm_shape shape = libxsmm_create_gemm_shape(p.m, p.n, p.k, p.lda, p.ldb, p.ldc, of.a, of.b, of.c, of.sum);
  const libxsmm_gemm_batch_reduce_config batch =
      libxsmm_create_gemm_batch_reduce_config(p.strided ? LIBXSMM_GEMM_BATCH_REDUCE_STRIDE : LIBXSMM_GEMM_BATCH_REDUCE_OFFSET,
                                              p.strided ? p.stride_a : 0, p.strided ? p.stride_b : 0, 0);
  return libxsmm_dispatch_brgemm(shape, flags, LIBXSMM_GEMM_PREFETCH_NONE, batch);
}

// libxsmm only reads through these pointers, although its struct declares them mutable.
inline void *mutable_pointer(const void *pointer) { return const_cast<void *>(pointer); }

TPP_CALLS_JIT inline void call_offset(kernel code, const void *a, const void *b, void *c, const int64_t *count,
                                      const void *a_offsets, const void *b_offsets) {
  libxsmm_gemm_param param = {};
  param.op.tertiary = mutable_pointer(count);
  param.a.primary = mutable_pointer(a);
  param.a.secondary = mutable_pointer(a_offsets);
  param.b.primary = mutable_pointer(b);
  param.b.secondary = mutable_pointer(b_offsets);
  param.c.primary = c;
  code(&param);
}

TPP_CALLS_JIT inline void call_strided(kernel code, const void *a, const void *b, void *c, const int64_t *count) {
  call_offset(code, a, b, c, count, nullptr, nullptr);
}

} // namespace tpp::xsmm

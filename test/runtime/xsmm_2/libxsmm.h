// Not libxsmm: declares the part of its 2.x API that runtime/src/providers/xsmm_api_2.h uses, so that this header is compiled and
// run where no libxsmm 2.x is installed. Names, parameters, fields and their order are those of libxsmm's main branch of 2025
// (libxsmm.h, libxsmm_typedefs.h, libxsmm_cpuid.h). Parts that the provider does not use are left out. The enumerators' values
// differ from libxsmm's on purpose: nothing in TPP may depend on them. libxsmm.cpp in this folder implements the functions with
// plain loops.
#pragma once

#if defined(__cplusplus)
extern "C" {
#endif

#define LIBXSMM_X86_AVX2 1
#define LIBXSMM_X86_AVX512_SKX 2
#define LIBXSMM_X86_AVX512_CLX 3
#define LIBXSMM_X86_AVX512_CPX 4
#define LIBXSMM_X86_ALLFEAT 5

typedef int libxsmm_blasint;
typedef unsigned int libxsmm_bitfield;

typedef enum libxsmm_datatype {
  LIBXSMM_DATATYPE_F32 = 21,
  LIBXSMM_DATATYPE_BF16,
  LIBXSMM_DATATYPE_I32,
  LIBXSMM_DATATYPE_I8,
  LIBXSMM_DATATYPE_UNSUPPORTED
} libxsmm_datatype;

typedef enum libxsmm_gemm_flags {
  LIBXSMM_GEMM_FLAG_NONE = 0,
  LIBXSMM_GEMM_FLAG_VNNI_A = 1,
  LIBXSMM_GEMM_FLAG_B_UNSIGNED = 2,
  LIBXSMM_GEMM_FLAG_BETA_0 = 4
} libxsmm_gemm_flags;

typedef enum libxsmm_gemm_prefetch_type { LIBXSMM_GEMM_PREFETCH_NONE = 0 } libxsmm_gemm_prefetch_type;

typedef enum libxsmm_gemm_batch_reduce_type {
  LIBXSMM_GEMM_BATCH_REDUCE_OFFSET = 7,
  LIBXSMM_GEMM_BATCH_REDUCE_STRIDE
} libxsmm_gemm_batch_reduce_type;

typedef struct libxsmm_matrix_op_arg {
  void *primary, *secondary, *tertiary, *quaternary;
} libxsmm_matrix_op_arg;

typedef struct libxsmm_matrix_arg {
  void *primary, *secondary, *tertiary, *quaternary;
} libxsmm_matrix_arg;

typedef struct libxsmm_gemm_param {
  libxsmm_matrix_op_arg op; // tertiary: address of the batch count, an unsigned long long
  libxsmm_matrix_arg a, b;  // primary: base; secondary: table of byte offsets, unsigned long long each
  libxsmm_matrix_arg c;
} libxsmm_gemm_param;

typedef struct libxsmm_gemm_shape {
  libxsmm_blasint m, n, k, lda, ldb, ldc;
  libxsmm_datatype a_in_type, b_in_type, out_type, comp_type;
} libxsmm_gemm_shape;

typedef struct libxsmm_gemm_batch_reduce_config {
  libxsmm_gemm_batch_reduce_type br_type;
  libxsmm_blasint br_stride_a_hint, br_stride_b_hint; // bytes
  unsigned char br_unroll_hint;
} libxsmm_gemm_batch_reduce_config;

typedef void (*libxsmm_gemmfunction)(const libxsmm_gemm_param *in_struct);

void libxsmm_init(void);
void libxsmm_set_verbosity(int level);
int libxsmm_get_target_archid(void);

libxsmm_gemm_shape libxsmm_create_gemm_shape(libxsmm_blasint m, libxsmm_blasint n, libxsmm_blasint k, libxsmm_blasint lda,
                                             libxsmm_blasint ldb, libxsmm_blasint ldc, libxsmm_datatype a_in_type,
                                             libxsmm_datatype b_in_type, libxsmm_datatype out_type, libxsmm_datatype comp_type);
libxsmm_gemm_batch_reduce_config libxsmm_create_gemm_batch_reduce_config(libxsmm_gemm_batch_reduce_type br_type,
                                                                         libxsmm_blasint br_stride_a_hint,
                                                                         libxsmm_blasint br_stride_b_hint,
                                                                         unsigned char br_unroll_hint);
libxsmm_gemmfunction libxsmm_dispatch_brgemm(libxsmm_gemm_shape gemm_shape, libxsmm_bitfield gemm_flags,
                                             libxsmm_bitfield prefetch_flags, libxsmm_gemm_batch_reduce_config brgemm_config);

#if defined(__cplusplus)
}
#endif

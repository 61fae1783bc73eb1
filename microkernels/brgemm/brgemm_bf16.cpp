// The bf16 brgemm kernels of kernels.def.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/brgemm/brgemm_bf16.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/brgemm/brgemm_kernels-inl.h"
#include "microkernels/common/current_target-inl.h"

#define TPP_BF16_DOT_amxbf16 bf16_dot_amx
#define TPP_BF16_DOT_avx512bf16 bf16_dot_avx512bf16
#define TPP_BF16_DOT_avx3 bf16_dot
#define TPP_BF16_DOT_avx2 bf16_dot
#define TPP_BF16_DOT_sse4 bf16_dot
#define TPP_BF16_DOT_neon bf16_dot
#define TPP_BF16_DOT_portable bf16_dot
#define TPP_BRGEMM_HERE_bf16bf16f32(...) __VA_ARGS__
#define TPP_BRGEMM_DOT_bf16bf16f32(target) TPP_BF16_DOT_##target
#include "microkernels/brgemm/define_kernels-inl.h"

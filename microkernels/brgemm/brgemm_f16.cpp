// The f16 brgemm kernels of kernels.def.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/brgemm/brgemm_f16.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/brgemm/brgemm_kernels-inl.h"
#include "microkernels/common/current_target-inl.h"

#define TPP_BRGEMM_HERE_f16f16f32(...) __VA_ARGS__
#define TPP_BRGEMM_DOT_f16f16f32(target) f16_dot
#include "microkernels/brgemm/define_kernels-inl.h"

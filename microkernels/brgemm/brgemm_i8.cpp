// The brgemm kernels of kernels.def with B of type i8.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/brgemm/brgemm_i8.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/brgemm/brgemm_kernels-inl.h"
#include "microkernels/common/current_target-inl.h"

#define TPP_BRGEMM_HERE_u8i8i32(...) __VA_ARGS__
#define TPP_BRGEMM_HERE_i8i8i32(...) __VA_ARGS__
#define TPP_BRGEMM_DOT_u8i8i32(target) u8i8_dots::target
#define TPP_BRGEMM_DOT_i8i8i32(target) i8i8_dots::target
#include "microkernels/brgemm/define_kernels-inl.h"

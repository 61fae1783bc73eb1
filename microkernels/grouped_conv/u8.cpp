// The grouped_conv kernels of kernels.def with an input of u8 and a filter of i8.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/grouped_conv/u8.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/grouped_conv/grouped_conv_kernels-inl.h"

#define TPP_GROUPED_CONV_HERE_u8i8i32(...) __VA_ARGS__
#include "microkernels/grouped_conv/define_kernels-inl.h"

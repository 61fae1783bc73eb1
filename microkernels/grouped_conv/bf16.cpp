// The grouped_conv kernels of kernels.def with an input of bf16.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/grouped_conv/bf16.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/common/current_target-inl.h"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/grouped_conv/grouped_conv_kernels-inl.h"

#define TPP_GROUPED_CONV_HERE_bf16(...) __VA_ARGS__
#include "microkernels/grouped_conv/define_kernels-inl.h"

// The grouped_conv kernels of kernels.def with an input of i8, for each target. They compute nothing yet.
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/targets.h"

namespace tpp {
#define TPP_UK_WAITING(target)                                                                                                   \
  TPP_UK_BUILT_##target(TPP_UK_FUNCTIONS(tpp_uk_grouped_conv_i8i8i32_##target, tpp_grouped_conv_desc,                            \
                                         desc.height >= 0 ? "the kernel is not written yet" : nullptr,                           \
                                         reference_ns(static_cast<double>(desc.height)), (void)kernel))
TPP_UK_WAITING(avx3)
TPP_UK_WAITING(avx2)
TPP_UK_WAITING(sse4)
TPP_UK_WAITING(neon)
TPP_UK_WAITING(portable)
} // namespace tpp

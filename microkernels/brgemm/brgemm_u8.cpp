// The brgemm kernels of kernels.def with A of type u8.
#include "microkernels/common/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "microkernels/brgemm/brgemm_u8.cpp"
#include "hwy/foreach_target.h"

#include "microkernels/brgemm/brgemm_kernels-inl.h"
#include "microkernels/common/current_target-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
template <int NR> using u8i8i32_dot = i8_dot<NR, false, true>;
template <int NR> using u8u8i32_dot = i8_dot<NR, false, false>;
#if HWY_TARGET == HWY_AVX3
template <int NR> using u8i8i32_dot_avx512vnni = i8_dot_avx512vnni<NR, false, true>;
template <int NR> using u8u8i32_dot_avx512vnni = i8_dot_avx512vnni<NR, false, false>;
#endif
} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();

#define TPP_I8_DOT_avx512vnni(dot) dot##_avx512vnni
#define TPP_I8_DOT_avx3(dot) dot
#define TPP_I8_DOT_avx2(dot) dot
#define TPP_I8_DOT_sse4(dot) dot
#define TPP_I8_DOT_neon(dot) dot
#define TPP_I8_DOT_portable(dot) dot
#define TPP_BRGEMM_HERE_u8i8i32(...) __VA_ARGS__
#define TPP_BRGEMM_HERE_u8u8i32(...) __VA_ARGS__
#define TPP_BRGEMM_DOT_u8i8i32(target) TPP_I8_DOT_##target(u8i8i32_dot)
#define TPP_BRGEMM_DOT_u8u8i32(target) TPP_I8_DOT_##target(u8u8i32_dot)
#include "microkernels/brgemm/define_kernels-inl.h"

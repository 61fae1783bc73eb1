// Defines the prepare functions of the brgemm kernels of one source file, for the target being compiled. The file defines, for the words of
// its types in kernels.def:
//   TPP_BRGEMM_HERE_<types>(tokens)   tokens
//   TPP_BRGEMM_DOT_<types>(target)    the arithmetic, a class template of brgemm_dot-inl.h
#ifndef TPP_BRGEMM_HERE_f32
#define TPP_BRGEMM_HERE_f32(...)
#endif
#ifndef TPP_BRGEMM_HERE_bf16bf16f32
#define TPP_BRGEMM_HERE_bf16bf16f32(...)
#endif
#ifndef TPP_BRGEMM_HERE_f16f16f32
#define TPP_BRGEMM_HERE_f16f16f32(...)
#endif
#ifndef TPP_BRGEMM_HERE_u8i8i32
#define TPP_BRGEMM_HERE_u8i8i32(...)
#endif
#ifndef TPP_BRGEMM_HERE_i8i8i32
#define TPP_BRGEMM_HERE_i8i8i32(...)
#endif
#ifndef TPP_BRGEMM_HERE_u8u8i32
#define TPP_BRGEMM_HERE_u8u8i32(...)
#endif
#ifndef TPP_BRGEMM_HERE_i8u8i32
#define TPP_BRGEMM_HERE_i8u8i32(...)
#endif

HWY_BEFORE_NAMESPACE();
namespace tpp {

#define TPP_UK_BRGEMM_ROW(...) HWY_NAMESPACE::brgemm_row<HWY_NAMESPACE::__VA_ARGS__>
#define TPP_UK_BRGEMM(types, a_type, b_type, c_type, mr, nr, vector, target, unit, ...)                                          \
  TPP_BRGEMM_HERE_##types(TPP_UK_HERE_##target(                                                                                  \
      static_assert(TPP_UK_BRGEMM_ROW(TPP_BRGEMM_DOT_##types(target) < vector >, mr, nr)::lanes == vector, "as in kernels.def"); \
      void tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_prepare(microkernel *kernel);                                        \
      void tpp_uk_brgemm_##types##_##mr##x##nr##_##target##_prepare(microkernel *kernel) {                                       \
        TPP_UK_BRGEMM_ROW(TPP_BRGEMM_DOT_##types(target) < vector >, mr,                                                         \
                          nr)::prepare(kernel, {mr, nr, vector, TPP_BRGEMM_UNIT_##unit, __VA_ARGS__});                           \
      }))
#include "tpp/kernels.def"
#undef TPP_UK_BRGEMM_ROW

} // namespace tpp
HWY_AFTER_NAMESPACE();

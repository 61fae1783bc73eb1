// Defines the functions of the grouped_conv kernels of one source file, for the target being compiled. The file defines TPP_GROUPED_CONV_HERE_<types>(tokens)
// as `tokens` for the word of its types in kernels.def.
#ifndef TPP_GROUPED_CONV_HERE_f32
#define TPP_GROUPED_CONV_HERE_f32(...)
#endif
#ifndef TPP_GROUPED_CONV_HERE_bf16
#define TPP_GROUPED_CONV_HERE_bf16(...)
#endif
#ifndef TPP_GROUPED_CONV_HERE_u8i8i32
#define TPP_GROUPED_CONV_HERE_u8i8i32(...)
#endif
#ifndef TPP_GROUPED_CONV_HERE_i8i8i32
#define TPP_GROUPED_CONV_HERE_i8i8i32(...)
#endif

namespace tpp {
#define TPP_GROUPED_CONV_OF(...) HWY_NAMESPACE::GroupedConv<__VA_ARGS__>
#define TPP_GROUPED_CONV_DEFINE(name, cycles, in, filter, conversions)                                                           \
  TPP_UK_FUNCTIONS(name, tpp_grouped_conv_desc, native_grouped_conv_reject(desc, in, filter),                                    \
                   native_grouped_conv_ns(desc, TPP_GROUPED_CONV_OF(in, filter)::kLanes, cycles, conversions),                   \
                   grouped_conv_prepare(kernel, TPP_GROUPED_CONV_OF(in, filter)::kLanes, TPP_GROUPED_CONV_OF(in, filter)::Run))
#define TPP_UK_GROUPED_CONV(types, in, filter, cycles, conversions)                                                              \
  TPP_GROUPED_CONV_HERE_##types(TPP_UK_PER_TARGET(TPP_GROUPED_CONV_DEFINE, tpp_uk_grouped_conv_##types, cycles, TPP_TYPE_##in,   \
                                                  TPP_TYPE_##filter, conversions))
#include "tpp/kernels.def"
#undef TPP_GROUPED_CONV_DEFINE
#undef TPP_GROUPED_CONV_OF
} // namespace tpp

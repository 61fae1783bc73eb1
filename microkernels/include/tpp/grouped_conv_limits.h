/* The filters that native kernels of grouped_conv take. It is C11, so that the compiler, which does not link the kernels, uses tpp.grouped_conv for no
 * others: the reference would compute them. */
#ifndef TPP_GROUPED_CONV_LIMITS_H
#define TPP_GROUPED_CONV_LIMITS_H

#include "tpp/types.h"

/* Most columns of taps. */
#define TPP_GROUPED_CONV_TAP_COLUMNS 128

/* f32, in which the kernels add, represents all integers up to this one. */
#define TPP_GROUPED_CONV_EXACT (INT64_C(1) << 24)

/* The largest product of an input of u8 or i8 and a filter of i8. */
static inline int64_t tpp_grouped_conv_largest_product(int is_unsigned) { return (is_unsigned ? 255 : 128) * 128; }

/* Most products of them in a sum: f32 represents every sum. */
static inline int64_t tpp_grouped_conv_exact_products(int is_unsigned) {
  return TPP_GROUPED_CONV_EXACT / tpp_grouped_conv_largest_product(is_unsigned);
}

#endif

/* The public headers are C11: this file must compile with -std=c11 -pedantic -Werror, with no other header before them. */
#include "tpp/tpp.h"

_Static_assert(offsetof(tpp_kernel, entry) == 0, "compiled code calls through the handle's first word");
_Static_assert(sizeof(tpp_matrix) == 32, "tpp_matrix is part of the ABI");
_Static_assert(sizeof(tpp_post_op) == 48, "tpp_post_op is part of the ABI");
_Static_assert(sizeof(tpp_brgemm_desc) == 168 + 48 * TPP_MAX_POST_OPS, "tpp_brgemm_desc has no padding");
_Static_assert(sizeof(tpp_unary_desc) == 112, "tpp_unary_desc has no padding");
_Static_assert(sizeof(tpp_binary_desc) == 136, "tpp_binary_desc has no padding");
_Static_assert(sizeof(tpp_reduce_desc) == 104, "tpp_reduce_desc has no padding");
_Static_assert(sizeof(tpp_winograd_input_desc) == 144, "tpp_winograd_input_desc has no padding");
_Static_assert(sizeof(tpp_winograd_output_desc) == 136 + 56 * TPP_MAX_POST_OPS, "tpp_winograd_output_desc has no padding");
_Static_assert(sizeof(tpp_grouped_conv_desc) == 256 + 56 * TPP_MAX_POST_OPS, "tpp_grouped_conv_desc has no padding");
_Static_assert(sizeof(tpp_args) == 56 + 8 * TPP_MAX_POST_OPS, "tpp_args is part of the ABI");

int tpp_headers_compile_as_c(void);
int tpp_headers_compile_as_c(void) { return tpp_abi_version(); }

/* In C, any int may be converted to an enumeration; in C++ that would be undefined for an unknown status. */
const char *tpp_status_text_from_c(int status);
const char *tpp_status_text_from_c(int status) { return tpp_status_text((tpp_status)status); }

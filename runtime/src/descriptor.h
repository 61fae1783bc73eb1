// Functions on descriptors that each of the four operations implements: validation and description. A new operation needs its overloads
// here and in canonical.h, an operation_of specialization, and an entry point in dispatch.cpp.
#pragma once
#include "text.h"
#include "tpp/microkernels.hpp"

namespace tpp {

template <typename Desc> struct operation_of;
template <> struct operation_of<tpp_brgemm_desc> {
  static constexpr operation value = operation::brgemm;
};
template <> struct operation_of<tpp_unary_desc> {
  static constexpr operation value = operation::unary;
};
template <> struct operation_of<tpp_binary_desc> {
  static constexpr operation value = operation::binary;
};
template <> struct operation_of<tpp_reduce_desc> {
  static constexpr operation value = operation::reduce;
};

// Checks all requirements of tpp/types.h. On failure, this thread's last error names the field and the reason. Dispatch has already
// checked struct_size.
tpp_status validate(const tpp_brgemm_desc &desc);
tpp_status validate(const tpp_unary_desc &desc);
tpp_status validate(const tpp_binary_desc &desc);
tpp_status validate(const tpp_reduce_desc &desc);

// Appends one line for logs and messages: "brgemm 13x32x64 f32(ld 64) * f32(ld 32) -> f32(ld 32) beta 0 batch stride".
void describe(const tpp_brgemm_desc &desc, text &out);
void describe(const tpp_unary_desc &desc, text &out);
void describe(const tpp_binary_desc &desc, text &out);
void describe(const tpp_reduce_desc &desc, text &out);
void describe(operation op, const void *desc, text &out);

} // namespace tpp

// Kinds and types as enumerations.
//
// Descriptors hold plain integers. A `switch` over one of them uses the enumeration and has no default, so that the compiler (-Wswitch)
// reports every place that does not handle a new entry of kinds.def. Code after such a switch is never reached.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

// True for the values of kinds.def. Only these may be cast to the enumeration.
constexpr bool is_unary_kind(int32_t kind) {
  switch (kind) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) case value:
#include "tpp/kinds.def"
    return true;
  }
  return false;
}
constexpr bool is_binary_kind(int32_t kind) {
  switch (kind) {
#define TPP_BINARY_KIND(name, value, formula, special_values) case value:
#include "tpp/kinds.def"
    return true;
  }
  return false;
}
constexpr bool is_reduce_kind(int32_t kind) {
  switch (kind) {
#define TPP_REDUCE_KIND(name, value, formula, special_values) case value:
#include "tpp/kinds.def"
    return true;
  }
  return false;
}

// Traps. Reached only if a caller ignores that reject() refused the kind or type.
[[noreturn]] inline void not_supported() { __builtin_trap(); }

} // namespace tpp

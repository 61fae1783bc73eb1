// Names of enumeration values, expanded from kinds.def. The functions return null for an unknown value. Descriptors hold values as
// int32_t, because a C caller may store any number.
#pragma once
#include "tpp/microkernels.hpp"

namespace tpp {

#define TPP_NAME_CASE(name, value)                                                                                               \
  case value:                                                                                                                    \
    return #name;

inline const char *type_name(int32_t type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

inline const char *unary_name(int32_t kind) {
  switch (kind) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

inline const char *binary_name(int32_t kind) {
  switch (kind) {
#define TPP_BINARY_KIND(name, value, formula, special_values) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

inline const char *reduce_name(int32_t kind) {
  switch (kind) {
#define TPP_REDUCE_KIND(name, value, formula, special_values) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

inline const char *broadcast_name(int32_t kind) {
  switch (kind) {
#define TPP_BROADCAST_KIND(name, value, summary) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

inline const char *provider_name(int32_t provider) {
  switch (provider) {
#define TPP_PROVIDER(name, value, summary) TPP_NAME_CASE(name, value)
#include "tpp/kinds.def"
  }
  return nullptr;
}

#undef TPP_NAME_CASE

} // namespace tpp

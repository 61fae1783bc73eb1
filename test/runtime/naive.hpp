// Naive loops written directly from the contract in tpp/types.h, as the expected result of kernels. They are deliberately
// independent of the reference microkernels: two implementations of one contract.
#pragma once
#include "tpp/tpp.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

namespace naive {

inline int64_t bytes_of(int32_t type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case value:                                                                                                                    \
    return bytes;
#include "tpp/kinds.def"
  }
  throw std::invalid_argument("unknown type");
}

// Index of element (i, j) of an operand with `cols` columns. Unit: elements.
inline int64_t index(const tpp_matrix &form, int64_t cols, int64_t i, int64_t j) {
  const int64_t panel = form.panel ? form.panel : (cols ? cols : 1), v = form.vnni > 1 ? form.vnni : 1;
  return (j / panel) * (form.panel ? form.panel_stride : 0) + (i / v) * form.ld + (j % panel) * v + i % v;
}

// Number of elements from the first to the end of the last one.
inline int64_t elements(const tpp_matrix &form, int64_t rows, int64_t cols) {
  int64_t last = -1;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      last = std::max(last, index(form, cols, i, j));
  return last + 1;
}

inline double load(int32_t type, const void *base, int64_t at) {
  const char *p = static_cast<const char *>(base) + at * bytes_of(type);
  switch (type) {
  case TPP_TYPE_f32: {
    float value;
    std::memcpy(&value, p, 4);
    return value;
  }
  case TPP_TYPE_bf16: {
    uint16_t half;
    std::memcpy(&half, p, 2);
    const uint32_t bits = uint32_t{half} << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  case TPP_TYPE_i8:
    return *reinterpret_cast<const int8_t *>(p);
  case TPP_TYPE_u8:
    return *reinterpret_cast<const uint8_t *>(p);
  case TPP_TYPE_i32: {
    int32_t value;
    std::memcpy(&value, p, 4);
    return value;
  }
  }
  throw std::invalid_argument("type not used by these tests");
}

// Values in these tests are small integers, which every type holds exactly (u8 only those >= 0, bf16 up to 256).
inline void store(int32_t type, void *base, int64_t at, double value) {
  char *p = static_cast<char *>(base) + at * bytes_of(type);
  switch (type) {
  case TPP_TYPE_f32: {
    const float single = static_cast<float>(value);
    std::memcpy(p, &single, 4);
    return;
  }
  case TPP_TYPE_bf16: {
    const float single = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &single, 4);
    const uint16_t half = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    std::memcpy(p, &half, 2);
    return;
  }
  case TPP_TYPE_i8:
    *reinterpret_cast<int8_t *>(p) = static_cast<int8_t>(value);
    return;
  case TPP_TYPE_u8:
    *reinterpret_cast<uint8_t *>(p) = static_cast<uint8_t>(value);
    return;
  case TPP_TYPE_i32: {
    const int32_t whole = static_cast<int32_t>(value);
    std::memcpy(p, &whole, 4);
    return;
  }
  }
  throw std::invalid_argument("type not used by these tests");
}

// `count` random small integers, as bytes of the type.
inline std::vector<char> random_elements(int32_t type, int64_t count, std::mt19937 &random) {
  std::vector<char> data(static_cast<size_t>(count * bytes_of(type)));
  std::uniform_int_distribution<int> value(type == TPP_TYPE_u8 ? 0 : -3, 3);
  for (int64_t i = 0; i < count; ++i)
    store(type, data.data(), i, value(random));
  return data;
}

inline double apply(tpp_binary_kind kind, double x, double y) {
  switch (kind) {
  case TPP_BINARY_add:
    return x + y;
  case TPP_BINARY_sub:
    return x - y;
  case TPP_BINARY_mul:
    return x * y;
  case TPP_BINARY_div:
    return x / y;
  case TPP_BINARY_max:
    return x > y ? x : y;
  case TPP_BINARY_min:
    return x < y ? x : y;
  }
  throw std::invalid_argument("unknown binary kind");
}

// Element (i, j) of a post-op operand with broadcast, for an m x n result.
inline double load_broadcast(const tpp_matrix &form, int32_t broadcast, const void *data, int64_t n, int64_t i, int64_t j) {
  const bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  const bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  return load(form.type, data, index(form, one_col ? 1 : n, one_row ? 0 : i, one_col ? 0 : j));
}

inline const void *entry(const tpp_brgemm_desc &desc, const void *base, const void *table, int64_t stride, int64_t b) {
  switch (desc.batch_kind) {
  case TPP_BATCH_stride:
    return static_cast<const char *>(base) + b * stride;
  case TPP_BATCH_offset:
    return static_cast<const char *>(base) + static_cast<const int64_t *>(table)[b];
  default:
    return static_cast<const void *const *>(table)[b];
  }
}

// Computes a brgemm by its contract, with post-ops relu, identity and the binary kinds. Exact on small integers.
inline void brgemm(const tpp_brgemm_desc &desc, const tpp_args &args) {
  for (int64_t i = 0; i < desc.m; ++i)
    for (int64_t j = 0; j < desc.n; ++j) {
      const int64_t at = index(desc.c, desc.n, i, j);
      double sum = desc.beta ? load(desc.c.type, args.c, at) : 0;
      for (int64_t b = 0; b < args.batch; ++b) {
        const void *a_entry = entry(desc, args.a, args.a_batch, desc.a_batch_stride, b);
        const void *b_entry = entry(desc, args.b, args.b_batch, desc.b_batch_stride, b);
        for (int64_t p = 0; p < desc.k; ++p)
          sum +=
              load(desc.a.type, a_entry, index(desc.a, desc.k, i, p)) * load(desc.b.type, b_entry, index(desc.b, desc.n, p, j));
      }
      for (int32_t s = 0; s < desc.post_op_count; ++s) {
        const tpp_post_op &step = desc.post_ops[s];
        if (step.op_class == TPP_POST_OP_binary)
          sum = apply(static_cast<tpp_binary_kind>(step.kind), sum,
                      load_broadcast(step.form, step.broadcast, args.post[s], desc.n, i, j));
        else if (step.kind == TPP_UNARY_relu)
          sum = sum > 0 ? sum : 0;
        else if (step.kind != TPP_UNARY_identity)
          throw std::invalid_argument("post-op not used by these tests");
      }
      store(desc.c.type, args.c, at, sum);
    }
}

} // namespace naive

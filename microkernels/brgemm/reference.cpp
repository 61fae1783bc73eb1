// brgemm in plain C++: every type, layout, batch kind and post-op. It defines what the kernels compute (contract in brgemm.hpp).
#include "microkernels/brgemm/brgemm.hpp"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/matrix.hpp"
#include "microkernels/common/scalar_post_ops.hpp"
#include "microkernels/common/typed_scalar.hpp"

#include <algorithm>

namespace tpp {
namespace {

const char *find(const void *base, const void *table, int32_t kind, int64_t stride, int64_t entry) {
  switch (static_cast<tpp_batch_kind>(kind)) {
  case TPP_BATCH_stride:
    return static_cast<const char *>(base) + entry * stride;
  case TPP_BATCH_offset:
    return static_cast<const char *>(base) + static_cast<const int64_t *>(table)[entry];
  case TPP_BATCH_address:
    return static_cast<const char *const *>(table)[entry];
  }
  not_supported();
}

// Consecutive elements of a row of C.
struct span {
  static constexpr int64_t most = 32;
  int64_t row, col, count;
};

// Their sums over batch and k, accumulated in `Sum` (double or uint32_t); products are computed in `Factor`. A and B have elements of the types `TypeA`
// and `TypeB`, which are compiled in, and sums are computed side by side, because this is where the time of a reference is spent.
template <class Factor, tpp_type TypeA, tpp_type TypeB, class Sum>
void accumulate(const tpp_brgemm_desc &desc, const tpp_args &args, span at, Sum *sums) {
  std::fill_n(sums, at.count, Sum(0));
  for (int64_t entry = 0; entry < args.batch; ++entry) {
    const char *a = find(args.a, args.a_batch, desc.batch_kind, desc.a_batch_stride, entry);
    const char *b = find(args.b, args.b_batch, desc.batch_kind, desc.b_batch_stride, entry);
    for (int64_t k = 0; k < desc.k; ++k) {
      auto x = static_cast<Factor>(load_double(TypeA, a, element_offset(desc.a, at.row, k)));
      for (int64_t i = 0; i < at.count; ++i) {
        auto y = static_cast<Factor>(load_double(TypeB, b, element_offset(desc.b, k, at.col + i)));
        sums[i] += static_cast<Sum>(x * y);
      }
    }
  }
}

void accumulate(const tpp_brgemm_desc &desc, const tpp_args &args, span at, double *sums) {
  switch (desc.a.type) {
  case TPP_TYPE_f32:
    return accumulate<double, TPP_TYPE_f32, TPP_TYPE_f32>(desc, args, at, sums);
  case TPP_TYPE_bf16:
    return accumulate<double, TPP_TYPE_bf16, TPP_TYPE_bf16>(desc, args, at, sums);
  default:
    return accumulate<double, TPP_TYPE_f16, TPP_TYPE_f16>(desc, args, at, sums);
  }
}

// They wrap around.
void accumulate(const tpp_brgemm_desc &desc, const tpp_args &args, span at, uint32_t *sums) {
  const bool signed_a = desc.a.type == TPP_TYPE_i8, signed_b = desc.b.type == TPP_TYPE_i8;
  if (signed_a)
    return signed_b ? accumulate<int32_t, TPP_TYPE_i8, TPP_TYPE_i8>(desc, args, at, sums)
                    : accumulate<int32_t, TPP_TYPE_i8, TPP_TYPE_u8>(desc, args, at, sums);
  return signed_b ? accumulate<int32_t, TPP_TYPE_u8, TPP_TYPE_i8>(desc, args, at, sums)
                  : accumulate<int32_t, TPP_TYPE_u8, TPP_TYPE_u8>(desc, args, at, sums);
}

int32_t load_i32(const void *base, int64_t index) {
  int32_t value;
  std::memcpy(&value, static_cast<const char *>(base) + index * 4, sizeof(value));
  return value;
}

// The post-ops from step `first` on, in f32.
float apply_steps(const tpp_brgemm_desc &desc, const tpp_args &args, int64_t row, int64_t col, int first, float value) {
  for (int step = first; step < desc.post_op_count; ++step)
    value = apply_post_op(desc.post_ops[step], args.post[step], row, col, value);
  return value;
}

void store_floats(const tpp_brgemm_desc &desc, const tpp_args &args, span at) {
  double sums[span::most];
  accumulate(desc, args, at, sums);
  for (int64_t i = 0; i < at.count; ++i) {
    const int64_t col = at.col + i, index = element_offset(desc.c, at.row, col);
    const double sum = desc.beta != 0 ? sums[i] + load_double(desc.c.type, args.c, index) : sums[i];
    const float value = apply_steps(desc, args, at.row, col, 0, static_cast<float>(sum));
    store_double(desc.c.type, args.c, index, static_cast<double>(value));
  }
}

void store_integers(const tpp_brgemm_desc &desc, const tpp_args &args, span at) {
  uint32_t sums[span::most];
  accumulate(desc, args, at, sums);
  const int converts = find_convert(desc);
  for (int64_t i = 0; i < at.count; ++i) {
    const int64_t col = at.col + i, index = element_offset(desc.c, at.row, col);
    auto value = static_cast<int32_t>(desc.beta != 0 ? sums[i] + static_cast<uint32_t>(load_i32(args.c, index)) : sums[i]);
    for (int step = 0; step < converts; ++step)
      value = apply_integer_post_op(desc.post_ops[step], args.post[step], at.row, col, value);
    if (desc.c.type == TPP_TYPE_i32) {
      store_wrapped(TPP_TYPE_i32, args.c, index, value);
      continue;
    }
    const float converted = apply_steps(desc, args, at.row, col, converts + 1, static_cast<float>(value));
    store_double(desc.c.type, args.c, index, static_cast<double>(converted));
  }
}

} // namespace

const char *brgemm_reject_reason(const tpp_brgemm_desc &desc) {
  const int32_t a = desc.a.type, b = desc.b.type;
  const bool floating = is_float(a), converts = !floating && find_convert(desc) < desc.post_op_count;
  const bool known = (floating ? a == b : is_byte(a) && is_byte(b)) && is_result_type(a, desc.c.type, converts);
  if (!known)
    return "brgemm takes f32*f32 to f32, bf16*bf16 to f32 or bf16, f16*f16 to f32 or f16, and i8 or u8 times i8 or u8 to i32 "
           "(after "
           "convert to f32, bf16, f16, i8 or u8)";
  if (converts && desc.beta != 0)
    return "sums that are converted cannot start with C";
  if (desc.c.vnni > 1)
    return "C cannot be VNNI-blocked";
  return post_ops_reject_reason(desc, floating);
}

void brgemm_reference(const tpp_brgemm_desc &desc, const tpp_args &args) {
  for (int64_t row = 0; row < desc.m; ++row)
    for (int64_t col = 0; col < desc.n; col += span::most) {
      const span at{row, col, std::min(span::most, desc.n - col)};
      if (is_float(desc.a.type))
        store_floats(desc, args, at);
      else
        store_integers(desc, args, at);
    }
}

TPP_UK_FUNCTIONS(
    tpp_uk_brgemm_reference, tpp_brgemm_desc, brgemm_reject_reason(desc),
    reference_ns(static_cast<double>(desc.m) * static_cast<double>(desc.n) * static_cast<double>(desc.k + 2)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      brgemm_reference(reinterpret_cast<const microkernel *>(self)->desc.brgemm, *args);
    })

} // namespace tpp

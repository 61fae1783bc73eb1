// brgemm in plain C++: every type, layout, batch kind and post-op. It defines what the kernels compute (contract in brgemm.hpp).
#include "microkernels/brgemm/brgemm.hpp"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/matrix.hpp"
#include "microkernels/common/scalar_post_ops.hpp"
#include "microkernels/common/typed_scalar.hpp"

namespace tpp {
namespace {

const char *at(const void *base, const void *table, int32_t kind, int64_t stride, int64_t entry) {
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

// The sum over batch and k for one element of C, accumulated in `Sum` (double or uint32_t); products are computed in `Factor`.
template <class Sum, class Factor> Sum accumulate(const tpp_brgemm_desc &desc, const tpp_args &args, int64_t row, int64_t col) {
  Sum sum = 0;
  for (int64_t entry = 0; entry < args.batch; ++entry) {
    const char *a = at(args.a, args.a_batch, desc.batch_kind, desc.a_batch_stride, entry);
    const char *b = at(args.b, args.b_batch, desc.batch_kind, desc.b_batch_stride, entry);
    for (int64_t k = 0; k < desc.k; ++k) {
      auto x = static_cast<Factor>(load_double(desc.a.type, a, element_offset(desc.a, row, k)));
      auto y = static_cast<Factor>(load_double(desc.b.type, b, element_offset(desc.b, k, col)));
      sum += static_cast<Sum>(x * y);
    }
  }
  return sum;
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

float element_float(const tpp_brgemm_desc &desc, const tpp_args &args, int64_t row, int64_t col, int64_t c_index) {
  double sum = accumulate<double, double>(desc, args, row, col);
  if (desc.beta != 0)
    sum += load_double(desc.c.type, args.c, c_index);
  return apply_steps(desc, args, row, col, 0, static_cast<float>(sum));
}

int32_t element_i32(const tpp_brgemm_desc &desc, const tpp_args &args, int64_t row, int64_t col, int64_t c_index) {
  auto sum = accumulate<uint32_t, int32_t>(desc, args, row, col);
  if (desc.beta != 0)
    sum += static_cast<uint32_t>(load_i32(args.c, c_index));
  auto value = static_cast<int32_t>(sum);
  for (int step = 0, end = find_convert(desc); step < end; ++step)
    value = apply_integer_post_op(desc.post_ops[step], args.post[step], row, col, value);
  return value;
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
  for (int64_t row = 0; row < desc.m; ++row) {
    for (int64_t col = 0; col < desc.n; ++col) {
      int64_t c_index = element_offset(desc.c, row, col);
      if (is_float(desc.a.type)) {
        store_double(desc.c.type, args.c, c_index, static_cast<double>(element_float(desc, args, row, col, c_index)));
        continue;
      }
      int32_t value = element_i32(desc, args, row, col, c_index);
      if (desc.c.type == TPP_TYPE_i32) {
        std::memcpy(static_cast<char *>(args.c) + c_index * 4, &value, sizeof(value));
        continue;
      }
      float converted = apply_steps(desc, args, row, col, find_convert(desc) + 1, static_cast<float>(value));
      store_double(desc.c.type, args.c, c_index, static_cast<double>(converted));
    }
  }
}

TPP_UK_FUNCTIONS(
    tpp_uk_brgemm_reference, tpp_brgemm_desc, brgemm_reject_reason(desc),
    reference_ns(static_cast<double>(desc.m) * static_cast<double>(desc.n) * static_cast<double>(desc.k + 2)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      brgemm_reference(reinterpret_cast<const microkernel *>(self)->desc.brgemm, *args);
    })

} // namespace tpp

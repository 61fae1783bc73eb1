// reduce in plain C++: every kind, type and layout. It defines what the kernels compute (contract in reduce.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/reduce/reduce.hpp"

namespace tpp {
namespace {

double lowest(int32_t type) {
  switch (static_cast<tpp_type>(type)) {
  case TPP_TYPE_i32:
    return std::numeric_limits<int32_t>::min();
  case TPP_TYPE_i8:
    return std::numeric_limits<int8_t>::min();
  case TPP_TYPE_u8:
    return 0;
  case TPP_TYPE_f32:
  case TPP_TYPE_bf16:
  case TPP_TYPE_f16:
  case TPP_TYPE_f64:
    return -HUGE_VAL;
  }
  not_supported();
}

} // namespace

const char *reduce_reject_reason(const tpp_reduce_desc &desc) {
  if (!is_reduce_kind(desc.kind))
    return "reduce has no such kind";
  if (desc.out.vnni > 1)
    return "a reduction's output cannot be VNNI-blocked";
  if (is_floating(desc.in.type) && is_floating(desc.out.type))
    return nullptr;
  switch (static_cast<tpp_reduce_kind>(desc.kind)) {
  case TPP_REDUCE_sum:
    return !is_floating(desc.in.type) && desc.out.type == TPP_TYPE_i32 ? nullptr : "integers are summed into i32";
  case TPP_REDUCE_max:
    return desc.in.type == desc.out.type ? nullptr : "an integer maximum needs equal types";
  }
  not_supported();
}

void reduce_reference(const tpp_reduce_desc &desc, const tpp_args &args) {
  const bool rows = desc.axis == TPP_REDUCE_over_rows, sum = desc.kind == TPP_REDUCE_sum;
  const int64_t outer = rows ? desc.n : desc.m, inner = rows ? desc.m : desc.n;
  for (int64_t i = 0; i < outer; ++i) {
    int64_t to = rows ? element_offset(desc.out, 0, i) : element_offset(desc.out, i, 0);
    double value = sum ? 0.0 : lowest(desc.out.type);
    int64_t whole = 0; // sum of integers; wraps around at the end
    auto take = [&](double x) {
      if (!sum)
        value = scalar_binary(TPP_BINARY_max, value, x);
      else if (is_floating(desc.out.type))
        value += x;
      else
        whole += static_cast<int64_t>(x);
    };
    if (desc.beta != 0)
      take(load_double(desc.out.type, args.c, to));
    for (int64_t j = 0; j < inner; ++j)
      take(load_double(desc.in.type, args.a, rows ? element_offset(desc.in, j, i) : element_offset(desc.in, i, j)));
    if (sum && !is_floating(desc.out.type))
      store_wrapped(desc.out.type, args.c, to, static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(whole))));
    else
      store_double(desc.out.type, args.c, to, value);
  }
}

TPP_UK_FUNCTIONS(
    tpp_uk_reduce_reference, tpp_reduce_desc, reduce_reject_reason(desc),
    reference_ns(static_cast<double>(desc.m) * static_cast<double>(desc.n)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      reduce_reference(reinterpret_cast<const microkernel *>(self)->desc.reduce, *args);
    })

} // namespace tpp

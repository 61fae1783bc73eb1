// unary in plain C++: every kind, type and form. It defines what the others compute (contract in unary.hpp).
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/unary/unary.hpp"

namespace tpp {
namespace {

bool moves_bits(const tpp_unary_desc &desc) {
  return desc.kind == TPP_UNARY_identity || desc.kind == TPP_UNARY_transpose ||
         (desc.kind == TPP_UNARY_convert && desc.in.type == desc.out.type);
}

int64_t input_offset(const tpp_unary_desc &desc, int64_t row, int64_t col) {
  return desc.kind == TPP_UNARY_transpose ? element_offset(desc.in, col, row)
                                          : broadcast_offset(desc.in, desc.broadcast, row, col);
}

} // namespace

const char *unary_reject_reason(const tpp_unary_desc &desc) {
  if (!is_unary_kind(desc.kind))
    return "unary has no such kind";
  const auto floating = [&] { return is_floating(desc.in.type) && is_floating(desc.out.type); }; // zero's input has no type
  switch (static_cast<tpp_unary_kind>(desc.kind)) {
  case TPP_UNARY_zero:
  case TPP_UNARY_convert:
    return nullptr;
  case TPP_UNARY_transpose:
    if (desc.broadcast != TPP_BROADCAST_none)
      return "transpose takes no broadcast";
    [[fallthrough]];
  case TPP_UNARY_identity:
    return desc.in.type == desc.out.type ? nullptr : "identity and transpose keep the type; convert changes it";
  case TPP_UNARY_relu:
    return floating() || desc.in.type == desc.out.type ? nullptr : "relu of integers keeps the type";
  case TPP_UNARY_gelu:
  case TPP_UNARY_gelu_tanh:
  case TPP_UNARY_tanh:
  case TPP_UNARY_sigmoid:
  case TPP_UNARY_silu:
  case TPP_UNARY_exp:
    return floating() ? nullptr : "this kind takes and gives floating-point types";
  }
  not_supported();
}

void unary_reference(const tpp_unary_desc &desc, const tpp_args &args) {
  const auto *in = static_cast<const char *>(args.a);
  auto *out = static_cast<char *>(args.c);
  const int64_t bytes = type_bytes(desc.out.type);
  for (int64_t row = 0; row < desc.m; ++row) {
    for (int64_t col = 0; col < desc.n; ++col) {
      int64_t to = element_offset(desc.out, row, col);
      if (desc.kind == TPP_UNARY_zero)
        std::memset(out + to * bytes, 0, static_cast<size_t>(bytes));
      else if (moves_bits(desc))
        std::memmove(out + to * bytes, in + input_offset(desc, row, col) * bytes, static_cast<size_t>(bytes));
      else
        store_double(desc.out.type, out, to,
                     scalar_unary(desc.kind, load_double(desc.in.type, in, input_offset(desc, row, col))));
    }
  }
}

const char *tpp_uk_unary_reference_reject(const void *desc);
double tpp_uk_unary_reference_cost(const void *desc);
void tpp_uk_unary_reference_prepare(microkernel *kernel);

const char *tpp_uk_unary_reference_reject(const void *desc) {
  return unary_reject_reason(*static_cast<const tpp_unary_desc *>(desc));
}

double tpp_uk_unary_reference_cost(const void *desc) {
  const auto &d = *static_cast<const tpp_unary_desc *>(desc);
  // Measured: 3 (copies) to 30 (gelu) nanoseconds an element; never chosen where anything else can run.
  return 20.0 + 30.0 * static_cast<double>(d.m) * static_cast<double>(d.n);
}

void tpp_uk_unary_reference_prepare(microkernel *kernel) {
  kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
    unary_reference(reinterpret_cast<const microkernel *>(self)->desc.unary, *args);
  };
}

} // namespace tpp

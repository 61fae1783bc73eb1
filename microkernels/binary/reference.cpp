// binary in plain C++: every kind, type and layout. It defines what the kernels compute (contract in binary.hpp).
#include "microkernels/binary/binary.hpp"
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/typed_scalar.hpp"

namespace tpp {

const char *binary_reject_reason(const tpp_binary_desc &desc) {
  if (!is_binary_kind(desc.kind))
    return "binary has no such kind";
  bool floating = is_floating(desc.in0.type) && is_floating(desc.in1.type) && is_floating(desc.out.type);
  if (floating)
    return nullptr;
  if (desc.in0.type != desc.out.type || desc.in1.type != desc.out.type)
    return "binary takes floating-point types, or the same integer type for both inputs and the output";
  return desc.kind == TPP_BINARY_div ? "integer division is not supported" : nullptr;
}

void binary_reference(const tpp_binary_desc &desc, const tpp_args &args) {
  for (int64_t row = 0; row < desc.m; ++row) {
    for (int64_t col = 0; col < desc.n; ++col) {
      int64_t to = element_offset(desc.out, row, col);
      double x = load_double(desc.in0.type, args.a, broadcast_offset(desc.in0, desc.broadcast0, row, col));
      double y = load_double(desc.in1.type, args.b, broadcast_offset(desc.in1, desc.broadcast1, row, col));
      if (is_floating(desc.out.type))
        store_double(desc.out.type, args.c, to, scalar_binary(desc.kind, x, y));
      else
        store_wrapped(desc.out.type, args.c, to, scalar_binary(desc.kind, static_cast<int32_t>(x), static_cast<int32_t>(y)));
    }
  }
}

TPP_UK_FUNCTIONS(
    tpp_uk_binary_reference, tpp_binary_desc, binary_reject_reason(desc),
    reference_ns(static_cast<double>(desc.m) * static_cast<double>(desc.n)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      binary_reference(reinterpret_cast<const microkernel *>(self)->desc.binary, *args);
    })

} // namespace tpp

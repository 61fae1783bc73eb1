// unary in plain C++: every kind, type and layout. It defines what the kernels compute (contract in unary.hpp).
#include "microkernels/common/kernel_functions.hpp"
#include "microkernels/common/typed_scalar.hpp"
#include "microkernels/unary/unary.hpp"

namespace tpp {
namespace {

bool moves_bits(const tpp_unary_desc &desc) {
  return group_of(static_cast<tpp_unary_kind>(desc.kind)) == unary_group::move ||
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
  const auto kind = static_cast<tpp_unary_kind>(desc.kind);
  if ((kind == TPP_UNARY_transpose || kind == TPP_UNARY_vnni_pack) && desc.broadcast != TPP_BROADCAST_none)
    return "transpose and vnni_pack take no broadcast";
  if (kind == TPP_UNARY_vnni_pack && (desc.in.vnni > 1 || desc.out.vnni < 2))
    return "vnni_pack takes a plain input and gives a VNNI-blocked output";
  switch (group_of(kind)) {
  case unary_group::move:
    return kind == TPP_UNARY_zero || desc.in.type == desc.out.type ? nullptr
                                                                   : "a kind that copies bits needs equal types; use convert";
  case unary_group::convert:
    return nullptr;
  case unary_group::activation:
  case unary_group::formula:
    if (kind == TPP_UNARY_relu && desc.in.type == desc.out.type)
      return nullptr;
    return is_floating(desc.in.type) && is_floating(desc.out.type) ? nullptr : "this kind needs floating-point types";
  }
  not_supported();
}

void unary_reference(const tpp_unary_desc &desc, const tpp_args &args) {
  const auto *in = static_cast<const char *>(args.a);
  auto *out = static_cast<char *>(args.c);
  const int64_t bytes = type_bytes(desc.out.type);
  // vnni_pack also writes the padding rows of its last group.
  const int64_t written =
      desc.kind == TPP_UNARY_vnni_pack ? (desc.m + desc.out.vnni - 1) / desc.out.vnni * desc.out.vnni : desc.m;
  for (int64_t row = 0; row < written; ++row) {
    for (int64_t col = 0; col < desc.n; ++col) {
      int64_t to = element_offset(desc.out, row, col);
      if (desc.kind == TPP_UNARY_zero || row >= desc.m)
        std::memset(out + to * bytes, 0, static_cast<size_t>(bytes));
      else if (moves_bits(desc))
        std::memmove(out + to * bytes, in + input_offset(desc, row, col) * bytes, static_cast<size_t>(bytes));
      else
        store_double(desc.out.type, out, to,
                     scalar_unary(desc.kind, load_double(desc.in.type, in, input_offset(desc, row, col)),
                                  static_cast<double>(desc.alpha)));
    }
  }
}

TPP_UK_FUNCTIONS(
    tpp_uk_unary_reference, tpp_unary_desc, unary_reject_reason(desc),
    reference_ns(static_cast<double>(desc.m) * static_cast<double>(desc.n)),
    kernel->head.entry = [](const tpp_kernel *self, const tpp_args *args) {
      unary_reference(reinterpret_cast<const microkernel *>(self)->desc.unary, *args);
    })

} // namespace tpp

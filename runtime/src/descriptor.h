// Functions on descriptors that every operation of operations.def has. Those of an operation are defined in operations/<name>.cpp.
#pragma once
#include "text.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// The operation of a descriptor's type.
template <typename Desc> struct operation_of;

// validate: checks all requirements of tpp/types.h. On failure, this thread's last error names the field and the reason. Dispatch has
// already checked struct_size. Kernels and providers rely on it: in a valid descriptor, no extent overflows and no output element is
// written twice.
//
// canonicalize: writes the canonical form of a valid descriptor to `key`. Descriptors of equal meaning get equal bytes, so that all
// spellings of one problem get one kernel. Bytes of `key` after the first key_bytes() are left unchanged.
//
// describe: appends one line for logs and messages, "reduce sum over rows 4x6 f32(ld 6) -> f32(ld 6) beta 0". The descriptor must be
// valid and canonical.
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  template <> struct operation_of<tpp_##name##_desc> {                                                                           \
    static constexpr operation value = operation::name;                                                                          \
  };                                                                                                                             \
  tpp_status validate(const tpp_##name##_desc &desc);                                                                            \
  void canonicalize(const tpp_##name##_desc &desc, tpp_##name##_desc &key);                                                      \
  void describe(const tpp_##name##_desc &desc, text &out);
#include "tpp/operations.def"

// The text of a descriptor whose operation is known only at run time.
inline void describe(operation op, const void *desc, text &out) {
  switch (op) {
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  case operation::name:                                                                                                          \
    return describe(*static_cast<const tpp_##name##_desc *>(desc), out);
#include "tpp/operations.def"
  }
}

// Whether callers have descriptors of this size. Those built when TPP_MAX_POST_OPS was 8 have shorter ones for brgemm, and those built before images
// had a border for grouped_conv.
template <typename Desc> bool is_known_size(const Desc &desc) { return desc.struct_size == sizeof(Desc); }
inline bool is_known_size(const tpp_brgemm_desc &desc) {
  constexpr size_t with_eight = offsetof(tpp_brgemm_desc, post_ops) + 8 * sizeof(tpp_post_op);
  return desc.struct_size == sizeof(desc) || desc.struct_size == with_eight;
}
inline bool is_known_size(const tpp_grouped_conv_desc &desc) {
  return desc.struct_size == sizeof(desc) || desc.struct_size == offsetof(tpp_grouped_conv_desc, border);
}

// The post-ops for which a brgemm's descriptor of known size has room.
inline int32_t most_post_ops(const tpp_brgemm_desc &desc) {
  return static_cast<int32_t>((desc.struct_size - offsetof(tpp_brgemm_desc, post_ops)) / sizeof(tpp_post_op));
}

// Number of bytes of a descriptor of known size that belong to its key: all of them; of a brgemm, those up to its last post-op, or 0 if post_op_count
// is invalid. Inline, because every dispatch calls it.
template <typename Desc> size_t key_bytes(const Desc &) { return sizeof(Desc); }
inline size_t key_bytes(const tpp_brgemm_desc &desc) {
  const size_t count = static_cast<uint32_t>(desc.post_op_count),
               bytes = offsetof(tpp_brgemm_desc, post_ops) + count * sizeof(tpp_post_op);
  return bytes <= desc.struct_size ? bytes : 0;
}
inline size_t key_bytes(const tpp_grouped_conv_desc &desc) { return desc.struct_size; }

} // namespace tpp

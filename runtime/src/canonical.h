// Canonical descriptors: descriptors of equal meaning get equal bytes. Kernels are created from canonical descriptors, so that all
// spellings of one problem get one kernel. Only valid descriptors are canonicalized.
#pragma once
#include "tpp/microkernels.hpp"

#include <string.h>

namespace tpp {

// Number of bytes of a descriptor that belong to its key: all of them; of a brgemm, those up to its last post-op, or 0 if post_op_count
// is invalid.
inline size_t key_bytes(const tpp_brgemm_desc &desc) {
  const uint32_t count = static_cast<uint32_t>(desc.post_op_count);
  return count <= TPP_MAX_POST_OPS ? offsetof(tpp_brgemm_desc, post_ops) + count * sizeof(tpp_post_op) : 0;
}
template <typename Desc> size_t key_bytes(const Desc &) { return sizeof(Desc); }

namespace canonical {

// Canonicalizes the layout of a rows x cols operand. It becomes plain if its panels are adjacent in each row. If there is one row, its
// width becomes the leading dimension. A valid descriptor may have any value in a stride that is never used, but kernels multiply it.
inline void matrix(tpp_matrix &form, int64_t rows, int64_t cols) {
  if (form.vnni == 1)
    form.vnni = 0;
  if (rows == 0 || cols == 0) {
    form.ld = 1;
    form.panel = form.panel_stride = 0;
    return;
  }
  const int64_t vnni = form.vnni ? form.vnni : 1;
  if (form.panel >= cols && form.panel > 0)
    form.panel = 0;
  // The bound avoids an overflow of the product. Wider panels are left unchanged.
  if (form.panel > 0 && form.panel <= INT32_MAX && form.panel_stride == form.panel * vnni)
    form.panel = 0;
  if (form.panel == 0) {
    form.panel_stride = 0;
    if (rows == 1 && vnni == 1)
      form.ld = cols;
  } else if (rows == 1 && vnni == 1) {
    form.ld = form.panel;
  }
}

inline void broadcast_matrix(tpp_matrix &form, int64_t m, int64_t n, int32_t broadcast) {
  const bool one_row = broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar;
  const bool one_col = broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar;
  matrix(form, one_row && m > 0 ? 1 : m, one_col && n > 0 ? 1 : n);
}

} // namespace canonical

// Writes the canonical form of `desc` to `key`. Bytes of `key` after the first key_bytes() are left unchanged.
inline void canonicalize(const tpp_brgemm_desc &desc, tpp_brgemm_desc &key) {
  memcpy(&key, &desc, key_bytes(desc));
  for (int32_t i = 0; i < desc.post_op_count; ++i) {
    tpp_post_op &step = key.post_ops[i];
    if (step.op_class == TPP_POST_OP_binary) {
      canonical::broadcast_matrix(step.form, desc.m, desc.n, step.broadcast);
    } else {
      step.broadcast = 0;
      step.form = {};
    }
  }
  canonical::matrix(key.a, desc.m, desc.k);
  canonical::matrix(key.b, desc.k, desc.n);
  canonical::matrix(key.c, desc.m, desc.n);
  if (desc.batch_kind != TPP_BATCH_stride)
    key.a_batch_stride = key.b_batch_stride = 0;
}

inline void canonicalize(const tpp_unary_desc &desc, tpp_unary_desc &key) {
  key = desc;
  key.alpha += 0.0f; // turns -0 into 0
  canonical::matrix(key.out, desc.m, desc.n);
  if (desc.kind == TPP_UNARY_zero) { // its input is never read
    key.in = key.out;
    key.broadcast = TPP_BROADCAST_none;
  } else if (desc.kind == TPP_UNARY_transpose) {
    canonical::matrix(key.in, desc.n, desc.m);
  } else {
    canonical::broadcast_matrix(key.in, desc.m, desc.n, desc.broadcast);
  }
}

inline void canonicalize(const tpp_binary_desc &desc, tpp_binary_desc &key) {
  key = desc;
  canonical::broadcast_matrix(key.in0, desc.m, desc.n, desc.broadcast0);
  canonical::broadcast_matrix(key.in1, desc.m, desc.n, desc.broadcast1);
  canonical::matrix(key.out, desc.m, desc.n);
}

inline void canonicalize(const tpp_reduce_desc &desc, tpp_reduce_desc &key) {
  key = desc;
  canonical::matrix(key.in, desc.m, desc.n);
  if (desc.axis == TPP_REDUCE_over_rows)
    canonical::matrix(key.out, 1, desc.n);
  else
    canonical::matrix(key.out, desc.m, 1);
}

} // namespace tpp

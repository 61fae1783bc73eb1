// The registry of microkernels: one table entry for every kernel of kernels.def whose target is part of this build.
//
// For a kernel tpp_uk_X, its own source file defines tpp_uk_X_reject, tpp_uk_X_cost and tpp_uk_X_prepare. This file declares these
// functions and collects them in the table. The table is constant-initialized, so nothing here runs before main.
#include "microkernels/common/targets.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// Declares the three functions of a kernel entry.
#define TPP_UK_DECLARE(name)                                                                                                     \
  const char *name##_reject(const void *desc);                                                                                   \
  double name##_cost(const void *desc);                                                                                          \
  void name##_prepare(microkernel *kernel);

// One entry of the table.
#define TPP_UK_ROW(name, target, op, provider, mr, nr, bit)                                                                      \
  {#name, #target, operation::op, TPP_PROVIDER_##provider, mr, nr, name##_reject, name##_cost, name##_prepare, bit},

// An element-wise entry of kernels.def expands to one kernel per target.
#define TPP_UK_DECLARE_ALL(stem)                                                                                                 \
  TPP_UK_BUILT_avx3(TPP_UK_DECLARE(stem##_avx3)) TPP_UK_BUILT_avx2(TPP_UK_DECLARE(stem##_avx2))                                  \
      TPP_UK_BUILT_sse4(TPP_UK_DECLARE(stem##_sse4)) TPP_UK_BUILT_neon(TPP_UK_DECLARE(stem##_neon))                              \
          TPP_UK_BUILT_portable(TPP_UK_DECLARE(stem##_portable))
#define TPP_UK_ROW_ALL(stem, op)                                                                                                 \
  TPP_UK_BUILT_avx3(TPP_UK_ROW(stem##_avx3, avx3, op, native, 0, 0, TPP_UK_BIT_avx3))                                            \
      TPP_UK_BUILT_avx2(TPP_UK_ROW(stem##_avx2, avx2, op, native, 0, 0, TPP_UK_BIT_avx2))                                        \
          TPP_UK_BUILT_sse4(TPP_UK_ROW(stem##_sse4, sse4, op, native, 0, 0, TPP_UK_BIT_sse4))                                    \
              TPP_UK_BUILT_neon(TPP_UK_ROW(stem##_neon, neon, op, native, 0, 0, TPP_UK_BIT_neon))                                \
                  TPP_UK_BUILT_portable(TPP_UK_ROW(stem##_portable, portable, op, native, 0, 0, TPP_UK_BIT_portable))

// ---- declarations ----
#define TPP_UK_BRGEMM_REFERENCE() TPP_UK_DECLARE(tpp_uk_brgemm_reference)
#define TPP_UK_BRGEMM(types, a, b, c, mr, nr, lanes, target, ...)                                                                \
  TPP_UK_BUILT_##target(TPP_UK_DECLARE(tpp_uk_brgemm_##types##_##mr##x##nr##_##target))
#define TPP_UK_UNARY_REFERENCE() TPP_UK_DECLARE(tpp_uk_unary_reference)
#define TPP_UK_BINARY_REFERENCE() TPP_UK_DECLARE(tpp_uk_binary_reference)
#define TPP_UK_REDUCE_REFERENCE() TPP_UK_DECLARE(tpp_uk_reduce_reference)
#define TPP_UK_UNARY(kind, types, in, out, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                      \
  TPP_UK_DECLARE_ALL(tpp_uk_unary_##kind##_##types)
#define TPP_UK_COPY(kind, types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                         \
  TPP_UK_DECLARE_ALL(tpp_uk_unary_##kind##_##types)
#define TPP_UK_TRANSPOSE(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_DECLARE_ALL(tpp_uk_unary_transpose_##types)
#define TPP_UK_VNNI_PACK(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_DECLARE_ALL(tpp_uk_unary_vnni_pack_##types)
#define TPP_UK_BINARY(kind, types, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                              \
  TPP_UK_DECLARE_ALL(tpp_uk_binary_##kind##_##types)
#define TPP_UK_REDUCE(kind, types, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                              \
  TPP_UK_DECLARE_ALL(tpp_uk_reduce_##kind##_##types)
#include "tpp/kernels.def"

namespace {
constexpr int64_t everywhere = -1;

constexpr microkernel_row rows[] = {
// ---- table entries ----
#define TPP_UK_BRGEMM_REFERENCE() TPP_UK_ROW(tpp_uk_brgemm_reference, reference, brgemm, reference, 1, 1, everywhere)
#define TPP_UK_BRGEMM(types, a, b, c, mr, nr, lanes, target, ...)                                                                \
  TPP_UK_BUILT_##target(                                                                                                         \
      TPP_UK_ROW(tpp_uk_brgemm_##types##_##mr##x##nr##_##target, target, brgemm, native, mr, nr, TPP_UK_BIT_##target))
#define TPP_UK_UNARY_REFERENCE() TPP_UK_ROW(tpp_uk_unary_reference, reference, unary, reference, 0, 0, everywhere)
#define TPP_UK_BINARY_REFERENCE() TPP_UK_ROW(tpp_uk_binary_reference, reference, binary, reference, 0, 0, everywhere)
#define TPP_UK_REDUCE_REFERENCE() TPP_UK_ROW(tpp_uk_reduce_reference, reference, reduce, reference, 0, 0, everywhere)
#define TPP_UK_UNARY(kind, types, in, out, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                      \
  TPP_UK_ROW_ALL(tpp_uk_unary_##kind##_##types, unary)
#define TPP_UK_COPY(kind, types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                         \
  TPP_UK_ROW_ALL(tpp_uk_unary_##kind##_##types, unary)
#define TPP_UK_TRANSPOSE(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_ROW_ALL(tpp_uk_unary_transpose_##types, unary)
#define TPP_UK_VNNI_PACK(types, bytes, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                          \
  TPP_UK_ROW_ALL(tpp_uk_unary_vnni_pack_##types, unary)
#define TPP_UK_BINARY(kind, types, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                              \
  TPP_UK_ROW_ALL(tpp_uk_binary_##kind##_##types, binary)
#define TPP_UK_REDUCE(kind, types, ns_avx3, ns_avx2, ns_sse4, ns_neon, ns_portable)                                              \
  TPP_UK_ROW_ALL(tpp_uk_reduce_##kind##_##types, reduce)
#include "tpp/kernels.def"
};
} // namespace

const microkernel_row *microkernel_rows(size_t *count) {
  *count = sizeof(rows) / sizeof(rows[0]);
  return rows;
}

bool microkernel_row_runs_here(const microkernel_row &row) {
  return row.target_bits == everywhere || (machine_targets() & row.target_bits) != 0;
}

} // namespace tpp

// The table of microkernels: every row of kernels.def whose target this build holds.
//
// For a row named tpp_uk_X the functions tpp_uk_X_reject, _cost and _prepare are defined beside the kernel; this file declares
// them and lists them. Nothing here runs before main: the table is constant-initialized.
#include "microkernels/common/targets.h"
#include "tpp/microkernels.hpp"

#include "hwy/targets.h"

namespace tpp {

// Declares a row's three functions.
#define TPP_UK_DECLARE(name)                                                                                                     \
  const char *name##_reject(const void *desc);                                                                                   \
  double name##_cost(const void *desc);                                                                                          \
  void name##_prepare(microkernel *kernel);

// One entry of the table.
#define TPP_UK_ROW(name, target, op, provider, mr, nr, bit)                                                                      \
  {#name, #target, operation::op, TPP_PROVIDER_##provider, mr, nr, name##_reject, name##_cost, name##_prepare, bit},

// ---- declarations ----
#define TPP_UK_BRGEMM_REFERENCE() TPP_UK_DECLARE(tpp_uk_brgemm_reference)
#define TPP_UK_BRGEMM(types, a, b, c, mr, nr, lanes, target, ...)                                                                \
  TPP_UK_BUILT_##target(TPP_UK_DECLARE(tpp_uk_brgemm_##types##_##mr##x##nr##_##target))
#include "tpp/kernels.def"

namespace {
constexpr int64_t everywhere = -1;

constexpr microkernel_row rows[] = {
// ---- rows ----
#define TPP_UK_BRGEMM_REFERENCE() TPP_UK_ROW(tpp_uk_brgemm_reference, reference, brgemm, reference, 1, 1, everywhere)
#define TPP_UK_BRGEMM(types, a, b, c, mr, nr, lanes, target, ...)                                                                \
  TPP_UK_BUILT_##target(                                                                                                         \
      TPP_UK_ROW(tpp_uk_brgemm_##types##_##mr##x##nr##_##target, target, brgemm, native, mr, nr, TPP_UK_BIT_##target))
#include "tpp/kernels.def"
};
} // namespace

const microkernel_row *microkernel_rows(size_t *count) {
  *count = sizeof(rows) / sizeof(rows[0]);
  return rows;
}

bool microkernel_row_runs_here(const microkernel_row &row) {
  return row.target_bits == everywhere || (hwy::SupportedTargets() & row.target_bits) != 0;
}

} // namespace tpp

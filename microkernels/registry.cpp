// The registry of microkernels: one table entry for the reference of every operation of operations.def, and for every kernel of kernels.def
// whose target is part of this build.
//
// For a kernel tpp_uk_X, its own source file defines tpp_uk_X_reject, tpp_uk_X_cost and tpp_uk_X_prepare. This file declares these
// functions and collects them in the table. The table is constant-initialized, so nothing here runs before main.
#include "microkernels/common/targets.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// ---- declarations of the three functions of each kernel ----
#define TPP_UK_DECLARE(name)                                                                                                     \
  const char *name##_reject(const void *desc);                                                                                   \
  double name##_cost(const void *desc);                                                                                          \
  void name##_prepare(microkernel *kernel);

#define TPP_OPERATION(name, Name, formula) TPP_UK_DECLARE(tpp_uk_##name##_reference)
#include "tpp/operations.def"
#define TPP_UK(op, stem, mr, nr, target) TPP_UK_BUILT_##target(TPP_UK_DECLARE(tpp_uk_##op##_##stem##_##target))
#include "tpp/kernels.def"

// ---- table entries ----
#define TPP_UK_ROW(name, target, op, provider, mr, nr, bit)                                                                      \
  {#name, #target, operation::op, TPP_PROVIDER_##provider, mr, nr, name##_reject, name##_cost, name##_prepare, bit},

namespace {
constexpr int64_t everywhere = -1;

constexpr microkernel_row rows[] = {
#define TPP_OPERATION(name, Name, formula) TPP_UK_ROW(tpp_uk_##name##_reference, reference, name, reference, 0, 0, everywhere)
#include "tpp/operations.def"
#define TPP_UK(op, stem, mr, nr, target)                                                                                         \
  TPP_UK_BUILT_##target(TPP_UK_ROW(tpp_uk_##op##_##stem##_##target, target, op, native, mr, nr, TPP_UK_BIT_##target))
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

// What the layout stage weighs: estimated times of contractions and of bytes moved.
#ifndef TPP_LOWERING_MACHINE_COST_H
#define TPP_LOWERING_MACHINE_COST_H

#include "lowering/analysis/ContractionRoles.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

// Nanoseconds to write `bytes` in another order, read included.
double estimateMoveNs(int64_t bytes);

// Nanoseconds of an f32 contraction on one thread, by the costs of the best row of kernels.def for the target. Operands that
// depend on constants only are packed beforehand as brgemm likes them; B, of bBytes, is moved in each call where its rows are not
// contiguous.
double estimateContractionNs(const ContractionRoles &roles, bool constantA, bool constantB, int64_t bBytes, TargetAttr target);

} // namespace mlir::tpp

#endif

// Cost estimates for the layout stage: the time of a contraction, and the time of moving data.
#ifndef TPP_LOWERING_MACHINE_COST_H
#define TPP_LOWERING_MACHINE_COST_H

#include "lowering/analysis/ContractionRoles.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

// Nanoseconds to rewrite `bytes` in another order, reads included.
double estimateMoveNs(int64_t bytes);

// Nanoseconds of an f32 contraction on one thread, from the cost of the cheapest kernel of kernels.def for the target. Operands that depend
// on constants only are packed in advance, at no cost. Any other B, of `bBytes` bytes, is charged a move in each call if its rows are not
// contiguous, or if it is large and many rows of A reuse it.
double estimateContractionNs(const ContractionRoles &roles, bool constantA, bool constantB, int64_t bBytes, TargetAttr target);

} // namespace mlir::tpp

#endif

// What packing strategies share: the regimes of contractions, the default choice, and the requirements for every packing.
#ifndef TPP_DIALECT_PACKINGSTRATEGIES_H
#define TPP_DIALECT_PACKINGSTRATEGIES_H

#include "tpp_dialect/ContractionInfo.h"

namespace mlir::tpp {

/// The regime of a contraction, by the number of rows that share B. Large (32 rows or more): bound by arithmetic. SmallBatch (2 to 31 rows):
/// bound by reading B. MatrixVector: one row.
enum class PackingRegime { Large, SmallBatch, MatrixVector };
PackingRegime getPackingRegime(const ContractionInfo &contraction);

/// Steps of a reduction that can be split into KC blocks; 0 if it cannot. The reduction must be one dimension, and C must hold partial sums
/// without rounding.
int64_t getSplittableSteps(const ContractionInfo &contraction);

/// The default strategy.
Packing chooseByCostModel(const ContractionInfo &contraction);

/// True if an op is a contraction, the only kind of op that strategies apply to: tpp.contract, or a linalg op that computes a sum of
/// products.
bool isContraction(Operation *op);

/// Checks the requirements for a packing that do not depend on the contraction.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing);
/// Also checks the requirements that depend on the contraction: the target's vector length divides panels and columns, and k divides the
/// reduction.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing,
                            const ContractionInfo &contraction);

} // namespace mlir::tpp

#endif

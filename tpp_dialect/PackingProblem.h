// The description of a contraction that packing strategies receive, and the requirements for every packing.
#ifndef TPP_DIALECT_PACKINGPROBLEM_H
#define TPP_DIALECT_PACKINGPROBLEM_H

#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

/// The role of a loop dimension in a contraction. Batch: A, B and C use it. Row: A and C. Column: B and C. Sum: A and B.
enum class DimensionRole { Batch, Row, Column, Sum };

struct ContractionDimension {
  int64_t extent = 1;
  DimensionRole role = DimensionRole::Batch;
  int64_t a = 0, b = 0, c = 0; // stride of the dimension in each operand, in elements; 0 if the operand does not use it
};

/// A contraction before layouts are assigned, and the machine it is compiled for.
struct PackingProblem {
  SmallVector<ContractionDimension> dimensions; // the op's loops
  unsigned panelDimension = 0;                  // the Column dimension along which C is contiguous; panels split it
  Type aType, bType, cType;                     // element types
  bool constantA = false, constantB = false;    // constants are relaid out once, before the first call
  TargetAttr target;

  /// The product of all extents of a role.
  int64_t getExtent(DimensionRole role) const;
  int64_t getPanelExtent() const { return dimensions[panelDimension].extent; }
};

/// The regime of a contraction, by the number of rows that share B. Large (32 rows or more): bound by arithmetic. SmallBatch (2 to 31 rows):
/// bound by reading B. MatrixVector: one row.
enum class PackingRegime { Large, SmallBatch, MatrixVector };
PackingRegime getPackingRegime(const PackingProblem &problem);

/// Steps of a sum that can be split into KC blocks; 0 if it cannot. The sum must be one dimension, and C must hold partial sums without
/// rounding.
int64_t getStepsForPasses(const PackingProblem &problem);

/// The default strategy.
Packing chooseByCostModel(const PackingProblem &problem);

/// True if an op is a contraction, the only kind of op that strategies apply to: tpp.contract, or a linalg op that computes a sum of
/// products.
bool isContraction(Operation *op);

/// Checks the requirements for a packing that do not depend on the problem.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing);
/// Also checks the requirements that depend on the problem: the target's vector length divides panels and columns, and k divides the sum.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing, const PackingProblem &problem);

} // namespace mlir::tpp

#endif

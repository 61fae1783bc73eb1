// A contraction as packing strategies see it, and what every packing of one must be.
#ifndef TPP_DIALECT_PACKINGPROBLEM_H
#define TPP_DIALECT_PACKINGPROBLEM_H

#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

/// What a loop dimension is to a product: it runs through A, B and C; A and C; B and C; or A and B.
enum class DimensionRole { Batch, Row, Column, Sum };

struct ContractionDimension {
  int64_t extent = 1;
  DimensionRole role = DimensionRole::Batch;
  int64_t a = 0, b = 0, c = 0; // elements between neighbours in each operand; 0 where the operand does not use the dimension
};

/// A contraction in no layout yet, and the machine it is compiled for.
struct PackingProblem {
  SmallVector<ContractionDimension> dimensions; // the op's loops
  unsigned panelDimension = 0;                  // the column along which C is contiguous: what panels cut
  Type aType, bType, cType;                     // of elements
  bool constantA = false, constantB = false;    // relayouts of constants are paid once, before the first call
  TargetAttr target;

  /// The product of all extents of a role.
  int64_t getExtent(DimensionRole role) const;
  int64_t getPanelExtent() const { return dimensions[panelDimension].extent; }
};

/// By how many rows share B: bound by arithmetic, by what B's bytes cost (2 to 31 rows), or a matrix times a vector.
enum class PackingRegime { Large, SmallBatch, MatrixVector };
PackingRegime getPackingRegime(const PackingProblem &problem);

/// Steps of a sum that can be cut into passes: it is one dimension, and C holds what a pass has added up without rounding it. Else 0.
int64_t getStepsForPasses(const PackingProblem &problem);

/// The default strategy.
Packing chooseByCostModel(const PackingProblem &problem);

/// Whether an op is a contraction, the only kind of op that a strategy governs: tpp.contract, or linalg that sums products.
bool isContraction(Operation *op);

/// What no packing may be, whatever it is for.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing);
/// Also what it may not be for this problem: panels and columns that no vector of the target divides.
LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, const Packing &packing, const PackingProblem &problem);

} // namespace mlir::tpp

#endif

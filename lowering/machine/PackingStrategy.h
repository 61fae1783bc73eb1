// Finds the packing strategy that applies to a contraction, builds the problem that the strategy decides on, and checks its answer.
#ifndef TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H
#define TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H

#include "lowering/analysis/LinearMap.h"
#include "tpp_dialect/PackingProblem.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// Parses a strategy as users write it: `default`, `none`, the text of an attribute, or the name of a .json file of tuning records. Returns
/// null for the default.
llvm::Expected<PackingStrategyAttrInterface> parsePackingStrategy(StringRef text, MLIRContext *context);

/// The attribute `tpp.packing` of `op` or of the nearest enclosing op that has one; the cost model if there is none.
PackingStrategyAttrInterface getPackingStrategy(Operation *op);

/// A contraction as input for a packing strategy: views of A, B and C over a loop nest of `extents`. B is the operand that has
/// `panelDimension`, the dimension that is cut into panels.
struct ContractionView {
  ArrayRef<int64_t> extents;
  const LinearView &a, &b, &c;
  unsigned panelDimension;
  bool constantA, constantB;
  Type aType, bType, cType; // element types
};

/// The problem that a strategy gets for a contraction on tensors. nullopt if the result has no contiguous dimension: then no strategy is
/// consulted.
std::optional<PackingProblem> getPackingProblem(ContractOp op);

/// Lets the strategy of `op` choose a packing, and verifies it. If the strategy fails or the packing is invalid, emits an error at `op` and
/// returns failure.
FailureOr<Packing> choosePacking(ContractOp op, const ContractionView &view);

/// The packing that was chosen for a contraction (tpp.chosen_packing); all defaults if no strategy was consulted.
Packing getChosenPacking(ContractOp op);

/// Copies the packing strategy, target and chosen packing of an op to an op created from it.
void copyStrategy(Operation *from, Operation *to);

} // namespace mlir::tpp

#endif

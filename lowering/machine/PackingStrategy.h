// Asking the packing strategy that governs a contraction.
#ifndef TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H
#define TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H

#include "lowering/analysis/LinearMap.h"
#include "tpp_dialect/PackingProblem.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// What users write for a strategy: `default`, `none`, the text of an attribute, or a file of tuned records that ends in .json.
/// Null for the default.
llvm::Expected<PackingStrategyAttrInterface> parsePackingStrategy(StringRef text, MLIRContext *context);

/// The attribute `tpp.packing` of `op` or of what it stands in, the nearest one; without any the cost model.
PackingStrategyAttrInterface getPackingStrategy(Operation *op);

/// A contraction for its strategy: views of A, B and C from loops of `extents`, B being the operand that `panelDimension` runs through.
struct ContractionView {
  ArrayRef<int64_t> extents;
  const LinearView &a, &b, &c;
  unsigned panelDimension;
  bool constantA, constantB;
  Type aType, bType, cType; // of elements
};

/// What the strategy of a contraction on tensors is asked. Nothing where none is: its result has no contiguous dimension.
std::optional<PackingProblem> getPackingProblem(ContractOp op);

/// What the strategy of `op` chooses for it, after it has been checked. What is wrong with it is an error at the op.
FailureOr<Packing> choosePacking(ContractOp op, const ContractionView &view);

/// What was chosen for a contraction before it was bufferized; for one that nobody has asked for, all defaults.
Packing getChosenPacking(ContractOp op);

/// Hands on what an op says of its strategy and target to an op that is made of it.
void copyStrategy(Operation *from, Operation *to);

} // namespace mlir::tpp

#endif

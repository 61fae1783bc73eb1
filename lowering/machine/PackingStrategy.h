// Finds the packing strategy that applies to a contraction, and checks its answer.
#ifndef TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H
#define TPP_LOWERING_MACHINE_PACKINGSTRATEGY_H

#include "tpp_dialect/PackingStrategies.h"
#include "tpp_dialect/TppOps.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// Parses a strategy as users write it: `default`, `none`, the text of an attribute, or the name of a .json file of tuning records. Returns
/// null for the default.
llvm::Expected<PackingStrategyAttrInterface> parsePackingStrategy(StringRef text, MLIRContext *context);

/// The attribute `tpp.packing` of `op` or of the nearest enclosing op that has one; the cost model if there is none.
PackingStrategyAttrInterface getPackingStrategy(Operation *op);

/// Lets the strategy of `op` choose a packing for `contraction`, which has a contiguous dimension of C, and verifies the packing. If the
/// strategy fails or the packing is invalid, emits an error at `op` and returns failure. The caller emits the packing's remark if it uses the
/// packing.
FailureOr<Packing> choosePacking(ContractOp op, const ContractionInfo &contraction);

/// Whether a contraction may get other kernels than brgemm: its strategy, the cost model or tuning records, prescribes no layouts that only brgemm reads.
/// Records were measured for brgemm; they prescribe none here.
bool mayUseOtherKernels(ContractOp op);

/// The packing that was chosen for a contraction (tpp.chosen_packing); all defaults if no strategy was consulted.
Packing getChosenPacking(ContractOp op);

} // namespace mlir::tpp

#endif

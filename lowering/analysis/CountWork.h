// What a model does, counted on its IR: contraction flops before lowering, kernel calls after.
#ifndef TPP_LOWERING_ANALYSIS_COUNTWORK_H
#define TPP_LOWERING_ANALYSIS_COUNTWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace mlir::tpp {

struct FlopCount {
  int64_t flops = 0; // 2 x M x N x K of every contraction and convolution, loops around them included
  std::string type;  // element type of the inputs of most of them; "" without contractions
};

/// Contractions and convolutions of `func` and the functions it calls; TOSA is looked at as the linalg it stands for.
FlopCount countFlops(func::FuncOp func);

/// How often each slot's kernel is invoked in one call of `func` (on tpp.dispatch and tpp.invoke), by descriptor.
std::vector<std::pair<Attribute, int64_t>> countKernelCalls(func::FuncOp func);

/// The product of the trip counts of all loops around `op`; a loop whose bounds are not constant counts once.
int64_t countExecutions(Operation *op);

} // namespace mlir::tpp

#endif

// Counts the work of a model on its IR: flops of contractions before lowering, kernel calls after lowering.
#ifndef TPP_LOWERING_ANALYSIS_COUNTWORK_H
#define TPP_LOWERING_ANALYSIS_COUNTWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace mlir::tpp {

struct FlopCount {
  int64_t flops = 0; // sum of 2 x M x N x K over all contractions and convolutions, times the trip counts of surrounding loops
  std::string type;  // element type of the factors that accounts for most flops; "" without contractions
};

/// Flops of the contractions and convolutions in `func` and in the functions it calls. TOSA ops count as the linalg ops they lower to.
FlopCount countFlops(func::FuncOp func);

/// Number of invocations of each kernel in one call of `func`, by kernel descriptor. Reads tpp.dispatch and tpp.invoke.
std::vector<std::pair<Attribute, int64_t>> countKernelCalls(func::FuncOp func);

/// How often `op` runs in one call: the number of iterations of the enclosing loops in which all enclosing branches are taken. A loop without constant
/// bounds and step counts as one iteration. A condition that depends on anything but such loops, or on more than 4096 iterations of them, counts as true.
int64_t countExecutions(Operation *op);

} // namespace mlir::tpp

#endif

// Computes the offset of each weight in the weights segment. Both the compiled code (tpp-place-weights) and the driver that fills the segment
// use this function.
#ifndef TPP_LOWERING_PREPACK_PLACEWEIGHTS_H
#define TPP_LOWERING_PREPACK_PLACEWEIGHTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

struct WeightsLayout {
  SmallVector<int64_t> offsets; // of weight N, in bytes, a multiple of kSegmentAlignment
  SmallVector<int64_t> sizes;   // of weight N, in bytes
  int64_t bytes = 0;            // of the whole segment
};

/// Returns the layout of the weights segment of `func`, with one entry per number N in its tpp.weight attributes. Emits an error if these
/// attributes or the types of their arguments are invalid.
FailureOr<WeightsLayout> layoutWeights(func::FuncOp func);

} // namespace mlir::tpp

#endif

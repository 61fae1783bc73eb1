// Where each weight lies in the weights segment. The compiled code (tpp-place-weights) and the driver that fills the segment
// ask the same function.
#ifndef TPP_LOWERING_PREPACK_PLACEWEIGHTS_H
#define TPP_LOWERING_PREPACK_PLACEWEIGHTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {

struct WeightsLayout {
  SmallVector<int64_t> offsets; // of weight N, a multiple of kSegmentAlignment
  SmallVector<int64_t> sizes;   // in bytes
  int64_t bytes = 0;            // of the whole segment
};

/// The segment of `func`, one entry per number that its arguments name. Reports what is wrong with them otherwise.
FailureOr<WeightsLayout> layoutWeights(func::FuncOp func);

} // namespace mlir::tpp

#endif

// Dimensions of loops as one stride per operand.
#ifndef TPP_LOWERING_ANALYSIS_STRIDEDDIM_H
#define TPP_LOWERING_ANALYSIS_STRIDEDDIM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::tpp {

// One loop dimension.
struct StridedDim {
  int64_t extent = 1;
  bool reduction = false;
  int index = -1;                  // the dimension of the op, for linalg.index
  SmallVector<int64_t, 4> strides; // of each operand, in elements
};

// Merges dimensions that are one run in every operand (outer stride = inner stride * inner extent) until none is left.
void mergeRuns(SmallVectorImpl<StridedDim> &dims);

} // namespace mlir::tpp

#endif

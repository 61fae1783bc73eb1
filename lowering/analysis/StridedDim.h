// Loop dimensions described by one stride per operand, and the merging of dimensions that one stride per operand can traverse.
#ifndef TPP_LOWERING_ANALYSIS_STRIDEDDIM_H
#define TPP_LOWERING_ANALYSIS_STRIDEDDIM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::tpp {

// One loop dimension.
struct StridedDim {
  int64_t extent = 1;
  bool reduction = false;
  int index = -1;                  // the op's dimension number, which linalg.index needs; -1 if merged from several
  SmallVector<int64_t, 4> strides; // one per operand, in elements
};

// Merges pairs of dimensions that form one run in every operand (outer stride = inner stride * inner extent) until no such pair is left. Both
// must be reductions, or neither.
void mergeRuns(SmallVectorImpl<StridedDim> &dims);

} // namespace mlir::tpp

#endif

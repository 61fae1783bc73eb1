// Assigns each dimension of a contraction its role in brgemm (m, n, k, batch or outer loop), from its stride in each operand.
#ifndef TPP_LOWERING_ANALYSIS_CONTRACTIONROLES_H
#define TPP_LOWERING_ANALYSIS_CONTRACTIONROLES_H

#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/StridedDim.h"

namespace mlir::tpp {

// One loop dimension. Operand 0 is A, 1 is B, 2 is C; the post-op operands follow.
struct ContractionDim : StridedDim {
  int64_t a() const { return strides[0]; }
  int64_t b() const { return strides[1]; }
  int64_t c() const { return strides[2]; }
};

// The roles of all dimensions. Dimensions that form one contiguous run are merged first. n is the dimension along which C is contiguous
// and which only B and C have. m is the longest dimension that only A and C have. k is the longest reduction; one that is contiguous in A
// (extent 8 or more) takes precedence.
struct ContractionRoles {
  bool swapped = false; // A and B were exchanged, so that B has the dimension along which C is contiguous
  ContractionDim m, n, k;
  SmallVector<ContractionDim> outer;      // batch dimensions, further rows and columns; largest stride in C first
  SmallVector<ContractionDim> reductions; // other than k
};

// `views` are the views of A, B, C and the post-op operands over a loop nest of `extents`.
ContractionRoles getContractionRoles(ArrayRef<LinearView> views, ArrayRef<int64_t> extents);

} // namespace mlir::tpp

#endif

// What each dimension of a contraction is to brgemm, from its stride in each operand.
#ifndef TPP_LOWERING_ANALYSIS_CONTRACTIONROLES_H
#define TPP_LOWERING_ANALYSIS_CONTRACTIONROLES_H

#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/StridedDim.h"

namespace mlir::tpp {

// One loop dimension; operand 0 is A, 1 is B, 2 is C, then the post operands.
struct ContractionDim : StridedDim {
  int64_t a() const { return strides[0]; }
  int64_t b() const { return strides[1]; }
  int64_t c() const { return strides[2]; }
};

// Dimensions are merged where they are one contiguous run, then given roles: n is the dimension along which C and B are contiguous,
// m the longest one of A and C, k the longest reduction (a contiguous one where there is one).
struct ContractionRoles {
  bool swapped = false; // A and B changed places: B is the operand that holds C's contiguous dimension
  ContractionDim m, n, k;
  SmallVector<ContractionDim> outer;      // batch dimensions, further rows and columns; outermost in C first
  SmallVector<ContractionDim> reductions; // besides k
};

// `views` are of A, B, C and the post operands, from loops of `extents`.
ContractionRoles getContractionRoles(ArrayRef<LinearView> views, ArrayRef<int64_t> extents);

} // namespace mlir::tpp

#endif

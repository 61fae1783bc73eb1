// Loop dimensions described by one stride per operand, and the merging of dimensions that one stride per operand can traverse.
#ifndef TPP_DIALECT_STRIDEDDIM_H
#define TPP_DIALECT_STRIDEDDIM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::tpp {

/// One loop dimension.
struct StridedDim {
  int64_t extent = 1;
  bool reduction = false;
  int index = -1;                  // the op's dimension number; -1 if merged from several
  SmallVector<int64_t, 4> strides; // one per operand, in elements
};

/// Whether `outer` and `inner` form one run in every operand: outer stride = inner stride * inner extent. Both must be reductions, or neither.
inline bool areOneRun(const StridedDim &outer, const StridedDim &inner) {
  return outer.reduction == inner.reduction && llvm::all_of(llvm::zip_equal(outer.strides, inner.strides), [&](auto pair) {
           return std::get<0>(pair) == std::get<1>(pair) * inner.extent;
         });
}

/// Merges pairs of dimensions that form one run until no such pair is left. `Dim` is StridedDim or derived from it.
template <typename Dim> void mergeRuns(SmallVectorImpl<Dim> &dims) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t x = 0; x < dims.size() && !changed; ++x) {
      for (size_t y = 0; y < dims.size() && !changed; ++y) {
        if (x == y || !areOneRun(dims[x], dims[y]))
          continue;
        dims[y].extent *= dims[x].extent;
        dims[y].index = -1;
        dims.erase(dims.begin() + x);
        changed = true;
      }
    }
  }
}

} // namespace mlir::tpp

#endif

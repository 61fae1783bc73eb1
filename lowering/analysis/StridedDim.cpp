// Merges loop dimensions (see StridedDim.h).
#include "lowering/analysis/StridedDim.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tpp {

static bool areOneRun(const StridedDim &outer, const StridedDim &inner) {
  return outer.reduction == inner.reduction && llvm::all_of(llvm::zip_equal(outer.strides, inner.strides), [&](auto pair) {
           return std::get<0>(pair) == std::get<1>(pair) * inner.extent;
         });
}

void mergeRuns(SmallVectorImpl<StridedDim> &dims) {
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

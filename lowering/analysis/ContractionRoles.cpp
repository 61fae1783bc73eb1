// The roles of a contraction's dimensions (see ContractionRoles.h).
#include "lowering/analysis/ContractionRoles.h"

namespace mlir::tpp {

// Removes the best eligible dimension from `dims` and returns it. Returns a dimension of extent 1 if none is eligible.
template <typename Eligible, typename Better>
static ContractionDim takeDim(SmallVectorImpl<ContractionDim> &dims, size_t operands, Eligible eligible, Better better) {
  auto best = dims.end();
  for (auto it = dims.begin(); it != dims.end(); ++it)
    if (eligible(*it) && (best == dims.end() || better(*it, *best)))
      best = it;
  if (best == dims.end())
    return ContractionDim{{1, false, -1, SmallVector<int64_t, 4>(operands, 0)}};
  ContractionDim dim = *best;
  dims.erase(best);
  return dim;
}

ContractionRoles getContractionRoles(ArrayRef<LinearView> given, ArrayRef<int64_t> extents) {
  ContractionRoles roles;
  SmallVector<LinearView> views(given);
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (extent > 1 && views[2].strides[dim] == 1 && views[1].strides[dim] == 0 && views[0].strides[dim] != 0) {
      std::swap(views[0], views[1]);
      roles.swapped = true;
      break;
    }
  size_t count = views.size();
  SmallVector<StridedDim> all;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (extent == 1)
      continue;
    StridedDim dim{extent, /*reduction=*/views[2].strides[i] == 0, -1, {}};
    for (const LinearView &view : views)
      dim.strides.push_back(view.strides[i]);
    all.push_back(dim);
  }
  mergeRuns(all);
  SmallVector<ContractionDim> dims = llvm::map_to_vector(all, [](const StridedDim &dim) { return ContractionDim{dim}; });

  auto longer = [](const ContractionDim &x, const ContractionDim &y) { return x.extent > y.extent; };
  // Ties (height and width of a square image) go to the dimension with the smaller stride in C: rows of C that are a whole image line
  // apart map to few cache sets.
  auto closer = [](const ContractionDim &x, const ContractionDim &y) {
    return x.extent != y.extent ? x.extent > y.extent : x.c() < y.c();
  };
  roles.n = takeDim(dims, count, [](const ContractionDim &d) { return d.c() == 1 && d.b() != 0 && d.a() == 0; }, longer);
  roles.m = takeDim(dims, count, [](const ContractionDim &d) { return d.c() != 0 && d.a() != 0 && d.b() == 0; }, closer);
  // A reduction that is contiguous in A is read in whole cache lines: it becomes k unless it is shorter than 8. Both operands must vary
  // along k, since kernels do not accept a stride of 0. A reduction along which one operand is broadcast becomes a batch dimension of
  // brgemm, where a stride of 0 is allowed.
  roles.k = takeDim(
      dims, count, [](const ContractionDim &d) { return d.c() == 0 && d.a() != 0 && d.b() != 0; },
      [](const ContractionDim &x, const ContractionDim &y) {
        bool xRuns = x.a() == 1 && x.extent >= 8, yRuns = y.a() == 1 && y.extent >= 8;
        if (xRuns != yRuns)
          return xRuns;
        return x.extent != y.extent ? x.extent > y.extent : x.a() < y.a();
      });
  for (const ContractionDim &dim : dims)
    (dim.c() == 0 ? roles.reductions : roles.outer).push_back(dim);
  // Largest stride in C first, so that results are written in memory order.
  llvm::stable_sort(roles.outer, [](const ContractionDim &x, const ContractionDim &y) { return x.c() > y.c(); });
  return roles;
}

} // namespace mlir::tpp

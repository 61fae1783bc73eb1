// See Winograd.h.
#include "lowering/analysis/Winograd.h"

namespace mlir::tpp {

SmallMatrix getWinogradInputMatrix(int64_t tile) {
  static constexpr double two[] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1};
  static constexpr double four[] = {4, 0,  -5, 0, 1, 0, 0, -4, -4, 1,  1, 0, 0, 4, -4, -1, 1, 0,
                                    0, -2, -1, 2, 1, 0, 0, 2,  -1, -2, 1, 0, 0, 4, 0,  -5, 0, 1};
  return tile == 2 ? SmallMatrix{4, 4, two} : SmallMatrix{6, 6, four};
}

SmallMatrix getWinogradOutputMatrix(int64_t tile) {
  static constexpr double two[] = {1, 1, 1, 0, 0, 1, -1, -1};
  static constexpr double four[] = {1, 1, 1, 1, 1, 0, 0, 1, -1, 2, -2, 0, 0, 1, 1, 4, 4, 0, 0, 1, -1, 8, -8, 1};
  return tile == 2 ? SmallMatrix{2, 4, two} : SmallMatrix{4, 6, four};
}

SmallMatrix getWinogradFilterMatrix(int64_t tile) {
  static constexpr double two[] = {1, 0, 0, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0, 0, 1};
  static constexpr double four[] = {1. / 4,  0,       0,      -1. / 6, -1. / 6,  -1. / 6, -1. / 6, 1. / 6, -1. / 6,
                                    1. / 24, 1. / 12, 1. / 6, 1. / 24, -1. / 12, 1. / 6,  0,       0,      1};
  return tile == 2 ? SmallMatrix{4, 3, two} : SmallMatrix{6, 3, four};
}

std::optional<ImageDim> getImageDim(AffineMap map, ArrayRef<int64_t> extents, unsigned loop, unsigned tap) {
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    std::optional<LinearExpr> linear = getLinearExpr(expr, extents.size());
    if (!linear)
      return std::nullopt;
    for (auto [other, coefficient] : llvm::enumerate(linear->coefficients))
      if (coefficient != 0 && extents[other] > 1 && other != loop && other != tap)
        return std::nullopt;
    return ImageDim{position, linear->constant, linear->coefficients[loop]};
  }
  return std::nullopt;
}

std::optional<WinogradConvolution> matchWinogradConvolution(const ContractionInfo &contraction) {
  for (const ContractionInfo::Operand &operand : ArrayRef(contraction.operands).take_front(3))
    if (!isWinogradImage(operand.elementType) || operand.vnni != 1)
      return std::nullopt;
  if (contraction.beta != 0)
    return std::nullopt;
  WinogradConvolution found;
  SmallVector<ContractionDim> outputs, taps;
  int channels = 0, columns = 0;
  for (const ContractionDim &dim : contraction.dims) {
    if (dim.extent == 0)
      return std::nullopt;
    if (dim.c() == 0) {
      if (dim.a() == 1 && dim.extent > 1)
        found.k = dim, ++channels;
      else if (dim.extent == 3 && dim.a() > 0)
        taps.push_back(dim);
      else if (dim.extent > 1)
        return std::nullopt;
    } else if (dim.extent > 1) {
      if (dim.a() == 0 && dim.c() == 1)
        found.n = dim, ++columns;
      else if (dim.a() > 0 && dim.b() == 0)
        outputs.push_back(dim);
      else
        return std::nullopt; // groups, or columns in several dimensions
    }
  }
  if (channels != 1 || columns != 1 || taps.size() != 2)
    return std::nullopt;
  // The height is the dimension with the larger stride.
  if (taps[0].a() < taps[1].a())
    std::swap(taps[0], taps[1]);
  auto take = [&](const ContractionDim &tap, ContractionDim &output) {
    auto it = llvm::find_if(outputs, [&](const ContractionDim &dim) { return dim.a() == tap.a(); });
    if (it == outputs.end())
      return false;
    output = *it;
    outputs.erase(it);
    return true;
  };
  if (!take(taps[0], found.height) || !take(taps[1], found.width))
    return std::nullopt;
  // Pixels and rows of C that overlap, or are in another order than those of A, would need other kernels.
  // A pixel may have fewer channels than the distance between pixels: C may be every second pixel of a larger image.
  if (found.width.c() < found.n.extent || found.height.c() < found.width.c() * (found.width.extent - 1) + found.n.extent)
    return std::nullopt;
  found.heightTap = taps[0].index, found.widthTap = taps[1].index;
  found.images = std::move(outputs);
  return found;
}

ContractionInfo getWinogradProducts(const ContractionInfo &contraction) {
  ContractionInfo products = contraction;
  for (ContractionInfo::Operand &operand : MutableArrayRef(products.operands).take_front(3))
    operand.elementType = Float32Type::get(operand.elementType.getContext());
  return products;
}

} // namespace mlir::tpp

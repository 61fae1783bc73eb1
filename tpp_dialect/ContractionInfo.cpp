// Properties of contractions that follow from their dimensions and types (see ContractionInfo.h).
#include "tpp_dialect/ContractionInfo.h"

namespace mlir::tpp {

DimensionRole ContractionDim::getRole() const {
  if (c() == 0)
    return DimensionRole::Reduction;
  if ((a() != 0) == (b() != 0))
    return DimensionRole::Batch;
  return a() != 0 ? DimensionRole::Row : DimensionRole::Column;
}

std::optional<VnniForm> getVnniForm(AffineMap map) {
  auto split = [](AffineExpr expr, AffineExprKind kind) -> std::optional<std::pair<unsigned, int64_t>> {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() != kind)
      return std::nullopt;
    auto loop = dyn_cast<AffineDimExpr>(binary.getLHS());
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return loop && factor ? std::optional(std::pair(loop.getPosition(), factor.getValue())) : std::nullopt;
  };
  if (map.getNumResults() < 2)
    return std::nullopt;
  auto last = split(map.getResults().back(), AffineExprKind::Mod);
  if (!last)
    return std::nullopt;
  auto [loop, factor] = *last;
  VnniForm form{loop, map.getNumResults(), factor};
  for (auto [i, expr] : llvm::enumerate(map.getResults().drop_back())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (form.group != map.getNumResults() || split(expr, AffineExprKind::FloorDiv) != last)
      return std::nullopt;
    form.group = i;
  }
  return form.group == map.getNumResults() ? std::nullopt : std::optional(form);
}

Type getAccumulatorType(Type a, Type c) {
  if (a.isInteger() && (!c.isInteger() || c.isInteger(8)))
    return IntegerType::get(c.getContext(), 32);
  return c.isF16() || c.isBF16() ? Float32Type::get(c.getContext()) : c;
}

int64_t ContractionInfo::getVnniFactor() const {
  std::optional<ElementType> type = getElementType(b().elementType, b().isUnsigned);
  return type ? std::max<int64_t>(1, target.getVnniFactor(*type)) : 1;
}

int64_t ContractionInfo::getLanes() const {
  return std::max<int64_t>(1, target.getVectorBits() / getAccumulatorType().getIntOrFloatBitWidth());
}

void ContractionInfo::swapInputs() {
  swapped = !swapped;
  std::swap(operands[0], operands[1]);
  for (ContractionDim &dim : dims)
    std::swap(dim.strides[0], dim.strides[1]);
}

int64_t ContractionInfo::getDefaultColumns() const {
  constexpr int64_t vectors = 4, lines = 4, lineBits = 512;
  if (getExtent(DimensionRole::Row) == 1)
    return lines * lineBits / getAccumulatorType().getIntOrFloatBitWidth();
  return vectors * getLanes();
}

int64_t ContractionInfo::getExtent(DimensionRole role) const {
  int64_t extent = 1;
  for (const ContractionDim &dim : dims)
    if (dim.getRole() == role)
      extent *= dim.extent;
  return extent;
}

} // namespace mlir::tpp

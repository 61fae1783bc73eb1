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

Type getAccumulatorType(Type c) { return c.isF16() || c.isBF16() ? Float32Type::get(c.getContext()) : c; }

int64_t ContractionInfo::getLanes() const {
  return std::max<int64_t>(1, target.getVectorBits() / getAccumulatorType().getIntOrFloatBitWidth());
}

int64_t ContractionInfo::getDefaultColumns() const {
  constexpr int64_t lines = 4, lineBits = 512;
  return lines * lineBits / getAccumulatorType().getIntOrFloatBitWidth();
}

int64_t ContractionInfo::getExtent(DimensionRole role) const {
  int64_t extent = 1;
  for (const ContractionDim &dim : dims)
    if (dim.getRole() == role)
      extent *= dim.extent;
  return extent;
}

} // namespace mlir::tpp

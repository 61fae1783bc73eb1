// See FormReader.h.
#include "lowering/bind/FormReader.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

MatrixAttr FormReader::tile(StringRef name, Value operand, int64_t rows, int64_t cols, TileDims dims, int64_t vnni,
                            bool isUnsigned) {
  std::optional<ElementType> type = elementType(name, operand, isUnsigned);
  SmallVector<int64_t> strides;
  if (!type || !staticStrides(name, operand, dims.batch, strides))
    return {};
  bool grouped = vnni > 1;
  if (grouped) {
    rows = llvm::divideCeil(rows, vnni);
    if (strides[dims.vnni] != 1)
      return refuse(name, "groups of rows are not contiguous");
  }
  // A row of a VNNI panel holds panel * vnni contiguous elements. `ld` and `panel_stride` still count elements.
  int64_t wantedColStride = grouped ? vnni : 1;
  int64_t ld = rows > 1 ? strides[dims.rows] : 0, colStride = strides[dims.cols];
  if ((rows > 1 && ld == 0) || (cols > 1 && colStride == 0))
    return refuse(name, "a stride is 0 (it is broadcast)");
  auto shape = cast<MemRefType>(operand.getType()).getShape();
  if (!dims.isPanelled()) {
    if (cols <= 1 || colStride == wantedColStride)
      return form(name, *type, ld, 0, 0, vnni, cols * wantedColStride);
    // Non-unit column stride: described as panels of one column.
    if (grouped)
      return refuse(name, "columns of groups are not contiguous");
    return form(name, *type, ld, 1, colStride, 0, 1);
  }
  int64_t panel = shape[dims.cols];
  if (panel > 1 && colStride != wantedColStride)
    return refuse(name, "columns of a panel are not contiguous");
  if (cols <= panel)
    return form(name, *type, ld, 0, 0, vnni, cols * wantedColStride);
  return form(name, *type, ld, panel, strides[dims.panels], vnni, panel * wantedColStride);
}

MatrixAttr FormReader::broadcast(StringRef name, Value operand, Broadcast broadcast, int64_t rows, int64_t cols) {
  if (broadcast == Broadcast::None)
    return tile(name, operand, rows, cols, getVerifiedTileDims(operand));
  std::optional<ElementType> type = elementType(name, operand, false);
  SmallVector<int64_t> strides;
  if (!type)
    return {};
  if (broadcast == Broadcast::Scalar)
    return MatrixAttr::get(context, *type, 1, 0, 0, 0);
  if (!staticStrides(name, operand, /*dynamicDim=*/-1, strides))
    return {};
  if (strides[0] == 0 && (broadcast == Broadcast::Col ? rows : cols) > 1)
    return refuse(name, "a stride is 0 (it is broadcast)");
  if (broadcast == Broadcast::Col)
    return form(name, *type, rows > 1 ? strides[0] : 0, 0, 0, 0, 1);
  bool contiguous = cols <= 1 || strides[0] == 1;
  return contiguous ? form(name, *type, 0, 0, 0, 0, cols) : form(name, *type, 0, 1, strides[0], 0, 1);
}

std::optional<int64_t> FormReader::batchStride(StringRef name, Value operand, TileDims dims) {
  auto type = cast<MemRefType>(operand.getType());
  if (dims.batch < 0 || type.getDimSize(dims.batch) == 1)
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(strides[dims.batch])) {
    refuse(name, "its batch stride is not static");
    return std::nullopt;
  }
  return strides[dims.batch] * type.getElementTypeBitWidth() / 8;
}

std::optional<int64_t> FormReader::outerStride(StringRef name, Value operand, TileDims dims) {
  std::optional<int64_t> bytes = batchStride(name, operand, dims);
  if (bytes && *bytes < 0) {
    refuse(name, "a stride is negative");
    return std::nullopt;
  }
  if (bytes)
    *bytes /= cast<MemRefType>(operand.getType()).getElementTypeBitWidth() / 8;
  return bytes;
}

MatrixAttr FormReader::refuse(StringRef name, const Twine &reason) {
  if (why.empty())
    why = ("operand '" + name + "': " + reason).str();
  return {};
}

std::optional<ElementType> FormReader::elementType(StringRef name, Value operand, bool isUnsigned) {
  Type element = cast<MemRefType>(operand.getType()).getElementType();
  auto type = moved ? getMovedElementType(element) : getElementType(element, isUnsigned);
  if (!type)
    refuse(name, "no kernel supports its element type");
  return type;
}

bool FormReader::staticStrides(StringRef name, Value operand, int dynamicDim, SmallVector<int64_t> &strides) {
  int64_t offset;
  if (failed(cast<MemRefType>(operand.getType()).getStridesAndOffset(strides, offset))) {
    refuse(name, "its layout has no strides");
    return false;
  }
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (static_cast<int>(dim) != dynamicDim && ShapedType::isDynamic(stride)) {
      refuse(name, "its strides are not static");
      return false;
    }
  return true;
}

MatrixAttr FormReader::form(StringRef name, ElementType type, int64_t ld, int64_t panel, int64_t panelStride, int64_t vnni,
                            int64_t width) {
  if (ld == 0)
    ld = std::max<int64_t>(width, 1);
  if (ld < 1 || panelStride < 0)
    return refuse(name, "a stride is not positive");
  return MatrixAttr::get(context, type, ld, panel, panelStride, vnni > 1 ? vnni : 0);
}

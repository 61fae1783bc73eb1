// See ConstantIntegers.h.
#include "lowering/analysis/ConstantIntegers.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tpp {

std::optional<SmallVector<APInt>> getConstantIntegers(Value tensor, int64_t most) {
  ElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || elements.getNumElements() > most)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseIntElementsAttr>(elements))
    return llvm::to_vector(dense.getValues<APInt>());
  auto resource = dyn_cast<DenseI64ResourceElementsAttr>(elements);
  std::optional<ArrayRef<int64_t>> numbers = resource ? resource.tryGetAsArrayRef() : std::nullopt;
  if (!numbers)
    return std::nullopt;
  return llvm::map_to_vector(*numbers, [](int64_t number) { return APInt(64, number, /*isSigned=*/true); });
}

} // namespace mlir::tpp

// What the models of PackableOpInterface share.
#ifndef TPP_LOWERING_LAYOUT_PACKABLEOPMODELS_H
#define TPP_LOWERING_LAYOUT_PACKABLEOPMODELS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "tpp_dialect/TppOps.h"

#include <optional>

namespace mlir {
class DialectRegistry;
namespace tpp {

inline ArrayRef<int64_t> getShape(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

// Unwraps a value that exists because the op accepted the layouts.
template <typename T> T getAccepted(std::optional<T> value) {
  if (!value)
    llvm_unreachable("layouts that the op does not accept");
  return std::move(*value);
}

// The estimated time of Winograd's algorithm as a share of that of the direct computation, if the operands have layouts that the op accepts; 1 if it
// cannot be used in these, or is not worthwhile.
double getShareOfWinograd(ContractOp op, ArrayRef<LayoutAttr> operands);

// Attaches the models of the tensor dialect's ops.
void registerTensorLayoutModels(DialectRegistry &registry);

} // namespace tpp
} // namespace mlir

#endif

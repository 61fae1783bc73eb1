// What the models of PackableOpInterface share.
#ifndef TPP_LOWERING_LAYOUT_PACKABLEOPMODELS_H
#define TPP_LOWERING_LAYOUT_PACKABLEOPMODELS_H

#include "lowering/layout/PackableOpInterface.h"
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

// The factors of a tensor that `map` indexes: for each dimension the loop that alone indexes it, or LayoutRule::none.
SmallVector<int64_t> getFactors(AffineMap map);

// The cost of a convolution of groups of channels that reaches this share of the arithmetic limit; of those as kernels of tpp.grouped_conv
// (docs/decisions/grouped-convolutions.md).
inline constexpr double kGroupedKernels = 0.6;
CostEstimate estimateGroups(const ContractionInfo &contraction, double shareOfPeak);

// Whether Winograd's algorithm may compute the op if it has the shape for it: the filters are constant, kernels multiply the types, no zeros lie between
// the pixels (their products will be skipped), and no packing strategy prescribes layouts.
bool mayUseWinograd(ContractOp op, const ContractionInfo &contraction);

// The estimated time of Winograd's algorithm as a share of that of the direct computation, if the operands have layouts that the op accepts; 1 if it
// cannot be used in these, or is not worthwhile.
double getShareOfWinograd(ContractOp op, ArrayRef<LayoutAttr> operands);

// Attach the models of the tensor and tpp dialects' ops.
void registerTensorLayoutModels(DialectRegistry &registry);
void registerTppLayoutModels(DialectRegistry &registry);

} // namespace tpp
} // namespace mlir

#endif

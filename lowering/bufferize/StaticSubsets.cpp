//===- StaticSubsets.cpp - compares slices with constant bounds without a solver (see StaticSubsets.h) ------------------------===//

#include "lowering/bufferize/StaticSubsets.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;

namespace {
/// A slice with constant offsets, sizes and strides.
struct StaticSlice {
  ArrayRef<int64_t> offsets, sizes, strides;

  bool operator==(const StaticSlice &other) const {
    return offsets == other.offsets && sizes == other.sizes && strides == other.strides;
  }

  /// True if in some dimension this slice ends before `other` begins.
  bool isBefore(const StaticSlice &other) const {
    return llvm::any_of(llvm::zip_equal(offsets, sizes, strides, other.offsets), [](auto dim) {
      auto [offset, size, stride, otherOffset] = dim;
      return offset + size * stride <= otherOffset;
    });
  }
};
} // namespace

static std::optional<StaticSlice> getStaticSlice(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  if (!slice)
    return std::nullopt;
  StaticSlice bounds{slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides()};
  for (ArrayRef<int64_t> values : {bounds.offsets, bounds.sizes, bounds.strides})
    if (ShapedType::isDynamicShape(values))
      return std::nullopt;
  return bounds;
}

namespace {
template <typename OpTy> struct StaticSubsetModel : public SubsetOpInterface::ExternalModel<StaticSubsetModel<OpTy>, OpTy> {
  using Equivalence = function_ref<bool(Value, Value)>;

  FailureOr<HyperrectangularSlice> getAccessedHyperrectangularSlice(Operation *op) const {
    return HyperrectangularSlice(cast<OffsetSizeAndStrideOpInterface>(op));
  }

  bool operatesOnEquivalentSubset(Operation *op, SubsetOpInterface other, Equivalence areEquivalent) const {
    std::optional<StaticSlice> slice = getStaticSlice(op), otherSlice = getStaticSlice(other);
    if (!slice || !otherSlice)
      return detail::defaultOperatesOnEquivalentSubset(op, other, areEquivalent);
    return *slice == *otherSlice && areEquivalent(cast<SubsetOpInterface>(op).getTensorContainer(), other.getTensorContainer());
  }

  bool operatesOnDisjointSubset(Operation *op, SubsetOpInterface other, Equivalence areEquivalent) const {
    std::optional<StaticSlice> slice = getStaticSlice(op), otherSlice = getStaticSlice(other);
    if (!slice || !otherSlice)
      return detail::defaultOperatesOnDisjointSubset(op, other, areEquivalent);
    return areEquivalent(cast<SubsetOpInterface>(op).getTensorContainer(), other.getTensorContainer()) &&
           (slice->isBefore(*otherSlice) || otherSlice->isBefore(*slice));
  }
};
} // namespace

void tpp::registerStaticSubsetModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<StaticSubsetModel<tensor::ExtractSliceOp>>(*context);
    tensor::InsertSliceOp::attachInterface<StaticSubsetModel<tensor::InsertSliceOp>>(*context);
  });
}

// Models of PackableOpInterface for ops of the tensor dialect: empty tensors, slices and reshapes.
#include "lowering/layout/PackableOpInterface.h"
#include "lowering/layout/PackableOpModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectRegistry.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
namespace {

struct EmptyModel : PackableOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  LayoutRule getLayoutRule(Operation *op) const {
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    return {{llvm::to_vector(llvm::seq<int64_t>(0, rank))}, {false}};
  }
  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr>, ArrayRef<LayoutAttr> results) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (auto [dim, tile] : llvm::zip_equal(results[0].getInnerDims(), results[0].getTiles()))
      if (!type.hasStaticShape() || type.getDimSize(dim) % tile != 0)
        return false;
    return type.hasStaticShape();
  }
  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange, ArrayRef<LayoutAttr>,
                                  ArrayRef<LayoutAttr> results) const {
    auto type = getLaidOutType(cast<RankedTensorType>(op->getResult(0).getType()), results[0]);
    return {tensor::EmptyOp::create(rewriter, op->getLoc(), type.getShape(), type.getElementType())};
  }
};

// A slice in terms of the large tensor in its layout. It consists of whole tiles.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

// Null if the layout tiles a dimension in which the slice does not start and end at tile boundaries. An offset that is unknown at compile
// time counts as such.
std::optional<Slice> layOutSlice(OffsetSizeAndStrideOpInterface op, LayoutAttr layout) {
  Builder builder(op.getContext());
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(), strides = op.getMixedStrides();
  Slice slice;
  SmallVector<OpFoldResult> innerSizes;
  for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]), size = getConstantIntValue(sizes[dim]);
    if (!offset || !size || !isConstantIntValue(strides[dim], 1) || *offset % tile != 0 || *size % tile != 0)
      return std::nullopt;
    offsets[dim] = builder.getIndexAttr(*offset / tile);
    sizes[dim] = builder.getIndexAttr(*size / tile);
    innerSizes.push_back(builder.getIndexAttr(tile));
  }
  ArrayRef<int64_t> order = layout.getOuterPermutation();
  for (size_t i = 0; i < offsets.size(); ++i) {
    size_t from = order.empty() ? i : order[i];
    slice.offsets.push_back(offsets[from]);
    slice.sizes.push_back(sizes[from]);
    slice.strides.push_back(strides[from]);
  }
  slice.offsets.append(innerSizes.size(), builder.getIndexAttr(0));
  llvm::append_range(slice.sizes, innerSizes);
  slice.strides.append(innerSizes.size(), builder.getIndexAttr(1));
  return slice;
}

// The layout of the small tensor that matches layout `layout` of the large one. Null if `layout` tiles a dropped dimension.
LayoutAttr getSliceLayout(LayoutAttr layout, const llvm::SmallBitVector &dropped) {
  MLIRContext *context = layout.getContext();
  SmallVector<int64_t> position(dropped.size(), -1), order, dims;
  int64_t rank = 0;
  for (unsigned i = 0; i < dropped.size(); ++i)
    if (!dropped.test(i))
      position[i] = rank++;
  for (int64_t dim : layout.getOuterPermutation())
    if (position[dim] >= 0)
      order.push_back(position[dim]);
  for (int64_t dim : layout.getInnerDims()) {
    if (position[dim] < 0)
      return {};
    dims.push_back(position[dim]);
  }
  if (llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    order.clear();
  if (dims.empty() && order.empty())
    return LayoutAttr::getIdentity(context);
  return LayoutAttr::get(context, dims, layout.getTiles(), order);
}

// Whether the slice is at a boundary that is no tile boundary of the whole value (tpp-split-remainders). Both tensors keep the identity layout.
bool cutsTiles(Operation *op) { return op->hasAttr(kCutAttr); }
bool areIdentities(ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) {
  auto isIdentity = [](LayoutAttr layout) { return layout.isIdentity(); };
  return llvm::all_of(operands, isIdentity) && llvm::all_of(results, isIdentity);
}

// Ties the dimensions of the large tensor to those kept in the small one, unless the slice cuts tiles. Dynamic offsets, sizes and strides are operands without
// dimensions.
LayoutRule getSliceRule(Operation *op, RankedTensorType largeType, const llvm::SmallBitVector &dropped) {
  SmallVector<int64_t> large = llvm::to_vector(llvm::seq<int64_t>(0, largeType.getRank())), small;
  for (int64_t i = 0; i < largeType.getRank(); ++i)
    if (!dropped.test(i))
      small.push_back(i);
  bool inserts = isa<tensor::InsertSliceOp>(op);
  LayoutRule rule;
  rule.factors.assign(op->getNumOperands() + 1, SmallVector<int64_t>());
  if (cutsTiles(op)) {
    large.assign(large.size(), LayoutRule::none);
    small.assign(small.size(), LayoutRule::none);
  }
  rule.factors[0] = inserts ? small : large;
  if (inserts)
    rule.factors[1] = large;
  rule.factors.back() = inserts ? large : small;
  rule.independent.assign(rule.factors.size(), cutsTiles(op));
  return rule;
}

struct ExtractSliceModel : PackableOpInterface::ExternalModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  LayoutRule getLayoutRule(Operation *op) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    return getSliceRule(op, slice.getSourceType(), slice.getDroppedDims());
  }
  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (cutsTiles(op))
      return areIdentities(operands, results);
    return slice.getType().hasStaticShape() && getSliceLayout(operands[0], slice.getDroppedDims()) == results[0] &&
           layOutSlice(slice, operands[0]);
  }
  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr> operands,
                                  ArrayRef<LayoutAttr> results) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Slice laidOut = getAccepted(layOutSlice(slice, operands[0]));
    auto type = getLaidOutType(slice.getType(), results[0]);
    return {
        tensor::ExtractSliceOp::create(rewriter, op->getLoc(), type, values[0], laidOut.offsets, laidOut.sizes, laidOut.strides)};
  }
};

struct InsertSliceModel : PackableOpInterface::ExternalModel<InsertSliceModel, tensor::InsertSliceOp> {
  LayoutRule getLayoutRule(Operation *op) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    return getSliceRule(op, slice.getDestType(), slice.getDroppedDims());
  }
  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    if (cutsTiles(op))
      return areIdentities(operands, results);
    return slice.getSourceType().hasStaticShape() && operands[1] == results[0] &&
           getSliceLayout(operands[1], slice.getDroppedDims()) == operands[0] && layOutSlice(slice, operands[1]);
  }
  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr> operands,
                                  ArrayRef<LayoutAttr>) const {
    Slice slice = getAccepted(layOutSlice(cast<tensor::InsertSliceOp>(op), operands[1]));
    return {
        tensor::InsertSliceOp::create(rewriter, op->getLoc(), values[0], values[1], slice.offsets, slice.sizes, slice.strides)};
  }
};

// The model of reshapes. A dimension that is alone in its group, not counting extents of 1, is tied to its counterpart. Dimensions that
// share a group must stay adjacent and in order.
template <typename OpTy> struct ReshapeModel : PackableOpInterface::ExternalModel<ReshapeModel<OpTy>, OpTy> {
  static constexpr bool expands = std::is_same_v<OpTy, tensor::ExpandShapeOp>;

  // For each dimension of the collapsed tensor, the dimensions of the expanded tensor in its group, without those of extent 1.
  static SmallVector<SmallVector<int64_t>> getGroups(OpTy op) {
    ArrayRef<int64_t> shape = getShape(expands ? op->getResult(0) : op->getOperand(0));
    SmallVector<SmallVector<int64_t>> groups;
    for (const ReassociationIndices &group : op.getReassociationIndices())
      groups.push_back(llvm::filter_to_vector(group, [&](int64_t dim) { return shape[dim] != 1; }));
    return groups;
  }

  LayoutRule getLayoutRule(Operation *op) const {
    auto reshape = cast<OpTy>(op);
    auto groups = getGroups(reshape);
    int64_t rank = getShape(expands ? op->getResult(0) : op->getOperand(0)).size();
    SmallVector<int64_t> collapsed, expanded(rank, LayoutRule::none);
    for (auto [i, group] : llvm::enumerate(groups)) {
      collapsed.push_back(group.size() == 1 ? static_cast<int64_t>(i) : LayoutRule::none);
      if (group.size() == 1)
        expanded[group[0]] = i;
    }
    LayoutRule rule;
    rule.factors = {expands ? collapsed : expanded, expands ? expanded : collapsed};
    rule.independent = {false, false};
    return rule;
  }

  // The dimensions of the expanded tensor in memory order: outer dimensions first, then tiles, each encoded as (tile + 1) * rank + dimension.
  // {-1} if a tiled dimension does not correspond to exactly one dimension of the expanded tensor.
  static SmallVector<int64_t> getStored(LayoutAttr layout, ArrayRef<SmallVector<int64_t>> dims, int64_t rank) {
    SmallVector<int64_t> stored;
    ArrayRef<int64_t> order = layout.getOuterPermutation();
    for (size_t i = 0; i < dims.size(); ++i)
      llvm::append_range(stored, dims[order.empty() ? i : order[i]]);
    for (auto [dim, tile] : llvm::zip_equal(layout.getInnerDims(), layout.getTiles())) {
      if (dims[dim].size() != 1)
        return {-1};
      stored.push_back((tile + 1) * rank + dims[dim][0]);
    }
    return stored;
  }

  bool acceptsLayouts(Operation *op, ArrayRef<LayoutAttr> operands, ArrayRef<LayoutAttr> results) const {
    auto reshape = cast<OpTy>(op);
    if (!reshape.getSrcType().hasStaticShape() || !reshape.getResultType().hasStaticShape())
      return false;
    ArrayRef<int64_t> shape = getShape(expands ? op->getResult(0) : op->getOperand(0));
    SmallVector<SmallVector<int64_t>> own;
    for (auto [i, extent] : llvm::enumerate(shape))
      own.push_back(extent == 1 ? SmallVector<int64_t>() : SmallVector<int64_t>{static_cast<int64_t>(i)});
    int64_t rank = shape.size();
    auto collapsed = getStored(expands ? operands[0] : results[0], getGroups(reshape), rank);
    auto expanded = getStored(expands ? results[0] : operands[0], own, rank);
    return collapsed == expanded && !llvm::is_contained(collapsed, -1);
  }

  SmallVector<Value> applyLayouts(Operation *op, RewriterBase &rewriter, ValueRange values, ArrayRef<LayoutAttr>,
                                  ArrayRef<LayoutAttr> results) const {
    auto type = getLaidOutType(cast<RankedTensorType>(op->getResult(0).getType()), results[0]);
    return {reshapeTo(rewriter, op->getLoc(), values[0], type)};
  }
};

} // namespace

void registerTensorLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::ExpandShapeOp::attachInterface<ReshapeModel<tensor::ExpandShapeOp>>(*context);
    tensor::CollapseShapeOp::attachInterface<ReshapeModel<tensor::CollapseShapeOp>>(*context);
  });
}

} // namespace mlir::tpp

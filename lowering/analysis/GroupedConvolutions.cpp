// See GroupedConvolutions.h.
#include "lowering/analysis/GroupedConvolutions.h"
#include "tpp/grouped_conv_limits.h"
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {

namespace {

ContractionDim makeNone(const ContractionInfo &contraction) {
  ContractionDim none;
  none.extent = 1;
  none.strides.assign(contraction.operands.size(), 0);
  return none;
}

class Matcher {
public:
  Matcher(const ContractionInfo &contraction, AffineMap map, ShapedType type, ArrayRef<int64_t> extents)
      : contraction(contraction), map(map), type(type), extents(extents) {
    found.inputs = found.outputs = makeNone(contraction);
  }

  std::optional<GroupedConvolution> match() {
    std::optional<SmallVector<int64_t>> strides = getStaticStrides(type);
    if (!strides || !sortLoops() || !matchChannels())
      return std::nullopt;
    typeStrides = std::move(*strides);
    SmallVector<ImageAxis> axes;
    for (const ContractionDim &tap : taps) {
      std::optional<ImageAxis> axis = getAxis(tap);
      if (!axis)
        return std::nullopt;
      axes.push_back(*axis);
    }
    if (!chooseAxes(axes))
      return std::nullopt;
    return std::move(found);
  }

private:
  // Sorts the loops by role. False if one has a role that no grouped convolution has.
  bool sortLoops() {
    for (const ContractionDim &dim : contraction.dims) {
      if (dim.extent == 0 || llvm::any_of(dim.strides, [](int64_t stride) { return stride < 0; }))
        return false;
      if (dim.extent == 1)
        continue;
      if (dim.c() == 0) {
        if (dim.a() == 0 || dim.b() == 0)
          return false;
        if (dim.a() == 1 && found.inputs.extent == 1)
          found.inputs = dim;
        else
          taps.push_back(dim);
      } else if (dim.a() != 0 && dim.b() != 0) {
        found.groups.push_back(dim);
      } else if (dim.a() != 0) {
        outputs.push_back(dim);
      } else if (dim.b() != 0 && found.outputs.extent == 1) {
        found.outputs = dim;
      } else {
        return false;
      }
    }
    return !found.groups.empty() && taps.size() <= 2;
  }

  // Whether the channels of all groups are contiguous in A and in C.
  bool matchChannels() {
    llvm::stable_sort(found.groups, [](const ContractionDim &x, const ContractionDim &y) { return x.c() > y.c(); });
    if (found.outputs.extent > 1 && found.outputs.c() != 1)
      return false;
    int64_t a = found.inputs.extent, c = found.outputs.extent;
    for (const ContractionDim &group : llvm::reverse(found.groups)) {
      if (group.a() != a || group.c() != c)
        return false;
      a *= group.extent, c *= group.extent;
    }
    inputChannels = a;
    return true;
  }

  // The dimension of the image that `loop`, a loop over taps or outputs, indexes; with taps, perhaps together with one loop over outputs.
  std::optional<ImageAxis> getAxis(const ContractionDim &loop) {
    std::optional<ImageAxis> axis;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<LinearExpr> linear = getLinearExpr(expr, extents.size());
      if (!linear)
        return std::nullopt;
      if (linear->coefficients[loop.index] == 0)
        continue;
      if (axis)
        return std::nullopt;
      axis.emplace();
      axis->outputs = axis->taps = makeNone(contraction);
      axis->position = position, axis->start = linear->constant;
      axis->extent = type.getDimSize(position), axis->stride = typeStrides[position];
      if (loop.reduction)
        axis->taps = loop, axis->dilation = linear->coefficients[loop.index];
      for (const ContractionDim &output : outputs)
        if (int64_t step = linear->coefficients[output.index]; step != 0 && axis->outputs.extent == 1)
          axis->outputs = output, axis->step = step;
      for (auto [other, coefficient] : llvm::enumerate(linear->coefficients)) {
        bool isOfAxis = static_cast<int>(other) == axis->outputs.index || static_cast<int>(other) == axis->taps.index;
        if (coefficient != 0 && extents[other] > 1 && !isOfAxis)
          return std::nullopt;
      }
    }
    return axis;
  }

  // Makes the axes with taps, and outputs without taps, rows and columns. `axes`: those with taps.
  bool chooseAxes(SmallVector<ImageAxis> axes) {
    auto isOfAxis = [&](const ContractionDim &dim) {
      return llvm::any_of(axes, [&](const ImageAxis &axis) { return axis.outputs.index == dim.index; });
    };
    // Of the others, those with the smallest strides are rows and columns.
    SmallVector<ContractionDim> others;
    for (const ContractionDim &dim : outputs)
      if (!isOfAxis(dim))
        others.push_back(dim);
    llvm::stable_sort(others, [](const ContractionDim &x, const ContractionDim &y) { return x.a() < y.a(); });
    for (const ContractionDim &dim : others) {
      std::optional<ImageAxis> axis = axes.size() < 2 ? getAxis(dim) : std::nullopt;
      if (axis && axis->taps.extent == 1)
        axes.push_back(*axis);
      else
        found.images.push_back(dim);
    }
    ImageAxis none;
    none.outputs = none.taps = makeNone(contraction);
    while (axes.size() < 2)
      axes.push_back(none);
    if (axes[0].stride != 0 && axes[1].stride > axes[0].stride)
      std::swap(axes[0], axes[1]);
    if (axes[1].stride == 0) // one axis: the columns
      std::swap(axes[0], axes[1]);
    found.rows = axes[0], found.columns = axes[1];
    // Pixels and rows of C that overlap, or are in another order than those of A, would need other kernels.
    const ContractionDim &height = found.rows.outputs, &width = found.columns.outputs;
    int64_t channels = found.getChannels();
    if ((width.extent > 1 && width.c() < channels) || (found.columns.stride != 0 && found.columns.stride < inputChannels))
      return false;
    return height.extent == 1 || height.c() >= (width.extent - 1) * width.c() + channels;
  }

  const ContractionInfo &contraction;
  AffineMap map; // of the image
  ShapedType type;
  ArrayRef<int64_t> extents;
  SmallVector<int64_t> typeStrides;
  SmallVector<ContractionDim> taps, outputs;
  int64_t inputChannels = 1;
  GroupedConvolution found;
};

} // namespace

bool GroupedConvolution::hasChannelStrides(const ContractionInfo &contraction) const {
  for (unsigned i = 3; i < contraction.operands.size(); ++i)
    for (const ContractionDim &group : groups)
      if (group.strides[i] != getChannelStride(i) * group.c())
        return false;
  return true;
}

int64_t GroupedConvolution::countGroups() const {
  int64_t count = 1;
  for (const ContractionDim &group : groups)
    count *= group.extent;
  return count;
}

// Whether kernels have the element types, with A as the image (tpp_grouped_conv_desc).
static bool hasKernelTypes(const ContractionInfo &contraction) {
  Type image = contraction.a().elementType, filter = contraction.b().elementType, out = contraction.c().elementType;
  if (image != filter || llvm::any_of(ArrayRef(contraction.operands).take_front(3),
                                      [](const ContractionInfo::Operand &operand) { return operand.vnni != 1; }))
    return false;
  return hasGroupedConvTypes(image, out, convertsSums(contraction.postOps)) && !contraction.b().isUnsigned;
}

// Whether kernels take the filter.
static bool hasKernelFilter(const GroupedConvolution &convolution, const ContractionInfo &contraction) {
  if (convolution.columns.taps.extent > TPP_GROUPED_CONV_TAP_COLUMNS)
    return false;
  return !contraction.a().elementType.isInteger(8) ||
         convolution.rows.taps.extent * convolution.columns.taps.extent * convolution.inputs.extent <=
             tpp_grouped_conv_exact_products(contraction.a().isUnsigned);
}

std::optional<GroupedConvolution> matchGroupedConvolution(ContractionInfo &contraction, ArrayRef<AffineMap> maps,
                                                          ArrayRef<ShapedType> types, ArrayRef<int64_t> extents) {
  if (contraction.beta != 0)
    return std::nullopt;
  for (int attempt = 0; attempt < 2; ++attempt) {
    unsigned image = contraction.getOpOperand(0);
    auto found = hasKernelTypes(contraction) ? Matcher(contraction, maps[image], types[image], extents).match() : std::nullopt;
    if (found && hasKernelFilter(*found, contraction))
      return found;
    contraction.swapInputs();
  }
  return std::nullopt;
}

// Whether all channels of C are one dimension, so that operands of later post-ops can only be broadcast along all of them.
static bool hasOneChannelDim(const GroupedConvolution &convolution, AffineMap map) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    return (convolution.outputs.extent == 1 || expr.isFunctionOfDim(convolution.outputs.index)) &&
           llvm::all_of(convolution.groups, [&](const ContractionDim &group) { return expr.isFunctionOfDim(group.index); });
  });
}

// Whether channels are the last dimension of a tensor. With dimensions of size 1 after it they are contiguous in it, but not in a buffer of which
// the tensor may become a part.
static bool hasChannelsLast(const GroupedConvolution &convolution, AffineMap map, const ContractionDim &within) {
  return map.getResults().back().isFunctionOfDim(within.extent > 1 ? within.index : convolution.groups.back().index);
}

bool prefersGroupedConv(const GroupedConvolution &convolution, const ContractionInfo &contraction, ArrayRef<AffineMap> maps) {
  if (!contraction.b().isConstant || !hasOneChannelDim(convolution, maps[2]) ||
      !hasChannelsLast(convolution, maps[contraction.getOpOperand(0)], convolution.inputs) ||
      !hasChannelsLast(convolution, maps[2], convolution.outputs))
    return false;
  if (convolution.isDepthwise())
    return true;
  // Kernels for groups compute in f32, while the dot products of brgemm are faster with vectors that a group fills.
  bool isWide = contraction.a().elementType.isF32() ? convolution.outputs.extent > contraction.getDefaultColumns()
                                                    : convolution.outputs.extent >= contraction.getLanes();
  const tpp_machine machine = contraction.target.getMachine();
  int64_t rows = convolution.rows.taps.extent * convolution.columns.taps.extent * convolution.inputs.extent;
  return !isWide && rows * contraction.getLanes() * contraction.b().getElementBytes() * 2 <= machine.l1_bytes;
}

std::optional<GroupedConvolution> matchGroupedConvolution(ContractOp op, ContractionInfo &contraction) {
  SmallVector<ShapedType> types;
  for (Value operand : op->getOperands())
    types.push_back(cast<ShapedType>(operand.getType()));
  return matchGroupedConvolution(contraction, op.getMaps(), types, op.getExtents());
}

} // namespace mlir::tpp

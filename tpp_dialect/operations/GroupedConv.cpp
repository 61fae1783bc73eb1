// tpp.grouped_conv and #tpp.grouped_conv_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

void GroupedConvOp::build(OpBuilder &builder, OperationState &state, const GroupedConvShape &shape, Value in, Value filter,
                          Value out, ArrayAttr postOps, ValueRange postOperands) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(), shape.taps, shape.steps, shape.dilations,
        shape.before, shape.group, static_cast<uint64_t>(shape.border), shape.inUnsigned, shape.outUnsigned, in, filter, out,
        postOperands, postOps && !postOps.empty() ? postOps : ArrayAttr());
}

SmallVector<PostOpAttr> GroupedConvOp::getPostOpList() { return toPostOpList(getPostOpsAttr()); }

TileDims GroupedConvOp::getFilterDims() { return getVerifiedTileDims(getFilter()); }

GroupedConvShape GroupedConvOp::getConvShape() {
  auto pair = [](ArrayRef<int64_t> values) { return std::array<int64_t, 2>{values[0], values[1]}; };
  return {pair(getTaps()),   pair(getSteps()), pair(getDilations()),
          pair(getBefore()), pair(getGroup()), static_cast<int64_t>(getBorder()),
          getInUnsigned(),   getOutUnsigned()};
}

static LogicalResult verifyPair(GroupedConvOp op, StringRef name, ArrayRef<int64_t> values, int64_t least) {
  if (values.size() != 2 || llvm::any_of(values, [least](int64_t value) { return value < least; }))
    return op.emitOpError() << name << " must be two numbers of at least " << least << ", got [" << values << "]";
  return success();
}

/// The rows or columns of the input that the outputs need, outside ones included (tpp/types.h); nullopt if they do not fit in 63 bits.
static std::optional<int64_t> getWindow(int64_t outputs, int64_t step, int64_t taps, int64_t dilation) {
  int64_t last, extent, size;
  if (llvm::MulOverflow(std::max<int64_t>(outputs, 1) - 1, step, last) || llvm::MulOverflow(taps - 1, dilation, extent) ||
      llvm::AddOverflow(last, extent, size) || llvm::AddOverflow(size, int64_t{1}, size))
    return std::nullopt;
  return size;
}

/// `before` is at most the window: then the whole window is outside.
static LogicalResult verifyWindow(GroupedConvOp op, const GroupedConvShape &shape, ArrayRef<int64_t> image) {
  for (auto [dim, name] : llvm::enumerate(ArrayRef<StringRef>{"rows", "columns"})) {
    std::optional<int64_t> window = getWindow(image[dim], shape.steps[dim], shape.taps[dim], shape.dilations[dim]);
    if (!window)
      return op.emitOpError() << "needs more " << name << " of pixels than 63 bits count";
    if (shape.before[dim] > *window)
      return op.emitOpError() << "has " << shape.before[dim] << " " << name << " before the image, but needs only " << *window;
  }
  return success();
}

/// Verifies the channels of input, filter and output.
static LogicalResult verifyChannels(GroupedConvOp op, const GroupedConvShape &shape) {
  auto [inputs, outputs] = shape.group;
  int64_t inChannels = cast<ShapedType>(op.getIn().getType()).getDimSize(2),
          channels = cast<ShapedType>(op.getOut().getType()).getDimSize(2);
  if (channels % outputs != 0 || inChannels % inputs != 0 || inChannels / inputs != channels / outputs)
    return op.emitOpError() << "operands 'in' and 'out' have " << inChannels << " and " << channels << " channels, groups have "
                            << inputs << " and " << outputs;
  int64_t rows;
  if (llvm::MulOverflow(shape.taps[0], shape.taps[1], rows) || llvm::MulOverflow(rows, inputs, rows))
    return op.emitOpError() << "has more taps than 63 bits count";
  return verifyTile(op, {"filter", op.getFilter().getType(), rows, channels});
}

bool tpp::hasGroupedConvTypes(Type in, Type out, bool converts) {
  if (in.isSignlessInteger(8))
    return converts ? out.isF32() || out.isBF16() || out.isF16() || out.isSignlessInteger(8) : out.isSignlessInteger(32);
  return (in.isF32() || in.isBF16()) && (out.isF32() || out == in);
}

static LogicalResult verifyTypes(GroupedConvOp op) {
  Type in = getElementTypeOrSelf(op.getIn()), filter = getElementTypeOrSelf(op.getFilter()),
       out = getElementTypeOrSelf(op.getOut());
  if (in != filter || !hasGroupedConvTypes(in, out, convertsSums(op.getPostOpList())))
    return op.emitOpError() << "cannot convolve " << in << " x " << filter << " -> " << out << "; possible are "
                            << kGroupedConvTypes;
  bool integers = in.isSignlessInteger(8);
  if (op.getInUnsigned() && !integers)
    return op.emitOpError() << "in_unsigned needs operand 'in' of i8, got " << in;
  if (op.getOutUnsigned() && !out.isSignlessInteger(8))
    return op.emitOpError() << "out_unsigned needs operand 'out' of i8, got " << out;
  int64_t low = !integers || op.getInUnsigned() ? 0 : -128,
          high = !integers            ? 0
                 : op.getInUnsigned() ? 255
                                      : 127,
          border = static_cast<int64_t>(op.getBorder());
  if (border < low || border > high)
    return op.emitOpError() << "border must be from " << low << " to " << high << " for this image, got " << border;
  return success();
}

LogicalResult GroupedConvOp::verify() {
  SmallVector<Value> inputs = {getIn(), getFilter()};
  llvm::append_range(inputs, getPostOperands());
  if (failed(verifyPair(*this, "taps", getTaps(), 1)) || failed(verifyPair(*this, "steps", getSteps(), 1)) ||
      failed(verifyPair(*this, "dilations", getDilations(), 1)) || failed(verifyPair(*this, "before", getBefore(), 0)) ||
      failed(verifyPair(*this, "group", getGroup(), 1)) || failed(verifyOperandKinds(*this, getOut(), inputs)) ||
      failed(verifyImage(*this, {"in", getIn().getType()})) || failed(verifyImage(*this, {"out", getOut().getType()})) ||
      failed(verifyTypes(*this)))
    return failure();
  GroupedConvShape shape = getConvShape();
  ArrayRef<int64_t> image = cast<ShapedType>(getOut().getType()).getShape();
  if (failed(verifyChannels(*this, shape)) || failed(verifyWindow(*this, shape, image)))
    return failure();
  return verifyImagePostOps(*this, getPostOpList(), getPostOperands(), image, isa<IntegerType>(getElementTypeOrSelf(getIn())));
}

bool GroupedConvOp::readsOut() { return false; }
/// A residual is read just before its pixel is stored.
bool GroupedConvOp::readsElementwise(OpOperand &input) { return isResidual(input, getPostOpList(), getPostOperandsMutable()); }
bool GroupedConvOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyPositive(EmitError emitError, StringRef name, int64_t value) {
  if (value < 1)
    return emitError() << name << " must be at least 1, got " << value;
  return success();
}

LogicalResult GroupedConvDescAttr::verify(EmitError emitError, int64_t height, int64_t width, int64_t channels, int64_t inHeight,
                                          int64_t inWidth, int64_t groupInputs, int64_t groupOutputs, int64_t tapRows,
                                          int64_t tapCols, int64_t rowStep, int64_t colStep, int64_t rowDilation,
                                          int64_t colDilation, int64_t top, int64_t left, int64_t, MatrixAttr, MatrixAttr,
                                          MatrixAttr, int64_t, int64_t, Provider, ArrayAttr postOps,
                                          ArrayRef<int64_t> postRowStrides) {
  for (auto [name, size] : std::initializer_list<std::pair<StringRef, int64_t>>{{"height", height},
                                                                                {"width", width},
                                                                                {"channels", channels},
                                                                                {"in_height", inHeight},
                                                                                {"in_width", inWidth},
                                                                                {"top", top},
                                                                                {"left", left}})
    if (failed(verifySize(emitError, name, size)))
      return failure();
  for (auto [name, value] : std::initializer_list<std::pair<StringRef, int64_t>>{{"group_inputs", groupInputs},
                                                                                 {"group_outputs", groupOutputs},
                                                                                 {"tap_rows", tapRows},
                                                                                 {"tap_cols", tapCols},
                                                                                 {"row_step", rowStep},
                                                                                 {"col_step", colStep},
                                                                                 {"row_dilation", rowDilation},
                                                                                 {"col_dilation", colDilation}})
    if (failed(verifyPositive(emitError, name, value)))
      return failure();
  return verifyImagePostOpForms(emitError, postOps, postRowStrides);
}

SmallVector<PostOpAttr> GroupedConvDescAttr::getPostOpList() const { return toPostOpList(getPostOps()); }

std::string GroupedConvDescAttr::getBytes() const {
  tpp_grouped_conv_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.height = getHeight();
  desc.width = getWidth();
  desc.channels = getChannels();
  desc.in_height = getInHeight();
  desc.in_width = getInWidth();
  desc.group_inputs = getGroupInputs();
  desc.group_outputs = getGroupOutputs();
  desc.tap_rows = getTapRows();
  desc.tap_cols = getTapCols();
  desc.row_step = getRowStep();
  desc.col_step = getColStep();
  desc.row_dilation = getRowDilation();
  desc.col_dilation = getColDilation();
  desc.top = getTop();
  desc.left = getLeft();
  desc.border = static_cast<int32_t>(getBorder());
  desc.in = encode(getIn());
  desc.filter = encode(getFilter());
  desc.out = encode(getOut());
  desc.in_row_stride = getInRowStride();
  desc.out_row_stride = getOutRowStride();
  desc.provider = static_cast<int32_t>(getProvider());
  desc.post_op_count = encodePostOps(getPostOpList(), desc.post_ops);
  llvm::copy(getPostRowStrides(), desc.post_row_strides);
  return toBytes(desc);
}

std::string GroupedConvDescAttr::getSummary() const {
  std::string summary =
      llvm::formatv("grouped_conv {0}x{1} {2}x{3}x{4}", getTapRows(), getTapCols(), getHeight(), getWidth(), getChannels());
  if (getGroupInputs() != 1 || getGroupOutputs() != 1)
    summary += llvm::formatv(" groups of {0}x{1}", getGroupInputs(), getGroupOutputs());
  return summary;
}

KernelWork GroupedConvDescAttr::getWork() const {
  KernelWork work;
  work.flops = 2 * getHeight() * getWidth() * getChannels() * getTapRows() * getTapCols() * getGroupInputs();
  work.flopsType = getIn().getType();
  return work;
}

KernelOperands GroupedConvDescAttr::getOperands() const {
  KernelOperands operands;
  operands.inputs = 2;
  operands.postSlots = getOperandSlots(getPostOpList());
  return operands;
}

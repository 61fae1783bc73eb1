// tpp.contract: verification, effects, use of buffers, flops.
#include "tpp_dialect/ContractionInfo.h"
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TppOps.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::tpp {

// Adds the largest and the smallest value of `factor * expr` over all loop indices. Fails if `expr` is not a sum of constant multiples of
// dimensions.
static LogicalResult addLargest(AffineExpr expr, int64_t factor, ArrayRef<int64_t> extents, int64_t &largest, int64_t &smallest) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    (factor > 0 ? largest : smallest) += factor * (extents[dim.getPosition()] - 1);
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    largest += factor * constant.getValue();
    smallest += factor * constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return success(succeeded(addLargest(binary.getLHS(), factor, extents, largest, smallest)) &&
                   succeeded(addLargest(binary.getRHS(), factor, extents, largest, smallest)));
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addLargest(binary.getLHS(), factor * constant.getValue(), extents, largest, smallest);
  return failure();
}

void ContractOp::build(OpBuilder &builder, OperationState &state, ContractOp like, Value a, Value b, Value init,
                       ValueRange postOperands, ArrayRef<AffineMap> maps, ArrayRef<int64_t> extents, ArrayAttr postOps) {
  build(builder, state, isa<RankedTensorType>(init.getType()) ? init.getType() : Type(), a, b, init, postOperands,
        builder.getAffineMapArrayAttr(maps), builder.getDenseI64ArrayAttr(extents), like.getBetaAttr(),
        postOps ? postOps : like.getPostOpsAttr(), like.getAUnsignedAttr(), like.getBUnsignedAttr(), like.getCUnsignedAttr(),
        like.getWinogradAttr(), like.getGroupedAttr(), like.getPaddedAttr(), like.getBorderAttr());
  for (StringRef name : kStrategyAttrs)
    if (Attribute value = like->getDiscardableAttr(name))
      state.addAttribute(name, value);
}

// Checks the types of a contraction with the post-op `convert`.
static LogicalResult verifyConvertedTypes(ContractOp op, Type a, Type b, Type c) {
  if (a != b || !a.isSignlessInteger(8) || !(c.isF32() || c.isBF16() || c.isF16() || c.isSignlessInteger(8)))
    return op.emitOpError("has element types ")
           << a << " x " << b << " -> " << c << "; with the post-op convert, i8 x i8 -> f32, bf16, f16 or i8 is possible";
  if (op.getBeta() != 0)
    return op.emitOpError("converts sums that start with the init; beta must be 0");
  bool converted = false;
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : op.getPostOps().getAsRange<PostOpAttr>()) {
    if (postOp.isUnary(UnaryKind::Convert) && std::exchange(converted, true))
      return op.emitOpError("converts twice");
    if (postOp.isUnary() || operand == op.getPostOperands().end())
      continue;
    Type type = getElementTypeOrSelf(*operand++);
    if (converted ? !(type.isF32() || type.isBF16() || type.isF16() || type.isSignlessInteger(32) || type.isSignlessInteger(8))
                  : !type.isSignlessInteger(32))
      return op.emitOpError("has a post operand of ") << type << (converted ? " after" : " before") << " the conversion to f32";
  }
  return success();
}

// Both inputs must have one element type. That of the accumulator must be of the same class (float or integer) and at least as wide; sums that the
// post-op `convert` turns into f32 are stored as f32, bf16, f16 or i8.
static LogicalResult verifyElementTypes(ContractOp op) {
  Type a = getElementTypeOrSelf(op.getA()), b = getElementTypeOrSelf(op.getB()), c = getElementTypeOrSelf(op.getInit());
  bool floats = isa<FloatType>(a) && isa<FloatType>(c);
  if (op.getCUnsigned() && !c.isSignlessInteger(8))
    return op.emitOpError("c_unsigned needs a result of i8, got ") << c;
  if (convertsSums(toPostOpList(op.getPostOpsAttr())))
    return verifyConvertedTypes(op, a, b, c);
  bool integers = a.isSignlessInteger() && c.isSignlessInteger();
  bool same = a == b && (floats || integers) && c.getIntOrFloatBitWidth() >= a.getIntOrFloatBitWidth();
  if (!same && !op.getWinograd()) // verifyWinogradForm checks its types
    return op.emitOpError("has element types ") << a << " x " << b << " -> " << c
                                                << "; both inputs need one type, and the accumulator one of the same class "
                                                   "(float, or signless integer) that is as wide or wider";
  if (floats && (op.getAUnsigned() || op.getBUnsigned()))
    return op.emitOpError("has unsigned operands of a floating-point type, ") << a;
  for (Value operand : op.getPostOperands())
    if (Type type = getElementTypeOrSelf(operand); floats ? !isa<FloatType>(type) : type != c)
      return op.emitOpError("has a post operand of ") << type << " beside an accumulator of " << c;
  return success();
}

// Checks the two dimensions of an operand in VNNI form: the last holds one group, and the other as many groups as the loop needs.
static LogicalResult verifyVnniForm(ContractOp op, unsigned i, VnniForm form, ShapedType type) {
  if (i > 1)
    return op.emitOpError("indexing map ") << i << " reads an operand in VNNI form; only a and b can have it";
  if (form.factor < 2 || type.getDimSize(type.getRank() - 1) != form.factor)
    return op.emitOpError("indexing map ") << i << " needs groups of at least 2 elements in the last dimension of " << type
                                           << ", reads " << form.factor;
  int64_t groups = llvm::divideCeil(op.getExtents()[form.loop], form.factor);
  if (type.getDimSize(form.group) != groups)
    return op.emitOpError("indexing map ") << i << " needs " << groups << " groups in dimension " << form.group << " of " << type;
  return success();
}

// Checks the form of B with `winograd`: f32 filters [points][panels][K][panel], transformed from 3 x 3 taps.
static LogicalResult verifyWinogradForm(ContractOp op) {
  int64_t tile = *op.getWinograd();
  if (tile != 2 && tile != 4)
    return op.emitOpError("has a Winograd tile of ") << tile << "; it must be 2 or 4";
  if (!getElementTypeOrSelf(op.getB()).isF32())
    return op.emitOpError("has a Winograd tile and filters of ") << op.getB().getType() << "; they must be of f32";
  for (Value image : {op.getA(), op.getInit()})
    if (!isWinogradImage(getElementTypeOrSelf(image)))
      return op.emitOpError("has a Winograd tile and an image of ") << image.getType() << "; it must be of f32 or bf16";
  if (op.getBeta() != 0)
    return op.emitOpError("has a Winograd tile, so beta must be 0");
  AffineMap map = op.getMaps()[1];
  auto type = cast<ShapedType>(op.getB().getType());
  std::optional<VnniForm> panels = getVnniForm(map);
  auto k = dyn_cast_if_present<AffineDimExpr>(map.getNumResults() == 4 ? map.getResult(2) : AffineExpr());
  if (!k || !panels || panels->group != 1 || map.getResult(0) != getAffineConstantExpr(0, op.getContext()))
    return op.emitOpError("has a Winograd tile, so b must be read at (0, n floordiv panel, k, n mod panel)");
  AffineMap a = op.getMaps()[0], c = op.getMaps()[2];
  if (!a.isFunctionOfDim(k.getPosition()) || c.isFunctionOfDim(k.getPosition()) || a.isFunctionOfDim(panels->loop) ||
      !c.isFunctionOfDim(panels->loop))
    return op.emitOpError("has a Winograd tile, so b must be read at (0, n floordiv panel, k, n mod panel) for the channels k of "
                          "a and n of the result");
  if (type.getDimSize(0) != getWinogradPoints(tile) || type.getDimSize(2) != op.getExtents()[k.getPosition()])
    return op.emitOpError("has a Winograd tile of ") << tile << ", so b must have " << getWinogradPoints(tile) << " points and "
                                                     << op.getExtents()[k.getPosition()] << " channels, got " << type;
  return success();
}

static LogicalResult verifyBorder(ContractOp op) {
  if (!op.getBorder())
    return success();
  if (!op.getPadded() || !op.getGrouped() || !getElementTypeOrSelf(op.getA()).isSignlessInteger(8))
    return op.emitOpError("has a border: only with 'grouped', 'padded' and operand a of i8 it can have one");
  int64_t border = static_cast<int64_t>(*op.getBorder()), low = op.getAUnsigned() ? 0 : -128, high = low + 255;
  if (border < low || border > high)
    return op.emitOpError("has a border of ") << border << "; it must be from " << low << " to " << high;
  return success();
}

LogicalResult ContractOp::verify() {
  SmallVector<Value> operands = {getA(), getB(), getInit()};
  llvm::append_range(operands, getPostOperands());
  SmallVector<AffineMap> maps = getMaps();
  bool tensors = isa<RankedTensorType>(getInit().getType());
  for (Value operand : operands)
    if (isa<RankedTensorType>(operand.getType()) != tensors)
      return emitOpError("operands must be all tensors or all memrefs");
  if (static_cast<bool>(getResult()) != tensors)
    return emitOpError("has one result on tensors and none on memrefs");
  if (tensors && getResult().getType() != getInit().getType())
    return emitOpError("result type ") << getResult().getType() << " must be that of the init operand, " << getInit().getType();
  if (failed(verifyElementTypes(*this)))
    return failure();
  if (getBeta() != 0 && getBeta() != 1)
    return emitOpError("beta must be 0 or 1, not ") << getBeta();
  if (llvm::any_of(getExtents(), [](int64_t extent) { return extent < 0; }))
    return emitOpError("extents must not be negative");
  size_t binaries = llvm::count_if(getPostOps(), [](Attribute op) { return cast<PostOpAttr>(op).isBinary(); });
  if (binaries != getPostOperands().size())
    return emitOpError("has ") << binaries << " binary post-ops but " << getPostOperands().size() << " post operands";
  if (maps.size() != operands.size())
    return emitOpError("needs an indexing map for each of ") << operands.size() << " operands, has " << maps.size();
  bool empty = llvm::is_contained(getExtents(), 0);
  for (auto [i, map, operand] : llvm::enumerate(maps, operands)) {
    auto type = cast<ShapedType>(operand.getType());
    if (map.getNumDims() != getExtents().size() || map.getNumSymbols() != 0)
      return emitOpError("indexing map ") << i << " must have " << getExtents().size() << " dimensions and no symbols";
    if (map.getNumResults() != static_cast<unsigned>(type.getRank()))
      return emitOpError("indexing map ") << i << " must have a result for each dimension of " << type;
    std::optional<VnniForm> form = getVnniForm(map);
    if (form && failed(verifyVnniForm(*this, i, *form, type)))
      return failure();
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (form && expr.isFunctionOfDim(form->loop))
        continue;
      int64_t largest = 0, smallest = 0;
      if (failed(addLargest(expr, 1, getExtents(), largest, smallest)))
        return emitOpError("indexing map ") << i << " must be linear";
      if (!empty && !(i == 0 && getPadded()) && (smallest < 0 || (!type.isDynamicDim(dim) && largest >= type.getDimSize(dim))))
        return emitOpError("indexing map ") << i << " leaves dimension " << dim << " of " << type << ": reaches " << smallest
                                            << " to " << largest;
    }
  }
  if (getPadded() && !getWinograd() && !getGrouped())
    return emitOpError("is padded: only a convolution with 'winograd' or 'grouped' can be");
  if (failed(verifyBorder(*this)))
    return failure();
  if (getGrouped() && (getWinograd() || getBeta() != 0))
    return emitOpError("is grouped, so it can have no Winograd tile, and beta must be 0");
  Type a = getElementTypeOrSelf(getA()), c = getElementTypeOrSelf(getInit());
  if (getGrouped() && !hasGroupedConvTypes(a, c, convertsSums(toPostOpList(getPostOpsAttr()))))
    return emitOpError("is grouped with element types ")
           << a << " x " << a << " -> " << c << "; possible are " << kGroupedConvTypes;
  return getWinograd() ? verifyWinogradForm(*this) : success();
}

int64_t ContractOp::getFlops() {
  int64_t flops = 2;
  for (int64_t extent : getExtents())
    flops *= extent;
  return flops;
}

bool ContractOp::readsOut() { return getBeta() == 1; }

/// A residual is read elementwise if it is read at the position where the result is written.
bool ContractOp::readsElementwise(OpOperand &input) {
  SmallVector<AffineMap> maps = getMaps();
  for (auto [index, post] : llvm::enumerate(getPostOperandsMutable()))
    if (&post == &input)
      return maps[3 + index] == maps[2];
  return false;
}

bool ContractOp::needsContiguousBuffer(OpOperand &) { return false; }

void ContractOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getResult())
    return;
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    bool isInit = isDpsInit(&operand);
    if (!isInit || readsOut())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

Speculation::Speculatability ContractOp::getSpeculatability() {
  return getResult() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

} // namespace mlir::tpp

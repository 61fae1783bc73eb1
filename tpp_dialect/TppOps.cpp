// The ops: builders, verifiers, effects.
//
// Verifiers check everything that kernels rely on, so that later stages need not: element types, ranks, sizes, broadcasts.
#include "tpp_dialect/TppOps.h"
#include "tpp/types.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

#define GET_OP_CLASSES
#include "tpp_dialect/TppOps.cpp.inc"

std::optional<TileDims> tpp::getTileDims(int64_t rank, bool batched, bool vnni) {
  int64_t plainRank = 2 + batched + vnni;
  if (rank != plainRank && rank != plainRank + 1)
    return std::nullopt;
  TileDims dims;
  int next = 0;
  if (batched)
    dims.batch = next++;
  if (rank == plainRank + 1)
    dims.panels = next++;
  dims.rows = next++;
  dims.cols = next++;
  if (vnni)
    dims.vnni = next++;
  return dims;
}

TileDims tpp::getVerifiedTileDims(Value operand, bool batched, bool vnni) {
  std::optional<TileDims> dims = getTileDims(cast<ShapedType>(operand.getType()).getRank(), batched, vnni);
  assert(dims && "the verifier has seen that no tile has this rank");
  return *dims;
}

//===- helpers of the verifiers ----------------------------------------------------------------------------------------------===//

namespace {
/// One operand: its name in messages ("operand 'a'"), its type, and the required tile.
struct Tile {
  StringRef name;
  Type type;
  int64_t rows, cols;
  bool batched = false;
  int64_t vnni = 0;
  bool mayBeLarger = false; // the operand contains all tiles of an offset table
};
} // namespace

static LogicalResult verifyTile(Operation *op, const Tile &tile) {
  auto type = cast<ShapedType>(tile.type);
  std::optional<TileDims> dims = getTileDims(type.getRank(), tile.batched, tile.vnni > 1);
  if (!dims) {
    int64_t plain = 2 + tile.batched + (tile.vnni > 1);
    return op->emitOpError() << "operand '" << tile.name << "' must have rank " << plain << " (plain) or " << plain + 1
                             << " (panels), got " << tile.type;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != dims->batch && type.isDynamicDim(dim))
      return op->emitOpError() << "operand '" << tile.name << "' may have no dynamic dimension but its batch, got " << tile.type;
  if (tile.vnni > 1 && type.getDimSize(dims->vnni) != tile.vnni)
    return op->emitOpError() << "operand '" << tile.name << "' must group " << tile.vnni << " rows in its last dimension, got "
                             << tile.type;

  int64_t rows = tile.vnni > 1 ? llvm::divideCeil(tile.rows, tile.vnni) : tile.rows;
  int64_t haveRows = type.getDimSize(dims->rows), haveCols = type.getDimSize(dims->cols);
  if (tile.mayBeLarger ? haveRows < rows : haveRows != rows)
    return op->emitOpError() << "operand '" << tile.name << "' has " << haveRows << " rows, needs " << rows;
  if (!dims->isPanelled()) {
    if (tile.mayBeLarger ? haveCols < tile.cols : haveCols != tile.cols)
      return op->emitOpError() << "operand '" << tile.name << "' has " << haveCols << " columns, needs " << tile.cols;
    return success();
  }
  int64_t havePanels = type.getDimSize(dims->panels);
  if (haveCols < 1)
    return op->emitOpError() << "operand '" << tile.name << "' has empty panels: " << tile.type;
  int64_t panels = llvm::divideCeil(tile.cols, haveCols);
  if (tile.mayBeLarger ? havePanels < panels : havePanels != panels)
    return op->emitOpError() << "operand '" << tile.name << "' has " << havePanels << " panels of " << haveCols << " columns, "
                             << tile.cols << " columns need " << panels;
  return success();
}

/// Verifies an operand that must be a tile, a vector or a single element, depending on `broadcast`.
static LogicalResult verifyBroadcastOperand(Operation *op, const Tile &tile, Broadcast broadcast) {
  auto type = cast<ShapedType>(tile.type);
  if (broadcast == Broadcast::None)
    return verifyTile(op, tile);
  if (broadcast == Broadcast::Scalar) {
    if (!type.hasStaticShape() || type.getNumElements() != 1)
      return op->emitOpError() << "operand '" << tile.name << "' must be a single element (broadcast scalar), got " << tile.type;
    return success();
  }
  int64_t size = broadcast == Broadcast::Row ? tile.cols : tile.rows;
  if (type.getRank() != 1 || type.getDimSize(0) != size)
    return op->emitOpError() << "operand '" << tile.name << "' must be a vector of " << size << " elements (broadcast "
                             << stringifyBroadcast(broadcast) << "), got " << tile.type;
  return success();
}

/// All operands must be tensors, and the op has one result, or all must be memrefs, and the op has none.
static LogicalResult verifyOperandKinds(Operation *op, Value out, ArrayRef<Value> others) {
  bool onTensors = isa<TensorType>(out.getType());
  for (Value value : others)
    if (value && isa<TensorType>(value.getType()) != onTensors)
      return op->emitOpError() << "mixes tensors and memrefs";
  // DestinationStyleOpInterface's verifier, which runs later, compares number and types of results.
  if (!onTensors && op->getNumResults() != 0)
    return op->emitOpError() << "has no result on memrefs";
  if (onTensors && op->getNumResults() != 1)
    return op->emitOpError() << "needs a result on tensors";
  return success();
}

static LogicalResult verifyElementType(Operation *op, StringRef name, Type type, bool moved = false) {
  Type element = getElementTypeOrSelf(type);
  if (!(moved ? getMovedElementType(element) : getElementType(element)))
    return op->emitOpError() << "operand '" << name << "' has element type " << element << ", which no kernel has";
  return success();
}

static int64_t rowsOfOut(Type out) {
  auto type = cast<ShapedType>(out);
  std::optional<TileDims> dims = getTileDims(type.getRank());
  return dims ? type.getDimSize(dims->rows) : ShapedType::kDynamic;
}

static int64_t colsOfOut(Type out) {
  auto type = cast<ShapedType>(out);
  std::optional<TileDims> dims = getTileDims(type.getRank());
  if (!dims || type.isDynamicDim(dims->cols) || (dims->isPanelled() && type.isDynamicDim(dims->panels)))
    return ShapedType::kDynamic;
  return type.getDimSize(dims->cols) * (dims->isPanelled() ? type.getDimSize(dims->panels) : 1);
}

static void addMemoryEffects(DestinationStyleOpInterface op, bool readsOut,
                             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<MemRefType>(input->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), input, SideEffects::DefaultResource::get());
  OpOperand *out = op.getDpsInitOperand(0);
  if (!isa<MemRefType>(out->get().getType()))
    return;
  if (readsOut)
    effects.emplace_back(MemoryEffects::Read::get(), out, SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), out, SideEffects::DefaultResource::get());
}

static Speculation::Speculatability speculatabilityOf(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

//===- brgemm ----------------------------------------------------------------------------------------------------------------===//

void BrgemmOp::build(OpBuilder &builder, OperationState &state, Value a, Value b, Value c, ArrayRef<int64_t> sizes,
                     BatchKind batch, bool beta, ArrayAttr postOps, ValueRange postOperands, Value aOffsets, Value bOffsets,
                     int64_t bVnni) {
  build(builder, state, isa<RankedTensorType>(c.getType()) ? c.getType() : Type(), a, b, aOffsets, bOffsets, c, postOperands,
        builder.getDenseI64ArrayAttr(sizes), BatchKindAttr::get(builder.getContext(), batch), builder.getI64IntegerAttr(beta),
        builder.getI64IntegerAttr(bVnni), /*a_unsigned=*/UnitAttr(), /*streaming=*/UnitAttr(),
        postOps && !postOps.empty() ? postOps : ArrayAttr());
}

TileDims BrgemmOp::getADims() { return getVerifiedTileDims(getA(), getBatch() == BatchKind::Stride); }
TileDims BrgemmOp::getBDims() { return getVerifiedTileDims(getB(), getBatch() == BatchKind::Stride, getBVnni() > 1); }
TileDims BrgemmOp::getCDims() { return getVerifiedTileDims(getC()); }

SmallVector<PostOpAttr> BrgemmOp::getPostOpList() {
  std::optional<ArrayAttr> postOps = getPostOps();
  return postOps ? llvm::to_vector(postOps->getAsRange<PostOpAttr>()) : SmallVector<PostOpAttr>();
}

static LogicalResult verifyBrgemmTypes(BrgemmOp op) {
  Type a = getElementTypeOrSelf(op.getA()), b = getElementTypeOrSelf(op.getB()), c = getElementTypeOrSelf(op.getC());
  bool floats = (a.isF32() && b.isF32() && c.isF32()) || (a.isBF16() && b.isBF16() && (c.isF32() || c.isBF16()));
  bool integers = a.isSignlessInteger(8) && b.isSignlessInteger(8) && c.isSignlessInteger(32);
  if (!floats && !integers)
    return op.emitOpError() << "cannot multiply " << a << " x " << b << " -> " << c
                            << "; possible are f32 x f32 -> f32, bf16 x bf16 -> f32 or bf16, i8 x i8 -> i32";
  if (op.getAUnsigned() && !integers)
    return op.emitOpError() << "a_unsigned needs operand 'a' of i8, got " << a;
  return success();
}

static LogicalResult verifyOffsets(BrgemmOp op) {
  bool wanted = op.getBatch() == BatchKind::Offset;
  if (wanted != static_cast<bool>(op.getAOffsets()))
    return op.emitOpError() << (wanted ? "batch = offset needs offset tables" : "offset tables need batch = offset");
  if (!wanted)
    return success();
  auto aType = cast<ShapedType>(op.getAOffsets().getType()), bType = cast<ShapedType>(op.getBOffsets().getType());
  for (ShapedType type : {aType, bType})
    if (type.getRank() != 1 || !type.getElementType().isSignlessInteger(64))
      return op.emitOpError() << "an offset table must be a vector of i64, got " << type;
  if (!aType.isDynamicDim(0) && !bType.isDynamicDim(0) && aType.getDimSize(0) != bType.getDimSize(0))
    return op.emitOpError() << "the offset tables have " << aType.getDimSize(0) << " and " << bType.getDimSize(0) << " entries";
  return success();
}

static LogicalResult verifyPostOps(BrgemmOp op) {
  SmallVector<PostOpAttr> postOps = op.getPostOpList();
  if (postOps.size() > TPP_MAX_POST_OPS)
    return op.emitOpError() << "at most " << static_cast<int>(TPP_MAX_POST_OPS) << " post-ops are possible, got "
                            << postOps.size();
  int64_t binaries = llvm::count_if(postOps, [](PostOpAttr postOp) { return postOp.isBinary(); });
  if (binaries != static_cast<int64_t>(op.getPostOperands().size()))
    return op.emitOpError() << "has " << binaries << " binary post-ops and " << op.getPostOperands().size()
                            << " operands for them";
  bool integers = isa<IntegerType>(getElementTypeOrSelf(op.getC()));
  auto operand = op.getPostOperands().begin();
  for (PostOpAttr postOp : postOps) {
    if (postOp.getForm())
      return op.emitOpError() << "post-op " << postOp << " carries a form, which belongs in a descriptor";
    if (postOp.isUnary()) {
      UnaryKind kind = postOp.getUnaryKind();
      if (!isPostOp(kind))
        return op.emitOpError() << "'" << postOp.getKindName() << "' cannot be a post-op";
      if (integers && kind != UnaryKind::Relu && kind != UnaryKind::Identity)
        return op.emitOpError() << "post-op '" << postOp.getKindName() << "' needs floating-point accumulators";
      continue;
    }
    Type type = (*operand++).getType(), element = getElementTypeOrSelf(type);
    if (integers && postOp.getBinaryKind() == BinaryKind::Div)
      return op.emitOpError() << "post-op 'div' needs floating-point accumulators";
    if (integers ? !element.isSignlessInteger(32) : !(element.isF32() || element.isBF16()))
      return op.emitOpError() << "a post-op's operand must be of " << (integers ? "i32" : "f32 or bf16") << ", got " << type;
    if (failed(verifyBroadcastOperand(op, {"post", type, op.getM(), op.getN()}, postOp.getBroadcast())))
      return failure();
  }
  return success();
}

LogicalResult BrgemmOp::verify() {
  if (getSizes().size() != 3 || llvm::any_of(getSizes(), [](int64_t size) { return size < 0; }))
    return emitOpError() << "sizes must be [m, n, k], none of them negative, got [" << getSizes() << "]";
  if (getBeta() != 0 && getBeta() != 1)
    return emitOpError() << "beta must be 0 or 1, got " << static_cast<int64_t>(getBeta());
  if (getBatch() == BatchKind::Address)
    return emitOpError() << "batch = address exists only in kernels; use offset";
  int64_t bVnni = getBVnni();
  if (bVnni < 0)
    return emitOpError() << "b_vnni must not be negative, got " << bVnni;
  SmallVector<Value> inputs = {getA(), getB(), getAOffsets(), getBOffsets()};
  llvm::append_range(inputs, getPostOperands());
  if (failed(verifyOperandKinds(*this, getC(), inputs)) || failed(verifyBrgemmTypes(*this)) || failed(verifyOffsets(*this)))
    return failure();

  bool stride = getBatch() == BatchKind::Stride, offset = getBatch() == BatchKind::Offset;
  if (failed(verifyTile(*this, {"a", getA().getType(), getM(), getK(), stride, 0, offset})) ||
      failed(verifyTile(*this, {"b", getB().getType(), getK(), getN(), stride, bVnni, offset})) ||
      failed(verifyTile(*this, {"c", getC().getType(), getM(), getN()})))
    return failure();
  if (stride) {
    int64_t aBatch = cast<ShapedType>(getA().getType()).getDimSize(0), bBatch = cast<ShapedType>(getB().getType()).getDimSize(0);
    if (aBatch != bBatch && !ShapedType::isDynamic(aBatch) && !ShapedType::isDynamic(bBatch))
      return emitOpError() << "operands 'a' and 'b' have batches of " << aBatch << " and " << bBatch;
  }
  return verifyPostOps(*this);
}

void BrgemmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addMemoryEffects(*this, getBeta() == 1, effects);
}
Speculation::Speculatability BrgemmOp::getSpeculatability() { return speculatabilityOf(*this); }

//===- unary -----------------------------------------------------------------------------------------------------------------===//

void UnaryOp::build(OpBuilder &builder, OperationState &state, UnaryKind kind, Value in, Value out, Broadcast broadcast,
                    FloatAttr alpha) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(),
        UnaryKindAttr::get(builder.getContext(), kind), BroadcastAttr::get(builder.getContext(), broadcast), in, out,
        /*streaming=*/UnitAttr(), alpha);
}

TileDims UnaryOp::getOutDims() { return getVerifiedTileDims(getOut(), /*batched=*/false, getKind() == UnaryKind::VnniPack); }

/// vnni_pack: packs an input, plain or in panels, into groups of as many rows as fit 4 bytes.
static LogicalResult verifyVnniPack(UnaryOp op) {
  auto inType = cast<ShapedType>(op.getIn().getType()), outType = cast<ShapedType>(op.getOut().getType());
  if (op.getBroadcast() != Broadcast::None)
    return op.emitOpError() << "vnni_pack cannot broadcast its input";
  if (inType.getElementType() != outType.getElementType())
    return op.emitOpError() << "vnni_pack needs one element type, got " << inType.getElementType() << " and "
                            << outType.getElementType() << " (convert changes it)";
  int64_t bits = outType.getElementType().getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16)
    return op.emitOpError() << "vnni_pack moves elements of 1 or 2 bytes, got " << outType.getElementType();
  std::optional<TileDims> in = getTileDims(inType.getRank());
  if (!in || inType.isDynamicDim(in->rows))
    return op.emitOpError() << "operand 'in' must be a tile of static size, got " << inType;
  int64_t rows = inType.getDimSize(in->rows), cols = colsOfOut(inType);
  if (failed(verifyTile(op, {"in", inType, rows, cols})))
    return failure();
  return verifyTile(op, {"out", outType, rows, cols, /*batched=*/false, /*vnni=*/32 / bits});
}

LogicalResult UnaryOp::verify() {
  UnaryKind kind = getKind();
  bool moves = movesBits(kind);
  if (failed(verifyAlpha([&] { return emitOpError(); }, kind, getAlphaAttr())))
    return failure();
  if (kind == UnaryKind::Zero ? static_cast<bool>(getIn()) : !getIn())
    return emitOpError() << (getIn() ? "zero has no input" : "needs an input");
  if (failed(verifyOperandKinds(*this, getOut(), {getIn()})) ||
      failed(verifyElementType(*this, "out", getOut().getType(), moves)))
    return failure();
  if (kind == UnaryKind::VnniPack)
    return verifyVnniPack(*this);
  // The output's shape defines the sizes, so only its rank and that its sizes are static are checked.
  int64_t rows = rowsOfOut(getOut().getType()), cols = colsOfOut(getOut().getType());
  if (failed(verifyTile(*this, {"out", getOut().getType(), rows, cols})))
    return failure();
  if (!getIn())
    return getBroadcast() == Broadcast::None ? success() : LogicalResult(emitOpError() << "zero has no input to broadcast");
  if (failed(verifyElementType(*this, "in", getIn().getType(), moves)))
    return failure();

  Type in = getElementTypeOrSelf(getIn()), out = getElementTypeOrSelf(getOut());
  bool sameTypeOnly = moves;
  if (sameTypeOnly && in != out)
    return emitOpError() << stringifyUnaryKind(kind) << " needs one element type, got " << in << " and " << out
                         << " (convert changes it)";
  bool floats = isa<FloatType>(in) && isa<FloatType>(out);
  bool integerRelu = kind == UnaryKind::Relu && in == out;
  if (!sameTypeOnly && kind != UnaryKind::Convert && !floats && !integerRelu)
    return emitOpError() << stringifyUnaryKind(kind) << " of " << in << " -> " << out << " is not defined";
  if (kind == UnaryKind::Transpose) {
    if (getBroadcast() != Broadcast::None)
      return emitOpError() << "transpose cannot broadcast its input";
    std::swap(rows, cols);
  }
  return verifyBroadcastOperand(*this, {"in", getIn().getType(), rows, cols}, getBroadcast());
}

void UnaryOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addMemoryEffects(*this, /*readsOut=*/false, effects);
}
Speculation::Speculatability UnaryOp::getSpeculatability() { return speculatabilityOf(*this); }

//===- binary ----------------------------------------------------------------------------------------------------------------===//

void BinaryOp::build(OpBuilder &builder, OperationState &state, BinaryKind kind, Value lhs, Value rhs, Value out,
                     Broadcast lhsBroadcast, Broadcast rhsBroadcast) {
  MLIRContext *context = builder.getContext();
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(), BinaryKindAttr::get(context, kind),
        BroadcastAttr::get(context, lhsBroadcast), BroadcastAttr::get(context, rhsBroadcast), lhs, rhs, out);
}

LogicalResult BinaryOp::verify() {
  if (failed(verifyOperandKinds(*this, getOut(), {getLhs(), getRhs()})) ||
      failed(verifyElementType(*this, "lhs", getLhs().getType())) ||
      failed(verifyElementType(*this, "rhs", getRhs().getType())) || failed(verifyElementType(*this, "out", getOut().getType())))
    return failure();
  Type lhs = getElementTypeOrSelf(getLhs()), rhs = getElementTypeOrSelf(getRhs()), out = getElementTypeOrSelf(getOut());
  bool floats = isa<FloatType>(lhs) && isa<FloatType>(rhs) && isa<FloatType>(out);
  bool integers = isa<IntegerType>(out) && lhs == out && rhs == out && getKind() != BinaryKind::Div;
  if (!floats && !integers)
    return emitOpError() << stringifyBinaryKind(getKind()) << " of " << lhs << " and " << rhs << " -> " << out
                         << " is not defined";
  int64_t rows = rowsOfOut(getOut().getType()), cols = colsOfOut(getOut().getType());
  if (failed(verifyTile(*this, {"out", getOut().getType(), rows, cols})) ||
      failed(verifyBroadcastOperand(*this, {"lhs", getLhs().getType(), rows, cols}, getLhsBroadcast())))
    return failure();
  return verifyBroadcastOperand(*this, {"rhs", getRhs().getType(), rows, cols}, getRhsBroadcast());
}

void BinaryOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addMemoryEffects(*this, /*readsOut=*/false, effects);
}
Speculation::Speculatability BinaryOp::getSpeculatability() { return speculatabilityOf(*this); }

//===- reduce ----------------------------------------------------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind, ReduceAxis axis, bool beta, Value in,
                     Value out) {
  build(builder, state, isa<RankedTensorType>(out.getType()) ? out.getType() : Type(),
        ReduceKindAttr::get(builder.getContext(), kind), ReduceAxisAttr::get(builder.getContext(), axis),
        builder.getI64IntegerAttr(beta), in, out);
}

LogicalResult ReduceOp::verify() {
  if (getBeta() != 0 && getBeta() != 1)
    return emitOpError() << "beta must be 0 or 1, got " << static_cast<int64_t>(getBeta());
  if (failed(verifyOperandKinds(*this, getOut(), {getIn()})) || failed(verifyElementType(*this, "in", getIn().getType())) ||
      failed(verifyElementType(*this, "out", getOut().getType())))
    return failure();
  Type in = getElementTypeOrSelf(getIn()), out = getElementTypeOrSelf(getOut());
  if (!(isa<FloatType>(in) && isa<FloatType>(out)) && in != out)
    return emitOpError() << stringifyReduceKind(getKind()) << " of " << in << " -> " << out << " is not defined";
  // The input is plain or in panels. Only the output's size would show that the last panel is padded.
  int64_t rows = rowsOfOut(getIn().getType()), cols = colsOfOut(getIn().getType());
  if (failed(verifyTile(*this, {"in", getIn().getType(), rows, cols})))
    return failure();
  Broadcast shape = getAxis() == ReduceAxis::OverRows ? Broadcast::Row : Broadcast::Col;
  return verifyBroadcastOperand(*this, {"out", getOut().getType(), rows, cols}, shape);
}

void ReduceOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addMemoryEffects(*this, getBeta() == 1, effects);
}
Speculation::Speculatability ReduceOp::getSpeculatability() { return speculatabilityOf(*this); }

//===- invoke ----------------------------------------------------------------------------------------------------------------===//

LogicalResult InvokeOp::verify() {
  ArrayRef<int64_t> slots = getPostSlots().value_or(ArrayRef<int64_t>());
  if (slots.size() != getPostOperands().size())
    return emitOpError() << "has " << getPostOperands().size() << " post operands and " << slots.size() << " slots";
  if (!getOffsets().empty() && getOffsets().size() != 2)
    return emitOpError() << "needs two offset tables or none, got " << getOffsets().size();
  // The operands are checked only if the kernel's dispatch, and with it the descriptor, is in the same function.
  auto dispatch = getKernel().getDefiningOp<DispatchOp>();
  if (!dispatch)
    return success();
  size_t inputs = 1;
  SmallVector<int64_t> wantedSlots;
  bool wantsOffsets = false;
  if (auto desc = dyn_cast<BrgemmDescAttr>(dispatch.getDesc())) {
    inputs = 2;
    wantsOffsets = desc.getBatchKind() != BatchKind::Stride;
    for (auto [slot, postOp] : llvm::enumerate(desc.getPostOpList()))
      if (postOp.isBinary())
        wantedSlots.push_back(slot);
    if (!getBatch())
      return emitOpError() << "a brgemm kernel needs 'batch'";
  } else if (auto desc = dyn_cast<UnaryDescAttr>(dispatch.getDesc())) {
    inputs = desc.getKind() == UnaryKind::Zero ? 0 : 1;
  } else if (isa<BinaryDescAttr>(dispatch.getDesc())) {
    inputs = 2;
  }
  if (getInputs().size() != inputs)
    return emitOpError() << "has " << getInputs().size() << " inputs, its kernel takes " << inputs;
  if (wantsOffsets != !getOffsets().empty())
    return emitOpError() << (wantsOffsets ? "its kernel needs offset tables" : "its kernel takes no offset tables");
  if (slots != ArrayRef<int64_t>(wantedSlots))
    return emitOpError() << "fills post-op slots [" << slots << "], its kernel needs [" << wantedSlots << "]";
  return success();
}

// Tile dimensions, memory effects of the operations, tpp.invoke. The rest of each operation is in operations/<Name>.cpp.
#include "tpp_dialect/TppOps.h"
#include "tpp/types.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

#include "tpp_dialect/TileOpInterfaces.cpp.inc"
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

bool tpp::isTileOp(Operation *op) {
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  if (isa<Name##Op>(op))                                                                                                         \
    return true;
#include "tpp/operations.def"
  return false;
}

//===- effects of the operations -----------------------------------------------------------------------------------------------===//

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

#define TPP_OPERATION(name, Name, formula)                                                                                       \
  void Name##Op::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {                      \
    addMemoryEffects(*this, readsOut(), effects);                                                                                \
  }                                                                                                                              \
  Speculation::Speculatability Name##Op::getSpeculatability() { return speculatabilityOf(*this); }
#include "tpp/operations.def"

//===- gather --------------------------------------------------------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), result = cast<RankedTensorType>(getResult().getType());
  if (source.getElementType() != result.getElementType() || source.getRank() != result.getRank())
    return emitOpError("source ") << source << " and result " << result
                                  << " differ in their element types or numbers of dimensions";
  if (getDims().size() != getIndices().size())
    return emitOpError() << getIndices().size() << " lists of indices do not fit " << getDims().size() << " dimensions";
  SmallVector<int64_t> shape = llvm::to_vector(source.getShape());
  llvm::SmallBitVector seen(source.getRank());
  for (auto [dim, indices] : llvm::zip_equal(getDims(), getIndices())) {
    if (dim < 0 || dim >= source.getRank() || seen.test(dim))
      return emitOpError() << "dimension " << dim
                           << (dim >= 0 && dim < source.getRank() ? " is listed twice" : " does not exist");
    seen.set(dim);
    shape[dim] = cast<RankedTensorType>(indices.getType()).getDimSize(0);
  }
  if (result.getShape() != ArrayRef(shape))
    return emitOpError("result ") << result << " does not have the shape that the indices give, "
                                  << RankedTensorType::get(shape, source.getElementType());
  return success();
}

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
  auto desc = cast<KernelDescAttrInterface>(dispatch.getDesc());
  KernelOperands wanted = desc.getOperands();
  if (wanted.batch && !getBatch())
    return emitOpError() << "a " << desc.getOperationName() << " kernel needs 'batch'";
  if (wanted.bUse != static_cast<bool>(getBUse()))
    return emitOpError() << (wanted.bUse ? "its kernel needs 'b_use'" : "its kernel takes no 'b_use'");
  if (getInputs().size() != wanted.inputs)
    return emitOpError() << "has " << getInputs().size() << " inputs, its kernel takes " << wanted.inputs;
  if (wanted.offsets != !getOffsets().empty())
    return emitOpError() << (wanted.offsets ? "its kernel needs offset tables" : "its kernel takes no offset tables");
  if (slots != ArrayRef<int64_t>(wanted.postSlots))
    return emitOpError() << "fills post-op slots [" << slots << "], its kernel needs [" << wanted.postSlots << "]";
  return success();
}

//===- teams ------------------------------------------------------------------------------------------------------------------===//

LogicalResult TeamOp::verifyRegions() {
  // They are integers once the index type is lowered.
  auto isNumber = [](Type type) { return type.isSignlessInteger(64) || type.isIndex(); };
  if (getBody().getNumArguments() != 2 || !llvm::all_of(getBody().getArgumentTypes(), isNumber))
    return emitOpError("has a region whose arguments are not the thread's number and the number of threads, of type index");
  return success();
}

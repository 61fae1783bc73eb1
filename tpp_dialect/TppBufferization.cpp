// One-shot bufferization of tpp.contract and the tile ops. The ops are destination-passing: the result is written to the buffer of `out`.
//
// Two differences from the default model: `out` is read only if beta = 1, and elementwise ops may overwrite an input.
#include "tpp_dialect/TppOps.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::tpp;

static bool readsOut(Operation *op) {
  if (auto brgemm = dyn_cast<BrgemmOp>(op))
    return brgemm.getBeta() == 1;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getBeta() == 1;
  if (auto contract = dyn_cast<ContractOp>(op))
    return contract.getBeta() == 1;
  return false;
}

/// True if each element of `operand` is read only to compute the output element at its position, before that is written: both may share a
/// buffer.
static bool isReadElementwise(Operation *op, OpOperand &operand) {
  Type out = cast<DestinationStyleOpInterface>(op).getDpsInits()[0].getType();
  // Operands of equal type that share a buffer have each element at the same address.
  if (operand.get().getType() != out)
    return false;
  if (auto unary = dyn_cast<UnaryOp>(op))
    return unary.getKind() != UnaryKind::Transpose && unary.getKind() != UnaryKind::VnniPack &&
           unary.getBroadcast() == Broadcast::None;
  if (auto binary = dyn_cast<BinaryOp>(op))
    return (&operand == &binary.getLhsMutable() ? binary.getLhsBroadcast() : binary.getRhsBroadcast()) == Broadcast::None;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    // A residual that is read at the position where the result is written.
    SmallVector<AffineMap> maps = contract.getMaps();
    for (auto [index, post] : llvm::enumerate(contract.getPostOperandsMutable()))
      if (&post == &operand)
        return maps[3 + index] == maps[2];
    return false;
  }
  if (auto brgemm = dyn_cast<BrgemmOp>(op)) {
    // A residual: its elements are read just before the accumulators are stored. A, B and the offset tables are not read elementwise.
    int64_t index = 0;
    for (PostOpAttr postOp : brgemm.getPostOpList()) {
      if (!postOp.isBinary())
        continue;
      if (&brgemm.getPostOperandsMutable()[index++] == &operand)
        return postOp.getBroadcast() == Broadcast::None;
    }
  }
  return false;
}

namespace {
template <typename OpTy> struct TileOpModel : DstBufferizableOpInterfaceExternalModel<TileOpModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) || readsOut(op);
  }

  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &, ArrayRef<OpOperand *> operands) const {
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    return llvm::all_of(operands,
                        [&](OpOperand *operand) { return dpsOp.isDpsInit(operand) || isReadElementwise(op, *operand); });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    if (dpsOp.hasPureBufferSemantics())
      return success();
    auto brgemm = dyn_cast<BrgemmOp>(op);
    SmallVector<Value> buffers;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Value> buffer = getBuffer(rewriter, operand.get(), options, state);
      if (!buffer)
        return failure();
      // The tables' byte offsets assume a contiguous row-major operand. In a view with other strides, they would address other elements.
      bool isTabled =
          brgemm && brgemm.getBatch() == BatchKind::Offset && (operand.get() == brgemm.getA() || operand.get() == brgemm.getB());
      if (isTabled && !memref::isStaticShapeAndContiguousRowMajor(cast<MemRefType>(buffer->getType())))
        return op->emitOpError() << "offset tables need operands in contiguous buffers, got " << buffer->getType();
      buffers.push_back(*buffer);
    }
    rewriter.setInsertionPoint(op);
    OperationState newState(op->getLoc(), op->getName(), buffers, /*types=*/TypeRange(),
                            op->getDiscardableAttrDictionary().getValue());
    newState.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *newOp = rewriter.create(newState);
    Value out = cast<DestinationStyleOpInterface>(newOp).getDpsInits()[0];
    replaceOpWithBufferizedValues(rewriter, op, out);
    return success();
  }
};
} // namespace

void tpp::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TppDialect *) {
    BrgemmOp::attachInterface<TileOpModel<BrgemmOp>>(*context);
    UnaryOp::attachInterface<TileOpModel<UnaryOp>>(*context);
    BinaryOp::attachInterface<TileOpModel<BinaryOp>>(*context);
    ReduceOp::attachInterface<TileOpModel<ReduceOp>>(*context);
    ContractOp::attachInterface<TileOpModel<ContractOp>>(*context);
  });
}

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

/// True if an input and the output may share a buffer.
static bool isReadElementwise(Operation *op, OpOperand &operand) {
  Type out = cast<DestinationStyleOpInterface>(op).getDpsInits()[0].getType();
  // Operands of equal type that share a buffer have each element at the same address.
  return operand.get().getType() == out && cast<BufferUseOpInterface>(op).readsElementwise(operand);
}

namespace {
template <typename OpTy> struct OutOpModel : DstBufferizableOpInterfaceExternalModel<OutOpModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) || cast<BufferUseOpInterface>(op).readsOut();
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
    SmallVector<Value> buffers;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Value> buffer = getBuffer(rewriter, operand.get(), options, state);
      if (!buffer)
        return failure();
      if (cast<BufferUseOpInterface>(op).needsContiguousBuffer(operand) &&
          !memref::isStaticShapeAndContiguousRowMajor(cast<MemRefType>(buffer->getType())))
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
#define TPP_OPERATION(name, Name, formula) Name##Op::attachInterface<OutOpModel<Name##Op>>(*context);
#include "tpp/operations.def"
    ContractOp::attachInterface<OutOpModel<ContractOp>>(*context);
  });
}

// tpp.reduce and #tpp.reduce_desc.
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TileVerifiers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tpp;

//===- op --------------------------------------------------------------------------------------------------------------------===//

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
  int64_t rows = getTileRows(getIn().getType()), cols = getTileCols(getIn().getType());
  if (failed(verifyTile(*this, {"in", getIn().getType(), rows, cols})))
    return failure();
  Broadcast shape = getAxis() == ReduceAxis::OverRows ? Broadcast::Row : Broadcast::Col;
  return verifyBroadcastOperand(*this, {"out", getOut().getType(), rows, cols}, shape);
}

bool ReduceOp::readsOut() { return getBeta() == 1; }
bool ReduceOp::readsElementwise(OpOperand &) { return false; }
bool ReduceOp::needsContiguousBuffer(OpOperand &) { return false; }

//===- descriptor ------------------------------------------------------------------------------------------------------------===//

LogicalResult ReduceDescAttr::verify(EmitError emitError, ReduceKind, ReduceAxis, int64_t m, int64_t n, MatrixAttr, MatrixAttr,
                                     int64_t beta, Provider) {
  return failure(failed(verifySize(emitError, "m", m)) || failed(verifySize(emitError, "n", n)) ||
                 failed(verifyBeta(emitError, beta)));
}

std::string ReduceDescAttr::getBytes() const {
  tpp_reduce_desc desc = {};
  desc.struct_size = sizeof(desc);
  desc.m = getM();
  desc.n = getN();
  desc.in = encode(getIn());
  desc.out = encode(getOut());
  desc.kind = static_cast<int32_t>(getKind());
  desc.axis = static_cast<int32_t>(getAxis());
  desc.beta = static_cast<int32_t>(getBeta());
  desc.provider = static_cast<int32_t>(getProvider());
  return toBytes(desc);
}

std::string ReduceDescAttr::getSummary() const {
  return llvm::formatv("reduce {0} {1}x{2}", stringifyEnum(getKind()), getM(), getN()).str();
}

KernelWork ReduceDescAttr::getWork() const { return KernelWork::ofElements(getM() * getN()); }

KernelOperands ReduceDescAttr::getOperands() const { return {1}; }

// Binds each tile op on buffers to a kernel. The kernel descriptor is computed from the operands' static strides. An op without a
// descriptor is lowered to scalar loops, with a remark.
#include "lowering/Passes.h"
#include "lowering/bind/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_BINDKERNELS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;
using namespace mlir::tpp;

std::pair<int64_t, int64_t> tpp::getTileSizes(Value tile, TileDims dims) {
  auto type = cast<MemRefType>(tile.getType());
  return {type.getDimSize(dims.rows), type.getDimSize(dims.cols) * (dims.isPanelled() ? type.getDimSize(dims.panels) : 1)};
}

FailureOr<Attribute> tpp::getKernelDescriptor(Operation *op, Provider provider, std::string &why) {
  if (!isTileOp(op) || !cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics()) {
    why = "it is not a tile op on buffers";
    return failure();
  }
  FormReader forms(op->getContext(), why);
  Attribute desc = visitTileOp(op, [&](auto tileOp) { return describeKernel(tileOp, provider, forms); });
  if (!desc)
    return failure();
  return desc;
}

void tpp::createPlainInvoke(OpBuilder &builder, DestinationStyleOpInterface op, Value kernel) {
  InvokeOp::create(builder, op.getLoc(), kernel, op.getDpsInputs(), /*batch=*/Value(), /*b_use=*/Value(),
                   /*offsets=*/ValueRange(),
                   /*post_operands=*/ValueRange(), op.getDpsInits()[0], DenseI64ArrayAttr());
}

LogicalResult tpp::bindKernel(RewriterBase &rewriter, Operation *op, Provider provider, std::string &why) {
  FailureOr<Attribute> desc = getKernelDescriptor(op, provider, why);
  if (failed(desc))
    return rewriter.notifyMatchFailure(op, why);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value kernel = DispatchOp::create(rewriter, op->getLoc(), KernelType::get(op->getContext()), *desc);
  visitTileOp(op, [&](auto tileOp) { createInvoke(rewriter, tileOp, kernel); });
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct BindKernels : public tpp::impl::BindKernelsBase<BindKernels> {
  using BindKernelsBase::BindKernelsBase;

  void runOnOperation() override {
    std::optional<Provider> wanted = symbolizeProvider(provider);
    if (!wanted) {
      getOperation().emitError() << "'" << provider << "' is not a provider: use auto, xsmm, native or reference";
      return signalPassFailure();
    }
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isTileOp(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    int64_t scalarLoops = 0;
    for (Operation *op : ops) {
      if (!cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics()) {
        op->emitOpError() << "is on tensors; bufferize before binding kernels";
        return signalPassFailure();
      }
      std::string why;
      if (succeeded(bindKernel(rewriter, op, *wanted, why)))
        continue;
      op->emitRemark() << "no kernel, lowered to scalar loops: " << why;
      if (failed(lowerTppToLoops(rewriter, op)))
        return signalPassFailure();
      ++scalarLoops;
    }
    if (scalarLoops == 0)
      return;
    func::FuncOp func = getOperation();
    auto others = func->getAttrOfType<IntegerAttr>(kScalarLoopsAttr);
    func->setAttr(kScalarLoopsAttr, rewriter.getI64IntegerAttr(scalarLoops + (others ? others.getInt() : 0)));
  }
};
} // namespace

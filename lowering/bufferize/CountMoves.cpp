//===- CountMoves.cpp - what a call only moves -------------------------------------------------------------------------------===//
//
// tpp-run reports every byte that is moved without being computed on. Counted twice, on either side of bufferization, since each
// side knows what the other does not: on tensors a pack is still a pack, and only bufferization decides which slices, pads and
// concats cost a copy. Nothing is counted on both sides: ops of the first list never become a memref.copy.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/Relay.h"
#include "lowering/bufferize/BufferSize.h"
#include "lowering/emit/Analysis.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_COUNTMOVES
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

static int64_t bytesOf(Value value) { return tpp::getBufferBytes(cast<ShapedType>(value.getType())).value_or(0); }

namespace {
struct CountMoves : public tpp::impl::CountMovesBase<CountMoves> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    int64_t packs = 0, unpacks = 0, copies = 0, bytes = 0;
    func.walk([&](Operation *op) {
      int64_t *counter = nullptr;
      Value target;
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        counter = &copies;
        target = copy.getTarget();
      } else if (isa<linalg::PackOp>(op)) {
        counter = &packs;
        target = op->getResult(0);
      } else if (isa<linalg::UnPackOp>(op)) {
        counter = &unpacks;
        target = op->getResult(0);
      } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
                 linalgOp && linalgOp.hasPureTensorSemantics() && tpp::isCopy(linalgOp)) {
        counter = &copies;
        target = op->getResult(0);
      }
      if (!counter)
        return;
      int64_t executions = tpp::countExecutions(op);
      *counter += executions;
      // Read and written; a broadcast reads less, but never more than it writes.
      bytes += executions * (bytesOf(target) + std::min(bytesOf(op->getOperand(0)), bytesOf(target)));
    });

    auto before = func->getAttrOfType<DictionaryAttr>("tpp.moves");
    OpBuilder builder(func.getContext());
    auto sum = [&](StringRef name, int64_t value) {
      auto attr = before ? before.getAs<IntegerAttr>(name) : IntegerAttr();
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value + (attr ? attr.getInt() : 0)));
    };
    func->setAttr("tpp.moves", builder.getDictionaryAttr(
                                   {sum("bytes", bytes), sum("copies", copies), sum("packs", packs), sum("unpacks", unpacks)}));
  }
};
} // namespace

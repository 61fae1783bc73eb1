//===- CreateGlobals.cpp - creates globals for constants in program order ----------------------------------------------------===//
//
// One-shot bufferization visits functions in an order that depends on their addresses in memory, and numbers the globals that it creates in this
// order. The same program would then compile to different code in each run. One-shot bufferization uses existing globals, so this pass creates
// them first.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_CREATEGLOBALS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct CreateGlobals : public tpp::impl::CreateGlobalsBase<CreateGlobals> {
  void runOnOperation() override {
    SymbolTableCollection tables;
    uint64_t alignment = bufferization::BufferizationOptions().bufferAlignment;
    WalkResult walk = getOperation().walk([&](arith::ConstantOp constant) {
      if (!isa<RankedTensorType>(constant.getType()))
        return WalkResult::advance();
      return WalkResult(bufferization::getGlobalFor(constant, tables, alignment));
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

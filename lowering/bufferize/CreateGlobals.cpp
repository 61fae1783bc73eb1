//===- CreateGlobals.cpp - constants become globals in the order of the program ----------------------------------------------===//
//
// One-shot bufferization visits functions in an order that depends on where they lie in memory, and numbers the globals it makes of their
// constants on the way: the same program would be compiled to other code in the next run. It takes globals that are there already.
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

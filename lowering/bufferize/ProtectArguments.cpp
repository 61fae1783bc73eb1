//===- ProtectArguments.cpp - a model never writes its tensor arguments ------------------------------------------------------===//
//
// One-shot bufferization may use an argument's buffer for a result. A caller's inputs and the weights, however, are const: the C
// entry points say so, the weights may be a read-only mapping, and a model is called again with the same ones.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_PROTECTARGUMENTS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct ProtectArguments : public tpp::impl::ProtectArgumentsBase<ProtectArguments> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    for (BlockArgument argument : func.getArguments())
      if (isa<TensorType>(argument.getType()))
        func.setArgAttr(argument.getArgNumber(), bufferization::BufferizationDialect::kWritableAttrName,
                        BoolAttr::get(&getContext(), false));
  }
};
} // namespace

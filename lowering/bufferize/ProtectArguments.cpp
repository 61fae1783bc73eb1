//===- ProtectArguments.cpp - a model never writes its tensor arguments ------------------------------------------------------===//
//
// Marks tensor arguments as read-only, because one-shot bufferization may otherwise write results into an argument's buffer. The caller's inputs
// and the weights are const: the C entry points declare them const, the weights may be a read-only mapping, and later calls use them again.
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

// Turns scalar arguments and results of public functions into tensors of one element: a compiled model takes pointers only.
#include "lowering/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_BOXSCALARS
#include "lowering/Passes.h.inc"

namespace {

bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

Type box(Type type) { return isScalar(type) ? RankedTensorType::get({}, type) : type; }

void boxArguments(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    if (!isScalar(argument.getType()))
      continue;
    argument.setType(box(argument.getType()));
    auto value = tensor::ExtractOp::create(builder, argument.getLoc(), argument, ValueRange());
    argument.replaceAllUsesExcept(value.getResult(), value);
  }
}

void boxResults(func::FuncOp func) {
  func.walk([](func::ReturnOp end) {
    OpBuilder builder(end);
    for (OpOperand &operand : end->getOpOperands())
      if (isScalar(operand.get().getType()))
        operand.set(tensor::FromElementsOp::create(builder, end.getLoc(), cast<RankedTensorType>(box(operand.get().getType())),
                                                   operand.get()));
  });
}

struct BoxScalars : public impl::BoxScalarsBase<BoxScalars> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      FunctionType type = func.getFunctionType();
      if (func.isExternal() || !func.isPublic() ||
          llvm::none_of(llvm::concat<const Type>(type.getInputs(), type.getResults()), isScalar))
        continue;
      if (!SymbolTable::symbolKnownUseEmpty(func, getOperation())) {
        func.emitOpError("has scalar arguments or results and is called within the module; call a private copy of it");
        return signalPassFailure();
      }
      boxArguments(func);
      boxResults(func);
      func.setFunctionType(FunctionType::get(func.getContext(), llvm::map_to_vector(type.getInputs(), box),
                                             llvm::map_to_vector(type.getResults(), box)));
    }
  }
};

} // namespace
} // namespace mlir::tpp

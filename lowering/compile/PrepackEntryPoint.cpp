//===- PrepackEntryPoint.cpp - NAME_prepack, what depends on arguments that are given once -----------------------------------===//
//
// The functions of tpp-split-prepack, called one after the other: each reads arguments and what the segment holds already, and writes its
// weight straight into the segment.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/compile/ModelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

static LLVM::LLVMFuncOp beginFunction(OpBuilder &builder, ModuleOp code, StringRef name, Type result, ArrayRef<Type> parameters) {
  builder.setInsertionPointToEnd(code.getBody());
  auto func = LLVM::LLVMFuncOp::create(builder, code.getLoc(), name, LLVM::LLVMFunctionType::get(result, parameters));
  func.setPassthroughAttr(builder.getStrArrayAttr({"nounwind"}));
  builder.setInsertionPointToStart(func.addEntryBlock(builder));
  return func;
}

namespace {
/// The body of NAME_prepack.
struct PrepackBody {
  PrepackBody(OpBuilder &builder, const tpp::BuiltModel &model, LLVM::LLVMFuncOp prepack)
      : builder(builder), model(model), prepack(prepack), loc(prepack.getLoc()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())),
        segment(LLVM::LoadOp::create(builder, loc, pointer, prepack.getArgument(0))) {}

  Value weight(size_t number) {
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), segment,
                               ValueRange(LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                                                   builder.getI64IntegerAttr(model.weights.offsets[number]))));
  }

  llvm::Expected<Value> source(const tpp::PrepackPlan::Source &source) {
    if (!source.constant)
      return prepack.getArgument(2 + source.argument);
    if (std::optional<size_t> stored = model.prepack.findStored(source.constant))
      return weight(*stored);
    return tpp::makeError("a constant that @" + prepack.getSymName() + " needs beside an argument is not in the weights segment");
  }

  llvm::Error compute(size_t number) {
    const tpp::PrepackPlan::Weight &plan = model.prepack.weights[number];
    SmallVector<Value> arguments = {prepack.getArgument(0), prepack.getArgument(1)};
    for (const tpp::PrepackPlan::Source &from : plan.sources) {
      llvm::Expected<Value> value = source(from);
      if (!value)
        return value.takeError();
      arguments.push_back(*value);
    }
    arguments.push_back(weight(number));
    if (plan.function.empty()) {
      Value bytes =
          LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), builder.getI64IntegerAttr(model.weights.sizes[number]));
      LLVM::MemcpyOp::create(builder, loc, arguments[3], arguments[2], bytes, /*isVolatile=*/false);
      return llvm::Error::success();
    }
    auto run = prepack->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(plan.function + "_run");
    if (!run)
      return tpp::makeError("internal error: a pass removed @" + plan.function);
    run.setLinkage(LLVM::Linkage::Internal);
    run.setNoInline(true); // LLVM's passes would take a time quadratic in the number of weights
    Value failed = LLVM::CallOp::create(builder, loc, run, arguments).getResult();
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(0));
    Value isOk = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status ? status : zero, zero);
    status = status ? LLVM::SelectOp::create(builder, loc, isOk, failed, status).getResult() : failed;
    return llvm::Error::success();
  }

  OpBuilder &builder;
  const tpp::BuiltModel &model;
  LLVM::LLVMFuncOp prepack;
  Location loc;
  Type pointer;
  Value segment;
  Value status; // of the first computation that failed; null while there is none that can
};
} // namespace

llvm::Error tpp::addPrepackEntryPoint(BuiltModel &model) {
  if (model.prepack.arguments.empty())
    return llvm::Error::success();
  ModuleOp code = *model.code;
  std::string name = tpp::getPrepackName(model.entry), bytesName = name + "_workspace_bytes";
  for (const std::string &symbol : {name, bytesName})
    if (code.lookupSymbol(symbol))
      return makeError("@" + symbol + " has the name of an entry point of @" + model.entry);
  OpBuilder builder(code.getContext());
  Type pointer = LLVM::LLVMPointerType::get(code.getContext()), i64 = builder.getI64Type();
  SmallVector<Type> parameters(2 + model.prepack.arguments.size(), pointer);
  auto prepack = beginFunction(builder, code, name, builder.getI32Type(), parameters);
  PrepackBody body(builder, model, prepack);
  for (size_t number = 0; number < model.weights.sizes.size(); ++number)
    if (model.prepack.weights[number].dependsOnArguments())
      if (llvm::Error error = body.compute(number))
        return error;
  if (!body.status)
    body.status = LLVM::ConstantOp::create(builder, code.getLoc(), builder.getI32Type(), builder.getI32IntegerAttr(0));
  LLVM::ReturnOp::create(builder, code.getLoc(), body.status);

  beginFunction(builder, code, bytesName, i64, {pointer});
  Value bytes = LLVM::ConstantOp::create(builder, code.getLoc(), i64, builder.getI64IntegerAttr(model.prepackWorkspaceBytes));
  LLVM::ReturnOp::create(builder, code.getLoc(), bytes);
  return llvm::Error::success();
}

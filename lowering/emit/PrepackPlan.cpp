//===- PrepackPlan.cpp -------------------------------------------------------------------------------------------------------===//

#include "lowering/emit/PrepackPlan.h"

#include "lowering/bufferize/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;

FailureOr<tpp::PrepackPlan> tpp::takePrepack(ModuleOp module, StringRef entry) {
  PrepackPlan plan;
  plan.module = ModuleOp::create(module.getLoc());
  auto prepack = module.lookupSymbol<func::FuncOp>((entry + "_prepack").str());
  if (!prepack)
    return std::move(plan);

  for (Value value : prepack.getBody().front().getTerminator()->getOperands()) {
    PrepackPlan::Weight weight;
    weight.type = dyn_cast<RankedTensorType>(value.getType());
    auto addSource = [&](Value source) {
      if (auto constant = source.getDefiningOp<arith::ConstantOp>())
        weight.sources.push_back(constant.getValue());
      return source.getDefiningOp<arith::ConstantOp>() != nullptr;
    };
    auto call = value.getDefiningOp<func::CallOp>();
    bool understood = weight.type && (call ? llvm::all_of(call.getOperands(), addSource) : addSource(value));
    if (!understood)
      return prepack.emitOpError("result ") << plan.weights.size() << " is neither a constant nor a call with constants";
    if (call) {
      weight.function = call.getCallee().str();
      if (auto function = module.lookupSymbol<func::FuncOp>(weight.function))
        function->moveBefore(plan.module->getBody(), plan.module->getBody()->end());
      else if (!plan.module->lookupSymbol(weight.function))
        return call.emitOpError("calls a function that does not exist");
    }
    plan.weights.push_back(std::move(weight));
  }
  prepack.erase();
  return std::move(plan);
}

static llvm::Error error(const llvm::Twine &message) { return llvm::createStringError(llvm::inconvertibleErrorCode(), message); }

llvm::Expected<ArrayRef<char>> tpp::readConstant(TypedAttr constant, std::vector<char> &storage) {
  auto type = cast<ShapedType>(constant.getType());
  std::optional<int64_t> wanted = getBufferBytes(type);
  if (!wanted)
    return error("a constant's size is not known");
  auto check = [&](ArrayRef<char> data) -> llvm::Expected<ArrayRef<char>> {
    if (int64_t(data.size()) == *wanted)
      return data;
    return error(llvm::formatv("a constant of {0} bytes should have {1}", data.size(), *wanted).str());
  };

  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    DenseResourceElementsHandle handle = resource.getRawHandle();
    AsmResourceBlob *blob = handle.getBlob();
    if (!blob)
      return error("the model does not hold the data of resource '" + handle.getKey() + "'");
    return check(blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  if (!dense)
    return error("a constant is neither dense nor a resource");
  if (type.getElementType().isInteger(1)) { // bits in the attribute, bytes in memory
    storage.clear();
    for (bool value : dense.getValues<bool>())
      storage.push_back(value);
    return check(storage);
  }
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return check(raw);
  storage.resize(*wanted);
  for (size_t offset = 0; !raw.empty() && offset + raw.size() <= storage.size(); offset += raw.size())
    std::memcpy(storage.data() + offset, raw.data(), raw.size());
  return check(storage);
}

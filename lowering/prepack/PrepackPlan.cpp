//===- PrepackPlan.cpp - reads @NAME_prepack as a plan -----------------------------------------------------------------------===//
//
// Implements PrepackPlan.h: reads how each weight is computed from the constants and calls in @NAME_prepack, and reads constants.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/prepack/PrepackPlan.h"

#include "lowering/analysis/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;

/// Returns a constant, or an argument through reshapes; nullopt for other values.
static std::optional<tpp::PrepackPlan::Source> getSource(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return tpp::PrepackPlan::Source{constant.getValue()};
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return tpp::PrepackPlan::Source{TypedAttr(), argument.getArgNumber()};
  return std::nullopt;
}

/// Reads how one result of @NAME_prepack is computed.
static FailureOr<tpp::PrepackPlan::Weight> readWeight(Value value) {
  tpp::PrepackPlan::Weight weight;
  weight.type = dyn_cast<RankedTensorType>(value.getType());
  auto call = value.getDefiningOp<func::CallOp>();
  for (Value source : call ? SmallVector<Value>(call.getOperands()) : SmallVector<Value>{value}) {
    std::optional<tpp::PrepackPlan::Source> read = getSource(source);
    if (!read || !weight.type)
      return failure();
    weight.sources.push_back(*read);
  }
  if (call)
    weight.function = call.getCallee().str();
  return weight;
}

FailureOr<tpp::PrepackPlan> tpp::takePrepack(ModuleOp module, StringRef entry) {
  PrepackPlan plan;
  plan.module = ModuleOp::create(module.getLoc());
  auto prepack = module.lookupSymbol<func::FuncOp>(tpp::getPrepackName(entry));
  if (!prepack)
    return std::move(plan);

  llvm::append_range(plan.arguments, prepack.getArgumentTypes());
  llvm::SmallSetVector<Operation *, 8> given, constant;
  for (Value value : prepack.getBody().front().getTerminator()->getOperands()) {
    FailureOr<PrepackPlan::Weight> weight = readWeight(value);
    if (failed(weight))
      return prepack.emitOpError("result ") << plan.weights.size()
                                            << " is neither a constant, nor an argument, nor a call whose operands are such";
    if (!weight->function.empty()) {
      auto function = module.lookupSymbol<func::FuncOp>(weight->function);
      if (!function)
        return prepack.emitOpError("calls @") << weight->function << ", which does not exist";
      (weight->dependsOnArguments() ? given : constant).insert(function);
    }
    plan.weights.push_back(std::move(*weight));
  }
  prepack.erase();
  Block *items = plan.module->getBody();
  for (Operation *function : constant) {
    if (given.contains(function)) // the same computation is used for a constant and for an argument
      items->push_back(function->clone());
    else
      function->moveBefore(items, items->end());
  }
  for (Operation *function : given)
    plan.compiled.push_back(cast<func::FuncOp>(function).getSymName().str());
  return std::move(plan);
}

std::optional<size_t> tpp::PrepackPlan::findStored(TypedAttr constant) const {
  for (auto [index, weight] : llvm::enumerate(weights))
    if (weight.function.empty() && weight.sources.front().constant == constant)
      return index;
  return std::nullopt;
}

static llvm::Error error(const llvm::Twine &message) { return llvm::createStringError(llvm::inconvertibleErrorCode(), message); }

llvm::Expected<ArrayRef<char>> tpp::readConstant(TypedAttr constant, std::vector<char> &storage) {
  auto type = cast<ShapedType>(constant.getType());
  std::optional<int64_t> wanted = getBufferBytes(type);
  if (!wanted)
    return error("the size of a constant is not known");
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
  if (type.getElementType().isInteger(1)) { // the attribute stores bits, memory holds bytes
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

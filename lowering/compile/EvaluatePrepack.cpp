//===- EvaluatePrepack.cpp - prepacks the weights of a model once ---------------------------------------------------------------===//
//
// The driver prepacks each time a model is compiled. The result of this pass can be written to a file instead. The weights are computed by
// the same code as in the driver (ModelBuilder.h). It runs in this process, so the kernels' runtime must be loaded.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/compile/ModelBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_EVALUATEPREPACK
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

/// Alignment of the constants: that of the largest element type. A larger alignment would be required of every reader of the file, whose
/// buffer may not have it.
static constexpr size_t kConstantAlignment = alignof(int64_t);

/// Weight `number` as a constant. Its data is part of `segment`, which is freed with the last of these constants.
static TypedAttr makeConstant(const tpp::BuiltModel &model, size_t number, std::shared_ptr<tpp::AlignedMemory> segment) {
  ArrayRef<char> data(segment->get() + model.weights.offsets[number], model.weights.sizes[number]);
  AsmResourceBlob blob(
      data, kConstantAlignment, [segment = std::move(segment)](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(model.prepack.weights[number].type, model.entry + "_weight" + std::to_string(number),
                                        std::move(blob));
}

/// Replaces the body of @NAME_prepack by constants.
static void replaceBody(func::FuncOp prepack, ArrayRef<TypedAttr> weights) {
  auto terminator = cast<func::ReturnOp>(prepack.getBody().front().getTerminator());
  OpBuilder builder(terminator);
  for (auto [operand, weight] : llvm::zip_equal(terminator->getOpOperands(), weights))
    operand.set(arith::ConstantOp::create(builder, operand.get().getLoc(), weight));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(prepack.getBody().front())))
    if (op.use_empty() && &op != terminator)
      op.erase();
  prepack.setPrivate();
}

namespace {
struct EvaluatePrepack : public tpp::impl::EvaluatePrepackBase<EvaluatePrepack> {
  using EvaluatePrepackBase::EvaluatePrepackBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (threads < 1 || threads > tpp::CompileOptions::mostThreads) {
      module.emitError("tpp-evaluate-prepack: threads must be from 1 to ")
          << tpp::CompileOptions::mostThreads << ", got " << int64_t(threads);
      return signalPassFailure();
    }
    bool any = false;
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      std::string name = tpp::getPrepackName(func.getSymName());
      if (func.isExternal() || !module.lookupSymbol<func::FuncOp>(name))
        continue;
      any = true;
      if (failed(evaluate(module, func)))
        return signalPassFailure();
    }
    if (!any) {
      module.emitError(
          "has no function @NAME with a function @NAME_prepack: run this pass after tpp-default-tensors or tpp-loops-tensors, "
          "on a model with constants");
      signalPassFailure();
    }
  }

  LogicalResult evaluate(ModuleOp module, func::FuncOp func) {
    std::string entry = func.getSymName().str(), name = tpp::getPrepackName(entry);
    auto prepack = module.lookupSymbol<func::FuncOp>(name);
    auto areTensors = [](TypeRange types) { return llvm::all_of(types, llvm::IsaPred<RankedTensorType>); };
    if (!areTensors(prepack.getArgumentTypes()) || !areTensors(prepack.getResultTypes()))
      return prepack.emitOpError(
          "is not on tensors: run this pass before bufferization, after tpp-default-tensors or tpp-loops-tensors");
    if (prepack.getNumArguments() != 0)
      return prepack.emitOpError("has arguments, whose values are known only when the model runs");

    // The module itself is split, since constants that are left in @NAME become results of @NAME_prepack. A copy of it is lowered and run.
    tpp::SplitPrepackOptions split;
    split.entry = entry;
    PassManager passes(&getContext(), ModuleOp::getOperationName());
    passes.addPass(tpp::createSplitPrepack(split));
    if (failed(passes.run(module)))
      return failure();
    OwningOpRef<ModuleOp> copy = module.clone();
    std::optional<tpp::PrepackPlan> plan = tpp::takePrepack(*copy, entry);
    std::optional<tpp::WeightsLayout> layout = tpp::layoutWeights(func);
    if (!plan || !layout)
      return failure();
    tpp::BuiltModel model;
    model.entry = entry;
    model.prepack = std::move(*plan);
    model.weights = std::move(*layout);
    if (model.weights.sizes.size() != model.prepack.weights.size())
      return prepack.emitOpError("has ") << model.prepack.weights.size() << " results, @" << entry << " takes "
                                         << model.weights.sizes.size() << " weights";
    tpp::CompileOptions options;
    options.threads = int(threads);
    options.provider = provider;
    if (failed(tpp::lowerPrepack(model, options)))
      return failure();
    if (llvm::Error error = fill(model, prepack))
      return prepack.emitOpError("cannot be run: ") << llvm::toString(std::move(error));
    for (auto item : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (item.getSymName().starts_with(name + "_item"))
        item.erase();
    func->setAttr(tpp::kPackedAttr, UnitAttr::get(&getContext()));
    return success();
  }

  static llvm::Error fill(tpp::BuiltModel &model, func::FuncOp prepack) {
    auto compiler = tpp::HostCompiler::create();
    if (!compiler)
      return compiler.takeError();
    auto filled = tpp::fillWeights(model, **compiler, /*releaseConstants=*/false);
    if (!filled)
      return filled.takeError();
    auto segment = std::make_shared<tpp::AlignedMemory>(std::move(*filled));
    SmallVector<TypedAttr> weights;
    for (size_t number = 0; number < model.weights.sizes.size(); ++number)
      weights.push_back(makeConstant(model, number, segment));
    replaceBody(prepack, weights);
    return llvm::Error::success();
  }
};
} // namespace

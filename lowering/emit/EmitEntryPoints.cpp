//===- EmitEntryPoints.cpp - NAME_create, NAME_workspace_bytes, NAME_run, NAME_destroy ---------------------------------------===//
//
// The C face of a compiled model, the same under the JIT and ahead of time. A model is one block of malloc,
//
//     struct NAME_t { const void *weights; const tpp_kernel *kernels[]; };
//
// made by NAME_create, which dispatches every kernel and hands every failure to its caller; calls keep all other state in the
// workspace.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/emit/KernelDescriptors.h"
#include "lowering/machine/Target.h"
#include "tpp/types.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tpp_dialect/StageAttributes.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

static int64_t getIntegerAttr(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

namespace {
/// Builds functions of the LLVM dialect at the end of a module.
struct CodeBuilder : public OpBuilder {
  explicit CodeBuilder(ModuleOp module)
      : OpBuilder(OpBuilder::atBlockEnd(module.getBody())), module(module), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())), i64(getI64Type()), i32(getI32Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  LLVM::LLVMFuncOp beginFunction(StringRef name, Type result, ArrayRef<Type> parameters) {
    setInsertionPointToEnd(module.getBody());
    auto func = LLVM::LLVMFuncOp::create(*this, loc, name, LLVM::LLVMFunctionType::get(result, parameters));
    func.setPassthroughAttr(getStrArrayAttr({"nounwind"}));
    setInsertionPointToStart(func.addEntryBlock(*this));
    return func;
  }

  /// The declaration of a function of libc or the runtime.
  LLVM::LLVMFuncOp declare(StringRef name, Type result, ArrayRef<Type> parameters) {
    if (auto existing = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return existing;
    InsertionGuard guard(*this);
    setInsertionPointToStart(module.getBody());
    return LLVM::LLVMFuncOp::create(*this, loc, name, LLVM::LLVMFunctionType::get(result, parameters));
  }

  Value constant(Type type, int64_t value) { return LLVM::ConstantOp::create(*this, loc, type, getIntegerAttr(type, value)); }
  Value null() { return LLVM::ZeroOp::create(*this, loc, pointer); }
  Value isEqual(Value a, Value b) { return LLVM::ICmpOp::create(*this, loc, LLVM::ICmpPredicate::eq, a, b); }
  /// The address of word `index` behind `base`.
  Value word(Value base, int64_t index) {
    return LLVM::GEPOp::create(*this, loc, pointer, pointer, base, ArrayRef<LLVM::GEPArg>{int32_t(index)});
  }
  void storeTo(Value address, Value value) { LLVM::StoreOp::create(*this, loc, value, address); }
  Value loadFrom(Value address) { return LLVM::LoadOp::create(*this, loc, pointer, address); }
  void returnValue(ValueRange value) { LLVM::ReturnOp::create(*this, loc, value); }

  /// Ends the current block: to `failure` (with its arguments) if `condition` holds, else on to a new block.
  void branchIf(Value condition, Block *failure, ValueRange failureArguments) {
    Block *current = getInsertionBlock();
    Block *next = createBlock(current->getParent(), std::next(current->getIterator()));
    setInsertionPointToEnd(current);
    LLVM::CondBrOp::create(*this, loc, condition, failure, failureArguments, next, ValueRange());
    setInsertionPointToStart(next);
  }

  ModuleOp module;
  Location loc;
  Type pointer, i64, i32, none;
};
} // namespace

/// A constant with the descriptor's bytes.
static Value createDescriptor(CodeBuilder &builder, StringRef name, StringRef bytes) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(builder.module.getBody());
    LLVM::GlobalOp::create(builder, builder.loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           builder.getStringAttr(bytes),
                           /*alignment=*/8);
  }
  return LLVM::AddressOfOp::create(builder, builder.loc, builder.pointer, name);
}

/// A string of the module that ends in a zero.
static Value createText(CodeBuilder &builder, StringRef name, StringRef text) {
  return createDescriptor(builder, name, (text + StringRef("\0", 1)).str());
}

static void createCreate(CodeBuilder &builder, StringRef entry, ArrayAttr kernels, int64_t weightsBytes, tpp::TargetAttr target) {
  auto func = builder.beginFunction((entry + "_create").str(), builder.i32, {builder.pointer, builder.i64, builder.pointer});
  // This function checks the processor, so it must run on any: HostCompiler keeps a processor that is given here.
  StringRef baseline = tpp::getBaselineCpu(target);
  func.setPassthroughAttr(
      builder.getArrayAttr({builder.getStringAttr("nounwind"), builder.getStrArrayAttr({"target-cpu", baseline})}));
  Value weights = func.getArgument(0), bytes = func.getArgument(1), out = func.getArgument(2);
  auto mallocFunc = builder.declare("malloc", builder.pointer, {builder.i64});
  auto freeFunc = builder.declare("free", builder.none, {builder.pointer});
  Location loc = builder.loc;

  // Two ends for failures: nothing to undo, or a model to free.
  Block *fail, *failAndFree;
  {
    OpBuilder::InsertionGuard guard(builder);
    failAndFree = builder.createBlock(&func.getBody(), func.getBody().end(), {builder.i32, builder.pointer}, {loc, loc});
    fail = builder.createBlock(&func.getBody(), func.getBody().end(), {builder.i32}, {loc});
    builder.returnValue(fail->getArgument(0));
    builder.setInsertionPointToStart(failAndFree);
    LLVM::CallOp::create(builder, loc, freeFunc, failAndFree->getArgument(1));
    LLVM::BrOp::create(builder, loc, ValueRange(failAndFree->getArgument(0)), fail);
  }
  auto status = [&](tpp_status value) { return builder.constant(builder.i32, value); };

  builder.branchIf(builder.isEqual(out, builder.null()), fail, status(TPP_STATUS_NULL_POINTER));
  builder.storeTo(out, builder.null());
  if (std::string features = tpp::getCpuFeatures(target); !features.empty()) {
    auto check = builder.declare("tpp_check_cpu", builder.i32, {builder.pointer});
    Value text = createText(builder, (entry + "_cpu_features").str(), features);
    Value result = LLVM::CallOp::create(builder, loc, check, text).getResult();
    Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, result, status(TPP_STATUS_OK));
    builder.branchIf(failed, fail, result);
  }
  Value wrongSize =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bytes, builder.constant(builder.i64, weightsBytes));
  builder.branchIf(wrongSize, fail, status(TPP_STATUS_WEIGHTS_SIZE));
  if (weightsBytes > 0)
    builder.branchIf(builder.isEqual(weights, builder.null()), fail, status(TPP_STATUS_NULL_POINTER));
  Value size = builder.constant(builder.i64, 8 * (1 + int64_t(kernels.size())));
  Value model = LLVM::CallOp::create(builder, loc, mallocFunc, size).getResult();
  builder.branchIf(builder.isEqual(model, builder.null()), fail, status(TPP_STATUS_OUT_OF_MEMORY));
  builder.storeTo(model, weights);
  for (auto [slot, kernel] : llvm::enumerate(kernels)) {
    tpp::EncodedDescriptor descriptor = tpp::encodeDescriptor(kernel);
    auto dispatch = builder.declare(descriptor.dispatchFunction, builder.i32, {builder.pointer, builder.pointer});
    std::string name = (entry + "_descriptor" + Twine(slot)).str();
    SmallVector<Value> arguments = {createDescriptor(builder, name, descriptor.bytes), builder.word(model, 1 + slot)};
    Value result = LLVM::CallOp::create(builder, loc, dispatch, arguments).getResult();
    Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, result, status(TPP_STATUS_OK));
    builder.branchIf(failed, failAndFree, {result, model});
  }
  builder.storeTo(out, model);
  builder.returnValue(status(TPP_STATUS_OK));
}

/// The status of a call whose implementation returned the number of a failed assertion, or 0: a switch over the messages.
static Value createAssertionStatus(CodeBuilder &builder, StringRef name, Value number) {
  Location loc = builder.loc;
  auto fail = builder.declare("tpp_fail_assertion", builder.i32, {builder.pointer});
  Block *current = builder.getInsertionBlock(), *end = builder.createBlock(current->getParent(), {}, {builder.i32}, {loc});
  auto messages = builder.module->getAttrOfType<ArrayAttr>(tpp::kAssertionsAttr);
  SmallVector<int64_t> numbers;
  SmallVector<Block *> blocks;
  for (auto [i, message] : llvm::enumerate(messages.getAsValueRange<StringAttr>())) {
    numbers.push_back(static_cast<int64_t>(i) + 1);
    blocks.push_back(builder.createBlock(end));
    Value text = createText(builder, (name + "_assertion" + Twine(i)).str(), message);
    Value status = LLVM::CallOp::create(builder, loc, fail, text).getResult();
    LLVM::BrOp::create(builder, loc, status, end);
  }
  builder.setInsertionPointToEnd(current);
  Value ok = builder.constant(builder.i32, TPP_STATUS_OK);
  SmallVector<APInt> cases = llvm::map_to_vector(numbers, [](int64_t value) { return APInt(64, value); });
  LLVM::SwitchOp::create(builder, loc, number, end, ok, cases, blocks, SmallVector<ValueRange>(blocks.size()));
  builder.setInsertionPointToStart(end);
  return end->getArgument(0);
}

static void createRun(CodeBuilder &builder, LLVM::LLVMFuncOp impl, StringRef name) {
  // The implementation's parameters are (model, pointers..., workspace, weights), the last two wherever earlier stages put them.
  SmallVector<Type> parameters = {builder.pointer, builder.pointer};
  SmallVector<unsigned> pointers;
  for (unsigned i = 1; i < impl.getNumArguments(); ++i)
    if (!impl.getArgAttr(i, tpp::kWorkspaceAttr) && !impl.getArgAttr(i, tpp::kWeightsAttr)) {
      parameters.push_back(builder.pointer);
      pointers.push_back(i);
    }
  auto run = builder.beginFunction(name, builder.i32, parameters);
  SmallVector<Value> arguments(impl.getNumArguments());
  arguments[0] = run.getArgument(0);
  for (auto [position, i] : llvm::enumerate(pointers))
    arguments[i] = run.getArgument(2 + position);
  for (unsigned i = 1; i < impl.getNumArguments(); ++i) {
    if (impl.getArgAttr(i, tpp::kWorkspaceAttr))
      arguments[i] = run.getArgument(1);
    else if (impl.getArgAttr(i, tpp::kWeightsAttr))
      arguments[i] = builder.loadFrom(run.getArgument(0));
  }
  auto call = LLVM::CallOp::create(builder, builder.loc, impl, arguments);
  bool asserts = !isa<LLVM::LLVMVoidType>(impl.getFunctionType().getReturnType());
  builder.returnValue(asserts ? createAssertionStatus(builder, name, call.getResult())
                              : builder.constant(builder.i32, TPP_STATUS_OK));
}

/// Drops what earlier stages noted on a function for later ones: the translation to LLVM IR warns about each attribute it does
/// not know.
static void dropNotes(LLVM::LLVMFuncOp func) {
  auto isNote = [](NamedAttribute attr) { return attr.getName().getValue().starts_with("tpp."); };
  for (NamedAttribute attr : llvm::to_vector(func->getDiscardableAttrs()))
    if (isNote(attr))
      func->removeDiscardableAttr(attr.getName());
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    for (NamedAttribute attr : llvm::to_vector(cast<FunctionOpInterface>(func.getOperation()).getArgAttrs(i)))
      if (isNote(attr))
        func.removeArgAttr(i, attr.getName());
}

namespace {
struct EmitEntryPoints : public tpp::impl::EmitEntryPointsBase<EmitEntryPoints> {
  using EmitEntryPointsBase::EmitEntryPointsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    int64_t weightsBytes = 0, workspaceBytes = 0;
    SmallVector<LLVM::LLVMFuncOp> implementations;
    for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
      if (func.isExternal())
        continue;
      // Internal, all of them: the entry points are what a module shows.
      func.setLinkage(LLVM::Linkage::Internal);
      weightsBytes = std::max(weightsBytes, getIntegerAttr(func, tpp::kWeightsBytesAttr));
      // Of the entry; of functions that are all called alike, the most.
      if (!module.lookupSymbol(entry) || func.getSymName() == entry)
        workspaceBytes = std::max(workspaceBytes, getIntegerAttr(func, tpp::kWorkspaceBytesAttr));
      if (func->hasAttr(tpp::kEntryPointAttr))
        implementations.push_back(func);
    }
    // All functions of a module are compiled for one processor.
    Operation *targeted = implementations.empty() ? module.getOperation() : implementations.front().getOperation();
    tpp::TargetAttr target = hostCode ? tpp::getHostTarget(&getContext()) : tpp::getTarget(targeted);
    for (LLVM::LLVMFuncOp func : implementations) {
      Type returned = func.getFunctionType().getReturnType();
      bool asserts = returned.isSignlessInteger(64) && module->hasAttr(tpp::kAssertionsAttr);
      if (!isa<LLVM::LLVMVoidType>(returned) && !asserts) {
        func.emitOpError("returns a value that is neither tensor nor memref");
        return signalPassFailure();
      }
      for (StringRef suffix : {"_create", "_workspace_bytes", "_run", "_destroy"})
        if (Operation *other = module.lookupSymbol((func.getSymName() + suffix).str())) {
          other->emitOpError("has the name of an entry point of @") << func.getSymName();
          return signalPassFailure();
        }
    }

    // Out of the way of the C functions that this module calls (a model may be called @malloc) and of other objects it is linked
    // with.
    CodeBuilder builder(module);
    SmallVector<std::string> runNames;
    for (LLVM::LLVMFuncOp func : implementations) {
      runNames.push_back((func.getSymName() + "_run").str());
      SymbolTable::setSymbolName(func, ("tpp.model." + func.getSymName()).str());
    }
    auto kernels = module->getAttrOfType<ArrayAttr>(tpp::kKernelsAttr);
    if (!kernels)
      kernels = builder.getArrayAttr({});
    createCreate(builder, entry, kernels, weightsBytes, target);
    // As texts from here on: what translates the LLVM dialect need not know ours.
    SmallVector<std::string> texts;
    for (Attribute kernel : kernels)
      texts.push_back(tpp::printDescriptor(kernel));
    module->setAttr(tpp::kKernelsAttr, builder.getStrArrayAttr(SmallVector<StringRef>(texts.begin(), texts.end())));
    builder.beginFunction(entry + "_workspace_bytes", builder.i64, {builder.pointer});
    builder.returnValue(builder.constant(builder.i64, workspaceBytes));
    for (auto [func, name] : llvm::zip_equal(implementations, runNames))
      createRun(builder, func, name);
    for (LLVM::LLVMFuncOp func : implementations)
      dropNotes(func);
    auto destroy = builder.beginFunction(entry + "_destroy", builder.none, {builder.pointer});
    LLVM::CallOp::create(builder, builder.loc, builder.declare("free", builder.none, {builder.pointer}), destroy.getArgument(0));
    builder.returnValue({});
  }
};
} // namespace

//===- ModelBuilder.cpp - the steps of a compilation -------------------------------------------------------------------------===//
//
// Runs the steps of a compilation in order. Errors are values: diagnostics of passes are collected and become the text of an llvm::Error.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/compile/ModelBuilder.h"

#include "lowering/Passes.h"
#include "lowering/Pipelines.h"
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/CountWork.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/compile/ParseProgram.h"
#include "lowering/emit/KernelDescriptors.h"
#include "lowering/machine/Target.h"
#include "lowering/report/Drawing.h"
#include "tpp/types.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

#include <algorithm>
#include <chrono>

using namespace mlir;

llvm::Error tpp::makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

namespace {
class Stopwatch {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Collects the diagnostics of the passes that this thread runs during its lifetime.
class Diagnostics {
public:
  explicit Diagnostics(MLIRContext *context, std::vector<std::string> &remarks)
      : handler(context, [this, &remarks, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread)
            return failure(); // for the handler of that thread
          std::string text;
          llvm::raw_string_ostream stream(text);
          if (auto file = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
            stream << file.getFilename().getValue() << ":" << file.getLine() << ":" << file.getColumn() << ": ";
          stream << diagnostic;
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            remarks.push_back(text);
          else
            errors += (errors.empty() ? "" : "\n") + text;
          return success();
        }) {}

  llvm::Error takeError(StringRef fallback) {
    std::string text = std::exchange(errors, {});
    return tpp::makeError(text.empty() ? fallback : StringRef(text));
  }

private:
  std::string errors;
  ScopedDiagnosticHandler handler;
};
} // namespace

//===- signature -------------------------------------------------------------------------------------------------------------===//

static llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto func = module.lookupSymbol<func::FuncOp>(name);
    if (!func || func.isExternal())
      return tpp::makeError("the model has no function @" + name + " with a body");
    return func;
  }
  func::FuncOp only;
  int64_t count = 0;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal()) {
      only = func;
      ++count;
    }
  if (count == 1)
    return only;
  if (auto main = module.lookupSymbol<func::FuncOp>("main"); main && !main.isExternal())
    return main;
  return tpp::makeError(count == 0 ? "the model has no public function with a body"
                                   : "the model has several public functions and no @main: say which one to compile");
}

static llvm::Expected<tpp::ValueSpec> describeValue(Type type, const llvm::Twine &name) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (type.isIntOrIndexOrFloat()) // tpp-box-scalars makes a tensor of one element of it
    type = RankedTensorType::get({}, type);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !isa<RankedTensorType, MemRefType>(type))
    return tpp::makeError(name + " has type " + text + "; arguments and results must be tensors, memrefs or scalars");
  if (!shaped.hasStaticShape())
    return tpp::makeError(name + " has type " + text + "; shapes must be static");
  if (auto memref = dyn_cast<MemRefType>(type); memref && !memref.getLayout().isIdentity())
    return tpp::makeError(name + " has type " + text + "; memrefs must have the identity layout");
  if (!tpp::getBufferBytes(shaped))
    return tpp::makeError(name + " has type " + text + ", which has no size in memory");
  tpp::ValueSpec spec;
  spec.name = name.str();
  spec.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  spec.elementType = shaped.getElementType();
  spec.isMemref = isa<MemRefType>(type);
  return spec;
}

/// Marks as weights the arguments that the options list, besides those marked in the model.
static llvm::Error markPrepackArguments(func::FuncOp func, ArrayRef<int64_t> arguments) {
  for (int64_t argument : arguments) {
    if (argument < 0 || argument >= int64_t(func.getNumArguments()))
      return tpp::makeError("argument " + llvm::Twine(argument) + " cannot be a weight: @" + func.getSymName() + " has " +
                            llvm::Twine(func.getNumArguments()) + " arguments");
    func.setArgAttr(argument, tpp::kPrepackAttr, UnitAttr::get(func.getContext()));
  }
  return llvm::Error::success();
}

/// Describes the results that are not in `model` yet: all, or those that a pass has added.
static llvm::Error describeResults(func::FuncOp func, tpp::BuiltModel &model) {
  for (size_t index = model.results.size(); index < func.getNumResults(); ++index) {
    auto spec = describeValue(tpp::getPassedResultType(func, index), "result" + llvm::Twine(index));
    if (!spec)
      return spec.takeError();
    model.results.push_back(std::move(*spec));
  }
  return llvm::Error::success();
}

static llvm::Error describeSignature(func::FuncOp func, tpp::BuiltModel &model) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index) {
    if (func.getArgAttr(index, tpp::kWeightAttr))
      continue; // a weight of a packed model
    auto spec = describeValue(tpp::getPassedArgumentType(func, index), "argument" + llvm::Twine(index));
    if (!spec)
      return spec.takeError();
    spec->isWeight = tpp::isPrepackArgument(func.getArgument(index));
    if (spec->isWeight && spec->isMemref)
      return tpp::makeError("argument " + llvm::Twine(index) + " of @" + func.getSymName() +
                            " is a memref, which a call may write: only tensors can be weights");
    model.arguments.push_back(std::move(*spec));
  }
  return describeResults(func, model);
}

//===- passes ----------------------------------------------------------------------------------------------------------------===//

namespace {
/// A pass manager that verifies the IR once at the end, not after each of the passes (unless CompileOptions::instrument enables that).
class Passes : public PassManager {
public:
  Passes(MLIRContext *context, StringRef operation, const tpp::CompileOptions &options) : PassManager(context, operation) {
    enableVerifier(false);
    if (options.instrument)
      options.instrument(*this);
  }

  LogicalResult run(Operation *op) { return success(succeeded(PassManager::run(op)) && succeeded(verify(op))); }
};

/// The parts of the pipeline that the options choose: the stages on tensors, the stages on buffers, and emit.
class Pipelines {
public:
  Pipelines(MLIRContext *context, const tpp::CompileOptions &options) : context(context), options(options) {}

  LogicalResult tensors(ModuleOp module, StringRef entry) {
    Passes passes(context, ModuleOp::getOperationName(), options);
    tpp::DefaultOptions filled;
    fill(filled, entry);
    if (isLoops())
      tpp::buildLoopsTensorPipeline(passes, filled);
    else
      tpp::buildDefaultTensorPipeline(passes, filled);
    tpp::SplitPrepackOptions split;
    split.entry = entry.str();
    passes.addPass(tpp::createSplitPrepack(split));
    return passes.run(module);
  }

  /// Replaces tensors() if tpp-evaluate-prepack has packed the function: only sets the target, on which tiles and code depend.
  LogicalResult packed(ModuleOp module) {
    Passes passes(context, ModuleOp::getOperationName(), options);
    if (!options.target.empty()) {
      tpp::SetTargetOptions target;
      target.target = options.target;
      passes.addPass(tpp::createSetTarget(target));
    }
    return passes.run(module);
  }

  /// Counts the moves of a prepack function, as the stages on tensors do for the model's function.
  LogicalResult countMoves(func::FuncOp func) {
    Passes passes(context, func::FuncOp::getOperationName(), options);
    passes.addPass(tpp::createCountMoves());
    return passes.run(func);
  }

  LogicalResult buffers(ModuleOp module, StringRef entry) {
    Passes passes(context, ModuleOp::getOperationName(), options);
    tpp::DefaultOptions filled;
    fill(filled, entry);
    if (isLoops())
      tpp::buildLoopsBufferPipeline(passes, filled);
    else
      tpp::buildDefaultBufferPipeline(passes, filled);
    return passes.run(module);
  }

  LogicalResult emit(ModuleOp module, StringRef entry, tpp::CodeFor codeFor) {
    Passes passes(context, ModuleOp::getOperationName(), options);
    tpp::DefaultOptions filled;
    fill(filled, entry);
    filled.hostCode = codeFor == tpp::CodeFor::Host;
    tpp::buildEmitPipeline(passes, filled);
    return passes.run(module);
  }

private:
  bool isLoops() const { return options.pipeline == tpp::CompileOptions::Pipeline::Loops; }

  void fill(tpp::DefaultOptions &filled, StringRef entry) const {
    filled.entry = entry.str();
    filled.threads = isLoops() ? 1 : options.threads;
    filled.provider = options.provider;
    filled.precision = options.precision;
    filled.winograd = options.winograd;
    filled.denormals = options.denormals;
    filled.ranges = options.ranges;
    filled.recordRanges = options.recordRanges;
    if (!options.packing.empty())
      filled.packing = options.packing;
    if (!options.target.empty())
      filled.target = options.target;
  }

  MLIRContext *context;
  const tpp::CompileOptions &options;
};
} // namespace

static int64_t getInteger(DictionaryAttr dictionary, StringRef name) {
  auto attr = dictionary ? dictionary.getAs<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getInt() : 0;
}

/// The move of a weight argument that is stored unchanged.
static tpp::Move describeStored(const tpp::PrepackPlan::Weight &weight, const tpp::BuiltModel &model) {
  tpp::Move move;
  move.what = "copy";
  std::string type;
  llvm::raw_string_ostream(type) << weight.type;
  move.from = move.to = StringRef(type).drop_front(StringRef("tensor<").size()).drop_back().str();
  move.bytes = 2 * tpp::getBufferBytes(weight.type).value_or(0);
  move.reason = tpp::MoveReason::Edge;
  auto isWeight = [](const tpp::ValueSpec &argument) { return argument.isWeight; };
  auto weights = llvm::make_filter_range(model.arguments, isWeight);
  move.note = std::next(weights.begin(), weight.sources.front().argument)->name + " is kept as it is";
  return move;
}

/// Copies to the report what the passes recorded on the functions of NAME_prepack.
static void reportPrepack(ModuleOp code, tpp::BuiltModel &model) {
  for (const tpp::PrepackPlan::Weight &weight : model.prepack.weights) {
    if (!weight.dependsOnArguments())
      continue;
    if (weight.function.empty()) {
      model.report.prepackMoves.push_back(describeStored(weight, model));
      continue;
    }
    auto item = code.lookupSymbol<func::FuncOp>(weight.function);
    llvm::append_range(model.report.prepackMoves, tpp::getMoves(item).value_or(std::vector<tpp::Move>()));
    model.prepackWorkspaceBytes =
        std::max(model.prepackWorkspaceBytes, getInteger(item->getAttrDictionary(), tpp::kWorkspaceBytesAttr));
  }
}

/// Copies to the report what the passes recorded on the function. The function has been bound to kernels but not emitted.
static void reportLoweredFunction(func::FuncOp func, tpp::BuiltModel &model) {
  model.report.moves = tpp::getMoves(func).value_or(std::vector<tpp::Move>());
  model.report.scalarLoops = getInteger(func->getAttrDictionary(), tpp::kScalarLoopsAttr);
  model.report.workspaceBytes = getInteger(func->getAttrDictionary(), tpp::kWorkspaceBytesAttr);
  model.kernelCalls = tpp::countKernelCalls(func);
}

static llvm::Error checkWeights(const tpp::BuiltModel &model) {
  const auto &weights = model.prepack.weights;
  if (model.weights.sizes.size() > weights.size())
    return tpp::makeError("@" + llvm::Twine(model.entry) + " uses " + llvm::Twine(model.weights.sizes.size()) + " weights, @" +
                          model.entry + "_prepack makes " + llvm::Twine(weights.size()));
  for (size_t i = 0; i < model.weights.sizes.size(); ++i)
    if (tpp::getBufferBytes(weights[i].type) != model.weights.sizes[i])
      return tpp::makeError("weight " + llvm::Twine(i) + " of @" + model.entry + " and result " + llvm::Twine(i) + " of @" +
                            model.entry + "_prepack differ in size");
  return llvm::Error::success();
}

LogicalResult tpp::lowerPrepack(BuiltModel &model, const CompileOptions &options) {
  ModuleOp items = *model.prepack.module;
  if (items.getBody()->empty())
    return success();
  std::string name = tpp::getPrepackName(model.entry);
  Pipelines pipelines(items.getContext(), options);
  if (failed(pipelines.buffers(items, name)))
    return failure();
  for (auto item : items.getOps<func::FuncOp>())
    model.fillWorkspaceBytes =
        std::max(model.fillWorkspaceBytes, getInteger(item->getAttrDictionary(), tpp::kWorkspaceBytesAttr));
  if (failed(pipelines.emit(items, name, CodeFor::Host)))
    return failure();
  for (const PrepackPlan::Weight &weight : model.prepack.weights)
    if (items.lookupSymbol(weight.function + "_run") && !items.lookupSymbol(weight.function + "_run_array"))
      addArrayEntryPoint(items, weight.function + "_run");
  return success();
}

/// Whether the entry is packed (tpp-evaluate-prepack). Fails if it is packed and the options set weights or a packing, which only the stages on
/// tensors use.
static llvm::Expected<bool> checkPacked(func::FuncOp func, const tpp::CompileOptions &options) {
  if (!func->hasAttr(tpp::kPackedAttr))
    return false;
  if (!tpp::getMoves(func))
    return tpp::makeError("@" + func.getSymName() + " has the attribute " + tpp::kPackedAttr +
                          " but no valid tpp.moves, so it was not packed by tpp-evaluate-prepack. Remove tpp.packed");
  if (!options.weights.empty() || !options.packing.empty())
    return tpp::makeError("@" + func.getSymName() + " is already packed: remove the options that set weights or packing");
  return true;
}

/// Erases all functions except @entry, which is packed, and its @entry_prepack.
static void dropOthers(ModuleOp module, StringRef entry) {
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (func.getSymName() != entry && func.getSymName() != tpp::getPrepackName(entry))
      func.erase();
}

static std::string draw(func::FuncOp func) {
  llvm::Expected<tpp::Drawing> drawing = tpp::drawLayouts(func);
  if (!drawing) {
    llvm::consumeError(drawing.takeError());
    return "";
  }
  tpp::place(*drawing);
  std::string text;
  llvm::raw_string_ostream stream(text);
  tpp::writeSvg(*drawing, stream);
  return text;
}

llvm::Expected<tpp::BuiltModel> tpp::buildModel(ModuleOp module, const CompileOptions &options, CodeFor codeFor) {
  Stopwatch stopwatch;
  if (std::string problem = getHostProblem(); !problem.empty())
    return makeError(problem);
  BuiltModel model;
  // A packed model may have attributes of the dialect, such as its target, but no ops that would load the dialect.
  module.getContext()->loadDialect<TppDialect>();
  OwningOpRef<ModuleOp> code = module.clone(); // copies operations only: constants are shared
  // One machine for the whole compilation, whatever tpp_set_machine does meanwhile.
  if (!(*code)->hasAttr(kTargetAttr))
    (*code)->setAttr(kTargetAttr, getHostTarget(code->getContext()));
  llvm::Expected<func::FuncOp> func = findEntry(*code, options.entry);
  if (!func)
    return func.takeError();
  model.entry = func->getSymName().str();
  llvm::Expected<bool> packed = checkPacked(*func, options);
  if (!packed)
    return packed.takeError();
  if (llvm::Error error = markPrepackArguments(*func, options.weights))
    return std::move(error);
  if (llvm::Error error = describeSignature(*func, model))
    return std::move(error);
  FlopCount flops = countFlops(*func);
  model.report.flops = flops.flops;
  model.report.flopsType = flops.type;

  Diagnostics diagnostics(module.getContext(), model.report.remarks);
  Pipelines pipelines(module.getContext(), options);
  if (*packed)
    dropOthers(*code, model.entry);
  if (failed(*packed ? pipelines.packed(*code) : pipelines.tensors(*code, model.entry)))
    return diagnostics.takeError("the model cannot be lowered");
  // The type that is multiplied: quantization and --precision have changed it.
  if (FlopCount multiplied = countFlops(code->lookupSymbol<func::FuncOp>(model.entry)); !multiplied.type.empty())
    model.report.flopsType = multiplied.type;
  if (options.recordRanges) // the ranges have become results
    if (llvm::Error error = describeResults(code->lookupSymbol<func::FuncOp>(model.entry), model))
      return std::move(error);
  if (options.drawing)
    model.report.drawing = draw(code->lookupSymbol<func::FuncOp>(model.entry));
  model.target = getTarget(code->lookupSymbol(model.entry));
  model.report.entry = model.entry;
  model.report.target = (model.target.getCpu() ? model.target.getCpu() : model.target.getIsa()).str();
  std::optional<PrepackPlan> prepack = takePrepack(*code, model.entry);
  if (!prepack)
    return diagnostics.takeError("the computation of the weights cannot be split");
  model.prepack = std::move(*prepack);
  for (StringRef function : model.prepack.compiled)
    if (failed(pipelines.countMoves(code->lookupSymbol<func::FuncOp>(function))))
      return diagnostics.takeError("the moves of the computation of the weights cannot be counted");
  std::optional<WeightsLayout> weights = layoutWeights(code->lookupSymbol<func::FuncOp>(model.entry));
  if (!weights)
    return diagnostics.takeError("the weights cannot be placed");
  model.weights = std::move(*weights);
  model.report.weightsBytes = model.weights.bytes;
  if (llvm::Error error = checkWeights(model))
    return std::move(error);

  if (failed(pipelines.buffers(*code, model.entry)))
    return diagnostics.takeError("the model cannot be lowered");
  auto lowered = code->lookupSymbol<func::FuncOp>(model.entry);
  if (!lowered)
    return makeError("internal error: a pass removed @" + model.entry);
  reportLoweredFunction(lowered, model);
  reportPrepack(*code, model);
  if (failed(pipelines.emit(*code, model.entry, codeFor)))
    return diagnostics.takeError("the model cannot be emitted");
  if (auto kernels = (*code)->getAttrOfType<ArrayAttr>(tpp::kKernelsAttr))
    for (StringRef kernel : kernels.getAsValueRange<StringAttr>())
      model.kernels.push_back(kernel.str());
  model.code = std::move(code);
  if (llvm::Error error = addPrepackEntryPoint(model))
    return std::move(error);
  model.report.passesSeconds = stopwatch.seconds();
  return std::move(model);
}

/// Adds a remark if some of a thousand weights of f32 are denormal: those of channels that training has switched off.
static void reportDenormals(tpp::BuiltModel &model, const char *segment) {
  int64_t elements = 0, denormal = 0;
  for (auto [weight, offset] : llvm::zip_equal(model.prepack.weights, model.weights.offsets)) {
    if (!weight.type.getElementType().isF32() || weight.dependsOnArguments())
      continue;
    const auto *bits = reinterpret_cast<const uint32_t *>(segment + offset);
    elements += weight.type.getNumElements();
    denormal += std::count_if(bits, bits + weight.type.getNumElements(),
                              [](uint32_t each) { return (each & 0x7f800000) == 0 && (each & 0x7fffff) != 0; });
  }
  if (denormal * 1000 > elements)
    model.report.remarks.push_back(
        llvm::formatv("{0} of {1} weights of f32 are denormal numbers, with which an instruction can take 150 "
                      "cycles; with denormals=zero, calls compute with zeros instead",
                      denormal, elements));
}

llvm::Expected<tpp::AlignedMemory> tpp::computeWeights(BuiltModel &model, const CompileOptions &options) {
  Stopwatch stopwatch;
  {
    Diagnostics diagnostics(model.code->getContext(), model.report.remarks);
    if (failed(lowerPrepack(model, options)))
      return diagnostics.takeError("the computation of the weights cannot be lowered");
  }
  auto compiler = HostCompiler::create();
  if (!compiler)
    return compiler.takeError();
  llvm::Expected<AlignedMemory> weights = fillWeights(model, **compiler, options.releaseConstants);
  if (weights && options.denormals == "keep")
    reportDenormals(model, weights->get());
  model.report.prepackSeconds = stopwatch.seconds();
  return weights;
}

void tpp::addArrayEntryPoint(ModuleOp code, StringRef function) {
  auto run = code.lookupSymbol<LLVM::LLVMFuncOp>(function);
  OpBuilder builder = OpBuilder::atBlockEnd(code.getBody());
  Location loc = code.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(code.getContext());
  auto type = LLVM::LLVMFunctionType::get(run.getFunctionType().getReturnType(), {pointer, pointer, pointer});
  auto func = LLVM::LLVMFuncOp::create(builder, loc, (function + "_array").str(), type);
  builder.setInsertionPointToStart(func.addEntryBlock(builder));
  SmallVector<Value> arguments = {func.getArgument(0), func.getArgument(1)};
  for (int32_t i = 0, count = int32_t(run.getNumArguments()) - 2; i < count; ++i) {
    Value address = LLVM::GEPOp::create(builder, loc, pointer, pointer, func.getArgument(2), ArrayRef<LLVM::GEPArg>{i});
    arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, address));
  }
  auto call = LLVM::CallOp::create(builder, loc, run, arguments);
  LLVM::ReturnOp::create(builder, loc, call.getResult());
}

static std::string describeStatus(int status) {
  static constexpr const char *texts[] = {
#define TPP_STATUS(NAME, value, text) text,
#include "tpp/kinds.def"
  };
  std::string message = size_t(status) < std::size(texts) ? texts[status] : "unknown status " + std::to_string(status);
  if (auto *lastError = reinterpret_cast<const char *(*)()>(tpp::findInProcess("tpp_last_error")); lastError && *lastError())
    message += std::string(": ") + lastError();
  return message;
}

char tpp::StatusError::ID = 0;

llvm::Error tpp::checkStatus(int status, const llvm::Twine &what) {
  if (status == TPP_STATUS_OK)
    return llvm::Error::success();
  return llvm::make_error<StatusError>(status, (what + ": " + describeStatus(status)).str());
}

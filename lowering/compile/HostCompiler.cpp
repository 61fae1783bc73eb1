//===- HostCompiler.cpp - optimization and code generation with LLVM ---------------------------------------------------------===//

#include "lowering/compile/HostCompiler.h"
#include "lowering/compile/BFloatTruncations.h"
#include "lowering/machine/Target.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;

static llvm::Error error(const llvm::Twine &message) { return llvm::createStringError(llvm::inconvertibleErrorCode(), message); }

tpp::HostCompiler::HostCompiler() = default;
tpp::HostCompiler::~HostCompiler() = default;
tpp::LoadedCode::LoadedCode() = default;
tpp::LoadedCode::~LoadedCode() = default;

static void initializeTargetOnce() {
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
}

/// All features of this machine's processor, which is asked once, too.
static const std::string &getHostFeatures() {
  static const std::string features = [] {
    llvm::SubtargetFeatures all;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      all.AddFeature(feature.first(), feature.second);
    return all.getString();
  }();
  return features;
}

static void initializeAllTargetsOnce() {
  static bool initialized = [] {
#ifdef TPP_ONLY_NATIVE_TARGET
    initializeTargetOnce();
#else
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
#endif
    return true;
  }();
  (void)initialized;
}

llvm::Expected<std::unique_ptr<tpp::HostCompiler>> tpp::HostCompiler::create() {
  initializeTargetOnce();
  return create(llvm::Triple(llvm::sys::getDefaultTargetTriple()), getHostCpu(), getHostFeatures());
}

llvm::Expected<std::unique_ptr<tpp::HostCompiler>> tpp::HostCompiler::create(TargetAttr target) {
  if (isHost(target))
    return create();
  initializeAllTargetsOnce();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  if (target.getIsa() == "neon")
    triple.setArch(llvm::Triple::aarch64);
  else if (target.getIsa() != "portable") // which is this machine's architecture
    triple.setArch(llvm::Triple::x86_64);
  auto compiler = create(triple, getCpu(target), "");
  if (compiler)
    (*compiler)->vectorBits = target.getVectorBits();
  return compiler;
}

llvm::Expected<std::unique_ptr<tpp::HostCompiler>> tpp::HostCompiler::create(const llvm::Triple &triple, StringRef cpu,
                                                                             StringRef features) {
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return error("no code generator for " + triple.str() + ": " + message);
  // For an unknown processor, LLVM would only print a line to stderr and still create a target machine.
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  if (!info || !info->isCPUStringValid(cpu))
    return error("'" + cpu + "' is no processor of " + triple.getArchName() + " that LLVM knows");
  std::unique_ptr<HostCompiler> compiler(new HostCompiler);
  compiler->machine.reset(target->createTargetMachine(triple, cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                                      std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!compiler->machine)
    return error("no code generator for " + triple.str());
  return std::move(compiler);
}

void tpp::registerTranslations(MLIRContext &context) {
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
}

/// The passes of LLVM's -O2 that find something in lowered models. The whole of -O2 takes two to three times as long, and its code is not faster
/// (within 1 % over 17 models, docs/decisions/compile-time.md). Loops are vector code already where that pays. Of those that are left, the loop
/// vectorizer makes interleaved groups, for some of which the back end cannot select instructions of AVX-512: it then ends the process.
static constexpr const char *kOptimizations =
    "cgscc(inline),"
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop(loop-unroll-full),sroa<modify-cfg>,early-cse<memssa>,"
    "slp-vectorizer,simplifycfg,instcombine<no-verify-fixpoint>),"
    "globaldce";

llvm::Expected<tpp::LLVMModule> tpp::HostCompiler::translate(ModuleOp module, StringRef name, Optimize optimize) {
  registerTranslations(*module.getContext());
  LLVMModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  std::string problems;
  {
    ScopedDiagnosticHandler collect(module.getContext(), [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
      if (llvm::get_threadid() != thread)
        return failure(); // of passes in another thread
      problems += ": " + diagnostic.str();
      return success();
    });
    result.module = translateModuleToLLVMIR(module, *result.context, name);
  }
  if (!result.module)
    return error("the module cannot be translated to LLVM IR" + problems);
  llvm::Module &code = *result.module;
  code.setTargetTriple(machine->getTargetTriple());
  code.setDataLayout(machine->createDataLayout());
  code.setPICLevel(llvm::PICLevel::BigPIC);
  for (llvm::Function &function : code)
    if (!function.isDeclaration() && !function.hasFnAttribute("target-cpu")) {
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
      // The tunings of some processors split 512-bit vectors. Keep vectors as wide as the lowering chose.
      if (machine->getTargetTriple().isX86()) {
        function.addFnAttr("prefer-vector-width", std::to_string(vectorBits));
        function.addFnAttr("min-legal-vector-width", std::to_string(vectorBits));
      }
    }

  tpp::expandBFloatTruncations(code, *machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (optimize == Optimize::ForManyRuns)
    llvm::cantFail(builder.parsePassPipeline(passes, kOptimizations));
  else
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  passes.run(code, modules);
  return std::move(result);
}

llvm::Error tpp::HostCompiler::emit(llvm::Module &module, llvm::CodeGenFileType type, llvm::raw_pwrite_stream &stream) {
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return error("the code generator cannot write this kind of file");
  passes.run(module);
  return llvm::Error::success();
}

llvm::Expected<std::string> tpp::HostCompiler::compile(llvm::Module &module) {
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  if (llvm::Error failed = emit(module, llvm::CodeGenFileType::ObjectFile, stream))
    return std::move(failed);
  return std::string(object.begin(), object.end());
}

/// The functions that the code calls and neither it nor this process has.
static std::vector<std::string> findMissing(const llvm::object::ObjectFile &object) {
  std::vector<std::string> missing;
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && *name != "" && *name != "_GLOBAL_OFFSET_TABLE_" &&
        !tpp::findInProcess(name->str().c_str()))
      missing.push_back(name->str());
  }
  return missing;
}

/// Loads upstream's runner utilities (vector.print, @printMemrefF32, ...) if the code calls a function that this process does not have. Fails if they
/// do not have it either.
static llvm::Error loadRunnerUtilities(const llvm::object::ObjectFile &object) {
  if (findMissing(object).empty())
    return llvm::Error::success();
  for (const char *library : {"libmlir_runner_utils.so", "libmlir_c_runner_utils.so"}) // perhaps not installed
    llvm::sys::DynamicLibrary::LoadLibraryPermanently((llvm::Twine(TPP_LLVM_LIBRARY_DIR "/") + library).str().c_str());
  std::vector<std::string> missing = findMissing(object);
  if (missing.empty())
    return llvm::Error::success();
  return error("the program calls " + llvm::join(missing, ", ") + ", which neither it nor MLIR's runner utilities define");
}

llvm::Expected<std::unique_ptr<tpp::LoadedCode>> tpp::LoadedCode::load(StringRef object) {
  initializeTargetOnce();
  std::unique_ptr<llvm::MemoryBuffer> copy = llvm::MemoryBuffer::getMemBufferCopy(object, "code");
  auto file = llvm::object::ObjectFile::createObjectFile(copy->getMemBufferRef());
  if (!file)
    return file.takeError();
  if (llvm::Error missing = loadRunnerUtilities(**file))
    return std::move(missing);
  llvm::orc::JITTargetMachineBuilder machine{llvm::Triple(llvm::sys::getDefaultTargetTriple())}; // only links

  std::unique_ptr<LoadedCode> code(new LoadedCode);
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create();
  if (!jit)
    return jit.takeError();
  code->jit = std::move(*jit);
  // The default reporter writes to stderr. Collect the errors instead; lookupAddress() returns them.
  code->jit->getExecutionSession().setErrorReporter(
      [self = code.get()](llvm::Error reported) { self->problems += llvm::toString(std::move(reported)) + "; "; });
  if (llvm::Error failed = code->jit->addObjectFile(std::move(copy)))
    return std::move(failed);
  return std::move(code);
}

llvm::Expected<void *> tpp::LoadedCode::lookupAddress(StringRef name) {
  llvm::Expected<llvm::orc::ExecutorAddr> address = jit->lookup(name);
  if (!address)
    return error("cannot link the compiled code: " + problems + llvm::toString(address.takeError()));
  return address->toPtr<void *>();
}

void *tpp::findInProcess(const char *name) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name);
}

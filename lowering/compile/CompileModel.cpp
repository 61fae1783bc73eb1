//===- CompileModel.cpp - a model compiled into this process -----------------------------------------------------------------===//

#include "lowering/compile/CompileModel.h"
#include "tpp/types.h"

#include "lowering/compile/ModelBuilder.h"
#include "lowering/emit/KernelDescriptors.h"
#include "lowering/machine/Target.h"

#include "llvm/ADT/StringMap.h"

#include <chrono>
#include <cstring>
#include <future>
#include <map>

using namespace mlir;

struct tpp::CompiledModel::State {
  std::vector<ValueSpec> arguments, results;
  CompileReport report;
  std::shared_ptr<LoadedModel> loaded;
};

tpp::CompiledModel::CompiledModel(std::unique_ptr<State> state) : state(std::move(state)) {}
tpp::CompiledModel::~CompiledModel() = default;
ArrayRef<tpp::ValueSpec> tpp::CompiledModel::arguments() const { return state->arguments; }
ArrayRef<tpp::ValueSpec> tpp::CompiledModel::results() const { return state->results; }
const tpp::CompileReport &tpp::CompiledModel::report() const { return state->report; }
size_t tpp::CompiledModel::workspaceBytes() const { return state->report.workspaceBytes; }

std::shared_ptr<tpp::LoadedModel> tpp::CompiledModel::loaded() const { return state->loaded; }

llvm::Error tpp::CompiledModel::run(void *workspace, ArrayRef<void *> argumentsAndResults) const {
  return state->loaded->run(workspace, argumentsAndResults);
}

llvm::Error tpp::CompiledModel::prepack(ArrayRef<void *> weightArguments) { return state->loaded->prepack(weightArguments); }

/// The kernels by slot. Names and providers are asked from the runtime that dispatched them.
static std::vector<tpp::CompileReport::Slot> listSlots(const tpp::BuiltModel &model, const tpp::LoadedModel &loaded) {
  auto *nameOf = reinterpret_cast<const char *(*)(const tpp_kernel *)>(tpp::findInProcess("tpp_kernel_name"));
  auto *providerOf = reinterpret_cast<tpp_provider (*)(const tpp_kernel *)>(tpp::findInProcess("tpp_kernel_provider"));
  static constexpr const char *providers[] = {
#define TPP_PROVIDER(name, value, summary) #name,
#include "tpp/kinds.def"
  };
  llvm::StringMap<std::pair<Attribute, int64_t>> calls; // of run, by printed descriptor
  for (const auto &call : model.kernelCalls)
    calls[tpp::printDescriptor(call.first)] = call;
  std::vector<tpp::CompileReport::Slot> slots;
  for (const auto &[index, printed] : llvm::enumerate(model.kernels)) {
    tpp::CompileReport::Slot slot;
    slot.what = printed; // of prepack alone
    if (auto found = calls.find(printed); found != calls.end()) {
      auto [descriptor, count] = found->second;
      slot.what = tpp::describeDescriptor(descriptor);
      slot.callsPerRun = count;
      tpp::KernelWork work = cast<tpp::KernelDescAttrInterface>(descriptor).getWork();
      if (work.flopsType) {
        slot.flopsOfEntry = work.flops;
        slot.isBatched = isa<tpp::BrgemmDescAttr>(descriptor);
        llvm::raw_string_ostream(slot.flopsType) << *work.flopsType;
      }
    }
    slot.name = slot.what;
    if (nameOf && providerOf) {
      const tpp_kernel *kernel = loaded.getKernel(index);
      slot.name = nameOf(kernel);
      slot.provider = providers[size_t(providerOf(kernel)) % std::size(providers)];
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

/// What of them one call invokes, and how often.
static std::vector<tpp::CompileReport::Kernel> listKernels(ArrayRef<tpp::CompileReport::Slot> slots) {
  std::map<std::pair<std::string, std::string>, int64_t> calls;
  for (const tpp::CompileReport::Slot &slot : slots)
    if (slot.callsPerRun)
      calls[{slot.name, slot.provider}] += *slot.callsPerRun;
  std::vector<tpp::CompileReport::Kernel> kernels;
  for (const auto &[kernel, count] : calls)
    kernels.push_back({kernel.first, kernel.second, count});
  return kernels;
}

namespace {
/// An object file and its code in memory.
struct Code {
  std::string object;
  std::unique_ptr<tpp::LoadedCode> loaded;
};
} // namespace

/// Compiles a module, and sets `seconds` to how long it took.
static llvm::Expected<Code> compileCode(ModuleOp module, StringRef entry, tpp::Optimize optimize, double &seconds) {
  auto begin = std::chrono::steady_clock::now();
  auto compiler = tpp::HostCompiler::create();
  if (!compiler)
    return compiler.takeError();
  auto translated = (*compiler)->translate(module, entry, optimize);
  if (!translated)
    return translated.takeError();
  auto object = (*compiler)->compile(*translated->module);
  if (!object)
    return object.takeError();
  auto loaded = tpp::LoadedCode::load(*object);
  if (!loaded)
    return loaded.takeError();
  // The first lookup links the code.
  if (auto create = (*loaded)->lookup<void()>((entry + "_create").str()); !create)
    return create.takeError();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return Code{std::move(*object), std::move(*loaded)};
}

llvm::Expected<std::unique_ptr<tpp::CompiledModel>> tpp::CompiledModel::compile(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<BuiltModel> built = buildModel(module, options, CodeFor::Host);
  if (!built)
    return built.takeError();
  if (std::string why = whyNotRunnable(built->target); !why.empty())
    return llvm::make_error<StatusError>(TPP_STATUS_UNSUPPORTED_CPU, "cannot run what is compiled for " + built->report.target +
                                                                         ": " + why + "; it can only be emitted");
  if (options.useMachine)
    options.useMachine(built->target.getMachine());
  auto state = std::make_unique<State>();
  bool prepacks = !built->prepack.arguments.empty();
  addArrayEntryPoint(*built->code, built->entry + "_run");
  if (prepacks)
    addArrayEntryPoint(*built->code, tpp::getPrepackName(built->entry));
  // The code is compiled while the weights are computed: both take about as long. Neither changes what the other reads.
  registerTranslations(*module.getContext());
  auto loading = std::async(module.getContext()->isMultithreadingEnabled() ? std::launch::async : std::launch::deferred,
                            [&] { return compileCode(*built->code, built->entry, options.optimize, state->report.jitSeconds); });
  auto weights = computeWeights(*built, options);
  auto code = loading.get();
  if (!weights || !code)
    return llvm::joinErrors(weights.takeError(), code.takeError());
  LoadedModel::Parts parts;
  parts.name = built->entry;
  parts.object = std::move(code->object);
  parts.code = std::move(code->loaded);
  parts.weights = std::shared_ptr<char[]>(std::move(*weights));
  parts.weightsBytes = built->weights.bytes;
  parts.workspaceBytes = built->report.workspaceBytes;
  parts.hasPrepack = prepacks;
  parts.prepackWorkspaceBytes = built->prepackWorkspaceBytes;
  parts.kernelCount = built->kernels.size();
  auto loaded = LoadedModel::create(std::move(parts));
  if (!loaded)
    return loaded.takeError();
  state->loaded = std::move(*loaded);

  double jitSeconds = state->report.jitSeconds;
  state->report = std::move(built->report);
  state->report.jitSeconds = jitSeconds;
  state->report.slots = listSlots(*built, *state->loaded);
  state->report.kernels = listKernels(state->report.slots);
  state->arguments = std::move(built->arguments);
  state->results = std::move(built->results);
  return std::unique_ptr<CompiledModel>(new CompiledModel(std::move(state)));
}

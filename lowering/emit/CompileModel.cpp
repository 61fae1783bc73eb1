//===- CompileModel.cpp - a model compiled into this process -----------------------------------------------------------------===//

#include "lowering/emit/CompileModel.h"
#include "tpp/types.h"

#include "lowering/Target.h"
#include "lowering/emit/KernelDescriptors.h"
#include "lowering/emit/ModelBuilder.h"

#include <chrono>
#include <cstring>
#include <map>

using namespace mlir;

struct tpp::CompiledModel::State {
  std::vector<ValueSpec> arguments, results;
  CompileReport report;
  // In this order: the handle's destroy function is part of the code.
  AlignedMemory weights;
  std::unique_ptr<LoadedCode> code;
  ModelHandle handle;
  RunArray *run = nullptr, *prepack = nullptr; // the latter where there are weight arguments
  int64_t prepackWorkspaceBytes = 0;
};

tpp::CompiledModel::CompiledModel(std::unique_ptr<State> state) : state(std::move(state)) {}
tpp::CompiledModel::~CompiledModel() = default;
ArrayRef<tpp::ValueSpec> tpp::CompiledModel::arguments() const { return state->arguments; }
ArrayRef<tpp::ValueSpec> tpp::CompiledModel::results() const { return state->results; }
const tpp::CompileReport &tpp::CompiledModel::report() const { return state->report; }
size_t tpp::CompiledModel::workspaceBytes() const { return state->report.workspaceBytes; }

void tpp::CompiledModel::run(void *workspace, ArrayRef<void *> argumentsAndResults) const {
  state->run(state->handle.get(), workspace, argumentsAndResults.data());
}

llvm::Error tpp::CompiledModel::prepack(ArrayRef<void *> weightArguments) {
  if (!state->prepack)
    return llvm::Error::success();
  auto workspace = allocateAligned(state->prepackWorkspaceBytes, "the workspace of prepack");
  if (!workspace)
    return workspace.takeError();
  state->prepack(state->handle.get(), workspace->get(), weightArguments.data());
  return llvm::Error::success();
}

/// Names and providers of the kernels, asked from the runtime that dispatched them. A model is { weights, kernels... }.
static std::vector<tpp::CompileReport::Kernel> listKernels(const tpp::BuiltModel &model, const void *handle) {
  auto *nameOf = reinterpret_cast<const char *(*)(const tpp_kernel *)>(tpp::findInProcess("tpp_kernel_name"));
  auto *providerOf = reinterpret_cast<tpp_provider (*)(const tpp_kernel *)>(tpp::findInProcess("tpp_kernel_provider"));
  static constexpr const char *providers[] = {
#define TPP_PROVIDER(name, value, summary) #name,
#include "tpp/kinds.def"
  };
  std::map<std::pair<std::string, std::string>, int64_t> calls;
  for (const auto &[descriptor, count] : model.kernelCalls) {
    size_t slot = std::distance(model.kernels.begin(), llvm::find(model.kernels, tpp::printDescriptor(descriptor)));
    std::string name = tpp::describeDescriptor(descriptor), provider;
    if (slot < model.kernels.size() && nameOf && providerOf) {
      const tpp_kernel *kernel;
      std::memcpy(&kernel, static_cast<const char *>(handle) + (1 + slot) * sizeof(void *), sizeof(kernel));
      name = nameOf(kernel);
      provider = providers[size_t(providerOf(kernel)) % std::size(providers)];
    }
    calls[{name, provider}] += count;
  }
  std::vector<tpp::CompileReport::Kernel> kernels;
  for (const auto &[kernel, count] : calls)
    kernels.push_back({kernel.first, kernel.second, count});
  return kernels;
}

llvm::Expected<std::unique_ptr<tpp::CompiledModel>> tpp::CompiledModel::compile(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<BuiltModel> built = buildModel(module, options);
  if (!built)
    return built.takeError();
  if (std::string why = whyNotRunnable(built->target); !why.empty())
    return makeError("cannot run what is compiled for " + built->report.target + ": " + why + "; it can only be emitted");
  auto compiler = HostCompiler::create();
  if (!compiler)
    return compiler.takeError();
  auto state = std::make_unique<State>();
  auto weights = fillWeights(*built, **compiler, options.releaseConstants);
  if (!weights)
    return weights.takeError();
  state->weights = std::move(*weights);

  auto begin = std::chrono::steady_clock::now();
  bool prepacks = !built->prepack.arguments.empty();
  addArrayEntryPoint(*built->code, built->entry + "_run");
  if (prepacks)
    addArrayEntryPoint(*built->code, built->entry + "_prepack");
  auto translated = (*compiler)->translate(*built->code, built->entry);
  if (!translated)
    return translated.takeError();
  auto code = LoadedCode::load(std::move(*translated));
  if (!code)
    return code.takeError();
  state->code = std::move(*code);
  auto handle = ModelHandle::create(*state->code, built->entry, state->weights.get(), built->weights.bytes);
  if (!handle)
    return handle.takeError();
  state->handle = std::move(*handle);
  auto run = state->code->lookup<RunArray>(built->entry + "_run_array");
  if (!run)
    return run.takeError();
  state->run = *run;
  if (prepacks) {
    auto prepack = state->code->lookup<RunArray>(built->entry + "_prepack_array");
    if (!prepack)
      return prepack.takeError();
    state->prepack = *prepack;
    state->prepackWorkspaceBytes = built->prepackWorkspaceBytes;
  }

  state->report = std::move(built->report);
  state->report.kernels = listKernels(*built, state->handle.get());
  state->report.jitSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  state->arguments = std::move(built->arguments);
  state->results = std::move(built->results);
  return std::unique_ptr<CompiledModel>(new CompiledModel(std::move(state)));
}

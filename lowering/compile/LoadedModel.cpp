//===- LoadedModel.cpp - machine code and weights, ready to be called --------------------------------------------------------===//

#include "lowering/compile/LoadedModel.h"

#include "lowering/compile/ModelBuilder.h"
#include "lowering/prepack/PrepackPlan.h"

using namespace mlir;

llvm::Expected<tpp::ModelHandle> tpp::ModelHandle::create(LoadedCode &code, StringRef name, const void *weights, size_t bytes) {
  auto create = code.lookup<int(const void *, size_t, void **)>((name + "_create").str());
  if (!create)
    return create.takeError();
  auto destroy = code.lookup<void(void *)>((name + "_destroy").str());
  if (!destroy)
    return destroy.takeError();
  void *model = nullptr;
  int status = (*create)(weights, bytes, &model);
  if (llvm::Error error = checkStatus(status, "@" + name + " cannot be created"))
    return std::move(error);
  ModelHandle handle;
  handle.handle = {model, *destroy};
  return std::move(handle);
}

llvm::Expected<std::unique_ptr<tpp::LoadedModel>> tpp::LoadedModel::create(Parts parts) {
  std::unique_ptr<LoadedModel> model(new LoadedModel);
  model->parts = std::move(parts);
  Parts &own = model->parts;
  auto handle = ModelHandle::create(*own.code, own.name, own.weights.get(), own.weightsBytes);
  if (!handle)
    return handle.takeError();
  model->handle = std::move(*handle);
  auto run = own.code->lookup<RunArray>(own.name + "_run_array");
  if (!run)
    return run.takeError();
  model->runArray = *run;
  if (own.hasPrepack) {
    auto prepack = own.code->lookup<RunArray>(getPrepackName(own.name) + "_array");
    if (!prepack)
      return prepack.takeError();
    model->prepackArray = *prepack;
  }
  return std::move(model);
}

llvm::Error tpp::LoadedModel::run(void *workspace, ArrayRef<void *> argumentsAndResults) const {
  return checkStatus(runArray(handle.get(), workspace, argumentsAndResults.data()), "the call failed");
}

llvm::Error tpp::LoadedModel::prepack(ArrayRef<void *> weightArguments) {
  if (!prepackArray)
    return llvm::Error::success();
  auto workspace = allocateAligned(parts.prepackWorkspaceBytes, "the workspace of prepack");
  if (!workspace)
    return workspace.takeError();
  return checkStatus(prepackArray(handle.get(), workspace->get(), weightArguments.data()), "the weights cannot be packed");
}

void tpp::LoadedModel::replaceKernels(llvm::function_ref<const tpp_kernel *(size_t, const tpp_kernel *)> replace) {
  for (size_t slot = 0; slot < parts.kernelCount; ++slot)
    kernels()[slot] = replace(slot, kernels()[slot]);
}

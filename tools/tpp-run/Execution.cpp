// Allocates a model's memory and binds its arguments. See Execution.h.
#include "Execution.h"
#include "Bench.h"

#include <cstdio>
#include <iostream>

namespace tpp::run {

llvm::Expected<std::unique_ptr<Execution>> Execution::create(std::unique_ptr<mlir::tpp::CompiledModel> model,
                                                             const Signature &signature) {
  auto execution = std::make_unique<Execution>();
  if (model->arguments().size() != signature.arguments.size() || model->results().size() != signature.results.size())
    return makeError("the compiled model takes " + llvm::Twine(model->arguments().size()) + " arguments and gives " +
                     llvm::Twine(model->results().size()) + " results, @" + signature.entry + " does not");
  auto workspace = mlir::tpp::allocateAligned(int64_t(model->workspaceBytes()), "the workspace");
  if (!workspace)
    return workspace.takeError();
  execution->workspace = std::move(*workspace);
  execution->model = std::move(model);
  for (const TensorSpec &spec : signature.results) {
    llvm::Expected<Tensor> result = allocateTensor(spec);
    if (!result)
      return result.takeError();
    execution->results.push_back(std::move(*result));
  }
  return std::move(execution);
}

llvm::Error Execution::call() const {
  llvm::Error error = model->run(workspace.get(), pointers);
  // Upstream's runner utilities print through both.
  std::cout.flush();
  std::fflush(stdout);
  return error;
}

llvm::Error Execution::bind(llvm::ArrayRef<Tensor *> arguments) {
  llvm::SmallVector<void *> weights;
  pointers.clear();
  for (auto [argument, spec] : llvm::zip_equal(arguments, model->arguments()))
    (spec.isWeight ? weights : pointers).push_back(argument->data());
  for (Tensor &result : results)
    pointers.push_back(result.data());
  double begin = secondsNow();
  llvm::Error error = model->prepack(weights);
  prepackSeconds = secondsNow() - begin;
  return error;
}

} // namespace tpp::run

// A compiled model with memory for its calls.
#pragma once
#include "Model.h"
#include "Tensor.h"
#include "lowering/emit/CompileModel.h"

namespace tpp::run {

// Results and the workspace are its own, arguments the caller's.
class Execution {
public:
  static llvm::Expected<std::unique_ptr<Execution>> create(std::unique_ptr<mlir::tpp::CompiledModel> model,
                                                           const Signature &signature);

  // `arguments` stay the caller's and must outlive the calls; those that are weights are read here only.
  llvm::Error bind(llvm::ArrayRef<Tensor *> arguments);

  void call() const { model->run(workspace.get(), pointers); }

  std::unique_ptr<mlir::tpp::CompiledModel> model;
  std::vector<Tensor> results;
  double prepackSeconds = 0; // of the arguments that are weights

private:
  mlir::tpp::AlignedMemory workspace;
  llvm::SmallVector<void *> pointers;
};

} // namespace tpp::run

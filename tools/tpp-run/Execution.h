// A compiled model together with the memory that its calls need.
#pragma once
#include "Model.h"
#include "Tensor.h"
#include "lowering/compile/CompileModel.h"

namespace tpp::run {

// Owns the results and the workspace. The caller owns the arguments.
class Execution {
public:
  // Allocates results and workspace. Fails if the model's argument or result count differs from `signature`.
  static llvm::Expected<std::unique_ptr<Execution>> create(std::unique_ptr<mlir::tpp::CompiledModel> model,
                                                           const Signature &signature);

  // Sets the arguments of later calls and prepacks the weights among them. `arguments` must outlive the calls, except for weights,
  // which are read only here.
  llvm::Error bind(llvm::ArrayRef<Tensor *> arguments);

  // One call. Fails if the arguments fail an assertion of the program. What the program prints is written before this returns.
  llvm::Error call() const;
  // The same for timing, after a call that did not fail.
  void repeat() const { llvm::consumeError(model->run(workspace.get(), pointers)); }

  std::unique_ptr<mlir::tpp::CompiledModel> model;
  std::vector<Tensor> results;
  double prepackSeconds = 0; // time that bind() took to prepack weight arguments

private:
  mlir::tpp::AlignedMemory workspace;
  llvm::SmallVector<void *> pointers;
};

} // namespace tpp::run

// A model in the form in which it is called: its machine code and its weights, loaded into this process. Needs no IR.
#ifndef TPP_LOWERING_COMPILE_LOADEDMODEL_H
#define TPP_LOWERING_COMPILE_LOADEDMODEL_H

#include "lowering/compile/AlignedMemory.h"
#include "lowering/compile/HostCompiler.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

struct tpp_kernel;

namespace mlir::tpp {

/// FUNCTION_array of a model's functions (ModelBuilder.h).
using RunArray = int(const void *model, void *workspace, void *const *pointers);

/// A model handle created by NAME_create. It is destroyed with this object.
class ModelHandle {
public:
  static llvm::Expected<ModelHandle> create(LoadedCode &code, StringRef name, const void *weights, size_t bytes);
  void *get() const { return handle.get(); }

private:
  std::unique_ptr<void, void (*)(void *)> handle{nullptr, nullptr};
};

class LoadedModel {
public:
  struct Parts {
    std::string name;                 // of the function
    std::string object;               // the file of the code
    std::unique_ptr<LoadedCode> code; // NAME_create, NAME_run_array and, with prepack, NAME_prepack_array
    std::shared_ptr<char[]> weights;  // the segment; prepack() writes to it
    int64_t weightsBytes = 0;
    bool hasMappedWeights = false;     // the segment is that of a file
    int64_t workspaceBytes = 0;        // of run()
    bool hasPrepack = false;           // the function has weight arguments
    int64_t prepackWorkspaceBytes = 0; // of prepack()
    size_t kernelCount = 0;            // that the code dispatches
  };
  static llvm::Expected<std::unique_ptr<LoadedModel>> create(Parts parts);

  /// As the functions of CompiledModel.
  llvm::Error prepack(ArrayRef<void *> weightArguments);
  llvm::Error run(void *workspace, ArrayRef<void *> argumentsAndResults) const;

  /// Lets later calls, and prepack(), invoke what `replace` returns in the place of each kernel, which it is given with its number. No call may run
  /// at the same time.
  void replaceKernels(llvm::function_ref<const tpp_kernel *(size_t slot, const tpp_kernel *kernel)> replace);

  const Parts &getParts() const { return parts; }
  /// A kernel that the code dispatches, by its number.
  const tpp_kernel *getKernel(size_t slot) const { return kernels()[slot]; }

private:
  LoadedModel() = default;
  /// A model is { weights, kernels... }.
  const tpp_kernel **kernels() const { return static_cast<const tpp_kernel **>(handle.get()) + 1; }

  // In this order: the handle's destroy function is part of the code.
  Parts parts;
  ModelHandle handle;
  RunArray *runArray = nullptr, *prepackArray = nullptr;
};

} // namespace mlir::tpp

#endif

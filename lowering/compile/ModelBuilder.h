// From a module to the LLVM dialect and filled weights: what running and emitting a model share.
#ifndef TPP_LOWERING_COMPILE_MODELBUILDER_H
#define TPP_LOWERING_COMPILE_MODELBUILDER_H

#include "lowering/compile/AlignedMemory.h"
#include "lowering/compile/CompileModel.h"
#include "lowering/compile/HostCompiler.h"
#include "lowering/prepack/PlaceWeights.h"
#include "lowering/prepack/PrepackPlan.h"

namespace mlir::tpp {

struct BuiltModel {
  std::string entry;
  std::vector<ValueSpec> arguments, results;
  TargetAttr target;          // the code's; what prepack is, runs here
  OwningOpRef<ModuleOp> code; // LLVM dialect, entry points included
  PrepackPlan prepack;        // its module in the LLVM dialect, too
  WeightsLayout weights;
  int64_t fillWorkspaceBytes = 0;                         // of the functions that fillWeights runs
  int64_t prepackWorkspaceBytes = 0;                      // of NAME_prepack
  std::vector<std::pair<Attribute, int64_t>> kernelCalls; // by descriptor
  SmallVector<std::string> kernels;                       // printed descriptors by slot
  CompileReport report;
};

/// Runs all passes on a copy of `module`.
llvm::Expected<BuiltModel> buildModel(ModuleOp module, const CompileOptions &options);

/// Lowers the functions of `model.prepack` to the LLVM dialect. Their problems are diagnostics.
LogicalResult lowerPrepack(BuiltModel &model, const CompileOptions &options);

/// Adds FUNCTION_array(model, workspace, pointers), which takes what FUNCTION takes behind its workspace as an array. For callers that
/// learn the number of arguments at run time.
void addArrayEntryPoint(ModuleOp code, StringRef function);
using RunArray = int(const void *model, void *workspace, void *const *pointers);

/// Adds NAME_prepack(model, workspace, arguments...) and NAME_prepack_workspace_bytes(model) to the code of a model that has arguments of
/// @NAME_prepack: it writes what depends on them into the model's segment (PrepackEntryPoint.cpp).
llvm::Error addPrepackEntryPoint(BuiltModel &model);

/// Computes every weight that depends on constants only, one after the other, from the parser's constants straight into the segment; the
/// others are zero. With `releaseConstants` a resource's memory goes when the last weight that needs it is there (FillWeights.cpp).
llvm::Expected<AlignedMemory> fillWeights(BuiltModel &model, HostCompiler &compiler, bool releaseConstants);

/// A model's handle made by its NAME_create, destroyed with this object.
class ModelHandle {
public:
  static llvm::Expected<ModelHandle> create(LoadedCode &code, StringRef name, const void *weights, size_t bytes);
  void *get() const { return handle.get(); }

private:
  std::unique_ptr<void, void (*)(void *)> handle{nullptr, nullptr};
};

llvm::Error makeError(const llvm::Twine &message);
/// Success for TPP_STATUS_OK; else "`what`: the status in words: what tpp_last_error says".
llvm::Error checkStatus(int status, const llvm::Twine &what);

} // namespace mlir::tpp

#endif

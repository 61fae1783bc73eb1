// From a module to the LLVM dialect and filled weights: what running and emitting a model share.
#ifndef TPP_LOWERING_EMIT_MODELBUILDER_H
#define TPP_LOWERING_EMIT_MODELBUILDER_H

#include "lowering/emit/AlignedMemory.h"
#include "lowering/emit/CompileModel.h"
#include "lowering/emit/HostCompiler.h"
#include "lowering/emit/PlaceWeights.h"
#include "lowering/emit/PrepackPlan.h"

namespace mlir::tpp {

struct BuiltModel {
  std::string entry;
  std::vector<ValueSpec> arguments, results;
  TargetAttr target;          // the code's; what prepack is, runs here
  OwningOpRef<ModuleOp> code; // LLVM dialect, entry points included
  PrepackPlan prepack;        // its module in the LLVM dialect, too
  WeightsLayout weights;
  int64_t prepackWorkspaceBytes = 0;
  std::vector<std::pair<Attribute, int64_t>> kernelCalls; // by descriptor
  SmallVector<std::string> kernels;                       // printed descriptors by slot
  CompileReport report;
};

/// Runs all passes on a copy of `module`.
llvm::Expected<BuiltModel> buildModel(ModuleOp module, const CompileOptions &options);

/// Adds NAME_run_array(model, workspace, pointers), which takes what NAME_run takes as an array. For callers that learn the
/// number of arguments at run time.
void addArrayEntryPoint(ModuleOp code, StringRef name);
using RunArray = void(const void *model, void *workspace, void *const *pointers);

/// Runs prepack: every weight, one after the other, from the parser's constants straight into the segment.
llvm::Expected<AlignedMemory> fillWeights(BuiltModel &model, HostCompiler &compiler);

/// A model's handle made by its NAME_create, destroyed with this object.
class ModelHandle {
public:
  static llvm::Expected<ModelHandle> create(LoadedCode &code, StringRef name, const void *weights, size_t bytes);
  const void *get() const { return handle.get(); }

private:
  std::unique_ptr<void, void (*)(void *)> handle{nullptr, nullptr};
};

llvm::Error makeError(const llvm::Twine &message);

} // namespace mlir::tpp

#endif

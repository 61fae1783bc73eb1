// Lowers a module to the LLVM dialect and computes its weights. Running a model and emitting it into files share these steps.
#ifndef TPP_LOWERING_COMPILE_MODELBUILDER_H
#define TPP_LOWERING_COMPILE_MODELBUILDER_H

#include "lowering/compile/AlignedMemory.h"
#include "lowering/compile/CompileModel.h"
#include "lowering/compile/HostCompiler.h"
#include "lowering/compile/LoadedModel.h"
#include "lowering/prepack/PlaceWeights.h"
#include "lowering/prepack/PrepackPlan.h"

namespace mlir::tpp {

/// The machine whose instructions the code uses: this one, or that of the model's target. In both cases, tiles are chosen for the target.
enum class CodeFor { Host, Target };

struct BuiltModel {
  std::string entry;
  std::vector<ValueSpec> arguments, results;
  TargetAttr target;          // of `code`; the functions of `prepack` run on the host
  OwningOpRef<ModuleOp> code; // in the LLVM dialect, including the entry points
  PrepackPlan prepack;        // its module is in the LLVM dialect too
  WeightsLayout weights;
  int64_t fillWorkspaceBytes = 0;                         // of the functions that fillWeights runs
  int64_t prepackWorkspaceBytes = 0;                      // of NAME_prepack
  std::vector<std::pair<Attribute, int64_t>> kernelCalls; // number of calls of each descriptor
  SmallVector<std::string> kernels;                       // printed descriptors by slot
  CompileReport report;
};

/// Runs all passes on a copy of `module`, except those of `prepack`, which computeWeights runs.
llvm::Expected<BuiltModel> buildModel(ModuleOp module, const CompileOptions &options, CodeFor codeFor);

/// Lowers the functions of `model.prepack` to the LLVM dialect. Errors are reported as diagnostics.
LogicalResult lowerPrepack(BuiltModel &model, const CompileOptions &options);

/// Adds FUNCTION_array(model, workspace, pointers). It calls FUNCTION with the elements of the array `pointers` as the arguments after the
/// workspace. For callers that know the number of arguments only at run time.
void addArrayEntryPoint(ModuleOp code, StringRef function);

/// Adds NAME_prepack(model, workspace, arguments...) and NAME_prepack_workspace_bytes(model) to the code of a model whose @NAME_prepack has
/// arguments. NAME_prepack computes the weights that depend on them and writes them to the model's segment (PrepackEntryPoint.cpp).
llvm::Error addPrepackEntryPoint(BuiltModel &model);

/// Computes every weight that depends on constants only, one at a time, from the parser's constants directly into the segment. Other weights
/// are zero. With `releaseConstants`, a resource is freed after the last weight that needs it has been computed (FillWeights.cpp).
llvm::Expected<AlignedMemory> fillWeights(BuiltModel &model, HostCompiler &compiler, bool releaseConstants);

/// Lowers `model.prepack` and fills the weights. This may run while another thread translates and compiles `model.code`.
llvm::Expected<AlignedMemory> computeWeights(BuiltModel &model, const CompileOptions &options);

llvm::Error makeError(const llvm::Twine &message);
/// Success for TPP_STATUS_OK; else an error "`what`: description of the status: text of tpp_last_error".
llvm::Error checkStatus(int status, const llvm::Twine &what);

} // namespace mlir::tpp

#endif

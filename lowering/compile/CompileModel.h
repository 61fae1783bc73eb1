// The compiler as a library: a model in, something to call or files to link out. What tpp-run, tests and other drivers use.
#ifndef TPP_LOWERING_COMPILE_COMPILEMODEL_H
#define TPP_LOWERING_COMPILE_COMPILEMODEL_H

#include "lowering/analysis/Moves.h"
#include "lowering/compile/Optimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "tpp/machine.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::tpp {

class LoadedModel;

struct CompileOptions {
  std::string entry; // function to compile; empty: the only public one with a body, else @main
  enum class Pipeline { Default, Loops } pipeline = Pipeline::Default;
  int threads = 1;
  static constexpr int mostThreads = 1024;
  std::string provider = "auto"; // auto, xsmm, native, reference
  std::string target;            // what parseTarget takes (lowering/machine/Target.h); empty: what the module says, else the host
  std::string packing;           // what parsePackingStrategy takes; empty: what the module says, else the cost model
  std::string precision = "program"; // of contractions of f32 values: program, bf16, int8
  std::string winograd = "auto";     // Winograd's algorithm: auto (where it is estimated to be faster), always, off
  std::string denormals = "keep";    // in calls: keep, zero
  std::vector<double> ranges;        // int8: the smallest and largest element of each quantized value; empty: those of each call
  bool recordRanges = false;         // the model has these as further results, tensors of one f32
  std::vector<int64_t> weights;      // arguments that are given once, beside those with the attribute tpp.prepack
  Optimize optimize = Optimize::ForManyRuns; // of the code of calls
  bool drawing = false;                      // make CompileReport::drawing
  // Called with the machine of the target before any kernel is dispatched, so that dispatch can choose for it (tpp_set_machine).
  std::function<void(const tpp_machine &)> useMachine;
  // Called with each pass manager before it runs, to add instrumentations.
  std::function<void(PassManager &)> instrument;
  bool releaseConstants = false; // the module's resources are not needed afterwards: each goes when its weight is computed
};

/// A failure of the runtime or of compiled code, with its tpp_status.
class StatusError : public llvm::ErrorInfo<StatusError> {
public:
  static char ID;
  StatusError(int status, std::string text) : status(status), text(std::move(text)) {}
  void log(raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  const int status;

private:
  std::string text;
};

/// An argument or result of the compiled function.
struct ValueSpec {
  std::string name;
  SmallVector<int64_t> shape;
  Type elementType;
  bool isMemref = false; // a memref argument may be written by the call
  bool isWeight = false; // an argument that prepack() takes, and not run()
};

struct CompileReport {
  std::string entry;       // the function's name
  std::string target;      // its processor, or its instruction set
  double parseSeconds = 0; // the caller's to fill: modules arrive parsed
  double passesSeconds = 0, prepackSeconds = 0, jitSeconds = 0;
  int64_t flops = 0;              // contractions only
  std::string flopsType;          // of most of them: that in which they are multiplied
  std::vector<Move> moves;        // of one steady-state call
  std::vector<Move> prepackMoves; // of one call of prepack()
  int64_t scalarLoops = 0;
  int64_t weightsBytes = 0, workspaceBytes = 0;
  struct Kernel {
    std::string name, provider;
    int64_t callsPerRun = 0;
  };
  std::vector<Kernel> kernels;
  /// What the model dispatches, once for each descriptor.
  struct Slot {
    std::string name, provider, what;   // "brgemm 64x64x1024"
    std::optional<int64_t> callsPerRun; // none: prepack() alone invokes it
    int64_t flopsOfEntry = 0;           // of one entry of a brgemm's batch, or of the whole kernel
    bool isBatched = false;             // the kernel is a brgemm
    std::string flopsType;              // of its operands
  };
  std::vector<Slot> slots;
  std::vector<std::string> remarks; // remarks and warnings of the passes
  std::string drawing; // of the layouts, as SVG (docs/layout-report.md); "" if none was asked for or it cannot be drawn
};

/// A model compiled into this process. Calls may run at the same time from several threads, each with a workspace of its own.
class CompiledModel {
public:
  /// Compiles a function of `module`, which is left as it is. The runtime (libtpp_runtime.so) must be loaded in the process.
  /// The data of its constants is read during the call only.
  static llvm::Expected<std::unique_ptr<CompiledModel>> compile(ModuleOp module, const CompileOptions &options);
  ~CompiledModel();

  /// Code and weights, which may outlive this object.
  std::shared_ptr<LoadedModel> loaded() const;

  ArrayRef<ValueSpec> arguments() const;
  ArrayRef<ValueSpec> results() const;
  const CompileReport &report() const;
  size_t workspaceBytes() const;

  /// Computes what depends on weight arguments: before the first call, and again when they have changed. One pointer per weight argument,
  /// which is read during this call only. No call may run at the same time.
  llvm::Error prepack(ArrayRef<void *> weightArguments);

  /// One call. `workspace` is 64-byte aligned and has workspaceBytes(); one pointer per argument that is no weight, then one per result,
  /// aligned to their elements. Results and written memrefs overlap nothing else.
  /// Fails where the arguments fail an assertion of the program; nothing that was written may be used then.
  llvm::Error run(void *workspace, ArrayRef<void *> argumentsAndResults) const;

private:
  struct State;
  explicit CompiledModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Optimized LLVM IR as text, assembly, an object, or a shared library.
enum class EmitKind { LLVM, Asm, Object, Shared };

/// The code of a model without header and weights, as assembly for its target.
llvm::Expected<std::string> compileToAssembly(ModuleOp module, const CompileOptions &options);

/// Compiles ahead of time for the target: the code to `outputFile`, its C header beside it with the extension .h, and the
/// weights segment to `outputFile`.weights. The code needs libtpp_runtime and libm.
llvm::Error emitModel(ModuleOp module, const CompileOptions &options, EmitKind kind, StringRef outputFile);

} // namespace mlir::tpp

#endif

// The machine that a program is compiled for: lookup, parsing and properties of #tpp.target. This is the only place where the lowering
// queries the host.
#ifndef TPP_LOWERING_MACHINE_TARGET_H
#define TPP_LOWERING_MACHINE_TARGET_H

#include "mlir/IR/Operation.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// The target that describes this machine: the processor by LLVM's name, and the figures of the current machine (tpp/machine.hpp).
TargetAttr getHostTarget(MLIRContext *context);

/// LLVM's name of this machine's processor. LLVM asks the processor at each call, which costs 30 us and more in a virtual machine; this asks once.
StringRef getHostCpu();

/// Why the figures of the host cannot be used: TPP_MACHINE names a bad file. "" if they can.
std::string getHostProblem();

/// Whether code for the target runs on processors like this one, whatever its figures.
bool isHost(TargetAttr target);

/// The attribute `tpp.target` of `op` or of the nearest enclosing op that has one; the host if there is none.
TargetAttr getTarget(Operation *op);

/// The machine of that target, with `l2Bytes` bytes of L2 if they are not 0: the option of a pass.
tpp_machine getMachine(Operation *op, int64_t l2Bytes);

/// Parses a target as users write it: `host`, LLVM's name of the host CPU, a name from tpp/machines.def, the text of a #tpp.target attribute, or the
/// name of a file: one that contains such an attribute, or a machine file (docs/machines.md). Returns null for the host; fails for it if TPP_MACHINE
/// names a file that cannot be used.
llvm::Expected<TargetAttr> parseTarget(StringRef text, MLIRContext *context);

/// The reason why this machine cannot run code compiled for `target`; "" if it can.
std::string whyNotRunnable(TargetAttr target);

/// LLVM's name of the processor that code for a target is generated for: the target's, else the least one that has its instruction set.
StringRef getCpu(TargetAttr target);

/// LLVM's name of the least processor of the target's architecture.
StringRef getBaselineCpu(TargetAttr target);

/// The features of cpu_features.def that code generated for a target may use, separated by commas: what tpp_check_cpu takes. "" on
/// architectures whose features are not checked.
std::string getCpuFeatures(TargetAttr target);

/// Whether the target computes a * b + c in one instruction with one rounding.
bool hasFusedMultiplyAdd(TargetAttr target);

/// The target words of kernels.def whose kernels run on `target`, best first: of its instruction set's extensions, its instruction set, and
/// those that it includes.
SmallVector<StringRef> getKernelTargets(TargetAttr target);

} // namespace mlir::tpp

#endif

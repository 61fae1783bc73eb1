// The machine that a program is compiled for: lookup, parsing and properties of #tpp.target. This is the only place where the lowering
// queries the host.
#ifndef TPP_LOWERING_MACHINE_TARGET_H
#define TPP_LOWERING_MACHINE_TARGET_H

#include "mlir/IR/Operation.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// The target that describes this machine, from LLVM's host detection and the operating system.
TargetAttr getHostTarget(MLIRContext *context);

/// The attribute `tpp.target` of `op` or of the nearest enclosing op that has one; the host if there is none.
TargetAttr getTarget(Operation *op);

/// Parses a target as users write it: `host`, LLVM's name of the host CPU, a name from the table in Target.cpp, the text of a #tpp.target
/// attribute, or the name of a file that contains one. Returns null for the host.
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

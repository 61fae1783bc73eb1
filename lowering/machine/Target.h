// The machine that a program is compiled for: the only place where the lowering asks what the host is.
#ifndef TPP_LOWERING_MACHINE_TARGET_H
#define TPP_LOWERING_MACHINE_TARGET_H

#include "mlir/IR/Operation.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

/// This machine, from what LLVM and the system know of it.
TargetAttr getHostTarget(MLIRContext *context);

/// The attribute `tpp.target` of `op` or of what it stands in, the nearest one; without any the host.
TargetAttr getTarget(Operation *op);

/// What users write for a target: `host`, the host's name, a name of the table in Target.cpp, the text of a #tpp.target attribute, or a
/// file that holds one. Null for the host.
llvm::Expected<TargetAttr> parseTarget(StringRef text, MLIRContext *context);

/// Why this machine cannot run what was compiled for a target; "" where it can.
std::string whyNotRunnable(TargetAttr target);

/// LLVM's name of the processor that code for a target is generated for: the target's, else the least one that has its instruction set.
StringRef getCpu(TargetAttr target);

/// LLVM's name of the least processor of the target's architecture.
StringRef getBaselineCpu(TargetAttr target);

/// The features of cpu_features.def that code generated for a target may use, separated by commas: what tpp_check_cpu takes. "" on
/// architectures whose features are not checked.
std::string getCpuFeatures(TargetAttr target);

/// Whether a * b + c is one instruction, rounded once.
bool hasFusedMultiplyAdd(TargetAttr target);

/// The word of kernels.def for a target's rows.
StringRef getKernelTarget(TargetAttr target);

} // namespace mlir::tpp

#endif

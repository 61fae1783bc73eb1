// Expands conversions to bfloat for processors without an instruction for them.
#ifndef TPP_LOWERING_COMPILE_BFLOATTRUNCATIONS_H
#define TPP_LOWERING_COMPILE_BFLOATTRUNCATIONS_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::tpp {

/// Replaces the conversions to bfloat in `code` for which the processor has no instruction. LLVM would call a function for each element,
/// which the compiler's runtime library has only since GCC 13.
void expandBFloatTruncations(llvm::Module &code, const llvm::TargetMachine &machine);

} // namespace mlir::tpp

#endif

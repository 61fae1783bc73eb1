// The C header of an emitted model.
#ifndef TPP_LOWERING_COMPILE_MODELHEADER_H
#define TPP_LOWERING_COMPILE_MODELHEADER_H

#include "lowering/compile/ModelBuilder.h"

namespace mlir::tpp {

/// Declarations of the entry points with what a caller has to know: shapes, types, sizes, what may overlap. Fails for a name that
/// C cannot spell.
llvm::Expected<std::string> writeModelHeader(const BuiltModel &model, int threads, StringRef weightsFile);

} // namespace mlir::tpp

#endif

// Writes the C header of an emitted model.
#ifndef TPP_LOWERING_COMPILE_MODELHEADER_H
#define TPP_LOWERING_COMPILE_MODELHEADER_H

#include "lowering/compile/ModelBuilder.h"

namespace mlir::tpp {

/// Returns the text of the header. It declares the entry points and documents the shapes, types, sizes and the rules for overlap. Fails if
/// the model's name is not an identifier in C.
llvm::Expected<std::string> writeModelHeader(const BuiltModel &model, int threads, StringRef weightsFile);

} // namespace mlir::tpp

#endif

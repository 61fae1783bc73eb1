// Parses programs, MLIR text or bytecode of any registered dialect, and reads the types of their functions.
#ifndef TPP_LOWERING_COMPILE_PARSEPROGRAM_H
#define TPP_LOWERING_COMPILE_PARSEPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::tpp {

/// All dialects and extensions that a program may use.
DialectRegistry getProgramDialects();

/// Parses `content`. Errors name it `name`; the parser's own go to the context's diagnostic handlers. Constants of bytecode refer to
/// `content`, which lives as long as they do.
llvm::Expected<OwningOpRef<ModuleOp>> parseProgram(std::unique_ptr<llvm::MemoryBuffer> content, StringRef name,
                                                   MLIRContext &context);

/// The type of argument or result `index` of a function as its callers see it: with unsigned integers if kUnsignedAttr marks it.
Type getPassedArgumentType(func::FuncOp function, unsigned index);
Type getPassedResultType(func::FuncOp function, unsigned index);

} // namespace mlir::tpp

#endif

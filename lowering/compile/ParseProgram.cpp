//===- ParseProgram.cpp - parsing programs -----------------------------------------------------------------------------------===//

#include "lowering/compile/ParseProgram.h"

#include "lowering/Pipelines.h"
#include "lowering/compile/ModelBuilder.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

DialectRegistry tpp::getProgramDialects() {
  DialectRegistry registry;
  registerTpp(registry);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  return registry;
}

llvm::Expected<OwningOpRef<ModuleOp>> tpp::parseProgram(std::unique_ptr<llvm::MemoryBuffer> content, StringRef name,
                                                        MLIRContext &context) {
  StringRef text = content->getBuffer();
  if (text.trim().empty())
    return makeError(name + ": the file is empty");
  // The text parser treats NUL bytes as white space, so binary files are rejected here.
  if (!isBytecode(content->getMemBufferRef()) && text.take_front(4096).contains('\0'))
    return makeError(name + ": a binary file, but not MLIR bytecode");
  // With shared ownership of the buffer, the bytecode reader lets constants refer to it instead of copying them.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(content), llvm::SMLoc());
  OwningOpRef<ModuleOp> parsed = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!parsed)
    return makeError(name + ": not a valid MLIR module (text or bytecode)");
  return parsed;
}

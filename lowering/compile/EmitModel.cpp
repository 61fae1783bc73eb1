//===- EmitModel.cpp - compiles a model into files ---------------------------------------------------------------------------===//

#include "lowering/compile/ModelBuilder.h"
#include "lowering/compile/ModelHeader.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

static llvm::Error writeFile(StringRef path, llvm::function_ref<llvm::Error(llvm::raw_fd_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return tpp::makeError("cannot write " + path + ": " + code.message());
  if (llvm::Error error = write(stream))
    return error;
  stream.close();
  if (stream.has_error()) {
    code = stream.error();
    stream.clear_error(); // else the destructor of `stream` exits the process
    return tpp::makeError("cannot write " + path + ": " + code.message());
  }
  return llvm::Error::success();
}

/// Links an object into a shared library with the system's compiler driver.
static llvm::Error linkShared(StringRef object, StringRef output) {
  llvm::ErrorOr<std::string> driver = std::make_error_code(std::errc::no_such_file_or_directory);
  for (const char *name : {"cc", "clang-22", "clang", "gcc"})
    if (!driver)
      driver = llvm::sys::findProgramByName(name);
  if (!driver)
    return tpp::makeError("cannot link " + output + ": no C compiler driver (cc, clang or gcc) in PATH");
  std::string message;
  int status =
      llvm::sys::ExecuteAndWait(*driver, {*driver, "-shared", "-o", output, object, "-lm"}, std::nullopt, {}, 0, 0, &message);
  if (status != 0)
    return tpp::makeError("cannot link " + output + ": " + *driver + " failed" + (message.empty() ? "" : ": " + message));
  return llvm::Error::success();
}

static llvm::Error writeCode(tpp::HostCompiler &compiler, llvm::Module &module, tpp::EmitKind kind, StringRef outputFile) {
  switch (kind) {
  case tpp::EmitKind::LLVM:
    return writeFile(outputFile, [&](llvm::raw_fd_ostream &stream) {
      module.print(stream, nullptr);
      return llvm::Error::success();
    });
  case tpp::EmitKind::Asm:
    return writeFile(outputFile, [&](llvm::raw_fd_ostream &stream) {
      return compiler.emit(module, llvm::CodeGenFileType::AssemblyFile, stream);
    });
  case tpp::EmitKind::Object:
    return writeFile(outputFile, [&](llvm::raw_fd_ostream &stream) {
      return compiler.emit(module, llvm::CodeGenFileType::ObjectFile, stream);
    });
  case tpp::EmitKind::Shared: {
    llvm::SmallString<128> object;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("tpp", "o", object))
      return tpp::makeError("cannot create a temporary file: " + code.message());
    llvm::FileRemover remove(object);
    if (llvm::Error error = writeCode(compiler, module, tpp::EmitKind::Object, object))
      return error;
    return linkShared(object, outputFile);
  }
  }
  llvm_unreachable("all kinds are handled");
}

namespace {
/// A model as LLVM IR, and the compiler for its target.
struct TranslatedModel {
  tpp::BuiltModel built;
  std::unique_ptr<tpp::HostCompiler> compiler;
  tpp::LLVMModule code;
};
} // namespace

static llvm::Expected<TranslatedModel> translateModel(ModuleOp module, const tpp::CompileOptions &options) {
  llvm::Expected<tpp::BuiltModel> built = tpp::buildModel(module, options, tpp::CodeFor::Target);
  if (!built)
    return built.takeError();
  auto compiler = tpp::HostCompiler::create(built->target);
  if (!compiler)
    return compiler.takeError();
  auto code = (*compiler)->translate(*built->code, built->entry, tpp::Optimize::ForManyRuns);
  if (!code)
    return code.takeError();
  return TranslatedModel{std::move(*built), std::move(*compiler), std::move(*code)};
}

llvm::Expected<std::string> tpp::compileToAssembly(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<TranslatedModel> model = translateModel(module, options);
  if (!model)
    return model.takeError();
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  if (llvm::Error error = model->compiler->emit(*model->code.module, llvm::CodeGenFileType::AssemblyFile, stream))
    return std::move(error);
  return text.str().str();
}

llvm::Error tpp::emitModel(ModuleOp module, const CompileOptions &options, EmitKind kind, StringRef outputFile) {
  std::string weightsFile = (outputFile + ".weights").str();
  llvm::SmallString<128> headerFile = outputFile;
  llvm::sys::path::replace_extension(headerFile, "h");
  if (headerFile == outputFile)
    return makeError(outputFile + " is also the name of the model's header; give another name");
  llvm::Expected<TranslatedModel> model = translateModel(module, options);
  if (!model)
    return model.takeError();
  llvm::Expected<std::string> header = writeModelHeader(model->built, options.threads, llvm::sys::path::filename(weightsFile));
  if (!header)
    return header.takeError();

  llvm::Triple triple = model->code.module->getTargetTriple(), here(llvm::sys::getDefaultTargetTriple());
  if (kind == EmitKind::Shared && triple.getArch() != here.getArch())
    return makeError("cannot link " + outputFile + ": this machine's linker is for " + here.getArchName() + ", the code for " +
                     triple.getArchName() + "; emit an object and link it with a compiler driver for that machine");
  auto weights = computeWeights(model->built, options);
  if (!weights)
    return weights.takeError();
  if (llvm::Error error = writeCode(*model->compiler, *model->code.module, kind, outputFile))
    return error;
  if (llvm::Error error = writeFile(headerFile, [&](llvm::raw_fd_ostream &stream) {
        stream << *header;
        return llvm::Error::success();
      }))
    return error;
  return writeFile(weightsFile, [&](llvm::raw_fd_ostream &stream) {
    stream.write(weights->get(), model->built.weights.bytes);
    return llvm::Error::success();
  });
}

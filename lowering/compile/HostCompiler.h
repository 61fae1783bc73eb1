// Uses LLVM to optimize a model and to generate its machine code, in memory for the host or into files for a target.
#ifndef TPP_LOWERING_COMPILE_HOSTCOMPILER_H
#define TPP_LOWERING_COMPILE_HOSTCOMPILER_H

#include "lowering/compile/Optimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
class Triple;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir::tpp {

/// An LLVM module and its context.
struct LLVMModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Generates code for the host or for a target. For the host it uses the host's CPU and all its features, never a generic default. For a
/// target it uses the processor that the target names, else any processor with its instruction set.
class HostCompiler {
public:
  ~HostCompiler();
  static llvm::Expected<std::unique_ptr<HostCompiler>> create();
  static llvm::Expected<std::unique_ptr<HostCompiler>> create(TargetAttr target);

  /// Translates the LLVM dialect to LLVM IR with the machine's triple and data layout, and optimizes it.
  llvm::Expected<LLVMModule> translate(ModuleOp module, StringRef name, Optimize optimize);

  /// The machine code as an object file.
  llvm::Expected<std::string> compile(llvm::Module &module);

  /// Writes assembly or an object file.
  llvm::Error emit(llvm::Module &module, llvm::CodeGenFileType type, llvm::raw_pwrite_stream &stream);

private:
  HostCompiler();
  static llvm::Expected<std::unique_ptr<HostCompiler>> create(const llvm::Triple &triple, StringRef cpu, StringRef features);
  std::unique_ptr<llvm::TargetMachine> machine;
  int64_t vectorBits = 512; // the widest vectors that the lowering may choose
};

/// Registers the translations of the dialects that HostCompiler::translate translates. Call it before translating in several threads.
void registerTranslations(MLIRContext &context);

/// Machine code in memory, freed with this object. Symbols that the code does not define are looked up in the process.
class LoadedCode {
public:
  ~LoadedCode();
  /// Loads an object file of this machine, which is copied.
  static llvm::Expected<std::unique_ptr<LoadedCode>> load(StringRef object);

  /// The address of a function, or an error that says why it cannot be linked.
  template <typename Function> llvm::Expected<Function *> lookup(StringRef name) {
    llvm::Expected<void *> address = lookupAddress(name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<Function *>(*address);
  }

private:
  LoadedCode();
  llvm::Expected<void *> lookupAddress(StringRef name);
  std::string problems; // errors that the JIT reported in addition to the one it returned
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// The address of a function of this process; null if the function is not loaded.
void *findInProcess(const char *name);

} // namespace mlir::tpp

#endif

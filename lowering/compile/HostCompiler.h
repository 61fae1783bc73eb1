// LLVM for the machine we are on, and for targets that files are emitted for: optimization, machine code into memory or into files.
#ifndef TPP_LOWERING_COMPILE_HOSTCOMPILER_H
#define TPP_LOWERING_COMPILE_HOSTCOMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "tpp_dialect/TppDialect.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace mlir::tpp {

/// An LLVM module with the context it lives in.
struct LLVMModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Code generation for the host: its CPU and every feature it has, never a default; or for a target: the processor it names, else any of
/// its instruction set.
class HostCompiler {
public:
  static llvm::Expected<std::unique_ptr<HostCompiler>> create();
  static llvm::Expected<std::unique_ptr<HostCompiler>> create(TargetAttr target);

  /// From the LLVM dialect to LLVM IR with the machine's triple and data layout, optimized.
  llvm::Expected<LLVMModule> translate(ModuleOp module, StringRef name);

  /// Writes assembly or an object.
  llvm::Error emit(llvm::Module &module, llvm::CodeGenFileType type, llvm::raw_pwrite_stream &stream);

private:
  HostCompiler() = default;
  static llvm::Expected<std::unique_ptr<HostCompiler>> create(const llvm::Triple &triple, StringRef cpu, StringRef features);
  std::unique_ptr<llvm::TargetMachine> machine;
  int64_t vectorBits = 512; // as wide as the lowering may choose
};

/// Machine code in memory; released with this object. Symbols it does not define are looked up in the process.
class LoadedCode {
public:
  static llvm::Expected<std::unique_ptr<LoadedCode>> load(LLVMModule module);

  /// The address of a function, or what kept it from being linked.
  template <typename Function> llvm::Expected<Function *> lookup(StringRef name) {
    llvm::Expected<void *> address = lookupAddress(name);
    if (!address)
      return address.takeError();
    return reinterpret_cast<Function *>(*address);
  }

private:
  LoadedCode() = default;
  llvm::Expected<void *> lookupAddress(StringRef name);
  std::string problems; // what the JIT reported beside its error
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// A function of the process by name, null where nothing has loaded it.
void *findInProcess(const char *name);

} // namespace mlir::tpp

#endif

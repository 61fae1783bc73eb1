// A model file in memory: loading it, choosing the function to call, and what that function takes and gives.
#pragma once
#include "ElementType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tpp::run {

struct Signature {
  std::string entry;
  std::vector<TensorSpec> arguments, results;
  std::vector<bool> isMemref; // of each argument: written by the call, and thus an output as well

  // "(256x1024xf32, ...) -> (256x1024xf32)"
  std::string text() const;
};

// Of a function whose arguments and results are tensors or memrefs of static shape. `path` stands in messages for a location.
llvm::Expected<Signature> describeSignature(mlir::func::FuncOp function, llvm::StringRef path);

class Model {
public:
  // Parses text or bytecode. The file stays mapped for as long as the model lives: constants of bytecode are not copied.
  // Diagnostics go to stderr as they come, "file:line:col: error: ...".
  static llvm::Expected<std::unique_ptr<Model>> load(const std::string &path, const std::vector<std::string> &plugins = {});

  // Applies the script @__transform_main of a file of transform-dialect IR.
  llvm::Error transform(const std::string &script);

  // The named function; without a name the only public function with a body, else @main.
  llvm::Expected<mlir::func::FuncOp> function(const std::string &entry);
  llvm::Expected<Signature> signature(const std::string &entry);

  mlir::ModuleOp module() { return *parsed; }

private:
  Model(const std::string &path, const mlir::DialectRegistry &registry);

  std::string path;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
};

} // namespace tpp::run

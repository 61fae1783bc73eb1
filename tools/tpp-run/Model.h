// Loads a model file, selects the function to call, and describes that function's arguments and results.
#pragma once
#include "ElementType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tpp::run {

// Types of the arguments and results of a function.
struct Signature {
  std::string entry;
  std::vector<TensorSpec> arguments, results;
  std::vector<bool> isMemref; // per argument: the call may write it, so it is an output as well

  // "(256x1024xf32, ...) -> (256x1024xf32)"
  std::string text() const;
};

// The signature of a function. Its arguments and results must be tensors or memrefs of static shape, or scalars. Messages use `path` if the function
// has no source location.
llvm::Expected<Signature> describeSignature(mlir::func::FuncOp function, llvm::StringRef path);

class Model {
public:
  // Parses MLIR text or bytecode. The file stays mapped during the model's lifetime, so that bytecode constants are not copied.
  // `plugins` are dialect plugins to load first. Diagnostics are printed to stderr as "file:line:col: error: ...".
  static llvm::Expected<std::unique_ptr<Model>> load(const std::string &path, const std::vector<std::string> &plugins = {});

  // Applies the transform-dialect script @__transform_main of the file `script` to the module.
  llvm::Error transform(const std::string &script);

  // Returns the function `entry`. If `entry` is empty: the public function with a body if there is only one, else @main.
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

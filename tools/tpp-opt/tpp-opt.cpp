// mlir-opt for TPP: all upstream dialects, extensions and passes, and ours with the pipelines tpp-default and tpp-loops.
#include "lowering/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

// What upstream's main cannot return as an error (an output that cannot be written), in the words of our tools. LLVM ends the process.
static void complain(void *, const char *reason, bool) { llvm::errs() << "tpp-opt: error: " << reason << '\n'; }

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(complain);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::tpp::registerTpp(registry);
  mlir::registerAllPasses();
  mlir::tpp::registerTppPasses();
  mlir::tpp::registerTppPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "TPP optimizer driver\n", registry));
}

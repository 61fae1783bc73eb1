// mlir-opt for TPP: all upstream dialects, extensions and passes, and ours with the pipelines tpp-default and tpp-loops.
#include "lowering/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::tpp::registerTpp(registry);
  mlir::registerAllPasses();
  mlir::tpp::registerTppPasses();
  mlir::tpp::registerTppPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "TPP optimizer driver\n", registry));
}

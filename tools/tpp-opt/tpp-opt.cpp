// mlir-opt for TPP: all upstream dialects, extensions and passes, and ours with the pipelines tpp-default and tpp-loops.
#include "tpp_dialect/TppDialect.h"
#ifdef TPP_HAVE_LOWERING
#include "lowering/Pipelines.h"
#endif

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::tpp::registerTppDialect(registry);
  mlir::registerAllPasses();
#ifdef TPP_HAVE_LOWERING
  mlir::tpp::registerTppPasses();
  mlir::tpp::registerTppPipelines();
#endif
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "TPP optimizer driver\n", registry));
}

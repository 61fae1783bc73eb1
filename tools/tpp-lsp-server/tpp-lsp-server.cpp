// mlir-lsp-server for TPP: what editors ask about .mlir files (errors while typing, hover, definitions, completion), with the tpp
// dialect beside upstream's.
#include "lowering/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::tpp::registerTpp(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

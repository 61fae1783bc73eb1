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

// The top of --help, whose list of upstream's passes is long.
static const char overview[] = R"(mlir-opt for TPP: all upstream dialects and passes, and ours, whose names begin with tpp

  tpp-opt MODEL --tpp-default                                                what MODEL is compiled to: kernels, vectors, parallel loops
  tpp-opt MODEL --tpp-default-tensors                                        the first half: its contractions, with their layouts
  tpp-opt MODEL --tpp-default-tensors --tpp-layout-graph=g.svg -o /dev/null  the same as a drawing
  tpp-opt MODEL --tpp-default --tpp-layout-report=moves.txt -o /dev/null     what each call only moves, and why
  tpp-opt MODEL --tpp-default --mlir-print-ir-after=PASS -o /dev/null        what there is after a pass, on stderr
  tpp-opt MODEL --tpp-loops                                                  plain loops: the executable specification

tpp-run runs and times MODEL. docs/tutorial.md goes through all of it; docs/architecture.md says what each stage decides.
)";

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(complain);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::tpp::registerTpp(registry);
  mlir::registerAllPasses();
  mlir::tpp::registerTppPasses();
  mlir::tpp::registerTppPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, overview, registry));
}

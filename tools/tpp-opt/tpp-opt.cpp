// mlir-opt for TPP: all upstream dialects, extensions and passes, and in addition TPP's dialect, passes and pipelines.
#include "lowering/Pipelines.h"
#include "lowering/machine/Target.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

// Handles errors that MlirOptMain cannot return, such as an output file that cannot be written: prints them in the format of the other
// tools. LLVM then ends the process.
static void complain(void *, const char *reason, bool) { llvm::errs() << "tpp-opt: error: " << reason << '\n'; }

// Printed at the top of --help, before the long list of passes.
static const char overview[] = R"(mlir-opt for TPP: all upstream dialects and passes, and TPP's own, whose names begin with tpp

  tpp-opt MODEL --tpp-default                                                lower MODEL to kernel calls, vector code and parallel loops
  tpp-opt MODEL --tpp-default-tensors                                        the stages on tensors only: contractions with their layouts
  tpp-opt MODEL --tpp-default-tensors --tpp-layout-graph=g.svg -o /dev/null  draw the same as a graph
  tpp-opt MODEL --tpp-default --tpp-layout-report=moves.txt -o /dev/null     list every relayout and copy of a call, with its reason
  tpp-opt MODEL --tpp-default --mlir-print-ir-after=PASS -o /dev/null        print the IR after a pass to stderr
  tpp-opt MODEL --tpp-loops                                                  lower MODEL to plain loops (reference semantics)

tpp-run runs and times MODEL. docs/tutorial.md is an introduction; docs/architecture.md describes the stages.
)";

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(complain);
  if (std::string problem = mlir::tpp::getHostProblem(); !problem.empty()) {
    llvm::errs() << "tpp-opt: error: " << problem << '\n';
    return 1;
  }
  mlir::DialectRegistry registry;
  mlir::tpp::registerTpp(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::tpp::registerTppPasses();
  mlir::tpp::registerTppPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, overview, registry));
}

// Compiles a random program through both pipelines, runs it between guard pages and compares with the oracle. Before that: layouts,
// once chosen, have to be those that the pass would choose again.
#ifndef TPP_TEST_FUZZ_CHECK_H
#define TPP_TEST_FUZZ_CHECK_H

#include "Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace tpp::fuzz {

struct Report {
  bool passed = true;
  std::string message;   // what went wrong
  double worstShare = 0; // of the allowed error, over all elements of all results
  int64_t exactElements = 0, elements = 0;
  bool changesLayouts = false; // the default pipeline lays some value out in another way than the program has it
};

struct CheckOptions {
  int threads = 1;
  bool atEnd = true; // buffers end (or begin) at an inaccessible page
  std::string provider = "auto";
  std::string packing = "default"; // strategy of the default pipeline
};

class Checker {
public:
  Checker();
  Report check(const Program &program, const Selection &selection, const CheckOptions &options);

private:
  void checkLayouts(mlir::ModuleOp source, const CheckOptions &options, Report &report);

  mlir::MLIRContext context;
};

} // namespace tpp::fuzz

#endif

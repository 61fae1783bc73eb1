// Compiles a random program through both pipelines, runs it on buffers between guard pages and compares the results with the
// oracle. Also checks that tpp-propagate-layouts is idempotent.
#ifndef TPP_TEST_FUZZ_CHECK_H
#define TPP_TEST_FUZZ_CHECK_H

#include "Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace tpp::fuzz {

struct Report {
  bool passed = true;
  std::string message;   // all failures, as text
  double worstShare = 0; // largest error / bound over all elements of all results
  int64_t exactElements = 0, elements = 0;
  bool changesLayouts = false; // tpp-propagate-layouts changed the layout of some value
  bool usesWinograd = false;   // tpp-use-winograd chose Winograd's algorithm for some convolution
  bool usesGroups = false;     // tpp-use-grouped-convs chose the kernels for groups for some convolution
  bool readsPadding = false;   // tpp-read-padding removed the border of some image
};

struct CheckOptions {
  int threads = 1;
  bool atEnd = true; // buffers end (else begin) at an inaccessible page
  std::string provider = "auto";
  std::string packing = "default"; // packing strategy of the default pipeline
  int64_t l2Bytes = 0;             // of the machine that it compiles for; 0: the host's
};

class Checker {
public:
  Checker();
  Report check(const Program &program, const Selection &selection, const CheckOptions &options);

private:
  mlir::MLIRContext context;
};

} // namespace tpp::fuzz

#endif

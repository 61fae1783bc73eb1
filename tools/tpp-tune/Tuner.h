// Compiles the variants of a contraction and times them in alternation.
#pragma once
#include "../tpp-run/Bench.h"
#include "../tpp-run/Execution.h"
#include "Contractions.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace tpp::run {
class PeakMeter;
}

namespace tpp::tune {

// The times of one variant.
struct Result {
  int64_t number = 0; // of the variant, in the order of getVariants
  mlir::tpp::Packing packing;
  double min = 0, median = 0; // seconds: least minimum and median of the medians over all rounds
  bool dropped = false;       // not timed after the first round
};

struct Results {
  std::vector<Result> sorted; // by `min`; dropped variants last
  int64_t flops = 0;
  std::optional<double> peakGflops; // for the contraction's type, if there is a peak loop for it

  double gflops(const Result &result) const { return double(flops) / result.min * 1e-9; }
  std::optional<double> percentOfPeak(const Result &result) const;
  const Result &best() const { return sorted.front(); }
  const Result &costModels() const; // variant 0, the cost model's choice
};

// Times all variants in several rounds, one variant after the other in each round. Variants that are much slower than the best are
// dropped in the first round. Returns an error if the result of a variant differs from that of variant 0. Prints progress to `progress`.
llvm::Expected<Results> tune(Contraction &contraction, const std::vector<mlir::tpp::Packing> &variants, const Options &options,
                             llvm::raw_ostream &progress);

// Returns the assembly code of one variant.
llvm::Expected<std::string> assemble(Contraction &contraction, const mlir::tpp::Packing &packing, const Options &options);

} // namespace tpp::tune

// Compiles the variants of a contraction and times them side by side.
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

struct Result {
  int64_t number = 0; // of the variant
  mlir::tpp::Packing packing;
  double min = 0, median = 0; // seconds; over rounds: the least of the minima, the median of the medians
  bool dropped = false;       // behind the first round
};

struct Results {
  std::vector<Result> sorted; // by `min`; those that were dropped last
  int64_t flops = 0;
  std::optional<double> peakGflops; // for the contraction's type, if it can be measured

  double gflops(const Result &result) const { return double(flops) / result.min * 1e-9; }
  std::optional<double> percentOfPeak(const Result &result) const;
  const Result &best() const { return sorted.front(); }
  const Result &costModels() const; // variant 0
};

// All variants in turns, round by round; what is much slower than the best is dropped behind the first round. Their results are
// compared with the first one's: where one differs, that is the error. What is going on is told on `progress`.
llvm::Expected<Results> tune(Contraction &contraction, const std::vector<mlir::tpp::Packing> &variants, const Options &options,
                             llvm::raw_ostream &progress);

// The assembly of one variant.
llvm::Expected<std::string> assemble(Contraction &contraction, const mlir::tpp::Packing &packing, const Options &options);

} // namespace tpp::tune

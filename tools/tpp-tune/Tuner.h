// Compiles the variants of a program, a contraction or a model, and times them in alternation.
#pragma once
#include "../tpp-run/Bench.h"
#include "../tpp-run/Execution.h"
#include "Contractions.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <optional>

namespace tpp::run {
class PeakMeter;
}

namespace tpp::tune {

// A program that can be compiled in several variants, which give the same results.
struct Program {
  run::Signature signature;
  int64_t variants = 0;
  std::function<llvm::Expected<std::unique_ptr<mlir::tpp::CompiledModel>>(int64_t number)> compile;
  run::Tolerance tolerance; // of the results of a variant, compared with those of variant 0
};

// The times of one variant.
struct Result {
  int64_t number = 0;         // from 0
  double min = 0, median = 0; // seconds: least minimum and median of the medians over all rounds
  bool dropped = false;       // not timed after the first round
};

struct Results {
  std::vector<Result> sorted; // by `min`; dropped variants last
  int64_t flops = 0;
  std::optional<double> peakGflops; // for the program's type, if there is a peak loop for it

  double gflops(const Result &result) const { return double(flops) / result.min * 1e-9; }
  std::optional<double> percentOfPeak(const Result &result) const;
  const Result &best() const { return sorted.front(); }
  const Result &of(int64_t number) const;
};

// Times all variants in several rounds, one variant after the other in each round. Variants that are much slower than the best are
// dropped in the first round. Returns an error if the results of a variant differ from those of variant 0. Prints progress to `progress`.
llvm::Expected<Results> timeVariants(const Program &program, const Options &options, llvm::raw_ostream &progress);

// The program that computes one contraction, with these packings as its variants. Both must outlive it.
llvm::Expected<Program> makeProgram(Contraction &contraction, const std::vector<mlir::tpp::Packing> &packings,
                                    const Options &options);

// Returns the assembly code of one variant.
llvm::Expected<std::string> assemble(Contraction &contraction, const mlir::tpp::Packing &packing, const Options &options);

} // namespace tpp::tune

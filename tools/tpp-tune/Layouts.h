// Times a whole model with its contractions' fastest packings, and with its activations in tiles.
#pragma once
#include "Report.h"

namespace tpp::tune {

// Whether layouts of activations can be timed: no argument is a buffer, which a call may change, so that all calls compute the same.
bool canTimeLayouts(const run::Signature &signature);

// The times of a model; `results` has a number for each variant.
struct LayoutResults {
  // Variant 0 is the compiler's choice without records, variant 1 the records' packings, and variant 2 + i has the activations in tiles[i], too.
  std::vector<mlir::tpp::TileSizes> tiles;
  Results results;

  // The tiles that make the model faster than both variants without tiles by more than the noise of a measurement; nullopt if none do.
  std::optional<mlir::tpp::TileSizes> best() const;
  // Which variant is the fastest, for the user.
  std::string verdict() const;
};

// Compiles, compares and times the model in all variants. Prints progress to `progress`.
llvm::Expected<LayoutResults> timeLayouts(run::Model &model, const std::vector<Tuned> &tuned, const Options &options,
                                          llvm::raw_ostream &progress);

// Prints one line per variant, fastest first. A star marks the compiler's choice without records.
void printTable(const LayoutResults &layouts, llvm::raw_ostream &stream);

} // namespace tpp::tune

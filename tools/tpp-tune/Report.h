// Prints tuning results as a table and writes them as records for #tpp.packing_tuned.
#pragma once
#include "Tuner.h"

namespace tpp::tune {

// A tuned contraction, the packings it was timed with, and their times.
struct Tuned {
  Contraction *contraction;
  std::vector<mlir::tpp::Packing> packings;
  Results results;

  const mlir::tpp::Packing &best() const { return packings[results.best().number]; }
};

// Prints one line per variant, fastest first. A star marks the cost model's choice.
void printTable(const Tuned &tuned, llvm::raw_ostream &stream);

// Checks that a file can be written. Called before tuning, so that a bad path is reported early.
llvm::Error checkWritable(llvm::StringRef path);

// Writes the fastest packing of each contraction in the format of docs/packing-strategies.md; with `tiles`, these tiles of A and C, and panels of the
// fastest packing. Replaces the whole file.
llvm::Error writeRecords(const std::vector<Tuned> &tuned, const std::optional<mlir::tpp::TileSizes> &tiles,
                         const Options &options, llvm::StringRef path);

} // namespace tpp::tune

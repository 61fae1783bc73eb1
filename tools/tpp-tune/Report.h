// Prints tuning results as a table and writes them as records for #tpp.packing_tuned.
#pragma once
#include "Tuner.h"

namespace tpp::tune {

// Prints one line per variant, fastest first. A star marks the cost model's choice.
void printTable(const Results &results, llvm::raw_ostream &stream);

// A tuned contraction and its results.
struct Tuned {
  Contraction *contraction;
  Results results;
};

// Checks that a file can be written. Called before tuning, so that a bad path is reported early.
llvm::Error checkWritable(llvm::StringRef path);

// Writes the fastest variant of each contraction in the format of docs/packing-strategies.md. Replaces the whole file.
llvm::Error writeRecords(const std::vector<Tuned> &tuned, const Options &options, llvm::StringRef path);

} // namespace tpp::tune

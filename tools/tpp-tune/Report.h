// What tuning found out: a table for people, and records for #tpp.packing_tuned.
#pragma once
#include "Tuner.h"

namespace tpp::tune {

// One line for each variant, fastest first; the cost model's choice has a star.
void printTable(const Results &results, llvm::raw_ostream &stream);

// A contraction that has been tuned.
struct Tuned {
  Contraction *contraction;
  Results results;
};

// Whether a file can be written, told before anything is timed.
llvm::Error checkWritable(llvm::StringRef path);

// The fastest variant of each contraction, in the form that docs/packing-strategies.md describes. The file is replaced as a whole.
llvm::Error writeRecords(const std::vector<Tuned> &tuned, const Options &options, llvm::StringRef path);

} // namespace tpp::tune

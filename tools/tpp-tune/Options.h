// tpp-tune's command line.
#pragma once
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tpp::tune {

// Which variant's assembly is wanted: the one of a number, or the fastest.
struct AssemblyChoice {
  enum class Kind { none, number, best } kind = Kind::none;
  int64_t number = 0;
};

struct Options {
  bool help = false;
  std::string model;
  std::string entry;            // empty: chosen from the module
  std::vector<int64_t> weights; // arguments that are given once, ascending
  std::string target;
  std::string records;       // the file of -o; empty: none
  std::string only;          // a regular expression over descriptions
  std::vector<int64_t> list; // instead: numbers of contractions, from 1, ascending
  AssemblyChoice assembly;
  int threads = 1;
  double minSeconds = 0.2; // of timed calls for each variant that is not dropped
  int rounds = 5;
  bool cold = false;
};

// Parses and validates everything that can be known without the model.
llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments);

std::string helpText();

} // namespace tpp::tune

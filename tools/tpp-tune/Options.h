// The options of tpp-tune and their parser.
#pragma once
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tpp::tune {

// The variant whose assembly is printed: none, the one with number `number`, or the fastest.
struct AssemblyChoice {
  enum class Kind { none, number, best } kind = Kind::none;
  int64_t number = 0;
};

struct Options {
  bool help = false;
  std::string model;
  std::string entry;            // empty: chosen from the module
  std::vector<int64_t> weights; // indices of arguments that are the same in every call, ascending
  std::string target;
  std::string records;       // output file for records; empty: none
  std::string only;          // regular expression over titles; empty: all contractions
  std::vector<int64_t> list; // or numbers of contractions, from 1, ascending
  AssemblyChoice assembly;
  int threads = 1;
  double minSeconds = 0.2; // timed calls of each variant that is not dropped, over all rounds
  int rounds = 5;
  bool cold = false;
};

// Parses the command line and checks everything that does not depend on the model.
llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments);

std::string helpText();

} // namespace tpp::tune

// tpp-run's command line.
#pragma once
#include "Tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace tpp::run {

enum class Pipeline { optimized, loops };
enum class Emit { none, llvm, assembly, object, shared };
enum class Check { none, reference, files };

struct Options {
  bool help = false;
  std::string model;
  std::string entry; // empty: chosen from the module
  std::optional<std::vector<InputSpec>> inputs;
  std::vector<int64_t> weights; // arguments that are given once, ascending
  std::vector<std::string> outputs;
  Check check = Check::none;
  std::vector<std::string> checkFiles;
  Tolerance tolerance;
  bool bench = false;
  double minSeconds = 1;
  int64_t repetitions = 0;
  bool cold = false;
  bool profile = false;
  std::string profileFile; // empty: no trace
  int threads = 1;
  Pipeline pipeline = Pipeline::optimized;
  std::string provider = "auto", target, packing;
  std::string transform;            // a file of transform-dialect IR
  std::vector<std::string> plugins; // libraries of dialects
  std::string json;
  std::string layoutReport; // a file, or -
  Emit emit = Emit::none;
  std::string emitFile;
};

// Parses and validates everything that can be known without the model.
llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments);

std::string helpText();

constexpr int64_t mostThreads = 1024;

// Cores this process may run on.
int availableCores();

} // namespace tpp::run

// The options of tpp-run and their parser.
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
  std::vector<int64_t> weights; // indices of arguments that are the same in every call, ascending
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
  bool ownThreads = false; // those of the runtime's pool; else OpenMP's
  Pipeline pipeline = Pipeline::optimized;
  std::string provider = "auto", target, packing, precision = "program", winograd = "auto", denormals = "keep";
  std::vector<std::string> calibration; // files of inputs, in the order of the arguments; several runs one after the other
  std::string transform;                // a file of transform-dialect IR
  std::vector<std::string> plugins;     // dialect plugin libraries
  std::string json;
  std::string layoutReport; // file name, or - for stdout
  Emit emit = Emit::none;
  std::string emitFile;
};

// Parses the command line and checks everything that does not depend on the model.
llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments);

std::string helpText();

constexpr int64_t mostThreads = 1024;

// Number of cores that this process may run on.
int availableCores();

} // namespace tpp::run

// Main function of tpp-run and tpp-tune: parses the command line, runs the tool and reports errors.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tpp::run {

constexpr int exitBadInput = 1;

// Returns the exit status of a tool. Reports an error of `status`, or a failed write to stdout, on stderr; the status is then 1.
int finishTool(llvm::StringRef name, llvm::Expected<int> status);

// Parses the command line and runs `act` with the options, or prints the help if they request it. Returns the exit status.
template <typename Options>
int runTool(llvm::StringRef name, int argc, char **argv, llvm::Expected<Options> (*parse)(const std::vector<std::string> &),
            std::string (*help)(), llvm::Expected<int> (*act)(const Options &)) {
  llvm::Expected<Options> options = parse(std::vector<std::string>(argv + 1, argv + argc));
  if (!options)
    return finishTool(name, options.takeError());
  if (!options->help)
    return finishTool(name, act(*options));
  llvm::outs() << help();
  return finishTool(name, 0);
}

} // namespace tpp::run

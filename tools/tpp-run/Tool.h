// The frame of tpp-run and tpp-tune: a command line, what it makes happen, and how it is said that something is wrong.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tpp::run {

constexpr int exitBadInput = 1;

// The exit status of a tool: errors, and a stdout that cannot be written, are told on stderr.
int finishTool(llvm::StringRef name, llvm::Expected<int> status);

// What `act` does with options that `parse` has understood; or the help, where they ask for it.
template <typename Options>
int runTool(llvm::StringRef name, int argc, char **argv, llvm::Expected<Options> (*parse)(const std::vector<std::string> &),
            std::string (*help)(), llvm::Expected<int> (*act)(Options)) {
  llvm::Expected<Options> options = parse(std::vector<std::string>(argv + 1, argv + argc));
  if (!options)
    return finishTool(name, options.takeError());
  if (!options->help)
    return finishTool(name, act(std::move(*options)));
  llvm::outs() << help();
  return finishTool(name, 0);
}

} // namespace tpp::run

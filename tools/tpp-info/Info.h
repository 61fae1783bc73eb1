// The parts of tpp-info. Each prints to stdout and returns the exit status; `arguments` are what follows the command's name.
#pragma once
#include "tpp/types.h"

#include <string>
#include <vector>

namespace tpp::info {

using Arguments = std::vector<std::string>;

int printHost(const Arguments &arguments);      // CPU, cores, caches
int printProviders(const Arguments &arguments); // of this build, and whether they work here
int printTargets(const Arguments &arguments);   // instruction sets that kernels exist for
int printKernels(const Arguments &arguments);   // the registry's rows
int explainBrgemm(const Arguments &arguments);  // candidates and choice for one shape

// The name in kinds.def.
const char *providerName(tpp_provider provider);

// Prints "tpp-info: error: ..." to stderr and returns 1.
int fail(const std::string &message);

// False (after a message) when a command that takes no arguments was given some.
bool takesNothing(const char *command, const Arguments &arguments);

} // namespace tpp::info

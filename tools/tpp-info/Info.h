// The commands of tpp-info. Each prints to stdout and returns the exit status. `arguments` are the words after the command's name.
#pragma once
#include "tpp/types.h"

#include <string>
#include <vector>

namespace tpp::info {

using Arguments = std::vector<std::string>;

int printHost(const Arguments &arguments);      // CPU, cores, caches
int printMachine(const Arguments &arguments);   // the figures that costs are computed from
int printProviders(const Arguments &arguments); // providers in this build, and whether each works on this machine
int printTargets(const Arguments &arguments);   // instruction sets with at least one kernel
int printKernels(const Arguments &arguments);   // all kernel entries of the registry
int explainBrgemm(const Arguments &arguments);  // candidate kernels for one shape, and the selected one

// Measures the figures of this machine and writes a machine file: to `path`, or to stdout if it is null.
int calibrate(const std::string *path);

std::string cpuName();
int availableCores(); // that the threads of this process may run on

// The provider's name as in kinds.def.
const char *providerName(tpp_provider provider);

// Prints "tpp-info: error: ..." to stderr and returns 1.
int fail(const std::string &message);

// Returns true if `arguments` is empty; otherwise prints an error and returns false.
bool takesNothing(const char *command, const Arguments &arguments);

} // namespace tpp::info

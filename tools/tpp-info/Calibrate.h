// Measures the figures of this machine.
#pragma once
#include "tpp/machine.h"

#include <string>

namespace tpp::info {

// Sets *machine to host_machine() with measured figures, and reports each on stderr: its value in machines.def and the measured one. Takes half a
// minute. Returns an empty text, or why the machine cannot be measured.
std::string measureMachine(tpp_machine *machine);

} // namespace tpp::info

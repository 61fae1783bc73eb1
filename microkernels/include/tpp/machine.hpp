// The machine that costs are computed for: this one, as the processor and the operating system describe it, unless a machine file or a caller says
// otherwise. Needs neither Highway nor LLVM: the compiler and tpp-info link it, too.
#pragma once
#include "tpp/machine.h"

#include <string>
#include <vector>

namespace tpp {

// A data cache of this machine.
struct host_cache {
  int64_t level; // 1, 2, ...
  int64_t bytes;
  int64_t ways;      // 0: unknown
  std::string cores; // those that share it, as in "0-3"; empty if unknown
};

// The data caches of one core (the first), from L1 upwards. Caches that the system does not report are missing.
std::vector<host_cache> host_caches();

// This machine: the entry of machines.def for its processor or instruction set, with the sizes that the system reports.
const tpp_machine &host_machine();

// Whether this process may use AMX's products of tiles of bf16 (TPP_TYPE_bf16) or of 8-bit integers (TPP_TYPE_i8). The first call asks the operating
// system for the tile registers.
bool host_has_amx(int32_t type);

// Reads a machine file: lines `field = value`, with the fields of tpp_machine; # starts a comment. A field that the file does not name keeps the
// value of the entry of machines.def whose name or, without one, whose instruction set the file names. Returns an empty text and sets *machine, or
// returns the problem, with file and line.
std::string read_machine(const std::string &path, tpp_machine *machine);

// The text of a machine file.
std::string write_machine(const tpp_machine &machine);

// Why no decision can be based on the figures of `machine`: the field whose value is out of range. Empty if they are usable.
std::string machine_problem(const tpp_machine &machine);

// The machine of the last call of set_current_machine; without one, of the file that the environment variable TPP_MACHINE names; without that, or if
// the file cannot be used, the host's.
const tpp_machine &current_machine();
// Why the file that TPP_MACHINE names is not used. Empty if it is, if there is none, or if set_current_machine was called.
std::string current_machine_problem();

// Null: as if it had never been called. False if there is no memory. Earlier machines are never freed: another thread may still read them.
bool set_current_machine(const tpp_machine *machine);

} // namespace tpp

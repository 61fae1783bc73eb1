// The machine that costs are computed for.
#include "tpp/machine.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tpp {
namespace {

// What the environment variable TPP_MACHINE says.
struct from_environment {
  tpp_machine machine;
  std::string problem;

  from_environment() {
    machine = host_machine();
    const char *path = std::getenv("TPP_MACHINE");
    if (!path || !*path)
      return;
    tpp_machine read;
    problem = read_machine(path, &read);
    if (problem.empty() && strcmp(read.isa, machine.isa) != 0)
      problem = std::string(path) + ": it describes a machine with " + read.isa + ", but this one has " + machine.isa;
    if (problem.empty())
      machine = read;
    else
      problem = "TPP_MACHINE: " + problem;
  }
};

const from_environment &environment() {
  static const from_environment found;
  return found;
}

// A machine that was set, and the one before it. None is ever freed: a dispatch may still read it.
struct chosen {
  tpp_machine machine;
  chosen *before;
};

std::atomic<chosen *> last{nullptr};
// Whether the last one counts.
std::atomic<bool> is_set{false};

} // namespace

const tpp_machine &current_machine() {
  return is_set.load(std::memory_order_acquire) ? last.load(std::memory_order_acquire)->machine : environment().machine;
}

std::string current_machine_problem() { return is_set.load(std::memory_order_acquire) ? "" : environment().problem; }

bool set_current_machine(const tpp_machine *machine) {
  const chosen *now = last.load();
  if (machine && !(now && memcmp(machine, &now->machine, sizeof *machine) == 0)) {
    auto *next = new (std::nothrow) chosen{*machine, last.load()};
    if (!next)
      return false;
    while (!last.compare_exchange_weak(next->before, next))
      ;
  }
  is_set.store(machine != nullptr, std::memory_order_release);
  return true;
}

} // namespace tpp

// The machine that dispatch chooses kernels for.
#include "status.h"

#include "tpp/machine.hpp"
#include "tpp/machines.h"
#include "tpp/tpp.h"

#include <string.h>

namespace {

tpp_status check(const tpp_machine *machine) {
  if (!machine)
    return tpp::fail(TPP_STATUS_NULL_POINTER, "machine is null");
  if (machine->struct_size != sizeof(tpp_machine))
    return tpp::fail(TPP_STATUS_STRUCT_SIZE, "machine.struct_size is %zu, must be %zu", machine->struct_size,
                     sizeof(tpp_machine));
  return TPP_STATUS_OK;
}

} // namespace

extern "C" {

tpp_status tpp_get_machine(tpp_machine *machine) {
  if (const tpp_status status = check(machine))
    return status;
  if (const std::string problem = tpp::current_machine_problem(); !problem.empty())
    return tpp::fail(TPP_STATUS_BAD_MACHINE, "%s", problem.c_str());
  *machine = tpp::current_machine();
  return TPP_STATUS_OK;
}

tpp_status tpp_find_machine(const char *name, tpp_machine *machine) {
  if (!name)
    return tpp::fail(TPP_STATUS_NULL_POINTER, "name is null");
  if (const tpp_status status = check(machine))
    return status;
  if (strcmp(name, "host") == 0) {
    *machine = tpp::host_machine();
    return TPP_STATUS_OK;
  }
  if (tpp_machine_find(name, machine))
    return TPP_STATUS_OK;
  const std::string problem = tpp::read_machine(name, machine);
  return problem.empty() ? TPP_STATUS_OK : tpp::fail(TPP_STATUS_BAD_MACHINE, "%s", problem.c_str());
}

tpp_status tpp_set_machine(const tpp_machine *machine) {
  if (machine) {
    if (const tpp_status status = check(machine))
      return status;
    if (const std::string problem = tpp::machine_problem(*machine); !problem.empty())
      return tpp::fail(TPP_STATUS_BAD_MACHINE, "machine.%s", problem.c_str());
  }
  return tpp::set_current_machine(machine) ? TPP_STATUS_OK : tpp::fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for a machine");
}

} // extern "C"

// Iteration over the entries of kernels.def, shared by the native and the reference provider.
#include "provider.h"

namespace tpp {

bool registry_has(tpp_provider id) {
  size_t count = 0;
  const microkernel_row *rows = microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].provider == id && microkernel_row_runs_here(rows[i]))
      return true;
  return false;
}

size_t registry_list(tpp_provider id, operation op, const void *desc, candidate *out, size_t room) {
  size_t count = 0, listed = 0;
  const microkernel_row *rows = microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i) {
    const microkernel_row &row = rows[i];
    if (row.provider != id || row.op != op)
      continue;
    if (out && listed < room) {
      candidate &entry = out[listed];
      entry = {row.name, id, nullptr, 0, &row};
      entry.rejection = microkernel_row_runs_here(row) ? row.reject(desc) : "this machine cannot execute it";
      if (!entry.rejection)
        entry.cost = row.cost(desc);
    }
    ++listed;
  }
  return listed;
}

const char *registry_create(const candidate &chosen, microkernel *kernel) {
  chosen.row->prepare(kernel);
  return nullptr;
}

} // namespace tpp

/* Finds the entries of tpp/machines.def. It is C11 and depends on no library: the dialect uses it, too. */
#ifndef TPP_MACHINES_H
#define TPP_MACHINES_H

#include "tpp/machine.h"

#include <string.h>

/* tpp_machine_set_ID(m): sets all fields of *m to the entry ID of tpp/machines.def. */
static inline void tpp_machine_set_none(tpp_machine *m) {
  memset(m, 0, sizeof *m);
  m->struct_size = sizeof *m;
}
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  static inline void tpp_machine_set_##id(tpp_machine *m) {                                                                      \
    tpp_machine_set_##base(m);                                                                                                   \
    strcpy(m->name, label);                                                                                                      \
    if (!m->isa[0])                                                                                                              \
      strcpy(m->isa, label);                                                                                                     \
    __VA_ARGS__                                                                                                                  \
  }
#include "tpp/machines.def"

/* Sets *m to the entry with this name, or with this name of LLVM's for its processor. Returns 0 if there is none; then *m is unchanged. */
static inline int tpp_machine_find(const char *name, tpp_machine *m) {
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  if (strcmp(name, label) == 0 || (cpu[0] && strcmp(name, cpu) == 0)) {                                                          \
    tpp_machine_set_##id(m);                                                                                                     \
    return 1;                                                                                                                    \
  }
#include "tpp/machines.def"
  return 0;
}

#endif

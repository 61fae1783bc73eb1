/* A machine: the figures from which the compiler and the runtime estimate times. The runtime's functions for machines are in tpp/tpp.h. */
#ifndef TPP_MACHINE_H
#define TPP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct tpp_machine {
  size_t struct_size; /* sizeof(tpp_machine) */
  char name[32];      /* of the entry of tpp/machines.def, or as a machine file says */
  char isa[16];       /* instruction set: avx512, avx2, sse4, neon or portable */
#define TPP_MACHINE_FIELD(type, field, least, most, unit, summary) type field; /* `summary`, in `unit` */
#include "tpp/machine_fields.def"
} tpp_machine;

#define TPP_LINE_BYTES 64   /* of a cache line */
#define TPP_PAGE_BYTES 4096 /* of the smallest page */

#endif

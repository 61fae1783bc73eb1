/* Shared by the C programs that use an emitted model @layer. */
#ifndef TPP_TEST_AOT_PROGRAM_H
#define TPP_TEST_AOT_PROGRAM_H

#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                                         \
  do {                                                                                                                           \
    if (!(condition)) {                                                                                                          \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                                    \
      exit(1);                                                                                                                   \
    }                                                                                                                            \
  } while (0)

/* Memory aligned as models require it, filled with NaN. */
static void *allocate(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes / 64 + 1) * 64);
  CHECK(memory);
  memset(memory, 0xff, bytes);
  return memory;
}

/* Reads the weights file that was emitted with the code. Its size must be that in the header. */
static void *read_weights(const char *path) {
  void *weights = allocate(layer_weights_bytes);
  FILE *file = fopen(path, "rb");
  CHECK(file);
  CHECK(fread(weights, 1, layer_weights_bytes, file) == layer_weights_bytes);
  CHECK(fgetc(file) == EOF);
  fclose(file);
  return weights;
}

#endif

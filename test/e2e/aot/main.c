/* A plain C program that uses an emitted model: checks every status of NAME_create, calls the model twice, prints the result to stdout.
 * usage: main WEIGHTS_FILE. The model is y = relu(x W + b), x 4x16, y 4x32, @layer. */
#include "program.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  void *weights = read_weights(argv[1]);
  layer_t *model = (layer_t *)&model;
  CHECK(layer_create(weights, layer_weights_bytes, NULL) == TPP_STATUS_NULL_POINTER);
  CHECK(layer_create(weights, layer_weights_bytes - 1, &model) == TPP_STATUS_WEIGHTS_SIZE);
  CHECK(model == NULL);
  CHECK(layer_create(NULL, layer_weights_bytes, &model) == TPP_STATUS_NULL_POINTER);
  CHECK(layer_create(weights, layer_weights_bytes, &model) == TPP_STATUS_OK);
  CHECK(model != NULL);

  size_t bytes = layer_workspace_bytes(model);
  char *workspace = allocate(bytes);
  float x[4 * 16], y[4 * 32], again[4 * 32];
  for (int i = 0; i < 4 * 16; ++i)
    x[i] = (float)(i % 5 - 2);
  memset(y, 0xff, sizeof(y));
  CHECK(layer_run(model, workspace, x, y) == TPP_STATUS_OK);
  /* All state is in the workspace, and the input is not modified. */
  memset(workspace, 0x7f, bytes);
  CHECK(layer_run(model, workspace, x, again) == TPP_STATUS_OK);
  CHECK(memcmp(y, again, sizeof(y)) == 0);
  for (int i = 0; i < 4 * 16; ++i)
    CHECK(x[i] == (float)(i % 5 - 2));
  for (int i = 0; i < 4 * 32; ++i)
    printf("%g\n", (double)y[i]);
  layer_destroy(model);
  layer_destroy(NULL);
  free(workspace);
  free(weights);
  return 0;
}

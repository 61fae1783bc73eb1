/* A plain C program that uses a model whose weights are arguments: packs them once, uses them in several calls, then replaces them.
 * usage: weights WEIGHTS_FILE. The model is y = x (w * s) + b, x 4x16, w 16x32, s constant, b 32, @layer. */
#include "program.h"

static void prepack(const layer_t *model, int seed) {
  float *w = allocate(16 * 32 * sizeof(float)), *b = allocate(32 * sizeof(float));
  for (int i = 0; i < 16 * 32; ++i)
    w[i] = (float)((i * seed) % 7 - 3);
  for (int j = 0; j < 32; ++j)
    b[j] = (float)(j % seed);
  void *workspace = allocate(layer_prepack_workspace_bytes(model));
  layer_prepack(model, workspace, w, b);
  /* After prepack the model must not read the original weights. */
  memset(w, 0xff, 16 * 32 * sizeof(float));
  free(workspace);
  free(b);
  free(w);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  void *weights = read_weights(argv[1]);
  layer_t *model;
  CHECK(layer_create(weights, layer_weights_bytes, &model) == TPP_STATUS_OK);
  void *workspace = allocate(layer_workspace_bytes(model));
  float x[4 * 16], y[4 * 32], again[4 * 32];
  for (int i = 0; i < 4 * 16; ++i)
    x[i] = (float)(i % 5 - 2);
  for (int seed = 3; seed <= 5; seed += 2) {
    prepack(model, seed);
    layer_run(model, workspace, x, y);
    layer_run(model, workspace, x, again);
    CHECK(memcmp(y, again, sizeof(y)) == 0);
    for (int i = 0; i < 4 * 32; ++i)
      printf("%g\n", (double)y[i]);
  }
  layer_destroy(model);
  free(workspace);
  free(weights);
  return 0;
}

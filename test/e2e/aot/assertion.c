/* A call whose index is out of range returns a status and leaves the process and the model usable.
 * usage: assertion WEIGHTS_FILE. The model is y = table[index], index 4xi32, y 4xf32, @layer; the table has four elements. */
#include "program.h"

#include "tpp/tpp.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  void *weights = read_weights(argv[1]);
  layer_t *model;
  CHECK(layer_create(weights, layer_weights_bytes, &model) == TPP_STATUS_OK);
  void *workspace = allocate(layer_workspace_bytes(model));
  int32_t inside[4] = {2, 1, 0, 3}, outside[4] = {0, 1, 1000000000, 0};
  float y[4];
  CHECK(layer_run(model, workspace, outside, y) == TPP_STATUS_ASSERTION);
  CHECK(strstr(tpp_last_error(), "the index is out of range"));
  CHECK(layer_run(model, workspace, inside, y) == TPP_STATUS_OK);
  for (int i = 0; i < 4; ++i)
    printf("%g\n", (double)y[i]);
  layer_destroy(model);
  free(workspace);
  free(weights);
  return 0;
}

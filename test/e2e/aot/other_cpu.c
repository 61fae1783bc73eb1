/* A model that was compiled for a processor with XOP cannot be created on one without. Prints nothing.
 * usage: other_cpu WEIGHTS_FILE */
#include "program.h"

#include "tpp/tpp.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  void *weights = read_weights(argv[1]);
  layer_t *model = (layer_t *)&model;
  CHECK(layer_create(weights, layer_weights_bytes, &model) == TPP_STATUS_UNSUPPORTED_CPU);
  CHECK(model == NULL);
  CHECK(strstr(tpp_last_error(), "xop"));
  free(weights);
  return 0;
}

/* Compiles a layer, relu(x * w + b), whose weights are given at run time, and calls it twice.
 * From a shell: layer [THREADS] */
#include "tpp/compiler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 32, inputs = 64, outputs = 48 };

static const char program[] =
    "func.func @layer(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %b: tensor<48xf32>) -> tensor<32x48xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<32x48xf32>\n"
    "  %start = linalg.broadcast ins(%b : tensor<48xf32>) outs(%e : tensor<32x48xf32>) dimensions = [0]\n"
    "  %sum = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>)\n"
    "                       outs(%start : tensor<32x48xf32>) -> tensor<32x48xf32>\n"
    "  %y = linalg.map ins(%sum : tensor<32x48xf32>) outs(%e : tensor<32x48xf32>)\n"
    "    (%v: f32, %out: f32) { %r = arith.maximumf %v, %zero : f32  linalg.yield %r : f32 }\n"
    "  return %y : tensor<32x48xf32>\n"
    "}\n";

static float x[rows * inputs], w[inputs * outputs], b[outputs], y[rows * outputs];

static void print_diagnostic(void *user, const tpp_diagnostic *said) {
  (void)user;
  fprintf(stderr, "%s:%d:%d: %s\n", said->file, (int)said->line, (int)said->column, said->message);
}

/* The largest difference of y from the layer's meaning. */
static double largest_difference(void) {
  double largest = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < outputs; ++j) {
      double sum = b[j];
      for (int k = 0; k < inputs; ++k)
        sum += (double)x[i * inputs + k] * w[k * outputs + j];
      largest = fmax(largest, fabs(fmax(sum, 0) - y[i * outputs + j]));
    }
  return largest;
}

int main(int argc, char **argv) {
  const int64_t weights[] = {1, 2};
  tpp_compile_options options = TPP_COMPILE_OPTIONS;
  options.threads = argc > 1 ? atoi(argv[1]) : 1;
  options.weights = weights;
  options.weight_count = 2;
  options.diagnose = print_diagnostic;
  tpp_model *model = NULL;
  if (tpp_compile(program, strlen(program), "layer.mlir", &options, &model) != TPP_STATUS_OK) {
    fprintf(stderr, "layer: error: %s\n", tpp_compiler_last_error());
    return 1;
  }
  /* aligned_alloc wants a multiple of the alignment, and not 0. */
  void *workspace = aligned_alloc(64, (tpp_model_workspace_bytes(model) + 64) / 64 * 64);
  const void *packed[] = {w, b};
  void *values[] = {x, y};
  int good = workspace != NULL;
  for (int call = 0; good && call < 2; ++call) {
    for (int i = 0; i < rows * inputs; ++i)
      x[i] = (float)((i + call) % 7 - 3);
    for (int i = 0; i < inputs * outputs; ++i)
      w[i] = (float)(i % 5 - 2 + call) / 8;
    for (int i = 0; i < outputs; ++i)
      b[i] = (float)i / 16 - 1;
    if (tpp_model_prepack(model, packed) != TPP_STATUS_OK || tpp_model_run(model, workspace, values) != TPP_STATUS_OK) {
      fprintf(stderr, "layer: error: %s\n", tpp_compiler_last_error());
      good = 0;
    } else {
      double difference = largest_difference();
      printf("call %d: largest difference %.1e\n", call + 1, difference);
      good = difference < 1e-4;
    }
  }
  free(workspace);
  tpp_model_destroy(model);
  return good ? 0 : 1;
}

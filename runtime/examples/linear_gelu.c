/* A linear layer with its activation, y = gelu(x W + b). W is packed into panels once. One kernel per tile of y then multiplies over
 * all of K, and applies bias and gelu to its accumulators before it stores them.
 *
 *   linear_gelu [M N K [INPUT OUTPUT]]     INPUT holds x (M x K), W (K x N), b (N); OUTPUT receives y (raw f32, row-major) */
#include "example.h"

/* A panel of 64 columns is four AVX-512 vectors wide. The rows of a tile share it while it is in L2. */
enum { ROWS = 48, COLUMNS = 64 };

typedef struct layer {
  int64_t m, n, k;
  float *x, *panels, *bias, *y;
} layer;

/* Packs W[K][N] into panels [N/64][K][64]: a copy between two layouts. Columns that the last panel does not have are never read. */
static float *pack(const float *w, int64_t k, int64_t n) {
  const tpp_matrix in_panels = {.type = TPP_TYPE_f32, .ld = COLUMNS, .panel = COLUMNS, .panel_stride = k * COLUMNS};
  float *panels = allocate((n + COLUMNS - 1) / COLUMNS * k, COLUMNS);
  const tpp_kernel *copy;
  need(tpp_dispatch_unary(&(tpp_unary_desc){.struct_size = sizeof(tpp_unary_desc),
                                            .m = k,
                                            .n = n,
                                            .in = row_major(n),
                                            .out = in_panels,
                                            .kind = TPP_UNARY_identity},
                          &copy));
  tpp_invoke(copy, &(tpp_args){.a = w, .c = panels});
  return panels;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The kernel of a tile. Tiles at the lower and right edge are smaller, so there are up to four kernels. Dispatch is cached: repeating a
 * dispatch takes tens of nanoseconds. A program that keeps the handles saves these, too. */
static const tpp_kernel *tile_kernel(const layer *of, int64_t rows, int64_t columns) {
  tpp_brgemm_desc desc = {.struct_size = sizeof desc, .m = rows, .n = columns, .k = of->k};
  desc.a = row_major(of->k);
  desc.b = row_major(COLUMNS); /* inside a panel */
  desc.c = row_major(of->n);
  desc.post_op_count = 2;
  desc.post_ops[0] = (tpp_post_op){.op_class = TPP_POST_OP_binary,
                                   .kind = TPP_BINARY_add,
                                   .broadcast = TPP_BROADCAST_row, /* one number for each column */
                                   .form = row_major(of->n)};
  desc.post_ops[1] = (tpp_post_op){.op_class = TPP_POST_OP_unary, .kind = TPP_UNARY_gelu};
  const tpp_kernel *kernel;
  need(tpp_dispatch_brgemm(&desc, &kernel));
  return kernel;
}

static void run_layer(const layer *of) {
  for (int64_t i = 0; i < of->m; i += ROWS) /* tiles are independent: threads may share them */
    for (int64_t j = 0; j < of->n; j += COLUMNS) {
      const tpp_kernel *kernel = tile_kernel(of, smaller(ROWS, of->m - i), smaller(COLUMNS, of->n - j));
      tpp_invoke(kernel, &(tpp_args){.a = of->x + i * of->k,
                                     .b = of->panels + j * of->k, /* panel j / 64, each K x 64 */
                                     .c = of->y + i * of->n + j,
                                     .batch = 1,
                                     .post = {of->bias + j}});
    }
}

/* Compares with a computation in double. Error bound: the sum of K products and the bias has an error of at most (K + 1) UNIT times the
 * sum of the magnitudes. The slope of gelu is at most 1.13, and gelu itself has an error of at most 4 UNIT times its argument. */
static double worst_error(const layer *of, const float *w) {
  double worst = 0;
  for (int64_t i = 0; i < of->m; ++i)
    for (int64_t j = 0; j < of->n; ++j) {
      double sum = of->bias[j], magnitude = fabs(sum);
      for (int64_t p = 0; p < of->k; ++p) {
        const double product = (double)of->x[i * of->k + p] * w[p * of->n + j];
        sum += product;
        magnitude += fabs(product);
      }
      const double want = sum / 2 * erfc(-sum / sqrt(2));
      measure(&worst, of->y[i * of->n + j], want, UNIT * (1.13 * (double)(of->k + 1) * magnitude + 4 * fabs(sum)) + 0x1p-126);
    }
  return worst;
}

int main(int argc, char **argv) {
  check_arguments(argc, 3, "linear_gelu [M N K [INPUT OUTPUT]]");
  layer of = {
      .m = size_argument(argc, argv, 1, 100), .n = size_argument(argc, argv, 2, 200), .k = size_argument(argc, argv, 3, 300)};
  FILE *file = argc > 4 ? open_file(argv[4], "rb") : NULL;
  of.x = input(file, of.m, of.k);
  float *w = input(file, of.k, of.n);
  of.bias = input(file, 1, of.n);
  close_input(file);
  of.y = allocate(of.m, of.n);

  of.panels = pack(w, of.k, of.n); /* once for all runs of the layer */
  run_layer(&of);

  if (argc > 4)
    write_output(argv[5], of.y, of.m, of.n);
  const int status = verdict("linear_gelu", worst_error(&of, w));
  free(of.x);
  free(w);
  free(of.panels);
  free(of.bias);
  free(of.y);
  return status;
}

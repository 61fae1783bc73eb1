/* Layer norm over rows from nine kernels: y = (x - mean) / sqrt(variance + 1e-5) * gamma + beta, mean and variance of each row.
 *
 *   layernorm [ROWS COLS [INPUT OUTPUT]]     INPUT holds x, gamma (COLS), beta (COLS); OUTPUT receives y (raw f32, row-major) */
#include "example.h"

/* Rows are processed in blocks of about this many bytes: a block and its squares stay in L1 while all kernels process them. */
enum { BLOCK_BYTES = 8192 };

typedef struct layernorm {
  const tpp_kernel *sum, *subtract, *square, *normalize, *scale, *shift; /* on the block, rows x columns */
  const tpp_kernel *divide, *add, *rsqrt;                                /* on one value per row, stored contiguously: 1 x rows */
} layernorm;

static const tpp_kernel *unary(tpp_unary_kind kind, int64_t rows, int64_t cols) {
  const tpp_kernel *kernel;
  need(tpp_dispatch_unary(&(tpp_unary_desc){.struct_size = sizeof(tpp_unary_desc),
                                            .m = rows,
                                            .n = cols,
                                            .in = row_major(cols),
                                            .out = row_major(cols),
                                            .kind = kind},
                          &kernel));
  return kernel;
}

/* The second operand has one value per row (col), one value per column (row), or one value (scalar). */
static const tpp_kernel *binary(tpp_binary_kind kind, int64_t rows, int64_t cols, tpp_broadcast second) {
  const tpp_kernel *kernel;
  need(tpp_dispatch_binary(&(tpp_binary_desc){.struct_size = sizeof(tpp_binary_desc),
                                              .m = rows,
                                              .n = cols,
                                              .in0 = row_major(cols),
                                              .in1 = second == TPP_BROADCAST_row ? row_major(cols) : one_per_row(),
                                              .out = row_major(cols),
                                              .kind = kind,
                                              .broadcast1 = second},
                           &kernel));
  return kernel;
}

static layernorm make_layernorm(int64_t rows, int64_t cols) {
  layernorm made = {.subtract = binary(TPP_BINARY_sub, rows, cols, TPP_BROADCAST_col),
                    .square = unary(TPP_UNARY_square, rows, cols),
                    .normalize = binary(TPP_BINARY_mul, rows, cols, TPP_BROADCAST_col),
                    .scale = binary(TPP_BINARY_mul, rows, cols, TPP_BROADCAST_row),
                    .shift = binary(TPP_BINARY_add, rows, cols, TPP_BROADCAST_row),
                    .divide = binary(TPP_BINARY_div, 1, rows, TPP_BROADCAST_scalar),
                    .add = binary(TPP_BINARY_add, 1, rows, TPP_BROADCAST_scalar),
                    .rsqrt = unary(TPP_UNARY_rsqrt, 1, rows)};
  need(tpp_dispatch_reduce(&(tpp_reduce_desc){.struct_size = sizeof(tpp_reduce_desc),
                                              .m = rows,
                                              .n = cols,
                                              .in = row_major(cols),
                                              .out = one_per_row(),
                                              .kind = TPP_REDUCE_sum,
                                              .axis = TPP_REDUCE_over_cols},
                           &made.sum));
  return made;
}

typedef struct parameters {
  float count, epsilon; /* number of columns; added to the variance */
  const float *gamma, *beta;
} parameters;

/* `squares` (rows x cols) and `per_row` (rows) are scratch. */
static void run_layernorm(const layernorm *block, const parameters *with, const float *x, float *y, float *squares,
                          float *per_row) {
  tpp_invoke(block->sum, &(tpp_args){.a = x, .c = per_row});
  tpp_invoke(block->divide, &(tpp_args){.a = per_row, .b = &with->count, .c = per_row}); /* mean */
  tpp_invoke(block->subtract, &(tpp_args){.a = x, .b = per_row, .c = y});
  tpp_invoke(block->square, &(tpp_args){.a = y, .c = squares});
  tpp_invoke(block->sum, &(tpp_args){.a = squares, .c = per_row});
  tpp_invoke(block->divide, &(tpp_args){.a = per_row, .b = &with->count, .c = per_row}); /* variance */
  tpp_invoke(block->add, &(tpp_args){.a = per_row, .b = &with->epsilon, .c = per_row});
  tpp_invoke(block->rsqrt, &(tpp_args){.a = per_row, .c = per_row});
  tpp_invoke(block->normalize, &(tpp_args){.a = y, .b = per_row, .c = y});
  tpp_invoke(block->scale, &(tpp_args){.a = y, .b = with->gamma, .c = y});
  tpp_invoke(block->shift, &(tpp_args){.a = y, .b = with->beta, .c = y});
}

/* Compares with a computation in double. Error bound: the mean has an error of at most `shift`, n roundings of the mean of the
 * magnitudes. A centred element c has that error and one rounding; the variance therefore has an error of 2 mean(|c|) shift and n + 5
 * roundings. rsqrt halves that error, relative to variance + epsilon, and adds its own 2 ulp (4 UNIT). Three roundings follow, the last
 * one of the result. */
static double worst_error(const parameters *with, const float *x, const float *y, int64_t rows, int64_t cols) {
  double worst = 0, n = (double)cols;
  for (const float *end = x + rows * cols; x < end; x += cols, y += cols) {
    double mean = 0, magnitude = 0, variance = 0, deviation = 0;
    for (int64_t j = 0; j < cols; ++j) {
      mean += x[j] / n;
      magnitude += fabs((double)x[j]) / n;
    }
    for (int64_t j = 0; j < cols; ++j) {
      variance += (x[j] - mean) * (x[j] - mean) / n;
      deviation += fabs(x[j] - mean) / n;
    }
    const double shift = n * UNIT * magnitude, below = variance + with->epsilon, scale = 1 / sqrt(below);
    const double relative =
        (2 * deviation * shift + shift * shift + (n + 5) * UNIT * variance + UNIT * below) / (2 * below) + 7 * UNIT;
    for (int64_t j = 0; j < cols; ++j) {
      const double normal = (x[j] - mean) * scale * with->gamma[j], want = normal + with->beta[j];
      measure(&worst, y[j], want, fabs(scale * with->gamma[j]) * shift + relative * fabs(normal) + UNIT * fabs(want) + 0x1p-126);
    }
  }
  return worst;
}

int main(int argc, char **argv) {
  check_arguments(argc, 2, "layernorm [ROWS COLS [INPUT OUTPUT]]");
  const int64_t rows = size_argument(argc, argv, 1, 250), cols = size_argument(argc, argv, 2, 768);
  FILE *file = argc > 3 ? open_file(argv[3], "rb") : NULL;
  float *x = input(file, rows, cols), *gamma = input(file, 1, cols), *beta = input(file, 1, cols);
  close_input(file);
  const parameters with = {.count = (float)cols, .epsilon = 1e-5f, .gamma = gamma, .beta = beta};
  float *y = allocate(rows, cols);

  const int64_t fit = BLOCK_BYTES / ((int64_t)sizeof *x * cols), step = fit > 1 ? fit : 1, left = rows % step;
  const layernorm whole = make_layernorm(step, cols), tail = make_layernorm(left ? left : step, cols);
  float *squares = allocate(step, cols), *per_row = allocate(step, 1);
  for (int64_t i = 0; i < rows; i += step) /* blocks are independent: threads may share them, each with its own scratch */
    run_layernorm(rows - i < step ? &tail : &whole, &with, x + i * cols, y + i * cols, squares, per_row);

  if (argc > 3)
    write_output(argv[4], y, rows, cols);
  const int status = verdict("layernorm", worst_error(&with, x, y, rows, cols));
  free(x);
  free(gamma);
  free(beta);
  free(y);
  free(squares);
  free(per_row);
  return status;
}

/* Row softmax from five kernels: y[i][j] = exp(x[i][j] - max_j x[i][j]) / sum_j exp(x[i][j] - max_j x[i][j]).
 *
 *   softmax [ROWS COLS [INPUT OUTPUT]]     INPUT holds x; OUTPUT receives y (raw f32, row-major) */
#include "example.h"

/* Rows are processed in blocks of about this many bytes: a block stays in L1 while the five kernels process it. */
enum { BLOCK_BYTES = 16384 };

typedef struct softmax {
  const tpp_kernel *max, *subtract, *exp, *sum, *divide;
} softmax;

static const tpp_kernel *reduce(tpp_reduce_kind kind, int64_t rows, int64_t cols) {
  const tpp_kernel *kernel;
  need(tpp_dispatch_reduce(&(tpp_reduce_desc){.struct_size = sizeof(tpp_reduce_desc),
                                              .m = rows,
                                              .n = cols,
                                              .in = row_major(cols),
                                              .out = one_per_row(),
                                              .kind = kind,
                                              .axis = TPP_REDUCE_over_cols},
                           &kernel));
  return kernel;
}

/* kind(in0[i][j], in1[i]): the second operand has one value per row. */
static const tpp_kernel *with_column(tpp_binary_kind kind, int64_t rows, int64_t cols) {
  const tpp_kernel *kernel;
  need(tpp_dispatch_binary(&(tpp_binary_desc){.struct_size = sizeof(tpp_binary_desc),
                                              .m = rows,
                                              .n = cols,
                                              .in0 = row_major(cols),
                                              .in1 = one_per_row(),
                                              .out = row_major(cols),
                                              .kind = kind,
                                              .broadcast1 = TPP_BROADCAST_col},
                           &kernel));
  return kernel;
}

static softmax make_softmax(int64_t rows, int64_t cols) {
  softmax made = {.max = reduce(TPP_REDUCE_max, rows, cols),
                  .subtract = with_column(TPP_BINARY_sub, rows, cols),
                  .sum = reduce(TPP_REDUCE_sum, rows, cols),
                  .divide = with_column(TPP_BINARY_div, rows, cols)};
  need(tpp_dispatch_unary(&(tpp_unary_desc){.struct_size = sizeof(tpp_unary_desc),
                                            .m = rows,
                                            .n = cols,
                                            .in = row_major(cols),
                                            .out = row_major(cols),
                                            .kind = TPP_UNARY_exp},
                          &made.exp));
  return made;
}

/* `per_row` is scratch, one value per row. From the second kernel on, y is computed in place: an output may be an input of the same
 * layout. */
static void run_softmax(const softmax *block, const float *x, float *y, float *per_row) {
  tpp_invoke(block->max, &(tpp_args){.a = x, .c = per_row});
  tpp_invoke(block->subtract, &(tpp_args){.a = x, .b = per_row, .c = y});
  tpp_invoke(block->exp, &(tpp_args){.a = y, .c = y});
  tpp_invoke(block->sum, &(tpp_args){.a = y, .c = per_row});
  tpp_invoke(block->divide, &(tpp_args){.a = y, .b = per_row, .c = y});
}

/* Compares with a computation in double. Error bound, relative to y[j]: x - max is rounded once, which changes exp by UNIT times the
 * largest difference, in the dividend and in the sum. exp is accurate to 2 ulp (4 UNIT), also in both. The sum has cols - 1 roundings,
 * the quotient one. Below the smallest normal number, an ulp is not relative; 0x1p-126 covers that range. */
static double worst_error(const float *x, const float *y, int64_t rows, int64_t cols) {
  double worst = 0;
  for (const float *end = x + rows * cols; x < end; x += cols, y += cols) {
    double max = x[0], min = x[0], sum = 0;
    for (int64_t j = 0; j < cols; ++j) {
      max = fmax(max, x[j]);
      min = fmin(min, x[j]);
    }
    for (int64_t j = 0; j < cols; ++j)
      sum += exp(x[j] - max);
    const double relative = (2 * (max - min) + (double)cols + 8) * UNIT;
    for (int64_t j = 0; j < cols; ++j)
      measure(&worst, y[j], exp(x[j] - max) / sum, relative * exp(x[j] - max) / sum + 0x1p-126);
  }
  return worst;
}

int main(int argc, char **argv) {
  check_arguments(argc, 2, "softmax [ROWS COLS [INPUT OUTPUT]]");
  const int64_t rows = size_argument(argc, argv, 1, 250), cols = size_argument(argc, argv, 2, 1000);
  FILE *file = argc > 3 ? open_file(argv[3], "rb") : NULL;
  float *x = input(file, rows, cols);
  close_input(file);
  float *y = allocate(rows, cols);

  const int64_t fit = BLOCK_BYTES / ((int64_t)sizeof *x * cols), step = fit > 1 ? fit : 1, left = rows % step;
  const softmax whole = make_softmax(step, cols), tail = make_softmax(left ? left : step, cols);
  float *per_row = allocate(step, 1);
  for (int64_t i = 0; i < rows; i += step) /* blocks are independent: threads may share them, each with its own per_row */
    run_softmax(rows - i < step ? &tail : &whole, x + i * cols, y + i * cols, per_row);

  if (argc > 3)
    write_output(argv[4], y, rows, cols);
  const int status = verdict("softmax", worst_error(x, y, rows, cols));
  free(x);
  free(y);
  free(per_row);
  return status;
}

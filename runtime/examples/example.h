/* Helpers shared by the programs of this folder, not part of the library: exit on failure, memory, input and output of data, and the
 * largest error relative to its bound. */
#ifndef TPP_EXAMPLE_H
#define TPP_EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tpp/tpp.h>

/* Half an ulp of 1 in f32: one rounding changes x by at most UNIT * |x|. */
static const double UNIT = 0x1p-24;

_Noreturn static inline void die(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

/* Exits if a dispatch failed. The status gives the kind of mistake; tpp_last_error names the field and the expected value. */
static inline void need(tpp_status status) {
  if (status != TPP_STATUS_OK)
    die(tpp_status_text(status), tpp_last_error());
}

/* A row-major f32 operand with leading dimension `ld`. */
static inline tpp_matrix row_major(int64_t ld) { return (tpp_matrix){.type = TPP_TYPE_f32, .ld = ld}; }

/* One f32 per row, contiguous: the output of a reduction over columns, and the input of a column broadcast. */
static inline tpp_matrix one_per_row(void) { return row_major(1); }

/* A program takes no arguments, its sizes, or its sizes and two files. */
static inline void check_arguments(int argc, int sizes, const char *usage) {
  if (argc != 1 && argc != 1 + sizes && argc != 1 + sizes + 2)
    die("usage", usage);
}

/* The size in argv[index], or `otherwise` if the program has no arguments. */
static inline int64_t size_argument(int argc, char **argv, int index, int64_t otherwise) {
  if (argc == 1)
    return otherwise;
  char *end;
  const long long size = strtoll(argv[index], &end, 10);
  if (end == argv[index] || *end != '\0' || size < 1 || size > 65536)
    die(argv[index], "not a size from 1 to 65536");
  return size;
}

static inline float *allocate(int64_t rows, int64_t cols) {
  float *data = malloc((size_t)rows * (size_t)cols * sizeof *data);
  if (!data)
    die("out of memory", "an operand");
  return data;
}

static inline FILE *open_file(const char *name, const char *mode) {
  FILE *file = fopen(name, mode);
  if (!file)
    die(name, "cannot be opened");
  return file;
}

/* An input matrix of the program: the next rows * cols elements of `file` (raw f32, row-major). Without a file, pseudo-random values
 * between -2 and 2, the same in every run. */
static inline float *input(FILE *file, int64_t rows, int64_t cols) {
  static uint64_t state = 1;
  float *data = allocate(rows, cols);
  const size_t count = (size_t)rows * (size_t)cols;
  if (file && fread(data, sizeof *data, count, file) != count)
    die("input", "shorter than the sizes say");
  for (size_t i = 0; i < count && !file; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    data[i] = (float)(state >> 40) * 0x1p-22f - 2.0f;
  }
  return data;
}

/* Closes the input after the last matrix. Remaining bytes mean that the file is for other sizes. */
static inline void close_input(FILE *file) {
  if (!file)
    return;
  if (fgetc(file) != EOF)
    die("input", "longer than the sizes say");
  fclose(file);
}

static inline void write_output(const char *name, const float *data, int64_t rows, int64_t cols) {
  FILE *file = open_file(name, "wb");
  const size_t count = (size_t)rows * (size_t)cols;
  const size_t written = fwrite(data, sizeof *data, count, file);
  if (fclose(file) != 0 || written != count)
    die(name, "cannot be written");
}

/* Updates *worst, the largest |got - want| / bound so far. NaN counts as infinite. */
static inline void measure(double *worst, double got, double want, double bound) {
  const double error = fabs(got - want) / bound;
  *worst = isnan(error) ? INFINITY : fmax(*worst, error);
}

/* Prints the result. Returns the program's exit status: 0 if the error is within its bound, else 2. */
static inline int verdict(const char *what, double worst) {
  printf("%s: largest error %.2g of its bound\n", what, worst);
  return worst <= 1 ? 0 : 2;
}

#endif

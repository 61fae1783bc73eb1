/* What the programs of this folder share, none of it part of the library: the end on a failure, memory, data in and out, and the
 * largest error in terms of its bound. */
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

/* Every dispatch is checked: the status says what kind of mistake it is, tpp_last_error which field and what it should be. */
static inline void need(tpp_status status) {
  if (status != TPP_STATUS_OK)
    die(tpp_status_text(status), tpp_last_error());
}

/* A row-major f32 operand whose rows lie `ld` elements apart. */
static inline tpp_matrix row_major(int64_t ld) { return (tpp_matrix){.type = TPP_TYPE_f32, .ld = ld}; }

/* One f32 for each row, packed: what a reduction over columns writes and a column broadcast reads. */
static inline tpp_matrix one_per_row(void) { return row_major(1); }

/* The program's arguments are none, its sizes, or its sizes and two files. */
static inline void check_arguments(int argc, int sizes, const char *usage) {
  if (argc != 1 && argc != 1 + sizes && argc != 1 + sizes + 2)
    die("usage", usage);
}

/* The size in argv[index]; `otherwise` where the program has no arguments. */
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

/* A matrix of the program's input: the next rows * cols numbers of `file` (raw f32, row-major), or without a file numbers between
 * -2 and 2, always the same. */
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

/* Behind the last matrix: what is left over was meant for other sizes. */
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

/* Keeps in *worst the largest |got - want| / bound so far; NaN counts as infinite. */
static inline void measure(double *worst, double got, double want, double bound) {
  const double error = fabs(got - want) / bound;
  *worst = isnan(error) ? INFINITY : fmax(*worst, error);
}

/* Prints the result; the program's exit status. */
static inline int verdict(const char *what, double worst) {
  printf("%s: largest error %.2g of its bound\n", what, worst);
  return worst <= 1 ? 0 : 2;
}

#endif

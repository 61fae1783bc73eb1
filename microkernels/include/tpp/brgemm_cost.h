/* The cost of a brgemm by a row of kernels.def: nanoseconds of one invocation with batch 1. C11, so that the compiler, which does
 * not link the kernels, chooses tiles by the same numbers as the runtime. */
#ifndef TPP_BRGEMM_COST_H
#define TPP_BRGEMM_COST_H

#include "tpp/types.h"

typedef struct tpp_brgemm_cost_row {
  int32_t mr, nr, lanes;
  double call_ns;   /* of the invocation */
  double tile_ns;   /* of each tile: call, pointers, pipeline fill */
  double fma_ns;    /* of one vector multiply-add */
  double load_ns;   /* of one vector or broadcast load */
  double vector_ns; /* of storing a vector of C, and again for each post-op and for beta = 1 */
} tpp_brgemm_cost_row;

/* Bytes from a row of an operand to the next one, without whole multiples of 4096 elements: sets of the first-level cache repeat after 4096 bytes. */
static inline int64_t tpp_brgemm_row_bytes(const tpp_matrix *matrix) {
  switch (matrix->type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return matrix->ld % 4096 * bytes;
#include "tpp/kinds.def"
  }
  return 0;
}

/* Of `width` bytes of each of some rows that lie row_bytes apart: lines that come to lie in one set of the first-level cache beyond `ways`. */
#define TPP_BRGEMM_WAYS 12
static inline int64_t tpp_brgemm_lines_beyond(int64_t ways, int64_t rows, int64_t row_bytes, int64_t width) {
  enum { line_bytes = 64, sets = 64 };
  int64_t lines[sets] = {0}, most = 0;
  for (int64_t row = 0, begin = 0; row < rows; ++row, begin = (begin + row_bytes) % (sets * line_bytes))
    for (int64_t line = begin / line_bytes; line <= (begin + width - 1) / line_bytes; ++line) {
      int64_t *in_set = &lines[line % sets];
      most = ++*in_set > most ? *in_set : most;
    }
  return most > ways ? most - ways : 0;
}

/* How many times as long a tile takes because rows of A push each other out of the first-level cache: each step of k reads a line of each of its
 * rows, and some set may have fewer ways than lines of them. Measured on Zen 5. Tiles of one vector of columns, 256 x 16 by 512 to 2048: 1.4 with
 * tiles of 28 rows of 2048 bytes (14 in a set), 1.9 with rows of 4100 bytes (16), 4 with 4096 (28). Wider ones use each number again, and B wants
 * room: 128 x 512 x 1024 and 512 x 512 x 1025 take up to 1.5 times as long with tiles of 13 rows, 1.1 to 1.3 times with 11, as with 6, but in some processes
 * no longer; the factor makes the tile of 6 the cheapest. Few rows rather read B less often. 1 where A has no leading dimension yet. */
static inline double tpp_brgemm_conflicts(const tpp_brgemm_desc *desc, int64_t tile_rows, int64_t lanes) {
  if (desc->a.ld <= 0)
    return 1.0;
  int64_t rows = tile_rows < desc->m ? tile_rows : desc->m, row_bytes = tpp_brgemm_row_bytes(&desc->a);
  if (desc->n <= lanes)
    return 1.0 + 0.19 * (double)tpp_brgemm_lines_beyond(TPP_BRGEMM_WAYS, rows, row_bytes, 1);
  return desc->m > 2 * rows ? 1.0 + 0.02 * (double)tpp_brgemm_lines_beyond(8, rows, row_bytes, 1) : 1.0;
}

/* Tiles are split as the kernels split them (brgemm_plan.hpp). In a tile of r rows and v vectors each step of k takes
 * max(fma_ns * r * v, load_ns * (r + v), latency): a tile of a few accumulators waits for the sum of the step before. */
#define TPP_BRGEMM_LATENCY_NS 0.9
static inline double tpp_brgemm_tiles_ns(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  if (desc->m <= 0 || desc->n <= 0)
    return row->call_ns;
  int64_t lanes = row->lanes;
  /* Where panels are no multiple of a vector, every panel ends with a partial one. */
  int64_t narrow = desc->n;
  if (desc->b.panel > 0 && desc->b.panel < narrow && desc->b.panel % lanes != 0)
    narrow = desc->b.panel;
  if (desc->c.panel > 0 && desc->c.panel < narrow && desc->c.panel % lanes != 0)
    narrow = desc->c.panel;
  int64_t parts = (desc->n + narrow - 1) / narrow;
  int64_t vectors = (narrow + lanes - 1) / lanes;
  int64_t column_tiles = (vectors * lanes + row->nr - 1) / row->nr;
  int64_t row_tiles = (desc->m + row->mr - 1) / row->mr;
  double r = (double)desc->m / (double)row_tiles, v = (double)vectors / (double)column_tiles;
  double step = row->fma_ns * r * v * tpp_brgemm_conflicts(desc, (desc->m + row_tiles - 1) / row_tiles, lanes),
         loads = row->load_ns * (r + v);
  if (step < loads)
    step = loads;
  if (step < TPP_BRGEMM_LATENCY_NS)
    step = TPP_BRGEMM_LATENCY_NS;
  double passes = 1.0 + (double)desc->post_op_count + (double)desc->beta;
  double tile = row->tile_ns + (double)desc->k * step + row->vector_ns * r * v * passes;
  return row->call_ns + (double)(row_tiles * column_tiles * parts) * tile;
}

/* C of few columns as sums of vectors along k (brgemm_dots-inl.h), in groups of at most half as many columns as a vector has lanes, where rows of A and of C lie as they are; a vector of C's columns would be
 * mostly empty. Nanoseconds beside the multiply-adds: for each row and number of C, and for each number of B, whose columns are brought together.
 * Measured on Zen 5 (1 to 8 columns, 8 to 256 rows, k of 64 to 4096; the rows above are Sapphire Rapids', of 1.9 times its nanoseconds, and so are
 * these): it takes a fifth to a half of the time of tiles from 64 rows and a k of 256 on. */
static inline int64_t tpp_brgemm_dots_groups(const tpp_brgemm_desc *desc, int64_t lanes) {
  return (2 * desc->n + lanes - 1) / lanes;
}
static inline int tpp_brgemm_can_take_dots(const tpp_brgemm_desc *desc, int64_t lanes) {
  if (desc->n < 1 || desc->n >= lanes || desc->a.ld <= 0)
    return 0;
  if ((desc->a.panel > 0 && desc->a.panel < desc->k) || (desc->c.panel > 0 && desc->c.panel < desc->n))
    return 0;
  for (int32_t step = 0; step < desc->post_op_count; ++step)
    if (desc->post_ops[step].form.panel > 0 && desc->post_ops[step].form.panel < desc->n)
      return 0;
  return 1;
}
static inline double tpp_brgemm_dots_ns(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  const double row_ns = 3.6, number_ns = 0.9, b_ns = 0.27;
  double m = (double)desc->m, n = (double)desc->n, k = (double)desc->k, groups = (double)tpp_brgemm_dots_groups(desc, row->lanes);
  double products = m * k / (double)row->lanes * (n + groups);
  return row->call_ns + m * (groups * row_ns + n * number_ns) + n * k * b_ns + products * row->fma_ns;
}
static inline int tpp_brgemm_takes_dots(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  return desc->m > 0 && tpp_brgemm_can_take_dots(desc, row->lanes) &&
         tpp_brgemm_dots_ns(desc, row) < tpp_brgemm_tiles_ns(desc, row);
}

static inline double tpp_brgemm_cost(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  return tpp_brgemm_takes_dots(desc, row) ? tpp_brgemm_dots_ns(desc, row) : tpp_brgemm_tiles_ns(desc, row);
}

/* What a kernel fetches of B before it multiplies with it (docs/decisions/prefetch.md). */
enum tpp_brgemm_fetch {
  TPP_BRGEMM_FETCH_none,
  TPP_BRGEMM_FETCH_own, /* B itself, some way ahead: few rows stream through it */
  TPP_BRGEMM_FETCH_next /* the block behind B: where panels lie one behind the other, what is multiplied next */
};

/* Columns of one of B's panels; all of them where it has none, or a wider one. */
static inline int64_t tpp_brgemm_fetch_panel(const tpp_brgemm_desc *desc) {
  return desc->b.panel > 0 && desc->b.panel < desc->n ? desc->b.panel : desc->n;
}

/* What the native kernel of a row fetches: something where B is dense and one tile is as wide as a panel. */
static inline enum tpp_brgemm_fetch tpp_brgemm_fetch_of(const tpp_brgemm_desc *desc, int32_t mr, int32_t nr) {
  int64_t panel = tpp_brgemm_fetch_panel(desc);
  int dense = desc->b.ld == panel && (panel == desc->n || desc->b.panel_stride == panel * desc->k);
  int64_t width = desc->n < nr ? desc->n : nr;
  if (!dense || panel == 0 || width % panel != 0 || desc->batch_kind != TPP_BATCH_stride)
    return TPP_BRGEMM_FETCH_none;
  return desc->m > (int64_t)2 * mr ? TPP_BRGEMM_FETCH_next : TPP_BRGEMM_FETCH_own;
}

/* What the first tile waits for B where it is most of what a first-level cache holds, or more: nanoseconds for a block of so many bytes. A panel
 * of 256 KiB that comes from L3 cost its first tile of 6 rows 12.5 us, 2 to 5 us where it was fetched while the panel before it was
 * multiplied, more than each of the others (Sapphire Rapids virtual machine, 256 x 1024 x 1024, time stamps around each tile); fetching
 * ahead in the same panel brings a third. Rounded up where nothing is fetched: those kernels wait for A too. */
#define TPP_BRGEMM_LEAST_FETCH 32768 /* bytes */
static inline double tpp_brgemm_wait_ns(double bytes, enum tpp_brgemm_fetch fetch) {
  if (bytes < TPP_BRGEMM_LEAST_FETCH)
    return 0.0;
  return bytes * (fetch == TPP_BRGEMM_FETCH_next ? 0.013 : fetch == TPP_BRGEMM_FETCH_own ? 0.04 : 0.06);
}

#endif

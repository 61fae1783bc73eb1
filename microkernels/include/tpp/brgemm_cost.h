/* Cost model of a brgemm by one kernel entry of kernels.def: estimated nanoseconds of one invocation with batch 1. It is C11, so that the
 * compiler, which does not link the kernels, chooses tiles by the same figures as the runtime. */
#ifndef TPP_BRGEMM_COST_H
#define TPP_BRGEMM_COST_H

#include "tpp/types.h"

typedef struct tpp_brgemm_cost_row {
  int32_t mr, nr, lanes;
  double call_ns;   /* per invocation */
  double tile_ns;   /* per tile: call, pointers, pipeline fill */
  double fma_ns;    /* per vector FMA */
  double load_ns;   /* per vector or broadcast load */
  double vector_ns; /* per stored vector of C; once more for each post-op and for beta = 1 */
} tpp_brgemm_cost_row;

/* Bytes between two rows of an operand, with the leading dimension reduced modulo 4096 elements. The reduction keeps the L1 set of every
 * row, because L1 sets repeat every 4096 bytes. */
static inline int64_t tpp_brgemm_row_bytes(const tpp_matrix *matrix) {
  switch (matrix->type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return matrix->ld % 4096 * bytes;
#include "tpp/kinds.def"
  }
  return 0;
}

/* Counts conflicting lines: `rows` rows of `width` bytes each are stored `row_bytes` apart. Returns how many cache lines the most
 * occupied L1 set receives beyond `ways`, or 0 if all of them fit. */
#define TPP_BRGEMM_WAYS 12 /* of L1 */
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

/* Slowdown of a tile from L1 conflict misses among rows of A. Each step of k reads one line of each of the tile's rows, and these lines
 * may exceed the ways of an L1 set. Returns a factor >= 1; 1 if A has no leading dimension yet (a.ld <= 0).
 *
 * Measured on Zen 5. Tiles of one vector of columns, 256 x 16 by 512 to 2048: factor 1.4 for 28-row tiles at a row stride of 2048 bytes
 * (14 lines in one set), 1.9 at 4100 bytes (16 lines), 4 at 4096 bytes (28 lines). Wider tiles reuse each element of A more often, and B
 * needs ways, too: 128 x 512 x 1024 and 512 x 512 x 1025 take up to 1.5 times as long in 13-row tiles and 1.1 to 1.3 times in 11-row
 * tiles as in 6-row tiles, but in some processes no longer. The factor makes the 6-row tile the cheapest. With at most two
 * row tiles it is not applied: taller tiles pay there, because they read B fewer times. */
static inline double tpp_brgemm_conflicts(const tpp_brgemm_desc *desc, int64_t tile_rows, int64_t lanes) {
  if (desc->a.ld <= 0)
    return 1.0;
  int64_t rows = tile_rows < desc->m ? tile_rows : desc->m, row_bytes = tpp_brgemm_row_bytes(&desc->a);
  if (desc->n <= lanes)
    return 1.0 + 0.19 * (double)tpp_brgemm_lines_beyond(TPP_BRGEMM_WAYS, rows, row_bytes, 1);
  return desc->m > 2 * rows ? 1.0 + 0.02 * (double)tpp_brgemm_lines_beyond(8, rows, row_bytes, 1) : 1.0;
}

#define TPP_BRGEMM_LEAST_FETCH 32768 /* bytes of B, most of an L1 cache */

/* Estimated nanoseconds if C is computed in register tiles. Tiles are split as the kernels split them (brgemm_plan.hpp). In a tile of r
 * rows and v vectors, each step of k takes max(fma_ns * r * v, load_ns * (r + v), latency). The latency bounds tiles of few accumulators,
 * where each FMA waits for that of the previous step. */
#define TPP_BRGEMM_LATENCY_NS 0.9
static inline double tpp_brgemm_tiles_ns(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  if (desc->m <= 0 || desc->n <= 0)
    return row->call_ns;
  int64_t lanes = row->lanes;
  /* If a panel's width is not a multiple of the vector length, every panel ends with a partial vector. */
  int64_t narrow = desc->n;
  if (desc->b.panel > 0 && desc->b.panel < narrow && desc->b.panel % lanes != 0)
    narrow = desc->b.panel;
  if (desc->c.panel > 0 && desc->c.panel < narrow && desc->c.panel % lanes != 0)
    narrow = desc->c.panel;
  int64_t parts = (desc->n + narrow - 1) / narrow;
  int64_t group = desc->b.vnni > 1 ? desc->b.vnni : 1; /* elements of k in a step */
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
  /* Tiles of one row read B once for each row: from L2 if a tile's columns of it, 32 bits for each and each step, exceed L1. Measured on Zen 3,
   * 7 x 64 x 160 of f32: 45 bytes per ns. */
  double steps = (double)((desc->k + group - 1) / group), step_bytes = 4.0 * (double)row->nr;
  if (row->mr == 1 && row_tiles > 1 && steps * step_bytes > TPP_BRGEMM_LEAST_FETCH)
    step += step_bytes / 45;
  double tile = row->tile_ns + steps * step + row->vector_ns * r * v * passes;
  return row->call_ns + (double)(row_tiles * column_tiles * parts) * tile;
}

/* The alternative for C of few columns (brgemm_dots-inl.h): vectors run along k, and each element of C is a dot product. Vectors along
 * the columns of C would be mostly empty. Columns are computed in groups of at most lanes / 2; A, C and the operands of post-ops may not
 * have several panels.
 *
 * The cost besides the FMAs: row_ns for each row of C and group, number_ns for each element of C, b_ns for each element of B, whose
 * columns are packed first. Measured on Zen 5 (1 to 8 columns, 8 to 256 rows, k 64 to 4096) and multiplied by 1.9, because the figures of
 * kernels.def are Sapphire Rapids nanoseconds, 1.9 times those of Zen 5. From 64 rows and k = 256 on, it takes 20 to 50 % of the time of
 * tiles. */
static inline int64_t tpp_brgemm_dots_groups(const tpp_brgemm_desc *desc, int64_t lanes) {
  return (2 * desc->n + lanes - 1) / lanes;
}
static inline int tpp_brgemm_can_take_dots(const tpp_brgemm_desc *desc, int64_t lanes) {
  if (desc->n < 1 || desc->n >= lanes || desc->a.ld <= 0 || desc->b.vnni > 1)
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

/* Software prefetch of B by a native kernel (docs/decisions/prefetch.md). */
enum tpp_brgemm_fetch {
  TPP_BRGEMM_FETCH_none,
  TPP_BRGEMM_FETCH_own, /* B itself, a fixed distance ahead: B streams through few row tiles */
  TPP_BRGEMM_FETCH_next /* the block stored after B: if panels are consecutive, the next one to be multiplied */
};

/* Columns of one panel of B; n if B has a single panel. */
static inline int64_t tpp_brgemm_fetch_panel(const tpp_brgemm_desc *desc) {
  return desc->b.panel > 0 && desc->b.panel < desc->n ? desc->b.panel : desc->n;
}

/* The prefetch of a native kernel with tiles of mr rows. It prefetches only if B is dense and the batch is by stride. */
static inline enum tpp_brgemm_fetch tpp_brgemm_fetch_of(const tpp_brgemm_desc *desc, int32_t mr) {
  int64_t panel = tpp_brgemm_fetch_panel(desc), group = desc->b.vnni > 1 ? desc->b.vnni : 1;
  int64_t padded_k = (desc->k + group - 1) / group * group;
  int dense = desc->b.ld == panel * group && (panel == desc->n || desc->b.panel_stride == panel * padded_k);
  if (!dense || panel == 0 || desc->batch_kind != TPP_BATCH_stride)
    return TPP_BRGEMM_FETCH_none;
  return desc->m > (int64_t)2 * mr ? TPP_BRGEMM_FETCH_next : TPP_BRGEMM_FETCH_own;
}
/* The prefetch that costs count on: none if tiles of nr columns are no whole number of panels wide. */
static inline enum tpp_brgemm_fetch tpp_brgemm_expected_fetch(const tpp_brgemm_desc *desc, int32_t mr, int32_t nr) {
  int64_t panel = tpp_brgemm_fetch_panel(desc), width = desc->n < nr ? desc->n : nr;
  return panel > 0 && width % panel == 0 ? tpp_brgemm_fetch_of(desc, mr) : TPP_BRGEMM_FETCH_none;
}

/* Nanoseconds that the first row tile waits for a block of B of `bytes` bytes. Blocks smaller than TPP_BRGEMM_LEAST_FETCH, most of an L1
 * cache, cost nothing. Sapphire Rapids virtual machine, 256 x 1024 x 1024, time stamps around each 6-row tile: with a panel of 256 KiB
 * from L3, the first tile took 12.5 us longer than each of the others, and 2 to 5 us longer if the panel was prefetched while the
 * previous one was multiplied. Prefetching ahead in the same panel saves a third. The figure without prefetch is rounded up, because
 * those kernels also wait for A. */
static inline double tpp_brgemm_wait_ns(double bytes, enum tpp_brgemm_fetch fetch) {
  if (bytes < TPP_BRGEMM_LEAST_FETCH)
    return 0.0;
  return bytes * (fetch == TPP_BRGEMM_FETCH_next ? 0.013 : fetch == TPP_BRGEMM_FETCH_own ? 0.04 : 0.06);
}

#endif

/* Cost model of a brgemm by one kernel entry of kernels.def: the estimated time of one invocation with batch 1 on a machine. It is C11, so that
 * the compiler, which does not link the kernels, chooses tiles by the same figures as the runtime. docs/decisions/costs.md says how it was
 * fitted, and how far it is off. */
#ifndef TPP_BRGEMM_COST_H
#define TPP_BRGEMM_COST_H

#include "tpp/machine.h"
#include "tpp/types.h"

/* What limits the multiplications of a kernel: a field <unit>_per_cycle of tpp_machine. */
typedef enum tpp_brgemm_unit {
  TPP_BRGEMM_UNIT_fma,
  TPP_BRGEMM_UNIT_bf16_dot,
  TPP_BRGEMM_UNIT_i8_dot,
  TPP_BRGEMM_UNIT_bf16_tile,
  TPP_BRGEMM_UNIT_i8_tile
} tpp_brgemm_unit;

/* Whether the sums are in tile registers (AMX). A product of tiles takes up to so many words along k. */
static inline int tpp_brgemm_in_tiles(tpp_brgemm_unit unit) {
  return unit == TPP_BRGEMM_UNIT_bf16_tile || unit == TPP_BRGEMM_UNIT_i8_tile;
}
#define TPP_TILE_WORDS 16
/* Words of a step of a sum of `words` words (at least 1) in tiles: steps of equal length, if possible. If not, the last one is shorter, and copied. */
static inline int64_t tpp_brgemm_tile_step(int64_t words) {
  int64_t steps = (words + TPP_TILE_WORDS - 1) / TPP_TILE_WORDS;
  return words % steps == 0 ? words / steps : TPP_TILE_WORDS;
}

/* The figures of a kernel (tpp/kernels.def). */
typedef struct tpp_brgemm_cost_row {
  int32_t mr, nr, lanes;
  tpp_brgemm_unit unit;
  double call, tile, multiplies, loads, stores;
} tpp_brgemm_cost_row;

/* Instructions of a unit that start in a cycle. */
static inline double tpp_brgemm_rate(tpp_brgemm_unit unit, const tpp_machine *machine) {
  switch (unit) {
  case TPP_BRGEMM_UNIT_bf16_dot:
    return machine->bf16_dot_per_cycle;
  case TPP_BRGEMM_UNIT_i8_dot:
    return machine->i8_dot_per_cycle;
  case TPP_BRGEMM_UNIT_bf16_tile:
    return machine->bf16_tile_per_cycle;
  case TPP_BRGEMM_UNIT_i8_tile:
    return machine->i8_tile_per_cycle;
  default:
    return machine->fma_per_cycle;
  }
}

/* Bytes between two rows of an operand, reduced modulo `period`, which keeps the cache set of every row. */
static inline int64_t tpp_brgemm_row_bytes(const tpp_matrix *matrix, int64_t period) {
  switch (matrix->type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return matrix->ld % period * bytes % period;
#include "tpp/kinds.def"
  }
  return 0;
}

/* Counts conflicting lines in L1: `rows` rows of `width` bytes each are stored as the rows of `matrix`. Returns how many cache lines the most
 * occupied set receives beyond `ways`, or 0 if all of them fit. */
static inline int64_t tpp_brgemm_lines_beyond(const tpp_matrix *matrix, int64_t ways, int64_t rows, int64_t width,
                                              const tpp_machine *machine) {
  enum { most_sets = 256 };
  int64_t lines[most_sets] = {0}, most = 0, sets = machine->l1_bytes / machine->l1_ways / TPP_LINE_BYTES;
  sets = sets < 1 ? 1 : sets > most_sets ? (int64_t)most_sets : sets;
  const int64_t period = sets * TPP_LINE_BYTES, row_bytes = tpp_brgemm_row_bytes(matrix, period);
  for (int64_t row = 0, begin = 0; row < rows; ++row, begin = (begin + row_bytes) % period)
    for (int64_t line = begin / TPP_LINE_BYTES; line <= (begin + width - 1) / TPP_LINE_BYTES; ++line) {
      int64_t *in_set = &lines[line % sets];
      most = ++*in_set > most ? *in_set : most;
    }
  return most > ways ? most - ways : 0;
}

/* Slowdown of a tile from L1 conflict misses among rows of A. Each step of k reads one line of each of the tile's rows, and these lines
 * may exceed the ways of an L1 set. Returns a factor >= 1; 1 if A has no leading dimension yet (a.ld <= 0).
 *
 * Wide tiles reuse each element of A more often, but B needs ways, too: a third of them. Of their slowdown, which differs from process to
 * process, the factor contains as much as makes a tile of fewer rows the cheapest. With at most two row tiles it is not applied: taller tiles pay
 * there, because they read B fewer times. */
static inline double tpp_brgemm_conflicts(const tpp_brgemm_desc *desc, int64_t tile_rows, int64_t lanes,
                                          const tpp_machine *machine) {
  const double narrow_share = 0.19, wide_share = 0.02; /* of the tile's time, for each line beyond the ways */
  if (desc->a.ld <= 0)
    return 1.0;
  int64_t rows = tile_rows < desc->m ? tile_rows : desc->m, ways = machine->l1_ways;
  if (desc->n <= lanes)
    return 1.0 + narrow_share * (double)tpp_brgemm_lines_beyond(&desc->a, ways, rows, 1, machine);
  return desc->m > 2 * rows ? 1.0 + wide_share * (double)tpp_brgemm_lines_beyond(&desc->a, ways - ways / 3, rows, 1, machine)
                            : 1.0;
}

/* Bytes of B, most of an L1 cache, from which reading it takes time beyond that of the loads. */
static inline double tpp_brgemm_least_fetch(const tpp_machine *machine) { return (double)machine->l1_bytes * 2 / 3; }

/* Estimated cycles if C is computed in register tiles. Tiles are split as the kernels split them (brgemm_plan.hpp). In a tile of r rows and v
 * vectors, each step of k takes the time of its r * v multiplications or that of its r + v loads, whichever is longer, and at least half of the
 * latency of a multiply-add: few accumulators wait for their previous step, and are split in two. */
static inline double tpp_brgemm_tiles(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row, const tpp_machine *machine) {
  const double tile_latency = 13; /* of a product of tiles, in latencies of a multiply-add */
  const double of_copied = 1.5;   /* cycles for each row of A and each vector of B in a step that is copied */
  if (desc->m <= 0 || desc->n <= 0)
    return row->call;
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
  double step = row->multiplies / tpp_brgemm_rate(row->unit, machine) * r * v *
                tpp_brgemm_conflicts(desc, (desc->m + row_tiles - 1) / row_tiles, lanes, machine);
  const int in_tiles = tpp_brgemm_in_tiles(row->unit); /* which load rows of up to TPP_TILE_WORDS words */
  double loads = row->loads / machine->loads_per_cycle * ((in_tiles ? r / TPP_TILE_WORDS : r) + v);
  double latency = in_tiles ? machine->fma_latency * tile_latency / TPP_TILE_WORDS : machine->fma_latency / 2;
  if (step < loads)
    step = loads;
  if (step < latency)
    step = latency;
  double passes = 1.0 + (double)desc->post_op_count + (double)desc->beta;
  /* Tiles of one row read B once for each row: from L2, at half of its bandwidth, if a tile's columns of it, 32 bits for each and each step,
   * exceed L1. */
  int64_t words = (desc->k + group - 1) / group;
  double copied = 0;
  if (in_tiles && words > 0) {
    const int fills = words % tpp_brgemm_tile_step(words) == 0; /* all steps, so that B is loaded where it is */
    if (!fills || desc->k % group != 0)
      copied = of_copied * (fills ? r : r + TPP_TILE_WORDS * v);
    words = (words + TPP_TILE_WORDS - 1) / TPP_TILE_WORDS * TPP_TILE_WORDS; /* a shorter product of tiles takes as long */
  }
  double steps = (double)words, step_bytes = 4.0 * (double)row->nr;
  if (row->mr == 1 && row_tiles > 1 && steps * step_bytes > tpp_brgemm_least_fetch(machine))
    step += step_bytes / (machine->l2_gbs / 2) * machine->clock_ghz;
  double tile = row->tile + steps * step + copied + row->stores * r * v * passes;
  return row->call + (double)(row_tiles * column_tiles * parts) * tile;
}

/* The alternative for C of few columns (brgemm_dots-inl.h): vectors run along k, and each element of C is a dot product. Vectors along
 * the columns of C would be mostly empty. Columns are computed in groups of at most lanes / 2; A, C and the operands of post-ops may not
 * have several panels.
 *
 * The cycles besides the multiplications: for each row of C and group, for each element of C, and for each element of B, whose columns are packed
 * first. */
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
static inline double tpp_brgemm_dots(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row, const tpp_machine *machine) {
  const double of_row = 7.7, of_number = 1.9, of_b = 0.58;
  double m = (double)desc->m, n = (double)desc->n, k = (double)desc->k, groups = (double)tpp_brgemm_dots_groups(desc, row->lanes);
  double products = m * k / (double)row->lanes * (n + groups);
  return row->call + m * (groups * of_row + n * of_number) + n * k * of_b +
         products * row->multiplies / tpp_brgemm_rate(row->unit, machine);
}
static inline int tpp_brgemm_takes_dots(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row, const tpp_machine *machine) {
  return desc->m > 0 && tpp_brgemm_can_take_dots(desc, row->lanes) &&
         tpp_brgemm_dots(desc, row, machine) < tpp_brgemm_tiles(desc, row, machine);
}

/* Estimated nanoseconds with operands in cache. */
static inline double tpp_brgemm_cost(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row, const tpp_machine *machine) {
  double cycles =
      tpp_brgemm_takes_dots(desc, row, machine) ? tpp_brgemm_dots(desc, row, machine) : tpp_brgemm_tiles(desc, row, machine);
  return cycles / machine->clock_ghz;
}

/* Bytes of a block of B up to which L2 holds it and the next one, with a quarter left to A and C. */
static inline double tpp_brgemm_most_held(const tpp_machine *machine) { return (double)machine->l2_bytes * 3 / 8; }

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
/* The prefetch that costs count on: none if tiles of nr columns are no whole number of panels wide, except that many row tiles of AMX prefetch their
 * part of the next panel in time. Several invocations with the same B prefetch what is stored after it, however few their rows are. */
static inline enum tpp_brgemm_fetch tpp_brgemm_expected_fetch(const tpp_brgemm_desc *desc, const tpp_brgemm_cost_row *row) {
  int64_t panel = tpp_brgemm_fetch_panel(desc), width = desc->n < row->nr ? desc->n : row->nr;
  enum tpp_brgemm_fetch fetch = tpp_brgemm_fetch_of(desc, row->mr);
  if (desc->b_uses > 1)
    return fetch == TPP_BRGEMM_FETCH_none ? fetch : TPP_BRGEMM_FETCH_next;
  if (panel > 0 && width % panel == 0)
    return fetch;
  return fetch == TPP_BRGEMM_FETCH_next && tpp_brgemm_in_tiles(row->unit) ? fetch : TPP_BRGEMM_FETCH_none;
}

/* Estimated nanoseconds that the first row tile waits for a block of B of `bytes` bytes, which it reads from L3, in the mean over `uses` invocations with
 * that block (0: 1). Blocks that fit L1 cost nothing. Two thirds of the wait remain if the tile prefetches its own block, and a fifth if the tiles before
 * prefetch it (docs/decisions/prefetch.md). */
static inline double tpp_brgemm_wait_ns(double bytes, enum tpp_brgemm_fetch fetch, int32_t uses, const tpp_machine *machine) {
  const double own_share = 0.67, next_share = 0.22;
  if (bytes < tpp_brgemm_least_fetch(machine))
    return 0.0;
  if (uses > 1 && bytes > tpp_brgemm_most_held(machine))
    fetch = TPP_BRGEMM_FETCH_none;
  return bytes / machine->l3_gbs / (uses > 1 ? uses : 1) *
         (fetch == TPP_BRGEMM_FETCH_next  ? next_share
          : fetch == TPP_BRGEMM_FETCH_own ? own_share
                                          : 1.0);
}

#endif

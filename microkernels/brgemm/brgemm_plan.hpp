// What dispatch precomputes for the native f32 brgemm: everything that does not depend on the pointers of one invocation.
//
// C is cut into column tiles of up to NR columns, and each into row tiles of up to MR rows, both split evenly so that no tile is
// much smaller than the others (256 rows by 13: sixteen of 13 and four of 12, not nineteen of 13 and one of 9). Column tiles are
// the outer loop: the part of B they need stays in the nearest cache that holds it while the rows of A go by.
#pragma once
#include "tpp/brgemm_cost.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// Prefetches are spread over k: some for every fetch_steps steps, each of one cache line of fetch_line bytes. The next block of B is fetched during
// the last fetch_tiles row tiles of many: earlier, A's rows would push more of it out of the second level again before it is used. What was pushed out the
// first row tile asks for again, first_tile_pages ahead, where the block has first_tile_least to stream_far bytes. Where few rows stream through B, they ask
// for what is multiplied a page later, or stream_pages pages where the block has stream_far bytes. The first tile asks every stream_steps steps.
enum {
  fetch_steps = 16,
  fetch_tiles = 12,
  fetch_line = 64,
  stream_steps = 2,
  stream_page = 4096,
  stream_pages = 4,
  first_tile_pages = 3,
  first_tile_least = 64 << 10,
  stream_far = 512 << 10
};

// How one post-op is applied to a vector of accumulators.
enum class post_mode : int32_t {
  unary,    // kind is a tpp_unary_kind
  elements, // binary with a vector of the operand: broadcast none (row_stride its ld) or row (row_stride 0)
  spread,   // binary with one element for the whole row: broadcast col (row_stride its ld) or scalar (row_stride 0)
};

struct brgemm_post_step {
  post_mode mode;
  int32_t kind;
  int64_t row_stride; // bytes
};

// Strides are in bytes.
struct brgemm_plan {
  int64_t k, lda, ldb, ldc;
  int64_t a_step;  // from one column of A to the next inside a panel
  int64_t a_panel; // columns of one panel of A; k when it is plain
  int64_t a_panel_stride;
  int64_t a_batch_stride, b_batch_stride;
  int64_t a_ahead; // bytes from a column of A to the one 2 * fetch_steps later, fetched into the nearest cache meanwhile; 0: none
  int64_t fetch_panel;                  // columns of a panel of B where it is fetched ahead; 0: never
  bool stream;                          // by few rows: nothing but the block that is multiplied; else the next one, too
  bool stream_pages_ahead;              // also where the block has stream_far bytes
  int64_t row_tiles, rows, taller;      // `taller` tiles have rows + 1 rows, the rest `rows`
  int64_t column_tiles, vectors, wider; // of a regular plan: `wider` tiles have vectors + 1 vectors, the rest `vectors`
  int32_t batch_kind;
  int32_t beta;
  int32_t post_count;
  int32_t in_registers; // leading post-ops applied to the accumulators; the rest runs over a buffer on the stack
  bool dots;            // C has few columns: each of its numbers is a sum of vectors along k
  bool regular;         // no vector that starts at a multiple of `lanes` columns crosses a panel of any operand
  bool panelled;        // some operand has panels narrower than n
  bool streaming;       // C's tiles are whole cache lines, where C starts at one, and the caller advises to store past the caches
  brgemm_post_step post[TPP_MAX_POST_OPS];
};
static_assert(sizeof(brgemm_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

// Fills the plan of a validated f32 descriptor for the kernel of a row.
void plan_brgemm(const tpp_brgemm_desc &desc, const tpp_brgemm_cost_row &row, brgemm_plan &plan);

// Columns from `col` to the next panel boundary of any operand, at most n - col.
int64_t columns_to_boundary(const tpp_brgemm_desc &desc, int64_t col);

} // namespace tpp

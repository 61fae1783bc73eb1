// The plan of a native f32 brgemm, precomputed at dispatch: everything that does not depend on the pointers of one invocation.
//
// C is split into column tiles of up to NR columns, and each of them into row tiles of up to MR rows. Both splits are even, so that no
// tile is much smaller than the others: 256 rows with MR = 13 give sixteen tiles of 13 rows and four of 12, not nineteen of 13 and one of
// 9. Column tiles are the outer loop: the part of B that they need stays in the nearest cache that holds it, while the row tiles pass
// over A.
#pragma once
#include "tpp/brgemm_cost.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// Parameters of software prefetch (docs/decisions/prefetch.md). Prefetches are spread over the steps of k.
//
// Many row tiles: the last fetch_tiles of them prefetch the next block of B into L2. Prefetched earlier, more of it would be evicted by
// rows of A before its use. The first row tile prefetches its own block again, for the lines that were evicted nevertheless, if the block
// has first_tile_least to stream_far bytes. Few row tiles: the first one prefetches its own block one page ahead, or stream_pages pages
// if the block has at least stream_far bytes.
enum {
  fetch_steps = 16,            // steps of k between prefetches
  fetch_tiles = 12,            // row tiles that prefetch the next block
  fetch_line = 64,             // bytes of a cache line
  stream_steps = 2,            // steps of k between prefetches of the first row tile
  stream_page = 4096,          // bytes of a page
  stream_pages = 4,            // pages read concurrently in blocks of at least stream_far bytes
  first_tile_pages = 3,        // prefetch distance, in pages, of the first of many row tiles
  first_tile_least = 64 << 10, // bytes
  stream_far = 512 << 10       // bytes
};

// How a post-op is applied to a vector of accumulators.
enum class post_mode : int32_t {
  unary,    // kind is a tpp_unary_kind
  elements, // binary, with a vector of the operand: broadcast none (row_stride is its ld) or row (row_stride 0)
  spread,   // binary, with one element for the whole row: broadcast col (row_stride is its ld) or scalar (row_stride 0)
};

struct brgemm_post_step {
  post_mode mode;
  int32_t kind;
  int64_t row_stride; // bytes
};

// All strides are in bytes.
struct brgemm_plan {
  int64_t k, lda, ldb, ldc;
  int64_t a_step;  // between columns of A inside a panel
  int64_t a_panel; // columns of one panel of A; k if A is plain
  int64_t a_panel_stride;
  int64_t a_batch_stride, b_batch_stride;
  int64_t a_ahead;                 // prefetch distance of A into L1: bytes to the column 2 * fetch_steps later; 0: no prefetch
  int64_t fetch_panel;             // columns of a panel of B if B is prefetched, else 0
  bool stream;                     // few row tiles: prefetch only the block itself, not the next one
  bool stream_pages_ahead;         // prefetch blocks of stream_far bytes or more, too
  int64_t row_tiles, rows, taller; // `taller` tiles have rows + 1 rows, the rest `rows`
  int64_t column_tiles, vectors, wider; // if regular: `wider` tiles have vectors + 1 vectors, the rest `vectors`
  int32_t batch_kind;
  int32_t beta;
  int32_t post_count;
  int32_t in_registers; // leading post-ops applied to the accumulators; the rest run on a stack buffer
  bool dots;            // C has few columns: each element is a dot product along k
  bool regular;         // no vector that starts at a multiple of `lanes` columns crosses a panel of any operand
  bool panelled;        // some operand has panels narrower than n
  bool streaming;       // the caller hints it, and C's tiles are whole cache lines if C starts at one
  brgemm_post_step post[TPP_MAX_POST_OPS];
};
static_assert(sizeof(brgemm_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

// Fills the plan of a validated f32 descriptor for the kernel entry `row`.
void plan_brgemm(const tpp_brgemm_desc &desc, const tpp_brgemm_cost_row &row, brgemm_plan &plan);

// Columns from `col` to the next panel boundary of any operand, at most n - col.
int64_t columns_to_boundary(const tpp_brgemm_desc &desc, int64_t col);

} // namespace tpp

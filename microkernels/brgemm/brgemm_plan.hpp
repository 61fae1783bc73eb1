// The plan of a native brgemm, precomputed at dispatch: everything that does not depend on the pointers of one invocation.
//
// C is split into column tiles of up to NR columns, and each of them into row tiles of up to MR rows. Both splits are even, so that no
// tile is much smaller than the others: 256 rows with MR = 13 give sixteen tiles of 13 rows and four of 12, not nineteen of 13 and one of
// 9. Column tiles are the outer loop (except in columns_of_split_rows): the part of B that they need stays in the nearest cache that
// holds it, while the row tiles pass over A.
#pragma once
#include "microkernels/brgemm/brgemm_prefetch.hpp"
#include "microkernels/common/requantization.hpp"
#include "tpp/brgemm_cost.h"
#include "tpp/microkernels.hpp"

namespace tpp {

// All strides are in bytes. A and B are read in words of 32 bits: one element of f32, or `group` elements along k (brgemm_dot-inl.h).
struct brgemm_plan {
  int64_t k; // whole words of a row of A
  int64_t lda, ldb, ldc;
  int64_t a_step;  // between words of a row of A inside a panel
  int64_t a_panel; // words in a row of one panel of A; k if A is plain
  int64_t a_panel_stride;
  int64_t tile_step;   // words of a step of AMX's tiles (brgemm_amx-inl.h)
  int64_t joined;      // batch entries whose words such a step has
  int64_t rest_bytes;  // of a row of A after its whole words: fewer than 4
  int64_t rest_offset; // from where the panel after the last whole words would start
  int64_t a_batch_stride, b_batch_stride;
  brgemm_prefetch_plan prefetch;
  int64_t row_tiles, rows, taller;      // `taller` tiles have rows + 1 rows, the rest `rows`
  int64_t column_tiles, vectors, wider; // if regular: `wider` tiles have vectors + 1 vectors, the rest `vectors`
  int32_t batch_kind;
  int32_t beta;
  int32_t post_count;
  int32_t in_registers; // leading post-ops applied to the sums in registers; the rest run on a stack buffer
  int32_t c_type;
  bool signed_a;              // A is of i8
  int64_t most_shared_words;  // of a sum, for which B stays in L2 while all column tiles of a row of tiles are computed
  requantization requantized; // the post-ops after those in registers, if they are this chain and C is of u8
  bool stored_from_registers; // all post-ops are applied in registers, and C has the type of the sums or is bf16
  bool dots;                  // C has few columns: each element is a dot product along k
  bool regular;               // no vector that starts at a multiple of `lanes` columns crosses a panel of any operand
  bool panelled;              // some operand has panels narrower than n
  bool streaming;             // the caller hints it, and C's tiles are whole cache lines if C starts at one
  post_step post[TPP_MAX_POST_OPS];

  // Words of a row of A in one batch entry, a last incomplete one included.
  int64_t words() const { return k + (rest_bytes > 0 ? 1 : 0); }
};
static_assert(sizeof(brgemm_plan) <= sizeof(microkernel::state), "the plan lives in the kernel's state");

// Fills the plan of a validated descriptor that the kernel entry `row` does not reject.
void plan_brgemm(const tpp_brgemm_desc &desc, const tpp_brgemm_cost_row &row, brgemm_plan &plan);

// Columns from `col` to the next panel boundary of any operand, at most n - col.
int64_t columns_to_boundary(const tpp_brgemm_desc &desc, int64_t col);

} // namespace tpp

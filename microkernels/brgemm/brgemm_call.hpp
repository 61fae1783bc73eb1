// One tile of one invocation of the native brgemm: what the loops over tiles hand to a tile's code.
#pragma once
#include "microkernels/brgemm/brgemm_plan.hpp"

// No load moves across this: without it the compiler gathers the broadcasts of several steps, and spills accumulators for them.
#define TPP_KEEP_ORDER() asm volatile("" ::: "memory")
// The compiler forgets how this pointer was computed.
#define TPP_OPAQUE(pointer) asm volatile("" : "+r"(pointer))

namespace tpp {

enum { brgemm_most_vectors = 16 }; // of a tile's width, over all rows of kernels.def

// What a tile fetches of B meanwhile: `lines` cache lines from `at` on, and from the same place in each of `pages` pages, for every `steps`
// steps of k. After `left` times the pages are done, and the ones behind them follow. By default nothing.
struct brgemm_fetch {
  const char *at = nullptr;
  int64_t lines = 0, steps = fetch_steps, pages = 1, left = 0;
};

struct brgemm_call {
  const brgemm_plan *plan;
  const tpp_args *args;
  char *c;          // the tile's first row, column 0 of C
  int64_t a_offset; // bytes from a batch entry's A to the tile's first row
  brgemm_fetch fetch;
  bool streaming;                        // C is stored past the caches
  int tail;                              // columns of the last vector
  int64_t b_offset[brgemm_most_vectors]; // bytes from column 0 to each vector's first column
  int64_t c_offset[brgemm_most_vectors];
  const char *post[TPP_MAX_POST_OPS]; // operands of post-ops: the tile's first row, column 0
  int64_t post_offset[TPP_MAX_POST_OPS][brgemm_most_vectors];

  // To the tile `rows` rows below.
  void advance(int64_t rows) {
    c += rows * plan->ldc;
    a_offset += rows * plan->lda;
    for (int s = 0; s < plan->post_count; ++s)
      post[s] += rows * plan->post[s].row_stride;
  }
};

inline const float *floats(const char *at) { return reinterpret_cast<const float *>(at); }

// The address of a batch entry of A or B.
inline const char *batch_entry(const void *base, const void *table, int32_t kind, int64_t stride, int64_t entry) {
  if (kind == TPP_BATCH_stride)
    return static_cast<const char *>(base) + entry * stride;
  if (kind == TPP_BATCH_offset)
    return static_cast<const char *>(base) + static_cast<const int64_t *>(table)[entry];
  return static_cast<const char *const *>(table)[entry];
}

} // namespace tpp

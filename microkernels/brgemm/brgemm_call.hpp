// State of one tile of one invocation of the native brgemm: the loops over tiles pass it to a tile's code.
#pragma once
#include "microkernels/brgemm/brgemm_plan.hpp"

#include <cstring>

// Compiler barrier: no load moves across it. Without it, the compiler hoists the broadcasts of several k steps and spills accumulators.
#define TPP_KEEP_ORDER() asm volatile("" ::: "memory")
// Hides from the compiler how `pointer` was computed.
#define TPP_OPAQUE(pointer) asm volatile("" : "+r"(pointer))

namespace tpp {

// Maxima over all entries of kernels.def: vectors and columns in a tile's width.
enum { brgemm_most_vectors = 16, brgemm_most_columns = 64 };

struct brgemm_call {
  const brgemm_plan *plan;
  const tpp_args *args;
  char *c;          // column 0 of C in the tile's first row
  int64_t a_offset; // bytes from the start of a batch entry's A to the tile's first row
  brgemm_prefetch prefetch;
  // The tile's rows of A, split (brgemm_split-inl.h), in one buffer after the other; or, unless `is_split`, one buffer into which the tile splits them.
  float *split_words = nullptr;
  bool is_split = false;
  // The tile for which the registers of AMX are configured (brgemm_amx-inl.h): its rows, vectors, and columns of the last vector.
  int64_t tile_rows = 0;
  int tile_vectors = 0, tile_tail = 0;
  bool streaming;                        // store C with non-temporal stores
  int tail;                              // columns of the last vector
  int64_t b_offset[brgemm_most_vectors]; // bytes from column 0 to each vector's first column
  int64_t c_offset[brgemm_most_vectors];
  const char *post[TPP_MAX_POST_OPS]; // operands of post-ops: column 0 of the tile's first row
  int64_t post_offset[TPP_MAX_POST_OPS][brgemm_most_vectors];
  // Operands that are the same for all rows, as vectors of f32 or i32, of the post-ops that are not applied in registers.
  alignas(64) float row_operands[TPP_MAX_POST_OPS][brgemm_most_columns];

  // Moves to the tile `rows` rows below.
  void advance(int64_t rows) {
    c += rows * plan->ldc;
    a_offset += rows * plan->lda;
    for (int s = 0; s < plan->post_count; ++s)
      post[s] += rows * plan->post[s].row_stride;
  }
};

// The word whose first `bytes` bytes, 1 to 3, are at `from`; the others are 0.
inline float incomplete_word(const char *from, int64_t bytes) {
  uint16_t low = 0;
  uint8_t next = 0;
  if (bytes > 1)
    std::memcpy(&low, from, sizeof(low));
  if (bytes != 2)
    std::memcpy(&next, from + bytes - 1, sizeof(next));
  const uint32_t bits = low | static_cast<uint32_t>(next) << (bytes == 1 ? 0 : 16);
  float word;
  std::memcpy(&word, &bits, sizeof(word));
  return word;
}

inline const float *floats(const char *at) { return reinterpret_cast<const float *>(at); }

// The address of A or B in batch entry `entry`.
inline const char *batch_entry(const void *base, const void *table, int32_t kind, int64_t stride, int64_t entry) {
  if (kind == TPP_BATCH_stride)
    return static_cast<const char *>(base) + entry * stride;
  if (kind == TPP_BATCH_offset)
    return static_cast<const char *>(base) + static_cast<const int64_t *>(table)[entry];
  return static_cast<const char *const *>(table)[entry];
}

} // namespace tpp

// brgemm for C of few columns: vectors run along k. Vectors along the columns of C, as in brgemm_tile, would be mostly empty. Instead,
// each element of C is a dot product of a row of A, read in place, and a column of B, which is first packed into a contiguous buffer.
#if defined(TPP_MICROKERNELS_BRGEMM_DOTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_DOTS_INL_H
#undef TPP_MICROKERNELS_BRGEMM_DOTS_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_DOTS_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/brgemm/brgemm_finish-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/matrix.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Computes N columns at a time, with vectors of kLanes steps of k.
template <int kLanes, int N> class brgemm_dots {
  using D = hn::CappedTag<float, kLanes>;
  using V = hn::Vec<D>;

public:
  // Computes columns [col, col + N) of all rows of C. `call` must be at the first row. The columns are contiguous in C (plan_brgemm makes
  // sure).
  static void run(const tpp_brgemm_desc &desc, brgemm_call &call, int64_t col) {
    for (int64_t row = 0; row < desc.m; row += block_rows)
      brgemm_dots(desc, call, col).block(HWY_MIN(desc.m - row, block_rows));
  }

private:
  // A block: at most `steps` packed steps of k of B's columns, shared by at most `block_rows` rows.
  static constexpr int64_t steps = 1024, block_rows = 256;
  // Rows multiplied at once: enough accumulators to hide the latency of an addition, few enough to stay in registers, and fewer rows than
  // an L1 set has ways.
  static constexpr int rows_at_once = HWY_MIN((kLanes == 16 ? 20 : 8) / N, 8);
  static constexpr int64_t size = sizeof(float);

  const tpp_brgemm_desc &desc_;
  brgemm_call &call_;
  const brgemm_plan &plan_;
  const int64_t col_;
  HWY_ALIGN float columns_[N][steps + 16]; // padding: columns start in different L1 sets
  HWY_ALIGN float sums_[block_rows * N];

  HWY_INLINE brgemm_dots(const tpp_brgemm_desc &desc, brgemm_call &call, int64_t col)
      : desc_(desc), call_(call), plan_(*call.plan), col_(col) {}

  // Computes `rows` rows of C and moves `call` to the row after them.
  void block(int64_t rows) {
    for (int64_t i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j)
        sums_[i * N + j] = plan_.beta != 0 ? floats(call_.c + i * plan_.ldc + call_.c_offset[0])[j] : 0.0f;
    const int64_t batch = plan_.k > 0 ? call_.args->batch : 0;
    for (int64_t entry = 0; entry < batch; ++entry) {
      const char *a =
          batch_entry(call_.args->a, call_.args->a_batch, plan_.batch_kind, plan_.a_batch_stride, entry) + call_.a_offset;
      const char *b = batch_entry(call_.args->b, call_.args->b_batch, plan_.batch_kind, plan_.b_batch_stride, entry);
      for (int64_t k = 0; k < plan_.k; k += steps) {
        const int64_t count = HWY_MIN(plan_.k - k, steps);
        gather(b + k * plan_.ldb, count);
        multiply_rows<rows_at_once>(a + k * size, count, rows, sums_);
      }
    }
    finish(rows);
  }

  // Packs `count` elements of each column of B, starting at `b`, and pads with zeros to a whole vector.
  HWY_INLINE void gather(const char *b, int64_t count) {
    const char *from[N];
    for (int j = 0; j < N; ++j)
      from[j] = b + column_offset(desc_.b, col_ + j) * size;
    for (int64_t k = 0; k < count; ++k)
      for (int j = 0; j < N; ++j)
        columns_[j][k] = *floats(from[j] + k * plan_.ldb);
    for (int64_t k = count; k % kLanes != 0; ++k)
      for (int j = 0; j < N; ++j)
        columns_[j][k] = 0;
  }

  // Adds the products of `count` columns of `rows` rows of A to their sums: R rows at a time, then the remaining rows R / 2 at a time,
  // and so on.
  template <int R> HWY_INLINE void multiply_rows(const char *a, int64_t count, int64_t rows, float *sums) const {
    for (; rows >= R; rows -= R, a += R * plan_.lda, sums += R * N)
      multiply<R>(a, count, sums);
    if constexpr (R > 1)
      multiply_rows<R / 2>(a, count, rows, sums);
  }
  template <int R> HWY_INLINE void multiply(const char *a, int64_t count, float *sums) const {
    V acc[R * N];
    HWY_UNROLL(32)
    for (int at = 0; at < R * N; ++at)
      acc[at] = hn::Zero(D());
    int64_t k = 0;
    for (; k + kLanes <= count; k += kLanes)
      add_products<R>(acc, [&](int i) HWY_ATTR { return hn::LoadU(D(), floats(a + i * plan_.lda) + k); }, k);
    if (k < count) {
      const first_lanes<D> tail(static_cast<size_t>(count - k));
      add_products<R>(acc, [&](int i) HWY_ATTR { return tail.load(floats(a + i * plan_.lda) + k); }, k);
    }
    HWY_UNROLL(32)
    for (int at = 0; at < R * N; ++at)
      sums[at] += hn::GetLane(hn::SumOfLanes(D(), acc[at]));
  }
  template <int R, class Load> HWY_INLINE void add_products(V (&acc)[R * N], Load load, int64_t k) const {
    V y[N];
    HWY_UNROLL(8)
    for (int j = 0; j < N; ++j)
      y[j] = hn::Load(D(), columns_[j] + k);
    HWY_UNROLL(32)
    for (int i = 0; i < R; ++i) {
      const V x = load(i);
      HWY_UNROLL(8)
      for (int j = 0; j < N; ++j)
        acc[i * N + j] = hn::MulAdd(x, y[j], acc[i * N + j]);
    }
  }

  // Post-ops and stores, in tiles of up to 16 rows of one vector.
  void finish(int64_t rows) {
    constexpr int tile_rows = 16;
    HWY_ALIGN float buffer[tile_rows * kLanes] = {};
    for (int64_t row = 0; row < rows; row += tile_rows) {
      const int count = static_cast<int>(HWY_MIN(rows - row, int64_t{tile_rows}));
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < N; ++j)
          buffer[i * kLanes + j] = sums_[(row + i) * N + j];
      finish_tile(D(), call_, buffer, count, 1);
      call_.advance(count);
    }
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

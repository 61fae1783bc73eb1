// Rows of A whose words are already split into the parts that a step multiplies (brgemm_dot-inl.h). A tile splits a piece of its rows into a
// buffer and multiplies from there. A word is then split once, with vector instructions, and not again for each of its broadcasts.
#if defined(TPP_MICROKERNELS_BRGEMM_SPLIT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_SPLIT_INL_H
#undef TPP_MICROKERNELS_BRGEMM_SPLIT_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_SPLIT_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/brgemm/brgemm_dot-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Splits a vector of words into `out`, part p to out + p * part_stride.
template <class Dot, bool isSigned>
HWY_INLINE void split_vector(hn::Vec<typename Dot::D> words, float *out, int64_t part_stride) {
  using D = typename Dot::D;
  static_for<Dot::parts>(TPP_LAMBDA(part) {
    constexpr int p = part;
    if constexpr (Dot::any_sign)
      hn::StoreU(hn::BitCast(D(), Dot::template split_a<p, isSigned>(words)), D(), out + p * part_stride);
    else
      hn::StoreU(hn::BitCast(D(), Dot::template split_a<p>(words)), D(), out + p * part_stride);
  });
}

// The buffer of split words fits L1, with room for B. Row i of part p starts at (p * rows + i) * split_words_stride(rows), so that rows start in
// different L1 sets. A row has room for one more vector, because its last store writes a whole vector.
constexpr int64_t split_buffer_size = 6144; // words
template <class Dot> constexpr int64_t split_words_stride(int64_t rows) {
  return split_buffer_size / (Dot::parts * rows) / 16 * 16 - 16;
}
// Words of a row that fit.
template <class Dot> constexpr int64_t split_words_most(int64_t rows) { return split_words_stride<Dot>(rows) - 16; }

// Splits words of `rows` rows of A into `out`, from word `first` on, counted through the whole batch: as many as there are and fit. Returns their
// number.
template <class Dot, bool isSigned>
HWY_NOINLINE int64_t split_rows_of(const brgemm_call &call, int64_t rows, int64_t first, float *HWY_RESTRICT out) {
  const brgemm_plan &plan = *call.plan;
  using D = typename Dot::D;
  constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(D())), word = sizeof(float);
  const int64_t stride = split_words_stride<Dot>(rows), of_entry = plan.words();
  const int64_t all = HWY_MIN(split_words_most<Dot>(rows), of_entry * call.args->batch - first);
  int64_t entry = 0, at = first;
  if (at >= of_entry)
    entry = at / of_entry, at %= of_entry;
  for (int64_t count = all, run = 0; count > 0; count -= run, out += run) {
    const char *a = batch_entry(call.args->a, call.args->a_batch, plan.batch_kind, plan.a_batch_stride, entry) + call.a_offset;
    if (at < plan.k) {
      int64_t panel = 0, inside = at;
      if (inside >= plan.a_panel)
        panel = at / plan.a_panel, inside = at % plan.a_panel;
      run = HWY_MIN(count, HWY_MIN(plan.a_panel - inside, plan.k - at));
      a += panel * plan.a_panel_stride + inside * word;
      const int64_t whole = run / lanes * lanes;
      const first_lanes<D> tail(static_cast<size_t>(run - whole));
      for (int64_t i = 0; i < rows; ++i, a += plan.lda) {
        float *to = out + i * stride;
        for (int64_t w = 0; w < whole; w += lanes)
          split_vector<Dot, isSigned>(hn::LoadU(D(), floats(a) + w), to + w, rows * stride);
        if (whole < run)
          split_vector<Dot, isSigned>(tail.load(floats(a) + whole), to + whole, rows * stride);
      }
    } else { // the last, incomplete words of the rows: nothing after them is read
      run = 1;
      a += (plan.k > 0 ? (plan.k + plan.a_panel - 1) / plan.a_panel : 0) * plan.a_panel_stride + plan.rest_offset;
      for (int64_t i = 0; i < rows; ++i, a += plan.lda)
        split_vector<Dot, isSigned>(hn::Set(D(), incomplete_word(a, plan.rest_bytes)), out + i * stride, rows * stride);
    }
    at += run;
    if (at == of_entry)
      at = 0, ++entry;
  }
  return all;
}
template <class Dot>
HWY_INLINE int64_t split_rows(const brgemm_call &call, int64_t rows, int64_t first, float *HWY_RESTRICT out) {
  if (Dot::any_sign && call.plan->signed_a)
    return split_rows_of<Dot, Dot::any_sign>(call, rows, first, out);
  return split_rows_of<Dot, false>(call, rows, first, out);
}

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

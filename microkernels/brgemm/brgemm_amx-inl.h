// One tile of a brgemm in the tile registers of AMX: up to MR rows by NR columns of sums, 32 x 32 or 16 x 64. Contract in brgemm.hpp, split into tiles in
// brgemm_plan.hpp.
//
// Four registers hold the sums, the others words of A and B, of up to 16 words along k, a step. A and B are loaded where they are, except that words
// that do not fill a step, or lie in two panels of A, are copied first and padded with zeros: an operand may be followed by an infinity. A step of
// copied words may have those of several batch entries. Sums that have post-ops or another type than C pass through a stack buffer.
#if defined(TPP_MICROKERNELS_BRGEMM_AMX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_AMX_INL_H
#undef TPP_MICROKERNELS_BRGEMM_AMX_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_AMX_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/brgemm/brgemm_dot-inl.h"
#include "microkernels/brgemm/brgemm_finish-inl.h"
#include "microkernels/brgemm/brgemm_tile-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "tpp/amx.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3
template <class Dot, int MR, int NR> class brgemm_amx {
  using D = typename Dot::D;
  static constexpr int lanes = amx::row_bytes / sizeof(float), half = amx::most_rows;
  static constexpr int64_t word = sizeof(float);
  // A tile has one or two halves of rows, and vectors of columns.
  static constexpr int most_halves = MR / half, most_vectors = NR / lanes;
  static_assert(most_halves * most_vectors == 4 && most_halves <= 2, "four registers of sums, and one of each half of A");

  // The register of the sums of half h and vector v, of half h of A, and of vector v of `vectors` of B. The last vector, which may be partial, has a
  // register of its own.
  static constexpr int sums_register(int h, int v) { return h * most_vectors + v; }
  static constexpr int a_register(int h) { return 4 + h; }
  static constexpr int last_b = amx::registers - 1, first_b = 4 + most_halves;
  static constexpr int b_register(int v, int vectors) { return v == vectors - 1 ? last_b : first_b + v % (last_b - first_b); }

public:
  // Computes `tiles` tiles of `rows` rows and `vectors` vectors, one below the other, and leaves `call` at the next one.
  static void run(brgemm_call &call, int64_t rows, int vectors, int64_t tiles) {
    configure(call, rows, vectors);
    if (most_halves > 1 && rows > half)
      run_halves<most_halves, most_vectors>(call, rows, vectors, tiles);
    else
      run_halves<1, most_vectors>(call, rows, vectors, tiles);
  }

private:
  template <int halves, int vectors>
  static HWY_INLINE void run_halves(brgemm_call &call, int64_t rows, int of_vectors, int64_t tiles) {
    if (of_vectors == vectors) {
      run_tiles<halves, vectors>(call, rows, tiles);
    } else if constexpr (vectors > 1) {
      run_halves<halves, vectors - 1>(call, rows, of_vectors, tiles);
    }
  }

  // Whether a step has the words of several batch entries.
  static bool joins(const brgemm_call &call) { return call.plan->joined > 1 && call.args->batch > 1; }
  // Words of a step.
  static int64_t step_of(const brgemm_call &call) {
    return joins(call) ? call.plan->joined * call.plan->words() : call.plan->tile_step;
  }
  // The tile's rows of A, and its columns of B, in a batch entry.
  static const char *a_of(const brgemm_call &call, int64_t entry) {
    const brgemm_plan &plan = *call.plan;
    return batch_entry(call.args->a, call.args->a_batch, plan.batch_kind, plan.a_batch_stride, entry) + call.a_offset;
  }
  static const char *b_of(const brgemm_call &call, int64_t entry) {
    const brgemm_plan &plan = *call.plan;
    return batch_entry(call.args->b, call.args->b_batch, plan.batch_kind, plan.b_batch_stride, entry) + call.b_offset[0];
  }

  // Sets the sizes of the registers, unless they are set: it takes as long as two or three steps.
  static void configure(brgemm_call &call, int64_t rows, int vectors) {
    if (call.tile_rows == rows && call.tile_vectors == vectors && call.tile_tail == call.tail)
      return;
    call.tile_rows = rows, call.tile_vectors = vectors, call.tile_tail = call.tail;
    const int64_t step = step_of(call);
    amx::tile_sizes sizes;
    for (int h = 0; h < most_halves; ++h) {
      const int64_t rows_of_half = h == 0 ? HWY_MIN(rows, half) : HWY_MAX(rows - half, 1);
      sizes.set(a_register(h), rows_of_half, step * word);
      for (int v = 0; v < most_vectors; ++v)
        sizes.set(sums_register(h, v), rows_of_half, (v == vectors - 1 ? call.tail : lanes) * word);
    }
    for (int b = first_b; b <= last_b; ++b)
      sizes.set(b, step, (b == last_b ? call.tail : lanes) * word);
    amx::configure(sizes);
  }

  // Loads the sums from, or stores them to, rows at c + offset[v] for vector v.
  template <int halves, int vectors>
  static HWY_INLINE void load_sums(const char *c, const int64_t (&offset)[vectors], int64_t row) {
    static_for<halves * vectors>(TPP_LAMBDA(at) {
      constexpr int h = at / vectors, v = at % vectors;
      amx::load<sums_register(h, v)>(c + h * half * row + offset[v], row);
    });
  }
  template <int halves, int vectors> static HWY_INLINE void store_sums(char *c, const int64_t (&offset)[vectors], int64_t row) {
    static_for<halves * vectors>(TPP_LAMBDA(at) {
      constexpr int h = at / vectors, v = at % vectors;
      amx::store<sums_register(h, v)>(c + h * half * row + offset[v], row);
    });
  }

  // The products of one step.
  template <int halves, int vectors>
  static HWY_INLINE void multiply(const char *a, int64_t lda, const char *b, const int64_t (&b_offset)[vectors], int64_t ldb) {
    static_for<vectors>(TPP_LAMBDA(vector) {
      constexpr int v = vector;
      amx::load<b_register(v, vectors)>(b + b_offset[v], ldb);
      static_for<halves>(TPP_LAMBDA(of_rows) {
        constexpr int h = of_rows;
        if constexpr (v == 0)
          amx::load<a_register(h)>(a + h * half * lda, lda);
        Dot::template multiply<sums_register(h, v), a_register(h), b_register(v, vectors)>();
      });
    });
  }

  // Words of A and B of one step, copied.
  struct copied_step {
    static constexpr int64_t a_stride = 2 * lanes; // of a row: pieces are stored as whole vectors, up to a vector beyond the step
    HWY_ALIGN float a[MR * a_stride], b[half * NR];
  };

  // Copies words [at, end) of the rows of A at `a`, and zeros up to a vector after them. The bytes that a last, incomplete word lacks are not read.
  static HWY_NOINLINE void copy_a(const brgemm_plan &plan, const char *a, int64_t rows, int64_t at, int64_t end, float *out) {
    using Bytes = hn::Repartition<uint8_t, D>;
    for (int64_t run; at < end; at += run, out += run) {
      const int64_t panel = plan.a_panel_stride != 0 ? at / plan.a_panel : 0, inside = at - panel * plan.a_panel;
      run = plan.a_panel_stride != 0 ? HWY_MIN(end - at, plan.a_panel - inside) : end - at;
      const int64_t missing = at + run > plan.k ? word - plan.rest_bytes : 0;
      const first_lanes<Bytes> read(static_cast<size_t>(run * word - missing));
      const auto *from = reinterpret_cast<const uint8_t *>(a + panel * plan.a_panel_stride + inside * word);
      auto *to = reinterpret_cast<uint8_t *>(out);
      for (int64_t i = 0; i < rows; ++i, from += plan.lda, to += copied_step::a_stride * word)
        hn::StoreU(read.load(from), Bytes(), to);
    }
  }
  // Copies `count` rows of words of B, and zeros up to a step.
  template <int vectors>
  static HWY_INLINE void copy_b(const char *b, const int64_t (&b_offset)[vectors], int64_t ldb, int64_t count, int64_t step,
                                int tail, float *out) {
    const D d;
    const first_lanes<D> last(static_cast<size_t>(tail));
    for (int64_t r = 0; r < step; ++r, b += ldb, out += NR)
      for (int v = 0; v < vectors; ++v) {
        const float *from = floats(b + b_offset[v]);
        hn::Store(r >= count ? hn::Zero(d) : v == vectors - 1 ? last.load(from) : hn::LoadU(d, from), d, out + v * lanes);
      }
  }

  // Multiplies `count` words whose rows of A are copied. B is copied, too, unless they fill a step.
  template <int halves, int vectors>
  static HWY_INLINE void multiply_copied(const brgemm_call &call, copied_step &copied, const char *b,
                                         const int64_t (&b_offset)[vectors], int64_t count) {
    constexpr int64_t lda = copied_step::a_stride * word;
    const char *a = reinterpret_cast<const char *>(copied.a);
    const int64_t step = step_of(call), ldb = call.plan->ldb;
    if (count == step) {
      amx::order();
      return multiply<halves, vectors>(a, lda, b, b_offset, ldb);
    }
    copy_b(b, b_offset, ldb, count, step, call.tail, copied.b);
    amx::order();
    int64_t offset[vectors];
    for (int v = 0; v < vectors; ++v)
      offset[v] = v * amx::row_bytes;
    multiply<halves, vectors>(a, lda, reinterpret_cast<const char *>(copied.b), offset, NR * word);
  }
  // Words [at, at + count) of a batch entry.
  template <int halves, int vectors>
  static HWY_NOINLINE void multiply_words(const brgemm_call &call, const char *a, const char *b,
                                          const int64_t (&b_offset)[vectors], int64_t rows, int64_t at, int64_t count) {
    copied_step copied;
    copy_a(*call.plan, a, rows, at, at + count, copied.a);
    multiply_copied<halves, vectors>(call, copied, b, b_offset, count);
  }
  // All words of batch entry `entry` and of those after it that fill the step, if they follow in B, too. Returns their number.
  template <int halves, int vectors>
  static HWY_NOINLINE int64_t multiply_joined(const brgemm_call &call, int64_t entry, const int64_t (&b_offset)[vectors],
                                              int64_t rows) {
    const brgemm_plan &plan = *call.plan;
    const int64_t words = plan.words(), most = HWY_MIN(plan.joined, call.args->batch - entry);
    const char *b = b_of(call, entry);
    copied_step copied;
    int64_t count = 0;
    do {
      copy_a(plan, a_of(call, entry + count), rows, 0, words, copied.a + count * words);
      ++count;
    } while (count < most && b_of(call, entry + count) == b + count * words * plan.ldb);
    multiply_copied<halves, vectors>(call, copied, b, b_offset, count * words);
    return count;
  }

  template <int halves, int vectors>
  static HWY_INLINE void sum(const brgemm_call &call, int64_t rows, brgemm_prefetch::cursor &prefetch) {
    const brgemm_plan &plan = *call.plan;
    const int64_t words = plan.words(), step = plan.tile_step, batch = words > 0 ? call.args->batch : 0, lda = plan.lda,
                  ldb = plan.ldb;
    static_assert(brgemm_prefetch::steps == TPP_TILE_WORDS, "a step's prefetches are issued at once");
    int64_t b_offset[vectors];
    unrolled<vectors>(TPP_LAMBDA(v) { b_offset[v] = call.b_offset[v] - call.b_offset[0]; });
    if (joins(call)) {
      for (int64_t entry = 0; entry < batch;)
        entry += multiply_joined<halves, vectors>(call, entry, b_offset, rows);
      return;
    }
    for (int64_t entry = 0; entry < batch; ++entry) {
      const char *a = a_of(call, entry), *b = b_of(call, entry);
      for (int64_t at = 0; at < words;) {
        int64_t panel = 0, inside = at;
        if (plan.a_panel < plan.k)
          panel = at / plan.a_panel, inside = at % plan.a_panel;
        int64_t steps = at < plan.k ? HWY_MIN(plan.a_panel - inside, plan.k - at) / step : 0; // whole ones, in this panel of A
        if (steps == 0) {
          const int64_t count = HWY_MIN(step, words - at);
          multiply_words<halves, vectors>(call, a, b, b_offset, rows, at, count);
          at += count, b += count * ldb;
          continue;
        }
        const char *from = a + panel * plan.a_panel_stride + inside * word;
        at += steps * step;
        for (; steps > 0; --steps, from += step * word, b += step * ldb) {
          multiply<halves, vectors>(from, lda, b, b_offset, ldb);
          prefetch.issue_next(); // nothing of its own block: the loads are as far ahead of the products as prefetches would be
        }
      }
    }
  }

  // Applies the post-ops to the sums in `buffer`, `count` rows at a time, stores them to C, and moves `call` to the next tile.
  template <int count, int vectors, bool masked>
  static HWY_NOINLINE void finish_rows(brgemm_call &call, const float *buffer, int64_t rows) {
    for (; rows >= count; rows -= count, buffer += count * vectors * lanes)
      brgemm_tile<Dot, count, vectors, masked>::finish_stored(call, buffer);
    if constexpr (count > 1)
      finish_rows<1, vectors, masked>(call, buffer, rows);
  }

  template <int halves, int vectors> static void run_tiles(brgemm_call &call, int64_t rows, int64_t tiles) {
    const brgemm_plan &plan = *call.plan;
    const bool has_sums = plan.c_type == (hwy::IsFloat<hn::TFromD<typename Dot::SumD>>() ? TPP_TYPE_f32 : TPP_TYPE_i32);
    HWY_ALIGN float buffer[halves * half * vectors * lanes];
    auto *bytes = reinterpret_cast<char *>(buffer);
    constexpr int64_t row = vectors * amx::row_bytes;
    int64_t c_offset[vectors], offset[vectors];
    unrolled<vectors>(TPP_LAMBDA(v) { c_offset[v] = call.c_offset[v], offset[v] = v * amx::row_bytes; });
    brgemm_prefetch::cursor prefetch = call.prefetch.now;
    for (; tiles > 0; --tiles) {
      if (plan.beta == 0) {
        static_for<halves * vectors>(TPP_LAMBDA(at) {
          constexpr int h = at / vectors, v = at % vectors;
          amx::zero<sums_register(h, v)>();
        });
      } else if (has_sums) {
        load_sums<halves>(call.c, c_offset, plan.ldc);
      } else {
        load_c(D(), call, buffer, static_cast<int>(rows), vectors);
        amx::order();
        load_sums<halves>(bytes, offset, row);
      }
      sum<halves, vectors>(call, rows, prefetch);
      if (plan.post_count == 0 && has_sums && !call.streaming) {
        store_sums<halves>(call.c, c_offset, plan.ldc);
        call.advance(rows);
      } else {
        store_sums<halves>(bytes, offset, row);
        if (call.tail < lanes)
          finish_rows<4, vectors, true>(call, buffer, rows);
        else
          finish_rows<4, vectors, false>(call, buffer, rows);
      }
    }
    call.prefetch.now = prefetch;
  }
};

// bf16: sums of two products, as vdpbf16ps.
template <int kLanes> struct bf16_dot_amx : word_tags<kLanes> {
  static constexpr bool in_tiles = true, is_bf16 = true;
  static constexpr int group = 2;
  using typename word_tags<kLanes>::D;
  using SumD = D;
  static HWY_INLINE hn::Vec<hn::Rebind<uint16_t, D>> narrow(hn::Vec<D> sums) { return bf16_dot_avx512bf16<kLanes>::narrow(sums); }
  template <int sums, int a, int b> static HWY_INLINE void multiply() { amx::multiply_bf16<sums, a, b>(); }
};
template <int kLanes, bool SignedA, bool SignedB> struct i8_dot_amx : word_tags<kLanes> {
  static constexpr bool in_tiles = true;
  static constexpr int group = 4;
  using SumD = typename word_tags<kLanes>::DI;
  template <int sums, int a, int b> static HWY_INLINE void multiply() { amx::multiply_i8<SignedA, SignedB, sums, a, b>(); }
};
#else // no kernel is compiled from these
template <class Dot, int MR, int NR> class brgemm_amx;
#endif

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

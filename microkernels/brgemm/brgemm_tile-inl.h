// One tile of a native brgemm, for the target being compiled: up to MR rows by NV vectors of sums, held in registers over all of k and the
// whole batch. Post-ops are applied before C is stored. Contract in brgemm.hpp, split into tiles in brgemm_plan.hpp, arithmetic in
// brgemm_dot-inl.h.
#if defined(TPP_MICROKERNELS_BRGEMM_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#undef TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#else
#define TPP_MICROKERNELS_BRGEMM_TILE_INL_H
#endif

#include "hwy/highway.h"
#include "microkernels/brgemm/brgemm_call.hpp"
#include "microkernels/brgemm/brgemm_dot-inl.h"
#include "microkernels/brgemm/brgemm_finish-inl.h"
#include "microkernels/brgemm/brgemm_split-inl.h"
#include "microkernels/common/first_lanes-inl.h"
#include "microkernels/common/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tpp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Dot, int MR, int NV, bool Masked> struct brgemm_tile {
  using D = typename Dot::D;       // words
  using SumD = typename Dot::SumD; // sums
  using Sum = hn::TFromD<SumD>;
  using Sums = hn::Vec<SumD>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr bool is_float = hwy::IsFloat<Sum>();

  // Number of row pointers of A, one register each: one for every third row. x86 address modes add lda once or twice, so 13 rows need
  // five pointers, and nothing spills.
  static constexpr int groups = (MR + 2) / 3;

  // Words that are split or shifted before they are multiplied take the buffer of the call. As a member, the buffer would pass the tile's address
  // to split_rows, and the compiler would keep the sums in memory.
  static constexpr bool splits = Dot::splits;
  static constexpr int64_t split_stride = split_words_stride<Dot>(MR);

  Sums acc[MR * NV];
  Sums shift_sums[NV]; // of the products of B with the shift, if A is shifted
  first_lanes<D> tail;
  brgemm_prefetch::cursor prefetch;

  HWY_INLINE explicit brgemm_tile(const brgemm_call &call) : tail(static_cast<size_t>(call.tail)), prefetch(call.prefetch.now) {}

  // Loads vector v of a row.
  HWY_INLINE hn::Vec<D> load(const char *at, int v) const {
    return Masked && v == NV - 1 ? tail.load(floats(at)) : hn::LoadU(D(), floats(at));
  }

  HWY_INLINE void start(const brgemm_call &call, const brgemm_plan &plan) {
    unrolled<MR * NV>(TPP_LAMBDA(at) { acc[at] = hn::Zero(SumD()); });
    if constexpr (Dot::shifts)
      unrolled<NV>(TPP_LAMBDA(v) { shift_sums[v] = hn::Zero(SumD()); });
    if (plan.beta == 0)
      return;
    if constexpr (is_float) {
      if (plan.c_type != TPP_TYPE_f32) {
        HWY_ALIGN float buffer[MR * NV * lanes];
        load_c(D(), call, buffer, MR, NV);
        unrolled<MR * NV>(TPP_LAMBDA(at) { acc[at] = hn::Load(D(), buffer + at * lanes); });
        return;
      }
    }
    add(call.c, plan.ldc, call.c_offset);
  }

  // Adds the operand's elements of this tile to the accumulators.
  HWY_INLINE void add(const char *operand, int64_t row_stride, const int64_t *offset) {
    unrolled<MR * NV>(TPP_LAMBDA(at) {
      const int i = at / NV, v = at % NV;
      acc[at] = hn::Add(acc[at], hn::BitCast(SumD(), load(operand + i * row_stride + offset[v], v)));
    });
  }

  // The same for elements of bf16 that are added to sums of f32.
  HWY_INLINE void add_bf16(const char *operand, int64_t row_stride, const int64_t *offset, int last) {
    if constexpr (Dot::is_bf16) {
      const first_lanes<hn::Rebind<uint16_t, D>> in_last(static_cast<size_t>(last));
      unrolled<MR * NV>(TPP_LAMBDA(at) {
        const int i = at / NV, v = at % NV;
        const auto *from = reinterpret_cast<const uint16_t *>(operand + i * row_stride + offset[v]);
        if (Masked && v == NV - 1)
          acc[at] = hn::Add(acc[at], Element<TPP_TYPE_bf16>::Widen(D(), in_last.load(from)));
        else
          acc[at] = hn::Add(acc[at], LoadTyped<TPP_TYPE_bf16>(D(), from));
      });
    }
  }

  // Multiplies each column of sums by its element of f32.
  HWY_INLINE void scale_columns(const char *operand, const int64_t *offset) {
    if constexpr (is_float)
      unrolled<NV>(TPP_LAMBDA(v) {
        const auto scale = load(operand + offset[v], v);
        unrolled<MR>(TPP_LAMBDA(i) { acc[i * NV + v] = hn::Mul(acc[i * NV + v], scale); });
      });
  }

  // Multiplies all sums by one number of f32, or limits them by it: from below (kind max) or from above (min).
  HWY_INLINE void apply_number(int32_t kind, const char *operand) {
    if constexpr (is_float) {
      const SumD d;
      const float value = *reinterpret_cast<const float *>(operand);
      const Sums number = hn::Set(d, value);
      const auto apply = [&](auto f) HWY_ATTR
          __attribute__((always_inline)) { unrolled<MR * NV>(TPP_LAMBDA(at) { acc[at] = f(acc[at]); }); };
      const bool ordinary = value < 0 || value > 0;
      if (kind == TPP_BINARY_mul)
        apply([&](Sums x) HWY_ATTR { return hn::Mul(x, number); });
      else if (kind == TPP_BINARY_max && ordinary)
        apply([&](Sums x) HWY_ATTR { return LimitFromBelow(d, x, number); });
      else if (kind == TPP_BINARY_max)
        apply([&](Sums x) HWY_ATTR { return MaximumOf(d, x, number); });
      else if (ordinary)
        apply([&](Sums x) HWY_ATTR { return LimitFromAbove(d, x, number); });
      else
        apply([&](Sums x) HWY_ATTR { return MinimumOf(d, x, number); });
    }
  }

  // Multiplies part p of the words of B at `b` by the same part of a word of each row of A: word(i) is that of row i.
  template <int p, class Word> HWY_INLINE void multiply_part(const char *b, const int64_t (&b_offset)[NV], Word word) {
    TPP_KEEP_ORDER(); // each part loads the words of B again: kept, they would take the registers of sums
    decltype(Dot::template split_b<p>(load(b, 0))) y[NV];
    unrolled<NV>(TPP_LAMBDA(v) { y[v] = Dot::template split_b<p>(load(b + b_offset[v], v)); });
    unrolled<MR>(TPP_LAMBDA(i) {
      const auto x = word(i);
      unrolled<NV>(TPP_LAMBDA(v) { acc[i * NV + v] = Dot::add(x, y[v], acc[i * NV + v]); });
    });
    if constexpr (Dot::shifts)
      unrolled<NV>(TPP_LAMBDA(v) { shift_sums[v] = Dot::add(Dot::shift(), y[v], shift_sums[v]); });
  }

  // One step along k of words that are multiplied whole: the words of B at `b` and the words of A at the row pointers + `shift` bytes.
  HWY_INLINE void step(const char *const (&a)[groups], int64_t shift, int64_t lda, const char *b, const int64_t (&b_offset)[NV]) {
    multiply_part<0>(
        b, b_offset, TPP_LAMBDA(i) { return Dot::template split_a<0>(hn::Set(D(), *floats(a[i / 3] + (i % 3) * lda + shift))); });
  }

  // The same for words of A that are split: `a` is the first row's word of the first part.
  HWY_INLINE void step_split(const float *a, const char *b, const int64_t (&b_offset)[NV]) {
    static_for<Dot::parts>(TPP_LAMBDA(part) {
      constexpr int p = part;
      multiply_part<p>(
          b, b_offset, TPP_LAMBDA(i) {
            return hn::BitCast(hn::DFromV<decltype(Dot::template split_a<p>(hn::Zero(D())))>(),
                               hn::Set(D(), a[(p * MR + i) * split_stride]));
          });
    });
  }

  // Hides the pointers from the compiler. Otherwise it would derive one from another, keep a register per row and step, and spill
  // accumulators.
  static HWY_INLINE void advance(const char *(&rows)[groups], int64_t bytes) {
    unrolled<groups>(TPP_LAMBDA(g) {
      rows[g] += bytes;
      TPP_OPAQUE(rows[g]);
    });
  }

  // Multiplies `count` words of each row in one panel of A. Returns the words of B after the last one.
  HWY_INLINE const char *multiply(const char *a, int64_t count, int64_t lda, int64_t a_step, const char *b, int64_t ldb,
                                  const int64_t (&b_offset)[NV]) {
    constexpr int64_t size = sizeof(float);
    const char *rows[groups];
    unrolled<groups>(TPP_LAMBDA(g) { rows[g] = a + 3 * g * lda; });
    advance(rows, 0);
    while (a_step == size && count >= 2) {
      if (const int64_t ahead = prefetch.issue(); ahead != 0)
        unrolled<MR>(TPP_LAMBDA(i) { __builtin_prefetch(rows[i / 3] + (i % 3) * lda + ahead, 0, 3); });
      int64_t pairs = HWY_MIN(count, prefetch.until_next()) / 2;
      count -= 2 * pairs;
      do {
        step(rows, 0, lda, b, b_offset);
        b += ldb;
        TPP_OPAQUE(b);
        step(rows, size, lda, b, b_offset);
        b += ldb;
        TPP_OPAQUE(b);
        advance(rows, 2 * size);
      } while (--pairs > 0);
    }
    for (; count > 0; --count) {
      step(rows, 0, lda, b, b_offset);
      b += ldb;
      TPP_OPAQUE(b);
      advance(rows, a_step);
    }
    return b;
  }

  // The sums, from split words of A, of which at least the first buffer is full.
  HWY_INLINE void sum_split(const brgemm_call &call, const brgemm_plan &plan, const int64_t (&b_offset)[NV]) {
    const int64_t of_entry = plan.words(), all = of_entry * call.args->batch;
    float *words = call.split_words;
    int64_t entry = 0, at = 0; // word `at` of the entry is next
    for (int64_t first = 0, count; first < all; first += count) {
      count = HWY_MIN(all - first, split_words_most<Dot>(MR));
      if (first > 0 && call.is_split)
        words += split_buffer_size;
      else if (first > 0)
        split_rows<Dot>(call, MR, first, words);
      const float *a = words;
      for (int64_t left = count, run; left > 0; left -= run) {
        const char *b = batch_entry(call.args->b, call.args->b_batch, plan.batch_kind, plan.b_batch_stride, entry);
        run = HWY_MIN(left, of_entry - at);
        a = multiply_split(a, run, b + call.b_offset[0] + at * plan.ldb, plan.ldb, b_offset);
        at += run;
        if (at == of_entry)
          at = 0, ++entry;
      }
    }
    if constexpr (Dot::shifts)
      unrolled<MR * NV>(TPP_LAMBDA(at) { acc[at] = hn::Sub(acc[at], shift_sums[at % NV]); });
  }

  // Multiplies `count` split words. Returns the words after them.
  HWY_INLINE const float *multiply_split(const float *a, int64_t count, const char *b, int64_t ldb,
                                         const int64_t (&b_offset)[NV]) {
    while (count > 0) {
      (void)prefetch.issue();
      int64_t steps = HWY_MIN(count, prefetch.until_next());
      count -= steps;
      do {
        step_split(a, b, b_offset);
        ++a, b += ldb;
        TPP_OPAQUE(a);
        TPP_OPAQUE(b);
      } while (--steps > 0);
    }
    return a;
  }

  // b_offset: bytes from the first vector's first column to each vector's first column.
  HWY_INLINE void sum(const brgemm_call &call, const brgemm_plan &plan, const int64_t (&b_offset)[NV]) {
    const int64_t batch = plan.words() > 0 ? call.args->batch : 0;
    for (int64_t entry = 0; entry < batch; ++entry) {
      const char *a = batch_entry(call.args->a, call.args->a_batch, plan.batch_kind, plan.a_batch_stride, entry) + call.a_offset;
      const char *b =
          batch_entry(call.args->b, call.args->b_batch, plan.batch_kind, plan.b_batch_stride, entry) + call.b_offset[0];
      if constexpr (Dot::group == 1) {
        for (int64_t left = plan.k; left > 0; left -= plan.a_panel, a += plan.a_panel_stride)
          b = multiply(a, HWY_MIN(left, plan.a_panel), plan.lda, plan.a_step, b, plan.ldb, b_offset);
        continue;
      }
      // The last, incomplete words of the rows are one more panel. Nothing after them is read.
      float words[MR];
      int64_t left = plan.k, lda = plan.lda, a_step = plan.a_step, rest = plan.rest_bytes;
      while (left > 0 || rest > 0) {
        int64_t count = HWY_MIN(left, plan.a_panel);
        if (left <= 0) {
          for (int i = 0; i < MR; ++i)
            words[i] = incomplete_word(a + plan.rest_offset + i * lda, rest);
          a = reinterpret_cast<const char *>(words), lda = sizeof(float), count = 1, rest = 0;
        }
        b = multiply(a, count, lda, a_step, b, plan.ldb, b_offset);
        left -= plan.a_panel, a += plan.a_panel_stride;
      }
    }
  }

  // Applies the leading post-ops, each unrolled over all accumulators.
  HWY_INLINE void post(const brgemm_call &call, const brgemm_plan &plan) {
    for (int s = 0; s < plan.in_registers; ++s) {
      const post_step &step = plan.post[s];
      if (step.mode == post_mode::spread)
        apply_number(step.kind, call.post[s]);
      else if (step.mode == post_mode::elements && step.kind == TPP_BINARY_mul)
        scale_columns(call.post[s], call.post_offset[s]);
      else if (step.mode == post_mode::elements && step.type == TPP_TYPE_bf16)
        add_bf16(call.post[s], step.row_stride, call.post_offset[s], call.tail);
      else if (step.mode == post_mode::elements)
        add(call.post[s], step.row_stride, call.post_offset[s]);
      else if (step.kind == TPP_UNARY_relu)
        unrolled<MR * NV>(TPP_LAMBDA(at) { acc[at] = relu_of_sums(SumD(), acc[at]); });
    }
  }

  template <class Store> HWY_INLINE void store(const brgemm_call &call, const brgemm_plan &plan, Store store) {
    // Local copies: the compiler must assume that a store changes `call`, and would reload three values per store (2 % at k = 64).
    char *const c = call.c;
    const int64_t ldc = plan.ldc;
    int64_t offset[NV];
    unrolled<NV>(TPP_LAMBDA(v) { offset[v] = call.c_offset[v]; });
    unrolled<MR * NV>(TPP_LAMBDA(at) {
      const int i = at / NV, v = at % NV;
      char *to = c + i * ldc + offset[v];
      if (Masked && v == NV - 1)
        tail.store(hn::BitCast(D(), acc[at]), reinterpret_cast<float *>(to));
      else
        store(acc[at], reinterpret_cast<Sum *>(to));
    });
  }

  // Rounds the sums to bf16, in registers.
  HWY_INLINE void store_bf16(const brgemm_call &call, const brgemm_plan &plan) {
    const hn::Rebind<uint16_t, D> half;
    char *const c = call.c;
    const int64_t ldc = plan.ldc;
    const first_lanes<hn::Rebind<uint16_t, D>> last(static_cast<size_t>(call.tail));
    unrolled<MR * NV>(TPP_LAMBDA(at) {
      const int i = at / NV, v = at % NV;
      auto *to = reinterpret_cast<uint16_t *>(c + i * ldc + call.c_offset[v]);
      const auto rounded = Dot::narrow(acc[at]);
      if (Masked && v == NV - 1)
        last.store(rounded, to);
      else
        hn::StoreU(rounded, half, to);
    });
  }

  // Quantizes the sums to u8, in registers.
  HWY_INLINE void store_requantized(const brgemm_call &call, const brgemm_plan &plan) {
    const requantization &chain = plan.requantized;
    const D d;
    char *const c = call.c;
    const int64_t ldc = plan.ldc;
    unrolled<NV>(TPP_LAMBDA(v) {
      const auto operand = [&](int32_t s) HWY_ATTR { return hn::Load(d, call.row_operands[s] + v * lanes); };
      const auto scale = operand(chain.scale);
      const auto bias =
          chain.bias >= 0 ? operand(chain.bias) : hn::Set(d, -0.0f); // the number that changes no other by its addition
      if (chain.offset >= 0) {
        const auto offset = hn::BitCast(SumD(), operand(chain.offset));
        const auto added = plan.post[chain.offset].kind == TPP_BINARY_sub ? hn::Neg(offset) : offset;
        unrolled<MR>(TPP_LAMBDA(i) { acc[i * NV + v] = hn::Add(acc[i * NV + v], added); });
      }
      hn::Vec<D> x[MR];
      unrolled<MR>(TPP_LAMBDA(i) { x[i] = hn::Add(hn::Mul(hn::ConvertTo(d, acc[i * NV + v]), scale), bias); });
      if (chain.zero_point >= 0) {
        const auto zero_point = operand(chain.zero_point);
        unrolled<MR>(TPP_LAMBDA(i) { x[i] = hn::Add(hn::Round(x[i]), zero_point); });
      }
      auto *const to = reinterpret_cast<uint8_t *>(c + call.c_offset[v]);
      unrolled<MR>(TPP_LAMBDA(i) {
        if (Masked && v == NV - 1)
          StoreTypedFirst<TPP_TYPE_u8>(x[i], d, to + i * ldc, static_cast<size_t>(call.tail));
        else
          StoreTyped<TPP_TYPE_u8>(x[i], d, to + i * ldc);
      });
    });
  }

  // Applies the post-ops and stores the accumulators to C.
  HWY_INLINE void finish(const brgemm_call &call, const brgemm_plan &plan) {
    post(call, plan);
    if (plan.stored_from_registers) {
      if constexpr (Dot::is_bf16) {
        if (plan.c_type == TPP_TYPE_bf16)
          return store_bf16(call, plan);
      }
      if (!Masked && call.streaming)
        store(call, plan, [](Sums value, Sum *to) HWY_ATTR __attribute__((always_inline)) { hn::Stream(value, SumD(), to); });
      else
        store(call, plan, [](Sums value, Sum *to) HWY_ATTR __attribute__((always_inline)) { hn::StoreU(value, SumD(), to); });
      return;
    }
    if constexpr (!is_float) {
      if (plan.requantized.scale >= 0)
        return store_requantized(call, plan);
    }
    HWY_ALIGN float buffer[MR * NV * lanes];
    unrolled<MR * NV>(TPP_LAMBDA(at) { hn::Store(hn::BitCast(D(), acc[at]), D(), buffer + at * lanes); });
    finish_tile(D(), call, buffer, MR, NV);
  }

  // The same for sums in memory, in rows of NV vectors. Leaves `call` at the next row.
  static HWY_INLINE void finish_stored(brgemm_call &call, const float *sums) {
    brgemm_tile tile(call);
    unrolled<MR * NV>(TPP_LAMBDA(at) { tile.acc[at] = hn::BitCast(SumD(), hn::Load(D(), sums + at * lanes)); });
    tile.finish(call, *call.plan);
    call.advance(MR);
  }

  // Computes `tiles` tiles, one below the other, and leaves `call` at the next one. One call per tile took 1.5 % longer at k = 64.
  static void run(brgemm_call &call, int64_t tiles) {
    const brgemm_plan &plan = *call.plan;
    brgemm_tile tile(call);
    int64_t b_offset[NV];
    unrolled<NV>(TPP_LAMBDA(v) { b_offset[v] = call.b_offset[v] - call.b_offset[0]; });
    for (; tiles > 0; --tiles) {
      if constexpr (splits) {
        if (!call.is_split && plan.words() * call.args->batch > 0)
          split_rows<Dot>(call, MR, 0, call.split_words);
        tile.start(call, plan);
        tile.sum_split(call, plan, b_offset);
      } else {
        tile.start(call, plan);
        tile.sum(call, plan, b_offset);
      }
      tile.finish(call, plan);
      call.advance(MR);
    }
    call.prefetch.now = tile.prefetch;
  }
};

} // namespace HWY_NAMESPACE
} // namespace tpp
HWY_AFTER_NAMESPACE();
#endif

// Peak loops per instruction set, and bursts of them. See Peak.h.
#include "Peak.h"
#include "Bench.h"
#include "tpp/amx_peak.hpp"
#include "tpp/machine.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace tpp::run {

// Defines a loop of multiply-adds on COUNT independent accumulators, enough to hide the latency of 4 to 5 cycles at two issues per cycle.
// The empty asm makes the accumulators opaque to the compiler, so that it neither folds nor hoists the loop. The operands are not zero,
// because zeros draw less power and may allow a higher clock than real work. The sums stay finite and normal: they converge to
// 0.1 / (1 - 0.9999999), or their products cancel in pairs.
#define TPP_PEAK_LOOP(FUNCTION, TARGET, VECTOR, COUNT, CONSTRAINT, ZERO, STEP)                                                   \
  TARGET static void FUNCTION(int64_t iterations) {                                                                              \
    VECTOR sums[COUNT];                                                                                                          \
    for (VECTOR &sum : sums)                                                                                                     \
      sum = ZERO;                                                                                                                \
    for (int64_t i = 0; i < iterations; ++i) {                                                                                   \
      _Pragma("clang loop unroll(full)") for (int j = 0; j < COUNT; ++j) {                                                       \
        VECTOR &sum = sums[j];                                                                                                   \
        sum = STEP;                                                                                                              \
        asm volatile("" : CONSTRAINT(sum));                                                                                      \
      }                                                                                                                          \
    }                                                                                                                            \
  }

#if defined(__x86_64__)
#define TPP_TARGET(features) __attribute__((target(features)))
TPP_PEAK_LOOP(f32Sse, , __m128, 12, "+x", _mm_setzero_ps(),
              _mm_add_ps(_mm_mul_ps(sum, _mm_set1_ps(0.9999999f)), _mm_set1_ps(0.1f)))
TPP_PEAK_LOOP(f64Sse, , __m128d, 12, "+x", _mm_setzero_pd(),
              _mm_add_pd(_mm_mul_pd(sum, _mm_set1_pd(0.9999999)), _mm_set1_pd(0.1)))
TPP_PEAK_LOOP(f32Avx2, TPP_TARGET("avx2,fma"), __m256, 12, "+x", _mm256_setzero_ps(),
              _mm256_fmadd_ps(sum, _mm256_set1_ps(0.9999999f), _mm256_set1_ps(0.1f)))
TPP_PEAK_LOOP(f64Avx2, TPP_TARGET("avx2,fma"), __m256d, 12, "+x", _mm256_setzero_pd(),
              _mm256_fmadd_pd(sum, _mm256_set1_pd(0.9999999), _mm256_set1_pd(0.1)))
TPP_PEAK_LOOP(i8Avx2, TPP_TARGET("avx2"), __m256i, 12, "+x", _mm256_setzero_si256(),
              _mm256_add_epi32(sum,
                               _mm256_madd_epi16(_mm256_maddubs_epi16(sum, _mm256_set1_epi32(0x5a935c17)), _mm256_set1_epi16(1))))
TPP_PEAK_LOOP(i8AvxVnni, TPP_TARGET("avx2,avxvnni"), __m256i, 12, "+x", _mm256_setzero_si256(),
              _mm256_dpbusd_avx_epi32(sum, _mm256_set1_epi32(0x35a7135b), _mm256_set1_epi32(0x5a935c17)))
TPP_PEAK_LOOP(f32Avx512, TPP_TARGET("avx512f"), __m512, 24, "+v", _mm512_setzero_ps(),
              _mm512_fmadd_ps(sum, _mm512_set1_ps(0.9999999f), _mm512_set1_ps(0.1f)))
TPP_PEAK_LOOP(f64Avx512, TPP_TARGET("avx512f"), __m512d, 24, "+v", _mm512_setzero_pd(),
              _mm512_fmadd_pd(sum, _mm512_set1_pd(0.9999999), _mm512_set1_pd(0.1)))
TPP_PEAK_LOOP(bf16Avx512, TPP_TARGET("avx512f,avx512bf16"), __m512, 24, "+v", _mm512_setzero_ps(),
              _mm512_dpbf16_ps(sum, (__m512bh)_mm512_set1_epi16(0x3f35), (__m512bh)_mm512_set1_epi32(0x3f80bf80)))
TPP_PEAK_LOOP(i8Avx512, TPP_TARGET("avx512f,avx512vnni"), __m512i, 24, "+v", _mm512_setzero_si512(),
              _mm512_dpbusd_epi32(sum, _mm512_set1_epi32(0x35a7135b), _mm512_set1_epi32(0x5a935c17)))

static bool always() { return true; }
static bool hasAmxBf16() { return host_has_amx(TPP_TYPE_bf16); }
static bool hasAmxInt8() { return host_has_amx(TPP_TYPE_i8); }
static bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static bool hasAvxVnni() { return hasAvx2() && __builtin_cpu_supports("avxvnni"); }
static bool hasAvx512() { return __builtin_cpu_supports("avx512f"); }
static bool hasAvx512Bf16() { return hasAvx512() && __builtin_cpu_supports("avx512bf16"); }
static bool hasAvx512Vnni() { return hasAvx512() && __builtin_cpu_supports("avx512vnni"); }

// operationsPerIteration counts multiplications and additions: accumulators * lanes * 2 (* products per lane for dot products), and for tiles sums *
// rows * columns * words * 2 * products per word.
static const PeakLoop loops[] = {
    {"f32", "avx512 fma", hasAvx512, 24 * 16 * 2, f32Avx512},
    {"f32", "avx2 fma", hasAvx2, 12 * 8 * 2, f32Avx2},
    {"f32", "sse mul+add", always, 12 * 4 * 2, f32Sse},
    {"f64", "avx512 fma", hasAvx512, 24 * 8 * 2, f64Avx512},
    {"f64", "avx2 fma", hasAvx2, 12 * 4 * 2, f64Avx2},
    {"f64", "sse mul+add", always, 12 * 2 * 2, f64Sse},
    {"bf16", "amx bf16 tiles", hasAmxBf16, amx::products_of_round * 16 * 16 * 16 * 4, amx::multiply_rounds<true>},
    {"i8", "amx int8 tiles", hasAmxInt8, amx::products_of_round * 16 * 16 * 16 * 8, amx::multiply_rounds<false>},
    {"bf16", "avx512 bf16 dot", hasAvx512Bf16, 24 * 16 * 4, bf16Avx512},
    {"i8", "avx512 vnni dot", hasAvx512Vnni, 24 * 16 * 8, i8Avx512},
    {"i8", "avx vnni dot", hasAvxVnni, 12 * 8 * 8, i8AvxVnni},
    {"i8", "avx2 maddubs", hasAvx2, 12 * 8 * 8, i8Avx2},
};
#elif defined(__aarch64__)
TPP_PEAK_LOOP(f32Neon, , float32x4_t, 24, "+w", vdupq_n_f32(0), vfmaq_f32(vdupq_n_f32(0.1f), sum, vdupq_n_f32(0.9999999f)))
TPP_PEAK_LOOP(f64Neon, , float64x2_t, 24, "+w", vdupq_n_f64(0), vfmaq_f64(vdupq_n_f64(0.1), sum, vdupq_n_f64(0.9999999)))
static bool always() { return true; }
static const PeakLoop loops[] = {
    {"f32", "neon fma", always, 24 * 4 * 2, f32Neon},
    {"f64", "neon fma", always, 24 * 2 * 2, f64Neon},
};
#else
#error "there is no peak loop for this architecture: add one"
#endif

// Number of iterations that take about `seconds`.
static int64_t calibrate(const PeakLoop &loop, double seconds) {
  for (int64_t iterations = 64;; iterations *= 2) {
    double begin = secondsNow();
    loop.run(iterations);
    double took = secondsNow() - begin;
    if (took > seconds / 8)
      return std::max<int64_t>(1, static_cast<int64_t>(double(iterations) * seconds / took));
  }
}

// Operations per second of this thread: the best of five runs of 50 us.
static double rateOf(const PeakLoop &loop) {
  int64_t iterations = calibrate(loop, 5e-5);
  double best = HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    double begin = secondsNow();
    loop.run(iterations);
    best = std::min(best, secondsNow() - begin);
  }
  return loop.operationsPerIteration * double(iterations) / best;
}

const PeakLoop *peakLoop(llvm::StringRef type) {
  bool narrow = type == "bf16" || type == "f16" || type == "i8";
  const PeakLoop *fastest = nullptr;
  double best = 0;
  for (const PeakLoop &loop : loops) {
    if ((type != loop.type && !(narrow && llvm::StringRef(loop.type) == "f32")) || !loop.runsHere())
      continue;
    double rate = rateOf(loop);
    if (rate > best) {
      best = rate;
      fastest = &loop;
    }
  }
  return fastest;
}

PeakMeter::PeakMeter(const PeakLoop &loop, int threads) : loop(loop), iterations(calibrate(loop, 3e-4)), spans(threads) {}

void PeakMeter::burst() {
  auto run = [](void *argument, tpp_team *team, int32_t thread, int32_t) {
    auto &meter = *static_cast<PeakMeter *>(argument);
    Span &span = meter.spans[size_t(thread)];
    tpp_team_barrier(team);
    span.begin = secondsNow();
    meter.loop.run(meter.iterations);
    span.end = secondsNow();
  };
  tpp_run_team(int32_t(spans.size()), run, this);
  double begin = spans[0].begin, end = spans[0].end;
  for (const Span &span : spans) {
    begin = std::min(begin, span.begin);
    end = std::max(end, span.end);
  }
  best = std::max(best, loop.operationsPerIteration * double(iterations) * double(spans.size()) / (end - begin));
}

} // namespace tpp::run

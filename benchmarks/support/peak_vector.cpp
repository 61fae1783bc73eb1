// Peak of f32 multiply-add and of reads, written with Highway for every target and dispatched to the best target of this machine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/support/peak_vector.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "benchmarks/support/peak_vector.hpp"

HWY_BEFORE_NAMESPACE();
namespace tpp::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve accumulators cover latency times throughput on all targets (4 cycles x 2 units, 5 x 2) and fit the 16 registers of AVX2.
double FmaBurst() {
  constexpr int rounds = 2000;
  const hn::ScalableTag<float> d;
  volatile float one = 1.0f, zero = 0.0f; // volatile: unknown to the compiler
  const auto x = hn::Set(d, one), y = hn::Set(d, zero);
  auto a0 = x, a1 = x, a2 = x, a3 = x, a4 = x, a5 = x, a6 = x, a7 = x, a8 = x, a9 = x, a10 = x, a11 = x;
  for (int round = 0; round < rounds; ++round) {
    a0 = hn::MulAdd(a0, x, y);
    a1 = hn::MulAdd(a1, x, y);
    a2 = hn::MulAdd(a2, x, y);
    a3 = hn::MulAdd(a3, x, y);
    a4 = hn::MulAdd(a4, x, y);
    a5 = hn::MulAdd(a5, x, y);
    a6 = hn::MulAdd(a6, x, y);
    a7 = hn::MulAdd(a7, x, y);
    a8 = hn::MulAdd(a8, x, y);
    a9 = hn::MulAdd(a9, x, y);
    a10 = hn::MulAdd(a10, x, y);
    a11 = hn::MulAdd(a11, x, y);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)),
                           hn::Add(hn::Add(hn::Add(a4, a5), hn::Add(a6, a7)), hn::Add(hn::Add(a8, a9), hn::Add(a10, a11))));
  volatile float sink = hn::GetLane(sum);
  (void)sink;
  return 2.0 * 12 * rounds * static_cast<double>(hn::Lanes(d));
}

// Eight independent sums, so that reads never wait for additions.
float ReadAll(const float *HWY_RESTRICT data, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t n = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (size_t i = 0; i + 8 * n <= count; i += 8 * n) {
    s0 = hn::Add(s0, hn::Load(d, data + i));
    s1 = hn::Add(s1, hn::Load(d, data + i + n));
    s2 = hn::Add(s2, hn::Load(d, data + i + 2 * n));
    s3 = hn::Add(s3, hn::Load(d, data + i + 3 * n));
    s4 = hn::Add(s4, hn::Load(d, data + i + 4 * n));
    s5 = hn::Add(s5, hn::Load(d, data + i + 5 * n));
    s6 = hn::Add(s6, hn::Load(d, data + i + 6 * n));
    s7 = hn::Add(s7, hn::Load(d, data + i + 7 * n));
  }
  return hn::GetLane(
      hn::SumOfLanes(d, hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)))));
}

} // namespace tpp::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tpp::bench {

HWY_EXPORT(FmaBurst);
HWY_EXPORT(ReadAll);

double fma_burst() { return HWY_DYNAMIC_DISPATCH(FmaBurst)(); }
float read_all(const float *data, size_t count) { return HWY_DYNAMIC_DISPATCH(ReadAll)(data, count); }

} // namespace tpp::bench
#endif

// Tests of tpp-run's timing: statistics, number of calls, measured peak.
#include "support.h"
#include "tools/tpp-run/Bench.h"
#include "tools/tpp-run/Peak.h"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace tpp::run {
namespace {

TEST(BenchTest, SummarizesSamples) {
  Summary one = summarize({3});
  EXPECT_EQ(one.min, 3);
  EXPECT_EQ(one.median, 3);
  EXPECT_EQ(one.p95, 3);
  Summary even = summarize({4, 1, 3, 2});
  EXPECT_EQ(even.count, 4u);
  EXPECT_EQ(even.min, 1);
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.p95, 4);
  std::vector<double> hundred;
  for (int i = 100; i > 0; --i)
    hundred.push_back(i);
  EXPECT_EQ(summarize(hundred).median, 50.5);
  EXPECT_EQ(summarize(hundred).p95, 95) << "nearest rank";
}

void spin(double seconds) {
  for (double end = secondsNow() + seconds; secondsNow() < end;)
    ;
}

TEST(BenchTest, TimesExactlyTheWantedCalls) {
  int calls = 0;
  Summary summary = bench([&] { ++calls; }, nullptr, {/*minSeconds=*/1, /*repetitions=*/17, /*cold=*/false, /*threads=*/1});
  EXPECT_EQ(summary.count, 17u);
  EXPECT_GE(calls, 17 + 3) << "warm-up calls are not timed";
}

TEST(BenchTest, TimesEachCallForTheWantedTime) {
  Summary summary = bench([] { spin(1e-3); }, nullptr, {/*minSeconds=*/0.05, 0, false, 1});
  EXPECT_GE(summary.min, 1e-3);
  EXPECT_LE(summary.min, summary.median);
  EXPECT_LE(summary.median, summary.p95);
  EXPECT_GE(summary.count, 3u);
  EXPECT_LE(summary.count, 50u);
}

TEST(BenchTest, AtLeastThreeCallsHoweverLongOneIs) {
  EXPECT_EQ(bench([] { spin(2e-3); }, nullptr, {/*minSeconds=*/0, 0, false, 1}).count, 3u);
}

TEST(BenchTest, ColdCallsReadFromMemory) {
  std::vector<uint64_t> data(1 << 14, 1); // 128 KiB: fits L2
  auto sum = [&] {
    uint64_t total = 0;
    for (size_t i = 0; i < data.size(); i += 8)
      total += data[i];
    asm volatile("" : : "r"(total));
  };
  Summary warm = bench(sum, nullptr, {1, 20, /*cold=*/false, 1}), cold = bench(sum, nullptr, {1, 20, /*cold=*/true, 1});
  EXPECT_GT(cold.min, warm.min);
}

TEST(PeakTest, MeasuresEveryContractionType) {
  for (const char *type : {"f32", "f64", "bf16", "f16", "i8"}) {
    const PeakLoop *loop = peakLoop(type);
    ASSERT_TRUE(loop) << type;
    PeakMeter meter(*loop, 1);
    EXPECT_EQ(meter.gflops(), 0);
    for (int i = 0; i < 3; ++i)
      meter.burst();
    // Sanity bounds: every core does more than one operation per ns, and at most 16 vectors of 64 multiply-adds at 10 GHz.
    EXPECT_GT(meter.gflops(), 1) << type;
    EXPECT_LT(meter.gflops(), 20480) << type;
  }
  EXPECT_FALSE(peakLoop("i64"));
  EXPECT_FALSE(peakLoop(""));
}

TEST(PeakTest, WiderTypesAreNotFaster) {
  PeakMeter single(*peakLoop("f32"), 1), twice(*peakLoop("f64"), 1);
  for (int i = 0; i < 50; ++i) {
    single.burst();
    twice.burst();
  }
  EXPECT_GT(single.gflops(), twice.gflops());
}

// A loop that records its calls. In a burst, each call waits until the other threads have started theirs, or gives up.
std::atomic<int> expectedCalls{1}, startedCalls{0}, lateCalls{0};
std::mutex callsMutex;
std::set<std::thread::id> callers;
std::set<int64_t> callLengths;

void recordCall(int64_t iterations) {
  {
    std::lock_guard<std::mutex> lock(callsMutex);
    callers.insert(std::this_thread::get_id());
    callLengths.insert(iterations);
  }
  ++startedCalls;
  for (double end = secondsNow() + 5; startedCalls < expectedCalls;)
    if (secondsNow() > end) {
      ++lateCalls;
      return;
    }
  spin(1e-3);
}

TEST(PeakTest, BurstsRunOnAllThreadsAtTheSameTime) {
  PeakLoop loop{"f32", "test", [] { return true; }, /*operationsPerIteration=*/1e6, recordCall};
  PeakMeter meter(loop, 3);
  callers.clear();
  callLengths.clear();
  startedCalls = 0;
  expectedCalls = 3;
  double begin = secondsNow();
  meter.burst();
  double seconds = secondsNow() - begin;
  EXPECT_EQ(startedCalls, 3);
  EXPECT_EQ(lateCalls, 0);
  EXPECT_EQ(callers.size(), 3u);
  ASSERT_EQ(callLengths.size(), 1u);
  // The operations of all three threads, in a time between one call and the whole burst.
  double operations = 3e6 * static_cast<double>(*callLengths.begin());
  EXPECT_LE(meter.gflops(), operations / 1e-3 * 1e-9);
  EXPECT_GE(meter.gflops(), operations / seconds * 1e-9);
}

} // namespace
} // namespace tpp::run

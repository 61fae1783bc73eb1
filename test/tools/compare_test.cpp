// Tests of tpp-run's comparison of outputs: tolerances, NaN and infinity, messages.
#include "support.h"
#include "tools/tpp-run/Tensor.h"

#include <cmath>
#include <limits>

namespace tpp::run {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");

Comparison compare(std::vector<float> got, std::vector<float> expected, Tolerance tolerance = {}) {
  TensorSpec spec{ElementType::f32, {int64_t(got.size())}, "result #0"};
  return compareTensors(spec, got.data(), expected.data(), tolerance);
}

TEST(CompareTest, ToleratesByAbsoluteAndRelativeError) {
  EXPECT_TRUE(compare({1, 2}, {1, 2}, {0.0, 0.0}).passed);
  EXPECT_FALSE(compare({1, 2.5f}, {1, 2}, {0.0, 0.49}).passed);
  EXPECT_TRUE(compare({1, 2.5f}, {1, 2}, {0.0, 0.5}).passed);
  EXPECT_TRUE(compare({1, 2.5f}, {1, 2}, {0.25, 0.0}).passed);
  EXPECT_TRUE(compare({1, 2.5f}, {1, 2}, {0.125, 0.25}).passed);
}

TEST(CompareTest, DefaultsAllowATenThousandthOfTheLargestValue) {
  EXPECT_TRUE(compare({0.0009f, 10}, {0, 10}).passed);
  EXPECT_FALSE(compare({0.0011f, 10}, {0, 10}).passed);
  EXPECT_FALSE(compare({0.0009f, 1}, {0, 1}).passed);
}

TEST(CompareTest, AnInfiniteExpectationDoesNotWidenTheTolerance) { EXPECT_FALSE(compare({1, infinity}, {2, infinity}).passed); }

TEST(CompareTest, NanEqualsOnlyNanAndInfinityOnlyItself) {
  EXPECT_TRUE(compare({nan, infinity, -infinity}, {nan, infinity, -infinity}).passed);
  for (auto [got, expected] : {std::pair(nan, 1.0f), std::pair(1.0f, nan), std::pair(infinity, 1.0f), std::pair(1.0f, infinity),
                               std::pair(infinity, -infinity), std::pair(nan, infinity), std::pair(infinity, nan)}) {
    Comparison comparison = compare({got}, {expected}, {1e30, 1e30});
    EXPECT_FALSE(comparison.passed) << got << " for " << expected;
    EXPECT_EQ(comparison.largestAbsolute, infinity);
  }
}

TEST(CompareTest, FindsLargestErrorsAndTheFirstFailure) {
  Comparison comparison = compare({1, 2.5f, 0.8f, 100}, {1, 2, 0.4f, 101}, {0.0, 0.3});
  EXPECT_FALSE(comparison.passed);
  EXPECT_EQ(comparison.absoluteAt, 3);
  EXPECT_EQ(comparison.largestAbsolute, 1);
  EXPECT_EQ(comparison.relativeAt, 2);
  EXPECT_NEAR(comparison.largestRelative, 1, 1e-6);
  EXPECT_EQ(comparison.failures, 3);
  EXPECT_EQ(comparison.firstFailure, 1);
}

TEST(CompareTest, RelativeErrorsBelowTheAbsoluteToleranceDoNotCount) {
  Comparison comparison = compare({1e-6f, 1.5f}, {0, 1}, {0.0, 0.25});
  EXPECT_EQ(comparison.relativeAt, 1);
  EXPECT_EQ(comparison.largestRelative, 0.5);
  EXPECT_EQ(compare({1e-6f}, {0}, {0.0, 0.25}).relativeAt, -1);
  EXPECT_EQ(compare({1e-6f}, {0}, {0.0, 0.0}).relativeAt, -1);
}

TEST(CompareTest, IntegersAreExactUnlessToldOtherwise) {
  TensorSpec spec{ElementType::i64, {1}, "result #0"};
  // Beyond 2^53 a double cannot distinguish these two.
  int64_t got[] = {(int64_t(1) << 60) + 1}, expected[] = {int64_t(1) << 60};
  EXPECT_FALSE(compareTensors(spec, got, expected, {}).passed);
  EXPECT_TRUE(compareTensors(spec, got, expected, {0.0, 1.0}).passed);
  EXPECT_TRUE(compareTensors(spec, expected, expected, {}).passed);
}

TEST(CompareTest, EmptyTensorsAreEqual) { EXPECT_TRUE(compare({}, {}).passed); }

TEST(CompareTest, SaysWhereAndHowMuch) {
  TensorSpec spec{ElementType::f32, {2, 2}, "result #1"};
  float got[] = {1, 2, 3, 4.5f}, expected[] = {1, 2, 3, 4};
  EXPECT_EQ(describeComparison(spec, compareTensors(spec, expected, expected, {}), expected, expected),
            "result #1 equals the reference exactly");
  EXPECT_EQ(describeComparison(spec, compareTensors(spec, got, expected, {0.5, 0.0}), got, expected),
            "result #1 equals the reference: largest absolute error 5.00e-01 at [1,1], relative 1.25e-01 at [1,1] (allowed "
            "0.00e+00 + 5.00e-01 * |expected|)");
  EXPECT_EQ(describeComparison(spec, compareTensors(spec, got, expected, {0.0, 0.25}), got, expected),
            "result #1 DIFFERS from the reference: largest absolute error 5.00e-01 at [1,1], relative 1.25e-01 at [1,1] (allowed "
            "2.50e-01 + 0.00e+00 * |expected|); 1 of 4 elements fail, the first at [1,1]: 4.5 instead of 4");
}

} // namespace
} // namespace tpp::run

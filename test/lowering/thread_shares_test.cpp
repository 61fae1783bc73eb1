// Tests of the division of tasks among threads: the largest share against sums by hand, and the number of blocks chosen for it.
#include "lowering/tile/ThreadShares.h"

#include <gtest/gtest.h>
#include <vector>

using namespace mlir::tpp;

static double getShare(const std::vector<TaskBlocks> &loops, int64_t threads) { return getLargestShare(loops, threads); }

TEST(ThreadSharesTest, OneThreadHasAnEqualShare) {
  EXPECT_EQ(getShare({{196, 66}, {208, 64}}, 1), 1);
  EXPECT_EQ(getShare({}, 1), 1);
}

TEST(ThreadSharesTest, TheSharesOfBlocksOfOneSizeAreCounts) {
  EXPECT_DOUBLE_EQ(getShare({{8, 1}}, 2), 1);
  EXPECT_DOUBLE_EQ(getShare({{7, 1}}, 2), 4 / 3.5);
  EXPECT_DOUBLE_EQ(getShare({{3, 1}, {5, 1}}, 4), 4 / 3.75);
  EXPECT_DOUBLE_EQ(getShare({{28, 4}}, 2), 16 / 14.0); // 4 blocks and 3
}

TEST(ThreadSharesTest, FewerTasksThanThreadsLeaveSomeIdle) {
  EXPECT_DOUBLE_EQ(getShare({{1, 1}}, 2), 2);
  EXPECT_DOUBLE_EQ(getShare({{3, 1}}, 16), 16 / 3.0);
}

TEST(ThreadSharesTest, TheLastBlocksAreSmallerAndTheFirstLoopIsOutermost) {
  // Rows of 66, 66 and 64, columns of 64, 64, 64 and 16: the first thread gets one block of rows, and 128 columns of the next.
  EXPECT_DOUBLE_EQ(getShare({{196, 66}, {208, 64}}, 2), (66 * 208 + 66 * 128) / (196 * 208 / 2.0));
  // By columns: 128 columns, or 64 and 16.
  EXPECT_DOUBLE_EQ(getShare({{208, 64}, {196, 66}}, 2), 128 / 104.0);
  EXPECT_DOUBLE_EQ(getShare({{196, 98}, {208, 64}}, 2), 1);
}

TEST(ThreadSharesTest, ManyTasksAndNoWorkAreEqualShares) {
  EXPECT_EQ(getShare({{int64_t(1) << 40, 1}}, 128), 1);
  EXPECT_EQ(getShare({{0, 1}}, 4), 1);
}

TEST(ThreadSharesTest, TheFewestBlocksWithNearlyTheLeastShareAreChosen) {
  auto rows = [](int64_t extent, int64_t threads) {
    return [=](int64_t blocks) { return getShare({{extent, (extent + blocks - 1) / blocks}}, threads); };
  };
  EXPECT_EQ(chooseBlockCount(3, 7, rows(196, 2)), 4);
  EXPECT_EQ(chooseBlockCount(1, 9, rows(196, 4)), 4);
  EXPECT_EQ(chooseBlockCount(2, 2, rows(196, 16)), 2);
  EXPECT_EQ(chooseBlockCount(5, 3, rows(196, 2)), 5) << "the fewest are not exceeded by the most";
  EXPECT_EQ(chooseBlockCount(1, 40, rows(784, 16)), 16);
  EXPECT_EQ(chooseBlockCount(1, 100, [](int64_t blocks) { return 1.5 - 0.01 * static_cast<double>(blocks); }), 49)
      << "steps below two percent do not count by themselves, only their sum";
}

// Tests of the task orders of a contraction: properties of the space-filling curve on grids of any size, and the order chosen for
// caches of several sizes.
#include "lowering/machine/TileOrder.h"
#include "tpp/machines.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace mlir::tpp;

namespace {

constexpr int64_t kib = 1 << 10, mib = 1 << 20;

// Grid of a rows x columns x sum contraction in tasks of `taskRows` rows and 64 columns. Bytes and arithmetic time assume f32 at
// 100 GFLOP/s.
TaskGrid makeGrid(int64_t rows, int64_t columns, int64_t sum, int64_t taskRows = 128) {
  TaskGrid grid;
  grid.rows = rows / taskRows, grid.columns = columns / 64;
  grid.aBytes = taskRows * sum * 4, grid.bBytes = 64 * sum * 4, grid.cBytes = taskRows * 64 * 4;
  grid.taskNs = 2.0 * static_cast<double>(taskRows) * 64 * static_cast<double>(sum) / 100;
  return grid;
}

// Caches of these sizes, with the bandwidths of a typical machine.
TaskCaches makeCaches(int64_t l2Bytes, int64_t l3Bytes, int64_t threads) {
  tpp_machine machine;
  tpp_machine_set_avx512(&machine);
  machine.l2_bytes = l2Bytes, machine.l3_bytes = l3Bytes;
  return TaskCaches(machine, threads);
}

TaskOrder choose(const TaskGrid &grid, const TaskCaches &caches, LoopOrder asked = LoopOrder::Auto) {
  return chooseTaskOrder(asked, LoopOrder::Rows, grid, caches);
}

} // namespace

TEST(TileOrderTest, CurveVisitsEachTaskOnceAndGoesToANeighbour) {
  for (int64_t rows = 1; rows <= 33; ++rows)
    for (int64_t columns = 1; columns <= 33; ++columns) {
      auto curve = getCurve(rows, columns);
      ASSERT_EQ(std::set<int32_t>(curve.begin(), curve.end()).size(), static_cast<size_t>(rows * columns))
          << rows << " x " << columns;
      ASSERT_EQ(static_cast<int64_t>(curve.size()), rows * columns);
      for (size_t i = 1; i < curve.size(); ++i) {
        int64_t down = curve[i] / columns - curve[i - 1] / columns, right = curve[i] % columns - curve[i - 1] % columns;
        ASSERT_EQ(std::abs(down) + std::abs(right), 1) << rows << " x " << columns << ", task " << i;
      }
    }
}

// n consecutive tasks touch at least 2 * sqrt(n) blocks of rows and columns. On average the curve must stay within 1.5 times
// that.
TEST(TileOrderTest, PartsOfACurveAreCompact) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>(32, 64), {31, 57}, {100, 12}, {64, 64}}) {
    auto curve = getCurve(rows, columns);
    for (size_t part : {64, 256}) {
      double touched = 0, parts = 0;
      for (size_t first = 0; first + part <= curve.size(); first += part, ++parts) {
        std::set<int64_t> rowsTouched, columnsTouched;
        for (size_t i = first; i < first + part; ++i) {
          rowsTouched.insert(curve[i] / columns);
          columnsTouched.insert(curve[i] % columns);
        }
        touched += static_cast<double>(rowsTouched.size() + columnsTouched.size());
      }
      EXPECT_LT(touched / parts, 1.5 * 2 * std::sqrt(static_cast<double>(part)))
          << rows << " x " << columns << ", parts of " << part;
    }
  }
}

TEST(TileOrderTest, WhatIsAskedForCounts) {
  TaskGrid grid = makeGrid(1024, 1024, 256);
  TaskCaches caches = makeCaches(2 * mib, 32 * mib, 1);
  for (LoopOrder order : {LoopOrder::Rows, LoopOrder::Columns, LoopOrder::Blocked, LoopOrder::Curve})
    EXPECT_EQ(choose(grid, caches, order).kind, order);
  // The grid allows two groups along either side, or more groups of fewer blocks for a smaller cache. Here the best group size is
  // 2.
  TaskOrder blocked = choose(grid, makeCaches(192 * kib, 256 * kib, 1), LoopOrder::Blocked);
  EXPECT_EQ(blocked.group, 2);
}

TEST(TileOrderTest, OneRowOrColumnOfTasksHasOneOrder) {
  for (LoopOrder order : {LoopOrder::Auto, LoopOrder::Blocked, LoopOrder::Curve}) {
    EXPECT_EQ(choose(makeGrid(128, 1024, 256), makeCaches(2 * mib, 32 * mib, 1), order).kind, LoopOrder::Rows);
    EXPECT_EQ(choose(makeGrid(1024, 64, 256), makeCaches(2 * mib, 32 * mib, 1), order).kind, LoopOrder::Rows);
  }
  // Two groups of one block each would be the same order as Rows.
  EXPECT_EQ(choose(makeGrid(256, 128, 256), makeCaches(2 * mib, 32 * mib, 1), LoopOrder::Blocked).kind, LoopOrder::Rows);
}

TEST(TileOrderTest, ACurveTooLongForATableIsBlocked) {
  TaskGrid grid = makeGrid(128 * 1024, 64 * 64, 64);
  EXPECT_EQ(choose(grid, makeCaches(2 * mib, 32 * mib, 1), LoopOrder::Curve).kind, LoopOrder::Curve);
  ++grid.columns;
  EXPECT_EQ(choose(grid, makeCaches(2 * mib, 32 * mib, 1), LoopOrder::Curve).kind, LoopOrder::Blocked);
}

TEST(TileOrderTest, LargeCachesKeepRows) {
  for (int64_t threads : {1, 2, 8}) {
    EXPECT_EQ(choose(makeGrid(4096, 4096, 1024, 256), makeCaches(2 * mib, 105 * mib, threads)).kind, LoopOrder::Rows);
    EXPECT_EQ(choose(makeGrid(2048, 2048, 2048), makeCaches(2 * mib, 105 * mib, threads)).kind, LoopOrder::Rows);
  }
  EXPECT_EQ(choose(makeGrid(256, 256, 64), makeCaches(2 * mib, 105 * mib, 1)).kind, LoopOrder::Rows);
}

// B has 16 MiB; the A block of one row of tasks has 128 KiB. A group of rows that fills half of L3 stays there, so each B panel
// is read from memory once per group.
TEST(TileOrderTest, ASmallThirdLevelIsSharedByGroups) {
  TaskGrid grid = makeGrid(4096, 4096, 1024, 32);
  TaskCaches caches = makeCaches(256 * kib, 4 * mib, 1);
  TaskOrder order = choose(grid, caches);
  EXPECT_EQ(order.kind, LoopOrder::Blocked);
  EXPECT_TRUE(order.groupsRows);
  EXPECT_EQ(order.group * grid.aBytes, caches.l3Bytes / 2);
  EXPECT_LT(estimateWaitNs(order, grid, caches), 0.8 * estimateWaitNs({LoopOrder::Rows}, grid, caches));
  // Groups bring nothing if B fits L3. Without an L3, all of B comes from memory in any order.
  for (int64_t l3 : {64 * mib, 1024 * mib, int64_t(0)})
    EXPECT_EQ(choose(grid, makeCaches(256 * kib, l3, 1)).kind, LoopOrder::Rows) << l3;
}

// A 2 x 2 grid has no groups: only the simple orders and the curve remain.
TEST(TileOrderTest, AGridOfTwoByTwoHasNoGroups) {
  TaskGrid grid = makeGrid(512, 128, 1024, 256);
  ASSERT_EQ(grid.rows, 2);
  ASSERT_EQ(grid.columns, 2);
  for (int64_t l2 : {16 * kib, 2 * mib}) {
    TaskCaches caches = makeCaches(l2, 0, 1);
    EXPECT_NE(choose(grid, caches).kind, LoopOrder::Blocked);
    EXPECT_EQ(chooseTaskOrder(LoopOrder::Blocked, LoopOrder::Columns, grid, caches).kind, LoopOrder::Columns);
  }
}

// All blocks fit L2, so each is read from memory once, in any order. Only the last blocks of B may be prefetched.
TEST(TileOrderTest, TheEstimateCountsABlockThatStaysInACacheOnce) {
  TaskGrid grid = makeGrid(512, 512, 256);
  TaskCaches large = makeCaches(64 * mib, 0, 1), none = makeCaches(0, 0, 1);
  double once = estimateWaitNs({LoopOrder::Columns}, grid, large);
  TaskGrid twice = grid;
  twice.aBytes *= 2, twice.bBytes *= 2;
  EXPECT_NEAR(estimateWaitNs({LoopOrder::Columns}, twice, large) / once, 2, 1e-9);
  // Without a cache each of the 4 x 8 tasks reads both of its blocks: A 8 times, B 4 times.
  TaskGrid onlyA = grid, onlyB = grid;
  onlyA.bBytes = onlyB.aBytes = 0;
  EXPECT_NEAR(estimateWaitNs({LoopOrder::Columns}, onlyA, none) / estimateWaitNs({LoopOrder::Columns}, onlyA, large), 8, 1e-9);
  EXPECT_GT(estimateWaitNs({LoopOrder::Rows}, onlyB, none), 3 * estimateWaitNs({LoopOrder::Rows}, onlyB, large));
}

// The chosen order is compared with every order that can be asked for. A simpler order may win if it waits only slightly longer, which is
// 1.5 % of the arithmetic time; an order other than the simple one must win by more.
TEST(TileOrderTest, NoOtherOrderWaitsClearlyLess) {
  std::set<LoopOrder> chosen;
  for (int64_t rows : {512, 1792, 4096})
    for (int64_t columns : {640, 2048, 4160})
      for (int64_t taskRows : {32, 128, 256})
        for (int64_t l2 : {256 * kib, 2 * mib})
          for (int64_t l3 : {int64_t(0), 4 * mib, 32 * mib})
            for (int64_t threads : {1, 3}) {
              TaskGrid grid = makeGrid(rows, columns, 1024, taskRows);
              TaskCaches caches = makeCaches(l2, l3, threads);
              TaskOrder order = choose(grid, caches);
              chosen.insert(order.kind);
              double waits = estimateWaitNs(order, grid, caches), slight = 0.015 * grid.taskNs * double(grid.rows * grid.columns);
              for (LoopOrder other : {LoopOrder::Rows, LoopOrder::Columns, LoopOrder::Blocked, LoopOrder::Curve})
                EXPECT_LE(waits, estimateWaitNs(choose(grid, caches, other), grid, caches) + slight);
              if (order.kind != LoopOrder::Rows)
                EXPECT_LT(waits, estimateWaitNs({LoopOrder::Rows}, grid, caches) - slight);
            }
  EXPECT_GE(chosen.size(), 3u) << "the cases must differ in their best order";
}

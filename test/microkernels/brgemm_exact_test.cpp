// Compares every native brgemm kernel with the reference: equal on small integers for every tail, batch kind and beta; within an
// error bound on random floats. Also tests reject reasons and the cost model.
#include "microkernels/brgemm_problem.hpp"
#include "tpp/brgemm_cost.h"
#include "tpp/machine.hpp"

#include <array>
#include <cfloat>

using namespace tpp_test;

namespace {

TEST_P(BrgemmTest, MatchesReferenceOnEveryTail) {
  uint32_t turn = 0;
  std::vector<int64_t> columns = around(row().nr);
  for (int64_t n : {3, 5, 8, 17})
    columns.push_back(n);
  for (int64_t m : around(row().mr))
    for (int64_t n : columns)
      for (int64_t k : {0, 1, 3, 16, 17, 64}) {
        brgemm_problem p(m, n, k);
        // Batch count, batch kind, beta and guarded side cycle with periods that are coprime to the lengths of the size loops.
        p.batch = std::vector<int64_t>{1, 3, 0, 1, 2, 1, 3}[turn % 7];
        p.desc.batch_kind = static_cast<int32_t>(turn % 11 % 3);
        p.desc.beta = turn % 13 % 2;
        p.side = turn % 17 % 2 ? guard::before : guard::behind;
        p.make(values::small_integers, ++turn);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

TEST_P(BrgemmTest, HandlesEveryRowAndVectorCount) {
  const int64_t mr = row().mr, nr = row().nr;
  for (int64_t m = 1; m <= 2 * mr + 1; ++m)
    for (int64_t n = 1; n <= nr + 1; n += nr > 16 ? 5 : 1) {
      brgemm_problem p(m, n, 6);
      p.batch = 2;
      p.desc.beta = static_cast<int32_t>(n % 2);
      p.make(values::small_integers, static_cast<uint32_t>(m * 100 + n));
      p.expect_equal(row());
      if (HasFatalFailure())
        return;
    }
}

TEST_P(BrgemmTest, TakesEveryBatchKindAndCount) {
  for (int32_t kind : {TPP_BATCH_stride, TPP_BATCH_offset, TPP_BATCH_address})
    for (int64_t batch : {0, 1, 3})
      for (int32_t beta : {0, 1})
        for (int64_t k : {0, 5, 16}) {
          brgemm_problem p(row().mr + 1, row().nr + 1, k);
          p.batch = batch;
          p.desc.batch_kind = kind;
          p.desc.beta = beta;
          p.make(values::small_integers, static_cast<uint32_t>(k + batch));
          p.expect_equal(row());
          if (HasFatalFailure())
            return;
        }
}

// From a size on that depends on the machine, a block of B is prefetched by whole cache lines. Tests widths where one k step is less
// than a line, no whole number of lines, or more than a line; with few and many rows of A.
TEST_P(BrgemmTest, LongBlocksOfEveryWidth) {
  const tpp_machine &machine = tpp::current_machine();
  // The thresholds of prefetch and of prefetch several pages ahead.
  for (int64_t bytes : {static_cast<int64_t>(tpp_brgemm_least_fetch(&machine)) + 1, int64_t{512} << 10})
    for (int64_t n : {1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 24, 48, 64, 65})
      for (int64_t m : std::initializer_list<int64_t>{1, row().mr, 2 * row().mr + 1}) {
        brgemm_problem p(m, n, bytes / (n * static_cast<int64_t>(sizeof(float))) + 1);
        p.make(values::small_integers, static_cast<uint32_t>(n));
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

TEST_P(BrgemmTest, EmptyProblemsTouchNothing) {
  for (auto size : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {0, 0}}) {
    brgemm_problem p(size.first, size.second, 4);
    p.add_step(unary_step(TPP_UNARY_relu));
    p.make(values::small_integers, 1);
    p.expect_equal(row());
  }
}

// Any order of additions, with or without FMA, stays within (terms + 2) * eps * sum of magnitudes.
TEST_P(BrgemmTest, StaysWithinTheErrorBoundOnRandomFloats) {
  for (auto shape :
       {std::array<int64_t, 4>{row().mr + 1, row().nr + 3, 67, 3}, {2 * row().mr, row().nr, 300, 1}, {1, 7, 1000, 1}}) {
    brgemm_problem p(shape[0], shape[1], shape[2]);
    p.batch = shape[3];
    p.make(values::random, 7);
    auto got = p.run(row()), want = p.run_reference();
    ASSERT_TRUE(got);
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) {
        int64_t at = tpp::element_offset(p.desc.c, i, j);
        double bound = static_cast<double>(shape[2] * shape[3] + 2) * FLT_EPSILON * p.magnitude(i, j);
        ASSERT_NEAR(got->as<float>()[at], want->as<float>()[at], bound)
            << row().name << " " << p.text() << " (" << i << ", " << j << ")";
      }
  }
}

TEST_P(BrgemmTest, RejectsWhatItCannotComputeWithAReason) {
  brgemm_problem vnni(4, 4, 4);
  vnni.desc.b.vnni = 2;
  EXPECT_STREQ(row().reject(&vnni.desc), "takes no VNNI-blocked B");
  brgemm_problem bf16(4, 4, 4);
  bf16.desc.a.type = bf16.desc.b.type = TPP_TYPE_bf16;
  EXPECT_STREQ(row().reject(&bf16.desc), "the kernel is for other types");
  brgemm_problem mixed(4, 4, 4);
  mixed.desc.b.type = TPP_TYPE_i8;
  EXPECT_NE(row().reject(&mixed.desc), nullptr);
}

TEST_P(BrgemmTest, CostGrowsWithEverySize) {
  auto cost = [&](int64_t m, int64_t n, int64_t k) {
    brgemm_problem p(m, n, k);
    return row().cost(&p.desc);
  };
  const int64_t m = 4 * row().mr, n = 4 * row().nr;
  EXPECT_GT(cost(m, n, 64), 0);
  EXPECT_GT(cost(2 * m, n, 64), cost(m, n, 64));
  EXPECT_GT(cost(m, 2 * n, 64), cost(m, n, 64));
  EXPECT_GT(cost(m, n, 128), cost(m, n, 64));
}

// The cost model charges L1 conflict misses when more than eight rows of A map to one L1 set and are read more than twice.
TEST_P(BrgemmTest, CostOfRowsInOneSet) {
  auto cost = [&](int64_t m, int64_t lda) {
    brgemm_problem p(m, 4 * row().nr, 64);
    p.desc.a.ld = lda;
    return row().cost(&p.desc);
  };
  const int64_t mr = row().mr;
  if (mr > 8)
    EXPECT_GT(cost(4 * mr, 1024), 1.02 * cost(4 * mr, 1040));
  else
    EXPECT_EQ(cost(4 * mr, 1024), cost(4 * mr, 1040));
  EXPECT_EQ(cost(2 * mr, 1024), cost(2 * mr, 1040));
}

INSTANTIATE_TEST_SUITE_P(Rows, BrgemmTest, testing::ValuesIn(native_brgemm_rows()), row_name);

} // namespace

// Tests the dot-product path of the native brgemm kernels (brgemm_dots-inl.h). When C has fewer columns than a vector has lanes,
// a kernel may vectorize along K instead of along N; it does so when its cost model says that this is cheaper than tiles. Results
// are compared with the reference on small integers, where they must be equal.
#include "microkernels/brgemm/brgemm_plan.hpp"
#include "microkernels/brgemm_problem.hpp"
#include "support/build_kind.hpp"

#include <array>

using namespace tpp_test;

namespace {

class BrgemmDotsTest : public BrgemmTest {
protected:
  bool takes_dots(const brgemm_problem &p) const {
    tpp::microkernel kernel;
    kernel.desc.brgemm = p.desc;
    row().prepare(&kernel);
    return reinterpret_cast<const tpp::brgemm_plan *>(kernel.state)->dots;
  }
};

TEST_P(BrgemmDotsTest, EverySizeAndForm) {
  uint32_t turn = 0, taken = 0;
  combinations tried;
  for (int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16})
    for (int64_t m : {1, 8, 13, 21, 300})
      for (int64_t k : {0, 1, 63, 64, 257, 1024, 1025, 2100}) {
        // Several blocks of rows with one block of k and, where there are few columns, with two.
        if ((!kernels_are_optimized && m == 300 && k != 63 && (k != 1025 || n > 5)) || tried.leave_out())
          continue;
        brgemm_problem p(m, n, k);
        ++turn;
        p.batch = std::array<int64_t, 5>{1, 2, 1, 0, 3}[turn % 5];
        p.desc.batch_kind = static_cast<int32_t>(turn % 7 % 3);
        p.desc.beta = turn % 11 % 2;
        p.side = turn % 13 % 2 ? guard::before : guard::behind;
        if (turn % 3 == 0)
          p.desc.b = transposed(k + 2);
        if (turn % 2 == 0)
          p.desc.a.ld += 3, p.desc.c.ld += 2;
        p.make(values::small_integers, turn);
        taken += takes_dots(p);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
  EXPECT_GT(taken, 20u);
}

TEST_P(BrgemmDotsTest, PostOps) {
  for (int64_t n : {1, 2, 3, 5, 8, 10})
    for (bool residual : {false, true}) {
      brgemm_problem p(37, n, 1030);
      p.desc.beta = residual ? 0 : 1;
      p.residual_is_c = residual;
      p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_none, plain(p.desc.c.ld)));
      p.add_step(unary_step(TPP_UNARY_relu));
      p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_col, plain(3)));
      p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, plain(n)));
      p.make(values::small_integers, static_cast<uint32_t>(n));
      EXPECT_TRUE(n > 2 || takes_dots(p)) << p.text();
      p.expect_equal(row());
      if (HasFatalFailure())
        return;
    }
}

// A, C or post-op operands in panels rule out the dot-product path. The kernel must fall back to tiles and still be right.
TEST_P(BrgemmDotsTest, FormsThatItDoesNotTake) {
  brgemm_problem a(64, 2, 1024), c(64, 2, 1024), operand(64, 2, 1024);
  EXPECT_TRUE(takes_dots(a));
  a.desc.a = panels(16, 64);
  c.desc.c = panels(1, 64);
  operand.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_none, panels(1, 64)));
  for (brgemm_problem *p : {&a, &c, &operand}) {
    EXPECT_FALSE(takes_dots(*p));
    p->make(values::small_integers, 1);
    p->expect_equal(row());
  }
}

TEST_P(BrgemmDotsTest, ANaNStaysInItsRowAndColumn) {
  brgemm_problem p(20, 3, 100);
  p.make(values::small_integers, 3);
  p.a(5, 99) = std::numeric_limits<float>::quiet_NaN();
  p.b(99, 2) = std::numeric_limits<float>::infinity();
  p.expect_equal(row());
}

INSTANTIATE_TEST_SUITE_P(Rows, BrgemmDotsTest, testing::ValuesIn(native_brgemm_rows()), row_name);

} // namespace

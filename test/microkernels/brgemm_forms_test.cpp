// Compares every native brgemm kernel with the reference for every operand form: loose leading dimensions, misalignment, panels
// of A, B, C and of the residual, transposed operands, overlapping rows of A, non-temporal stores, several uses of B.
#include "microkernels/brgemm_problem.hpp"

using namespace tpp_test;

namespace {

class BrgemmFormsTest : public BrgemmTest {
protected:
  void check(brgemm_problem &p, uint32_t seed) {
    p.make(values::small_integers, seed);
    p.expect_equal(row());
  }
  std::vector<std::pair<int64_t, int64_t>> sizes() const {
    return {{row().mr + 1, row().nr + 3}, {2 * row().mr + 3, 2 * row().nr}, {3, 2 * row().nr + 5}, {row().mr, 37}};
  }
};

TEST_P(BrgemmFormsTest, LooseLeadingDimensions) {
  uint32_t seed = 1;
  for (auto [m, n] : sizes())
    for (int64_t gap : {1, 7, 64}) {
      brgemm_problem p(m, n, 19);
      p.desc.a.ld += gap;
      p.desc.b.ld += gap + 1;
      p.desc.c.ld += gap + 2;
      p.desc.beta = static_cast<int32_t>(seed % 2);
      p.side = seed % 3 ? guard::behind : guard::before;
      check(p, seed++);
      if (HasFatalFailure())
        return;
    }
}

// A buffer that ends at a page and whose size is not a multiple of a vector starts at any multiple of four bytes.
TEST_P(BrgemmFormsTest, MisalignedPointers) {
  for (int64_t n = row().nr; n < row().nr + 16; ++n) {
    brgemm_problem p(row().mr, n, 5);
    check(p, static_cast<uint32_t>(n));
    if (HasFatalFailure())
      return;
  }
}

TEST_P(BrgemmFormsTest, PanelsOfEveryOperand) {
  uint32_t seed = 1;
  for (auto [m, n] : sizes())
    for (int64_t width : {16, 32, 64, 8, 24, 5, 1})
      for (int mask = 1; mask < 16; ++mask) {
        const int64_t k = 37, gap = seed % 4 == 0 ? 3 : 0;
        brgemm_problem p(m, n, k);
        p.batch = 1 + seed % 2;
        if (mask & 1)
          p.desc.a = panels(width, m, gap);
        if (mask & 2)
          p.desc.b = panels(width, k, gap);
        if (mask & 4)
          p.desc.c = panels(width, m, gap);
        p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_none, mask & 8 ? panels(width, m, gap) : plain(n)));
        p.add_step(unary_step(TPP_UNARY_relu));
        check(p, seed++);
        if (HasFatalFailure())
          return;
      }
}

// Non-temporal stores are used where a tile of C consists of whole cache lines. Covers C with and without panels, both ways of
// applying post-ops, and every row tail. Where tiles are not whole lines (partial lines, C not line-aligned) the hint must change
// nothing.
TEST_P(BrgemmFormsTest, StreamingStores) {
  uint32_t seed = 1;
  for (int64_t n : {16, 48, 64, 80, 128, 24, 61})
    for (int64_t m = 1; m <= 2 * row().mr + 1; ++m)
      for (int64_t gap : {0, 16, 4})
        for (int form = 0; form < 3; ++form) {
          brgemm_problem p(m, n, 9);
          p.desc.streaming = 1;
          if (form == 0)
            p.desc.c.ld += gap;
          else
            p.desc.c = panels(form == 1 ? 16 : 32, m, gap);
          p.desc.beta = static_cast<int32_t>(seed % 2);
          p.side = seed % 3 ? guard::behind : guard::before;
          if (seed % 2)
            p.add_step(unary_step(TPP_UNARY_relu));
          if (seed % 4 == 0)
            p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_row, plain(n)));
          check(p, seed++);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(BrgemmFormsTest, PanelsOfDifferentWidths) {
  for (auto [m, n] : sizes()) {
    brgemm_problem p(m, n, 40);
    p.desc.a = panels(16, m);
    p.desc.b = panels(64, 40);
    p.desc.c = panels(48, m);
    p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, panels(10, 1)));
    p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_none, panels(7, m)));
    check(p, 3);
    if (HasFatalFailure())
      return;
  }
}

TEST_P(BrgemmFormsTest, TransposedOperands) {
  for (auto [m, n] : sizes())
    for (int mask = 1; mask < 4; ++mask) {
      brgemm_problem p(m, n, 21);
      if (mask & 1)
        p.desc.a = transposed(m + 2);
      if (mask & 2)
        p.desc.b = transposed(21 + 1);
      check(p, static_cast<uint32_t>(mask));
      if (HasFatalFailure())
        return;
    }
}

// Rows of A overlap as in a convolution: row i starts `stride` elements after row i - 1.
TEST_P(BrgemmFormsTest, OverlappingRowsOfA) {
  for (int64_t stride : {1, 2, 3})
    for (int64_t k : {1, 7, 16}) {
      brgemm_problem p(2 * row().mr + 1, row().nr + 1, k);
      p.desc.a = plain(stride);
      p.batch = 3;
      p.desc.batch_kind = TPP_BATCH_offset;
      check(p, static_cast<uint32_t>(stride + k));
      if (HasFatalFailure())
        return;
    }
}

// Invocations with the same B prefetch shares of what is stored after it: here an inaccessible page. Blocks of B are larger than L1; L2 does not hold two
// of the larger ones.
TEST_P(BrgemmFormsTest, SeveralUsesOfB) {
  const int64_t width = row().nr, longest = (int64_t{1} << 20) / (4 * width);
  uint32_t seed = 1;
  for (int64_t k : {longest / 16, longest})
    for (int64_t m : {int64_t{1}, int64_t{row().mr} + 1, int64_t{3} * row().mr})
      for (int64_t b_use : {int64_t{0}, int64_t{2}, int64_t{-5}, std::numeric_limits<int64_t>::max()}) {
        brgemm_problem p(m, 2 * width, k);
        p.desc.b = panels(width, k);
        p.desc.b_uses = 3;
        p.b_use = b_use;
        check(p, seed++);
        if (HasFatalFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(Rows, BrgemmFormsTest, testing::ValuesIn(native_brgemm_rows()), row_name);

} // namespace

// Tests the post-ops of every native brgemm kernel: each kind with each broadcast, chains, special values, and an operand that
// aliases C.
#include "microkernels/brgemm_problem.hpp"
#include "support/ulps.hpp"

using namespace tpp_test;

namespace {

class BrgemmPostOpsTest : public BrgemmTest {
protected:
  std::vector<std::pair<int64_t, int64_t>> sizes() const { return {{row().mr, row().nr}, {row().mr + 2, row().nr + 3}, {1, 5}}; }
  static tpp_matrix operand_form(int32_t broadcast, int64_t n) {
    return broadcast == TPP_BROADCAST_col ? plain(3) : plain(n + 1);
  }
};

const int32_t broadcasts[] = {TPP_BROADCAST_none, TPP_BROADCAST_row, TPP_BROADCAST_col, TPP_BROADCAST_scalar};

const int32_t binary_kinds[] = {
#define TPP_BINARY_KIND(name, value, formula, special) value,
#include "tpp/kinds.def"
};

TEST_P(BrgemmPostOpsTest, BinaryKindsWithEveryBroadcast) {
  for (auto [m, n] : sizes())
    for (int32_t kind : binary_kinds)
      for (int32_t broadcast : broadcasts) {
        brgemm_problem p(m, n, 9);
        p.desc.beta = 1;
        p.add_step(binary_step(kind, broadcast, operand_form(broadcast, n)));
        p.make(values::small_integers, static_cast<uint32_t>(kind + 10));
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

TEST_P(BrgemmPostOpsTest, ExactUnaryKinds) {
  for (auto [m, n] : sizes())
    for (int32_t kind : {TPP_UNARY_identity, TPP_UNARY_relu})
      for (int64_t batch : {0, 1}) {
        brgemm_problem p(m, n, 9);
        p.batch = batch;
        p.add_step(unary_step(kind));
        p.make(values::small_integers, 3);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

// The argument of the function is exact (a scaled sum of small integers), so any difference from the reference comes from the function alone.
TEST_P(BrgemmPostOpsTest, TranscendentalKindsAreAccurate) {
  for (auto [m, n] : sizes())
    for (int32_t kind : {TPP_UNARY_gelu, TPP_UNARY_gelu_tanh, TPP_UNARY_tanh, TPP_UNARY_sigmoid, TPP_UNARY_silu, TPP_UNARY_exp}) {
      brgemm_problem p(m, n, 40);
      p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_scalar, plain(1)));
      p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, plain(n)));
      p.add_step(unary_step(kind));
      p.make(values::small_integers, 5);
      auto got = p.run(row()), want = p.run_reference();
      ASSERT_TRUE(got);
      const bool fused = std::string(row().target) != "sse4" && std::string(row().target) != "portable";
      for (size_t i = 0; i < want->bytes() / 4; ++i) {
        float x = got->as<float>()[i], y = want->as<float>()[i];
        ASSERT_TRUE(is_accurate(kind, fused, x, y))
            << row().name << " " << p.text() << " element " << i << ": " << x << ", reference " << y;
      }
    }
}

TEST_P(BrgemmPostOpsTest, LongChainsRunInOrder) {
  for (auto [m, n] : sizes()) {
    brgemm_problem p(m, n, 6);
    p.desc.beta = 1;
    p.desc.c = panels(16, m);
    p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, plain(n)));
    p.add_step(unary_step(TPP_UNARY_relu));
    p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_col, plain(1)));
    p.add_step(binary_step(TPP_BINARY_sub, TPP_BROADCAST_none, panels(16, m)));
    p.add_step(binary_step(TPP_BINARY_max, TPP_BROADCAST_scalar, plain(1)));
    p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_none, plain(n)));
    p.add_step(unary_step(TPP_UNARY_relu));
    p.add_step(binary_step(TPP_BINARY_min, TPP_BROADCAST_row, plain(n)));
    p.make(values::small_integers, 6);
    p.expect_equal(row());
    if (HasFatalFailure())
      return;
  }
}

// Scales by column or of all elements, and bounds of all elements, are applied in registers if they come before other long steps.
TEST_P(BrgemmPostOpsTest, ScalesAndBoundsComeFirst) {
  for (auto [m, n] : sizes())
    for (auto scale : {TPP_BROADCAST_row, TPP_BROADCAST_scalar})
      for (auto chain : {std::vector<int32_t>{},
                         {TPP_BINARY_max, TPP_BINARY_min},
                         {TPP_BINARY_min},
                         {TPP_BINARY_max},
                         {TPP_BINARY_mul, TPP_BINARY_min}}) {
        brgemm_problem p(m, n, 6);
        p.desc.beta = 1;
        p.add_step(binary_step(TPP_BINARY_mul, scale, scale == TPP_BROADCAST_row ? panels(16, 1) : plain(1)));
        p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, plain(n)));
        for (int32_t kind : chain)
          p.add_step(binary_step(kind, TPP_BROADCAST_scalar, plain(1)));
        p.add_step(unary_step(TPP_UNARY_relu));
        p.make(values::small_integers, 7);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

TEST_P(BrgemmPostOpsTest, TheResidualMayBeCItself) {
  for (auto [m, n] : sizes())
    for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_sub})
      for (int32_t beta : {0, 1}) {
        brgemm_problem p(m, n, 6);
        p.residual_is_c = true;
        p.desc.beta = beta;
        p.desc.c = plain(n + 1);
        p.add_step(binary_step(kind, TPP_BROADCAST_none, plain(n + 1)));
        p.add_step(unary_step(TPP_UNARY_relu));
        p.make(values::small_integers, 8);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
}

// kinds.def: relu keeps NaN and maps -0 to +0; max and min propagate NaN and order the zeros.
TEST_P(BrgemmPostOpsTest, SpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const float specials[] = {nan, -0.0f, 0.0f, inf, -inf, 1.0f, -1.0f};
  const int count = 7;
  auto bits_equal = [](float x, float y) { return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y); };
  struct step_case {
    tpp_post_op step;
    float (*want)(float, float);
  };
  const auto relu = [](float x, float) { return std::isnan(x) ? x : x > 0 ? x : 0.0f; };
  const auto maximum = [](float x, float y) {
    return std::isnan(x) || std::isnan(y) ? NAN : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y);
  };
  const auto minimum = [](float x, float y) {
    return std::isnan(x) || std::isnan(y) ? NAN : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y);
  };
  const step_case cases[] = {
      {unary_step(TPP_UNARY_relu), relu},
      {binary_step(TPP_BINARY_max, TPP_BROADCAST_row, plain(count)), maximum},
      {binary_step(TPP_BINARY_min, TPP_BROADCAST_row, plain(count)), minimum},
      {binary_step(TPP_BINARY_max, TPP_BROADCAST_scalar, plain(1)), maximum},
      {binary_step(TPP_BINARY_min, TPP_BROADCAST_scalar, plain(1)), minimum},
  };
  for (const step_case &c : cases) {
    // Batch 0 and beta 1: the post-op is applied to C's own values. A kernel may add an empty sum to C, which turns -0 into +0;
    // the check below accepts that.
    tpp_brgemm_desc desc = brgemm_problem(1, count, 1).desc;
    desc.beta = 1;
    desc.post_op_count = 1;
    desc.post_ops[0] = c.step;
    tpp::microkernel kernel{};
    kernel.desc.brgemm = desc;
    ASSERT_EQ(row().reject(&desc), nullptr);
    row().prepare(&kernel);
    for (float x : specials)
      for (int first = 0; first < count; ++first) { // the number, if the operand is one
        std::vector<float> out(count, x), operand(specials + first, specials + count);
        operand.insert(operand.end(), specials, specials + first);
        tpp_args args{};
        args.c = out.data();
        args.post[0] = operand.data();
        kernel.head.entry(&kernel.head, &args);
        for (int j = 0; j < count; ++j) {
          const float y = operand[c.step.broadcast == TPP_BROADCAST_scalar ? 0 : j];
          EXPECT_TRUE(bits_equal(out[j], c.want(x, y)) || (x == 0.0f && std::signbit(x) && out[j] == c.want(0.0f, y)))
              << row().name << " kind " << c.step.kind << ": " << x << ", " << y << " gave " << out[j];
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, BrgemmPostOpsTest, testing::ValuesIn(native_brgemm_rows()), row_name);

} // namespace

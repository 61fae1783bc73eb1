// The log reports each kernel selection: the problem, every candidate with its cost or its reject reason, and a star at the
// selected one.
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

class LogTest : public testing::Test {
protected:
  void SetUp() override {
    tpp_set_log([](void *user, const char *line) { static_cast<LogTest *>(user)->lines.push_back(line); }, this);
  }
  void TearDown() override { tpp_set_log(nullptr, nullptr); }

  std::vector<std::string> starred() const {
    std::vector<std::string> found;
    for (const std::string &line : lines)
      if (line.rfind("  * ", 0) == 0)
        found.push_back(line);
    return found;
  }

  // The cost in ns at the end of a candidate's line.
  static double cost(const std::string &line) { return std::stod(line.substr(line.find_last_of(' ', line.size() - 4))); }

  // The cost of candidate `name`; NaN if it is rejected or none.
  double cost_of(const std::string &name, const tpp_brgemm_desc &desc) {
    lines.clear();
    tpp::kernel kernel;
    EXPECT_EQ(TPP_STATUS_OK, tpp::dispatch(desc, kernel)) << tpp_last_error();
    for (const std::string &line : lines)
      if (line.find(name) != std::string::npos && line.find("rejected: ") == std::string::npos)
        return cost(line);
    return std::nan("");
  }

  std::vector<std::string> lines;
};

TEST_F(LogTest, ListsEveryCandidateAndStarsTheCheapest) {
  const tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 31, 47, 61);
  tpp::kernel kernel;
  ASSERT_EQ(TPP_STATUS_OK, tpp::dispatch(desc, kernel)) << tpp_last_error();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ("brgemm 31x47x61 f32(ld 61) * f32(ld 47) -> f32(ld 47) beta 0 batch stride 7564 11468", lines[0]);
  ASSERT_EQ(1u, starred().size());
  EXPECT_NE(std::string::npos, starred()[0].find(kernel.name())) << starred()[0];
  // The star marks the smallest cost of all lines.
  bool reference_listed = false;
  for (size_t i = 1; i < lines.size(); ++i) {
    reference_listed |= lines[i].find("tpp_uk_brgemm_reference") != std::string::npos;
    if (lines[i].find("rejected: ") == std::string::npos) {
      EXPECT_LE(cost(starred()[0]), cost(lines[i])) << lines[i];
    }
  }
  EXPECT_TRUE(reference_listed);

  const size_t after_miss = lines.size();
  ASSERT_EQ(TPP_STATUS_OK, tpp::dispatch(desc, kernel));
  EXPECT_EQ(after_miss, lines.size()) << "a hit logs nothing";
}

TEST_F(LogTest, TellsRejections) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 31, 48, 61);
  desc.b = tpp::panelled(TPP_TYPE_f32, 16, 16 * 61);
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_gelu));
  tpp::kernel kernel;
  ASSERT_EQ(TPP_STATUS_OK, tpp::dispatch(desc, kernel)) << tpp_last_error();
  EXPECT_EQ(
      "brgemm 31x48x61 f32(ld 61) * f32(ld 16, panels of 16 every 976) -> f32(ld 48) beta 0 batch stride 7564 11712 | add row "
      "f32(ld 48) | gelu",
      lines[0]);
  if (TPP_TEST_HAS_XSMM) {
    bool told = false;
    for (const std::string &line : lines)
      told |= line.find("xsmm_brgemm_f32f32f32_stride") != std::string::npos &&
              line.find("rejected: libxsmm has no post-ops") != std::string::npos;
    EXPECT_TRUE(told);
  }
}

// libxsmm loses up to a third of its speed to L1 conflict misses, and the cost model charges for them: for rows of B that map to
// few L1 sets, more if they map to fewer sets; and for rows of A when the last column tile is narrow and therefore has many rows.
TEST_F(LogTest, LibxsmmPaysForRowsInFewSets) {
  if (!TPP_TEST_HAS_XSMM)
    GTEST_SKIP() << "built without libxsmm";
  tpp_machine machine = {};
  machine.struct_size = sizeof machine;
  ASSERT_EQ(TPP_STATUS_OK, tpp_find_machine("zen5", &machine)); // whose L1 has 64 sets of 12 ways
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine));
  const auto xsmm_cost = [&](int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, m, n, k);
    desc.a.ld = lda, desc.a_batch_stride = m * lda * 4;
    desc.b.ld = ldb, desc.b_batch_stride = k * ldb * 4;
    const double ns = cost_of("xsmm_brgemm_f32f32f32_stride", desc);
    EXPECT_FALSE(std::isnan(ns)) << "libxsmm is no candidate";
    return ns;
  };
  for (int64_t k : {600, 777}) {
    const auto of_b = [&](int64_t m, int64_t ldb) { return xsmm_cost(m, 64, k, k, ldb); };
    const double apart = of_b(167, 1040);
    // Leading dimensions by the number of sets that the rows map to, from the fewest: next to whole pages (4096 bytes), to half
    // pages, to quarters of pages, to no such part. Their costs fall in this order; the last charges nothing.
    double least_of_fewer = HUGE_VAL;
    for (const auto &lds : {std::vector<int64_t>{1023, 1024, 1025, 2049}, {511, 512, 513}}) {
      double least = HUGE_VAL;
      for (int64_t ld : lds) {
        const double ns = of_b(167, ld);
        EXPECT_TRUE(apart < ns && ns < least_of_fewer) << ld << ": " << ns << ", " << apart << ", " << least_of_fewer;
        least = std::min(least, ns);
      }
      least_of_fewer = least;
    }
    for (int64_t quarter : {256, 768, 1280}) {
      const double ns = of_b(167, quarter);
      EXPECT_TRUE(apart <= ns && ns < least_of_fewer) << quarter << ": " << ns << ", " << apart << ", " << least_of_fewer;
    }
    for (int64_t spread : {384, 520, 528, 777, 1000, 1056})
      EXPECT_EQ(of_b(167, spread), apart) << spread;
    EXPECT_EQ(of_b(6, 1025), of_b(6, 1040)) << "six rows of C read B once";
  }
  EXPECT_GT(xsmm_cost(167, 200, 600, 1024, 200), xsmm_cost(167, 200, 600, 1040, 200));
  EXPECT_EQ(xsmm_cost(167, 192, 600, 1024, 192), xsmm_cost(167, 192, 600, 1040, 192)) << "whole tiles have few rows";
  tpp_set_machine(nullptr);
}

// Dot products of some CPUs take longer than multiply-adds.
TEST_F(LogTest, LibxsmmPaysForSlowDotProducts) {
  if (!TPP_TEST_HAS_XSMM)
    GTEST_SKIP() << "built without libxsmm";
  tpp_machine machine = {};
  machine.struct_size = sizeof machine;
  ASSERT_EQ(TPP_STATUS_OK, tpp_find_machine("avx512", &machine));
  int64_t rows = 200; // other ones in each call: selections are logged once
  const auto xsmm_cost = [&](int32_t a, int32_t b, int32_t c, int64_t group, const char *name, double per_cycle) {
    machine.bf16_dot_per_cycle = machine.i8_dot_per_cycle = per_cycle;
    EXPECT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine));
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, ++rows, 64, 512);
    desc.a.type = a, desc.b.type = b, desc.c.type = c;
    desc.b.vnni = group, desc.b.ld = 64 * group;
    const double ns = cost_of(name, desc);
    tpp_set_machine(nullptr);
    return ns;
  };
  const auto of_bytes = [&](double per_cycle) {
    return xsmm_cost(TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32, 4, "xsmm_brgemm_u8i8i32_stride", per_cycle);
  };
  const double fast = of_bytes(2);
  if (std::isnan(fast))
    GTEST_SKIP() << "this machine has no AVX512-VNNI";
  EXPECT_GT(of_bytes(0.5), 3 * fast);
#if defined(__x86_64__)
  const auto of_bf16 = [&](double per_cycle) {
    return xsmm_cost(TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_f32, 2, "xsmm_brgemm_bf16bf16f32_stride", per_cycle);
  };
  const double of_fast = of_bf16(2);
  if (__builtin_cpu_supports("avx512bf16")) {
    EXPECT_GT(of_bf16(0.5), 3 * of_fast);
  } else {
    EXPECT_EQ(of_bf16(0.5), of_fast) << "elements are widened for multiply-adds";
  }
#endif
}

TEST_F(LogTest, FailedSelectionHasNoStar) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f64, 3, 3, 3);
  tpp::kernel kernel;
  EXPECT_EQ(TPP_STATUS_UNSUPPORTED, tpp::dispatch(desc, kernel));
  EXPECT_FALSE(lines.empty());
  EXPECT_TRUE(starred().empty());
  EXPECT_EQ(0, std::string(tpp_last_error()).rfind("no kernel for brgemm 3x3x3 f64(ld 3) * f64(ld 3) -> f64(ld 3)", 0))
      << tpp_last_error();
}

TEST_F(LogTest, MayDispatchItself) {
  static int depth = 0;
  tpp_set_log(
      [](void *, const char *) {
        if (depth++ > 0)
          return;
        tpp::kernel inner;
        EXPECT_EQ(TPP_STATUS_OK, tpp::dispatch(tpp::brgemm(TPP_TYPE_f32, 37, 3, 3), inner));
      },
      nullptr);
  tpp::kernel kernel;
  EXPECT_EQ(TPP_STATUS_OK, tpp::dispatch(tpp::brgemm(TPP_TYPE_f32, 38, 3, 3), kernel));
  EXPECT_GT(depth, 1);
}

} // namespace

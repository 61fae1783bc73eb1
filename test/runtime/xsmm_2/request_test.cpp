// Checks the provider's requests to libxsmm 2.x beyond what results show: output muted, no unrolling or prefetching requested,
// and a refusal reported.
#include "stand_in.hpp"
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>
#include <string.h>

namespace {

tpp_brgemm_desc f32_problem(int64_t m, int64_t n, int64_t k) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, m, n, k);
  desc.provider = TPP_PROVIDER_xsmm;
  return desc;
}

TEST(XsmmRequestTest, SwapsTheOperands) {
  tpp_brgemm_desc desc = f32_problem(21, 32, 43);
  desc.a.ld = 45;
  desc.b.ld = 37;
  desc.c.ld = 39;
  desc.a_batch_stride = 4 * 21 * 45;
  desc.b_batch_stride = 4 * 43 * 37;
  const tpp_kernel *kernel = nullptr;
  ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  const stand_in::request &asked = stand_in::granted.back();
  EXPECT_EQ(32, asked.shape.m);
  EXPECT_EQ(21, asked.shape.n);
  EXPECT_EQ(43, asked.shape.k);
  EXPECT_EQ(37, asked.shape.lda);
  EXPECT_EQ(45, asked.shape.ldb);
  EXPECT_EQ(39, asked.shape.ldc);
  EXPECT_EQ(LIBXSMM_GEMM_BATCH_REDUCE_STRIDE, asked.batch.br_type);
  EXPECT_EQ(4 * 43 * 37, asked.batch.br_stride_a_hint);
  EXPECT_EQ(4 * 21 * 45, asked.batch.br_stride_b_hint);
  EXPECT_EQ(0, asked.batch.br_unroll_hint); // 0: the batch count is an argument of the call
  EXPECT_EQ(unsigned{LIBXSMM_GEMM_FLAG_BETA_0}, asked.flags);
  EXPECT_EQ(unsigned{LIBXSMM_GEMM_PREFETCH_NONE}, asked.prefetch);
}

TEST(XsmmRequestTest, InitializesOnceAndMutes) {
  tpp_brgemm_desc desc = f32_problem(22, 32, 43);
  for (int64_t m = 22; m < 25; ++m) {
    desc.m = m;
    const tpp_kernel *kernel = nullptr;
    ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  }
  EXPECT_EQ(1, stand_in::initializations);
  EXPECT_EQ(0, stand_in::verbosity);
}

TEST(XsmmRequestTest, ReportsARefusal) {
  const tpp_brgemm_desc desc = f32_problem(26, 32, 43);
  const tpp_kernel *kernel = nullptr;
  stand_in::refuses = true;
  const tpp_status status = tpp_dispatch_brgemm(&desc, &kernel);
  stand_in::refuses = false;
  EXPECT_EQ(TPP_STATUS_UNSUPPORTED, status);
  EXPECT_NE(nullptr, strstr(tpp_last_error(), "libxsmm could not compile it")) << tpp_last_error();
}

} // namespace

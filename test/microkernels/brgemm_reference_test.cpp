// Tests the brgemm reference against results computed by hand: types, rounding, VNNI, reject reasons. All kernels are compared
// with this reference.
#include "microkernels/brgemm/brgemm.hpp"
#include "microkernels/brgemm_problem.hpp"
#include "microkernels/common/scalar.hpp"

using namespace tpp_test;

namespace {

tpp_brgemm_desc shape(int64_t m, int64_t n, int64_t k) { return brgemm_problem(m, n, k).desc; }

TEST(BrgemmReferenceTest, MultipliesByHand) {
  float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 0, 3}, c[] = {10, 20, 30, 40};
  tpp_brgemm_desc desc = shape(2, 2, 3);
  desc.beta = 1;
  tpp_args args{};
  args.a = a, args.b = b, args.c = c, args.batch = 1;
  tpp::brgemm_reference(desc, args);
  EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{15, 31, 44, 63}));
}

TEST(BrgemmReferenceTest, SumsBf16InFloatAndRoundsOnceToEven) {
  // 256 + 1 is halfway between the bf16 values 256 and 258; ties to even gives 256. 256 + 3 is halfway between 258 and 260; ties
  // to even gives 260.
  for (auto [addend, want] : {std::pair<float, float>{1, 256}, {3, 260}}) {
    uint16_t a[] = {tpp::bf16_from_float(256), tpp::bf16_from_float(addend)}, one = tpp::bf16_from_float(1), b[] = {one, one},
             c = 0;
    tpp_brgemm_desc desc = shape(1, 1, 2);
    desc.a.type = desc.b.type = desc.c.type = TPP_TYPE_bf16;
    ASSERT_EQ(tpp::brgemm_reject_reason(desc), nullptr);
    tpp_args args{};
    args.a = a, args.b = b, args.c = &c, args.batch = 1;
    tpp::brgemm_reference(desc, args);
    EXPECT_EQ(tpp::float_from_bf16(c), want);
  }
}

TEST(BrgemmReferenceTest, TakesVnniBlockedB) {
  // k = 3 in VNNI groups of two rows. The second row of the last group must not be read.
  tpp_brgemm_desc desc = shape(1, 2, 3);
  desc.b.vnni = 2;
  desc.b.ld = 4;
  float a[] = {1, 10, 100}, b[] = {1, 3, 2, 4, /* second group */ 5, NAN, 6, NAN}, c[2] = {};
  tpp_args args{};
  args.a = a, args.b = b, args.c = c, args.batch = 1;
  tpp::brgemm_reference(desc, args);
  EXPECT_EQ(c[0], 531);
  EXPECT_EQ(c[1], 642);
}

TEST(BrgemmReferenceTest, MultipliesIntegersOfBothSigns) {
  uint8_t a[] = {255, 1};
  int8_t b[] = {-128, 127}, signed_a[] = {-1, 2};
  int32_t c = 7;
  tpp_brgemm_desc desc = shape(1, 1, 2);
  desc.a.type = TPP_TYPE_u8, desc.b.type = TPP_TYPE_i8, desc.c.type = TPP_TYPE_i32;
  desc.beta = 1;
  ASSERT_EQ(tpp::brgemm_reject_reason(desc), nullptr);
  tpp_args args{};
  args.a = a, args.b = b, args.c = &c, args.batch = 1;
  tpp::brgemm_reference(desc, args);
  EXPECT_EQ(c, 7 - 255 * 128 + 127);
  desc.a.type = TPP_TYPE_i8;
  desc.beta = 0;
  args.a = signed_a;
  tpp::brgemm_reference(desc, args);
  EXPECT_EQ(c, 128 + 254);
}

TEST(BrgemmReferenceTest, RejectsWithReasons) {
  tpp_brgemm_desc mixed = shape(1, 1, 1);
  mixed.b.type = TPP_TYPE_bf16;
  EXPECT_STREQ(
      tpp::brgemm_reject_reason(mixed),
      "brgemm takes f32*f32 to f32, bf16*bf16 to f32 or bf16, f16*f16 to f32 or f16, and i8 or u8 times i8 or u8 to i32 (after "
      "convert to f32, bf16, f16, i8 or u8)");
  tpp_brgemm_desc unary = shape(1, 1, 1);
  unary.post_op_count = 1;
  unary.post_ops[0] = unary_step(TPP_UNARY_transpose);
  EXPECT_STREQ(tpp::brgemm_reject_reason(unary), "a unary post-op must be an activation");
  tpp_brgemm_desc c = shape(1, 1, 1);
  c.c.vnni = 2;
  EXPECT_STREQ(tpp::brgemm_reject_reason(c), "C cannot be VNNI-blocked");
}

} // namespace

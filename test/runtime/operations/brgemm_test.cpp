// Every rule that a descriptor of brgemm can break.
#include "bad_descriptors.hpp"

#include <climits>

namespace {

using namespace validation;

tpp_brgemm_desc good_brgemm() {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_relu));
  return desc;
}

// Callers that were built when descriptors had room for 8 post-ops.
TEST(BrgemmValidationTest, TakesDescriptorsOfTheFirstVersion) {
  tpp_brgemm_desc desc = good_brgemm(), first = desc;
  first.struct_size = offsetof(tpp_brgemm_desc, post_ops) + 8 * sizeof(tpp_post_op);
  ASSERT_EQ(first.struct_size, 552U);
  memset(reinterpret_cast<char *>(&first) + first.struct_size, 0x5a, sizeof first - first.struct_size); // not the caller's memory
  const tpp_kernel *kernel = nullptr, *same = nullptr;
  ASSERT_EQ(tpp_dispatch_brgemm(&desc, &kernel), TPP_STATUS_OK);
  ASSERT_EQ(tpp_dispatch_brgemm(&first, &same), TPP_STATUS_OK);
  EXPECT_EQ(kernel, same);
  first.post_op_count = 9;
  EXPECT_EQ(tpp_dispatch_brgemm(&first, &same), TPP_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(tpp_last_error(), "post_op_count is 9, must be 0 to 8");
}

TEST(BrgemmValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_brgemm_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 0, this version knows 936", [](d &x) { x.struct_size = 0; }},
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 18446744073709551615, this version knows 936",
       [](d &x) { x.struct_size = SIZE_MAX; }},
      {TPP_STATUS_INVALID_SIZE, "m is -1, must not be negative", [](d &x) { x.m = -1; }},
      {TPP_STATUS_INVALID_SIZE, "n is -16, must not be negative", [](d &x) { x.n = -16; }},
      {TPP_STATUS_INVALID_SIZE, "k is -9223372036854775808, must not be negative", [](d &x) { x.k = INT64_MIN; }},
      {TPP_STATUS_UNKNOWN_KIND, "a.type 99 is unknown", [](d &x) { x.a.type = 99; }},
      {TPP_STATUS_UNKNOWN_KIND, "b.type -1 is unknown", [](d &x) { x.b.type = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "c.type 7 is unknown", [](d &x) { x.c.type = 7; }},
      {TPP_STATUS_INVALID_ARGUMENT, "b.vnni is 2, must be 0, 1 or as many f32 as 4 bytes hold", [](d &x) { x.b.vnni = 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "a.vnni is -2, must be 0, 1 or as many f32 as 4 bytes hold", [](d &x) { x.a.vnni = -2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "b.vnni is 3, must be 0, 1 or as many i8 as 4 bytes hold",
       [](d &x) {
         x.b.type = TPP_TYPE_i8;
         x.b.vnni = 3;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "b.vnni is 2147483647, must be 0, 1 or as many bf16 as 4 bytes hold",
       [](d &x) {
         x.b.type = TPP_TYPE_bf16;
         x.b.vnni = INT_MAX;
       }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.ld is 0, must be at least 1", [](d &x) { x.a.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "b.ld is -16, must be at least 1", [](d &x) { x.b.ld = -16; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.ld is 15, must be at least 16: rows of an output must not overlap",
       [](d &x) { x.c.ld = 15; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.ld is 7, must be at least 8: rows of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 7, 8, 64}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.panel is -4, must not be negative", [](d &x) { x.a.panel = -4; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.panel_stride is 0, must be at least 1", [](d &x) { x.a.panel = 4; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "b.panel_stride is -128, must be at least 1",
       [](d &x) { x.b = {TPP_TYPE_f32, 0, 8, 8, -128}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.panel_stride is 31, must be at least 32: panels of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 8, 8, 31}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.panel_stride is 8, must be at least 53: panels of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 15, 8, 8}; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit in 63 bits", [](d &x) { x.a.ld = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit in 63 bits", [](d &x) { x.m = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit in 63 bits", [](d &x) { x.k = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of b does not fit in 63 bits", [](d &x) { x.n = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of b does not fit in 63 bits", [](d &x) { x.b = {TPP_TYPE_f32, 0, 8, 8, INT64_MAX}; }},
      {TPP_STATUS_OVERFLOW, "the extent of c does not fit in 63 bits", [](d &x) { x.c.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of a_batch_stride does not fit in 63 bits",
       [](d &x) { x.a_batch_stride = INT64_MAX - 3; }},
      {TPP_STATUS_OVERFLOW, "the extent of b_batch_stride does not fit in 63 bits", [](d &x) { x.b_batch_stride = INT64_MIN; }},
      {TPP_STATUS_INVALID_ARGUMENT, "a_batch_stride is 130, not a multiple of the element's 4 bytes",
       [](d &x) { x.a_batch_stride = 130; }},
      {TPP_STATUS_UNKNOWN_KIND, "batch_kind 3 is unknown", [](d &x) { x.batch_kind = 3; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is 2, must be 0 or 1", [](d &x) { x.beta = 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is -1, must be 0 or 1", [](d &x) { x.beta = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "streaming is -1, must be 0 or 1", [](d &x) { x.streaming = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "b_uses is -1, must be at least 0", [](d &x) { x.b_uses = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 4 is unknown", [](d &x) { x.provider = 4; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is 17, must be 0 to 16", [](d &x) { x.post_op_count = 17; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -1, must be 0 to 16", [](d &x) { x.post_op_count = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -2147483648, must be 0 to 16", [](d &x) { x.post_op_count = INT_MIN; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].op_class 2 is unknown", [](d &x) { x.post_ops[0].op_class = 2; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0]: binary kind 77 is unknown", [](d &x) { x.post_ops[0].kind = 77; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0]: broadcast 4 is unknown", [](d &x) { x.post_ops[0].broadcast = 4; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].form.type 50 is unknown", [](d &x) { x.post_ops[0].form.type = 50; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_ops[0].form.ld is -3, must be at least 1",
       [](d &x) { x.post_ops[0].form.ld = -3; }},
      {TPP_STATUS_OVERFLOW, "the extent of post_ops[0].form does not fit in 63 bits",
       [](d &x) {
         x.post_ops[0].broadcast = TPP_BROADCAST_col;
         x.post_ops[0].form.ld = huge;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_ops[1].reserved is 1, must be 0", [](d &x) { x.post_ops[1].reserved = 1; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[1]: unary kind -5 is unknown", [](d &x) { x.post_ops[1].kind = -5; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_ops[1]: transpose is not an activation",
       [](d &x) { x.post_ops[1].kind = TPP_UNARY_transpose; }},
  };
  expect_failures(good_brgemm(), tpp_dispatch_brgemm, cases);
}

} // namespace

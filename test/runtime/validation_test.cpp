// Every rule that a descriptor can break, with its status and its error text. No content of the structures may crash the library.
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <limits>

extern "C" const char *tpp_status_text_from_c(int status); // headers.c

namespace {

constexpr int64_t huge = int64_t{1} << 62;

template <typename Desc> struct bad {
  tpp_status status;
  const char *message;
  void (*change)(Desc &);
};

template <typename Desc, typename Dispatch, size_t N>
void expect_failures(const Desc &good, Dispatch dispatch, const bad<Desc> (&cases)[N]) {
  const tpp_kernel *kernel = nullptr;
  ASSERT_EQ(TPP_STATUS_OK, dispatch(&good, &kernel)) << tpp_last_error();
  ASSERT_NE(nullptr, kernel);
  for (const auto &each : cases) {
    Desc desc = good;
    each.change(desc);
    kernel = reinterpret_cast<const tpp_kernel *>(&desc);
    EXPECT_EQ(each.status, dispatch(&desc, &kernel)) << each.message;
    EXPECT_EQ(nullptr, kernel) << each.message;
    EXPECT_STREQ(each.message, tpp_last_error());
  }
}

tpp_brgemm_desc good_brgemm() {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_relu));
  return desc;
}

TEST(BrgemmValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_brgemm_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 0, this version knows 552", [](d &x) { x.struct_size = 0; }},
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 18446744073709551615, this version knows 552",
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
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.ld is 0, needs at least 1", [](d &x) { x.a.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "b.ld is -16, needs at least 1", [](d &x) { x.b.ld = -16; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.ld is 15, needs at least 16: rows of an output must not overlap",
       [](d &x) { x.c.ld = 15; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.ld is 7, needs at least 8: rows of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 7, 8, 64}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.panel is -4, must not be negative", [](d &x) { x.a.panel = -4; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "a.panel_stride is 0, needs at least 1", [](d &x) { x.a.panel = 4; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "b.panel_stride is -128, needs at least 1",
       [](d &x) { x.b = {TPP_TYPE_f32, 0, 8, 8, -128}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.panel_stride is 31, needs at least 32: panels of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 8, 8, 31}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "c.panel_stride is 8, needs at least 53: panels of an output must not overlap",
       [](d &x) { x.c = {TPP_TYPE_f32, 0, 15, 8, 8}; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit 63 bits", [](d &x) { x.a.ld = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit 63 bits", [](d &x) { x.m = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of a does not fit 63 bits", [](d &x) { x.k = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of b does not fit 63 bits", [](d &x) { x.n = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of b does not fit 63 bits", [](d &x) { x.b = {TPP_TYPE_f32, 0, 8, 8, INT64_MAX}; }},
      {TPP_STATUS_OVERFLOW, "the extent of c does not fit 63 bits", [](d &x) { x.c.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of a_batch_stride does not fit 63 bits", [](d &x) { x.a_batch_stride = INT64_MAX - 3; }},
      {TPP_STATUS_OVERFLOW, "the extent of b_batch_stride does not fit 63 bits", [](d &x) { x.b_batch_stride = INT64_MIN; }},
      {TPP_STATUS_INVALID_ARGUMENT, "a_batch_stride is 130, not a multiple of the element's 4 bytes",
       [](d &x) { x.a_batch_stride = 130; }},
      {TPP_STATUS_UNKNOWN_KIND, "batch_kind 3 is unknown", [](d &x) { x.batch_kind = 3; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is 2, must be 0 or 1", [](d &x) { x.beta = 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is -1, must be 0 or 1", [](d &x) { x.beta = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "streaming is -1, must be 0 or 1", [](d &x) { x.streaming = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is 1, must be 0", [](d &x) { x.reserved = 1; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 4 is unknown", [](d &x) { x.provider = 4; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is 9, must be 0 to 8", [](d &x) { x.post_op_count = 9; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -1, must be 0 to 8", [](d &x) { x.post_op_count = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -2147483648, must be 0 to 8", [](d &x) { x.post_op_count = INT_MIN; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].op_class 2 is unknown", [](d &x) { x.post_ops[0].op_class = 2; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0]: binary kind 77 is unknown", [](d &x) { x.post_ops[0].kind = 77; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0]: broadcast 4 is unknown", [](d &x) { x.post_ops[0].broadcast = 4; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].form.type 50 is unknown", [](d &x) { x.post_ops[0].form.type = 50; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_ops[0].form.ld is -3, needs at least 1",
       [](d &x) { x.post_ops[0].form.ld = -3; }},
      {TPP_STATUS_OVERFLOW, "the extent of post_ops[0].form does not fit 63 bits",
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

TEST(UnaryValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_unary_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 103, this version knows 112", [](d &x) { x.struct_size = 103; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "unary kind 1000 is unknown", [](d &x) { x.kind = 1000; }},
      {TPP_STATUS_UNKNOWN_KIND, "in: broadcast -1 is unknown", [](d &x) { x.broadcast = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider -1 is unknown", [](d &x) { x.provider = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "streaming is 5, must be 0 or 1", [](d &x) { x.streaming = 5; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_UNKNOWN_KIND, "out.type 20 is unknown", [](d &x) { x.out.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in.ld is 0, needs at least 1", [](d &x) { x.in.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 5, needs at least 6: rows of an output must not overlap",
       [](d &x) { x.out.ld = 5; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 7, needs at least 8: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_f32, 0, 2, 2, 7}; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 7, needs at least 8: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_bf16, 2, 4, 2, 7}; }},
      {TPP_STATUS_OVERFLOW, "the extent of out does not fit 63 bits", [](d &x) { x.out.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
      {TPP_STATUS_INVALID_ARGUMENT, "transpose takes no broadcast, got row",
       [](d &x) {
         x.kind = TPP_UNARY_transpose;
         x.broadcast = TPP_BROADCAST_row;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "alpha is 0.5, must be finite for leaky_relu and 0 for other kinds",
       [](d &x) { x.alpha = 0.5f; }},
      {TPP_STATUS_INVALID_ARGUMENT, "alpha is inf, must be finite for leaky_relu and 0 for other kinds",
       [](d &x) {
         x.kind = TPP_UNARY_leaky_relu;
         x.alpha = std::numeric_limits<float>::infinity();
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is 1, must be 0", [](d &x) { x.reserved = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "vnni_pack makes out.vnni of 2 or 4 from in.vnni of 0 or 1, got 0 from 0",
       [](d &x) { x.kind = TPP_UNARY_vnni_pack; }},
      {TPP_STATUS_INVALID_ARGUMENT, "transpose keeps the element type, got f32 -> i32",
       [](d &x) {
         x.kind = TPP_UNARY_transpose;
         x.out.type = TPP_TYPE_i32;
       }},
      {TPP_STATUS_INVALID_ARGUMENT, "identity keeps the element type, got bf16 -> f32",
       [](d &x) {
         x.kind = TPP_UNARY_identity;
         x.in.type = TPP_TYPE_bf16;
       }},
  };
  expect_failures(tpp::unary(TPP_UNARY_relu, TPP_TYPE_f32, 4, 6), tpp_dispatch_unary, cases);
}

TEST(BinaryValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_binary_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 104, this version knows 136", [](d &x) { x.struct_size = 104; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "binary kind 6 is unknown", [](d &x) { x.kind = 6; }},
      {TPP_STATUS_UNKNOWN_KIND, "in0: broadcast 9 is unknown", [](d &x) { x.broadcast0 = 9; }},
      {TPP_STATUS_UNKNOWN_KIND, "in1: broadcast 9 is unknown", [](d &x) { x.broadcast1 = 9; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 100 is unknown", [](d &x) { x.provider = 100; }},
      {TPP_STATUS_UNKNOWN_KIND, "in0.type 20 is unknown", [](d &x) { x.in0.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in1.ld is 0, needs at least 1", [](d &x) { x.in1.ld = 0; }},
      {TPP_STATUS_OVERFLOW, "the extent of in1 does not fit 63 bits", [](d &x) { x.in1.ld = INT64_MAX; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 1, needs at least 6: rows of an output must not overlap",
       [](d &x) { x.out.ld = 1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 3, needs at least 4: panels of an output must not overlap",
       [](d &x) { x.out = {TPP_TYPE_f32, 0, 1, 1, 3}; }},
  };
  expect_failures(tpp::binary(TPP_BINARY_add, TPP_TYPE_f32, 4, 6), tpp_dispatch_binary, cases);
}

TEST(ReduceValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_reduce_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 1, this version knows 104", [](d &x) { x.struct_size = 1; }},
      {TPP_STATUS_INVALID_SIZE, "m is -4, must not be negative", [](d &x) { x.m = -4; }},
      {TPP_STATUS_INVALID_SIZE, "n is -1, must not be negative", [](d &x) { x.n = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "reduce kind 2 is unknown", [](d &x) { x.kind = 2; }},
      {TPP_STATUS_UNKNOWN_KIND, "axis 2 is unknown", [](d &x) { x.axis = 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "beta is 7, must be 0 or 1", [](d &x) { x.beta = 7; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 100 is unknown", [](d &x) { x.provider = 100; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 0, needs at least 1", [](d &x) { x.out.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.panel_stride is 1, needs at least 2: panels of an output must not overlap",
       [](d &x) {
         x.axis = TPP_REDUCE_over_rows;
         x.out = {TPP_TYPE_f32, 0, 2, 2, 1};
       }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
  };
  expect_failures(tpp::reduce(TPP_REDUCE_sum, TPP_REDUCE_over_cols, TPP_TYPE_f32, 4, 6), tpp_dispatch_reduce, cases);
}

TEST(ValidationTest, NullPointers) {
  tpp_brgemm_desc desc = good_brgemm();
  const tpp_kernel *kernel = reinterpret_cast<const tpp_kernel *>(&desc);
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_dispatch_brgemm(nullptr, &kernel));
  EXPECT_EQ(nullptr, kernel);
  EXPECT_STREQ("desc is null", tpp_last_error());
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_dispatch_brgemm(&desc, nullptr));
  EXPECT_STREQ("kernel is null", tpp_last_error());
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_dispatch_unary(nullptr, nullptr));
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_dispatch_binary(nullptr, nullptr));
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_dispatch_reduce(nullptr, nullptr));
  EXPECT_EQ(nullptr, tpp_kernel_name(nullptr));
  EXPECT_EQ(TPP_PROVIDER_auto, tpp_kernel_provider(nullptr));
}

// Must be accepted: any value in a field without meaning.
TEST(ValidationTest, IgnoresWhatHasNoMeaning) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
  memset(desc.post_ops, 0xff, sizeof desc.post_ops); // beyond post_op_count
  desc.batch_kind = TPP_BATCH_offset;
  desc.a_batch_stride = desc.b_batch_stride = INT64_MIN;                       // unused: the batch is not by stride
  desc.a.panel_stride = desc.b.panel_stride = desc.c.panel_stride = INT64_MIN; // unused: no panels
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();

  tpp_unary_desc zero = tpp::unary(TPP_UNARY_zero, TPP_TYPE_f32, 3, 5);
  memset(&zero.in, 0xff, sizeof zero.in); // never read
  zero.broadcast = 77;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_unary(&zero, &kernel)) << tpp_last_error();
}

TEST(ValidationTest, AcceptsEveryWayToLayOutAnOutput) {
  const tpp_matrix forms[] = {
      {TPP_TYPE_f32, 0, 16, 0, 0},   // plain
      {TPP_TYPE_f32, 1, 16, 16, 0},  // one panel
      {TPP_TYPE_f32, 0, 8, 8, 32},   // panels one after the other
      {TPP_TYPE_f32, 0, 40, 8, 20},  // panels side by side in a row, with a gap
      {TPP_TYPE_f32, 0, 1, 1, 4},    // column-major
      {TPP_TYPE_f32, 0, 13, 5, 100}, // a partial last panel
  };
  for (const tpp_matrix &form : forms) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
    desc.c = form;
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  }
}

TEST(StatusTest, EveryStatusHasAText) {
#define TPP_STATUS(NAME, value, text) EXPECT_STREQ(text, tpp_status_text(TPP_STATUS_##NAME));
#include "tpp/kinds.def"
  EXPECT_STREQ("unknown status", tpp_status_text_from_c(12345));
}

TEST(StatusTest, VersionIsTheHeaders) { EXPECT_EQ(TPP_ABI_VERSION, tpp_abi_version()); }

} // namespace

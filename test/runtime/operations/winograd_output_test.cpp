// Every rule that a descriptor of winograd_output can break, and the canonical form.
#include "bad_descriptors.hpp"

namespace {

using namespace validation;

static_assert(sizeof(tpp_winograd_output_desc) == 136 + (sizeof(tpp_post_op) + 8) * TPP_MAX_POST_OPS,
              "tpp_winograd_output_desc has no padding");

// Two tiles in the plain layouts, with a bias, a residual and relu.
tpp_winograd_output_desc good_output() {
  tpp_winograd_output_desc desc = tpp::winograd_output(4, 2, 8);
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::binary_step(TPP_BINARY_add, TPP_BROADCAST_none, tpp::plain(TPP_TYPE_f32, 8)), 64);
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_relu));
  return desc;
}

TEST(WinogradOutputValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_winograd_output_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 1, this version knows 1032", [](d &x) { x.struct_size = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "tile is 6, must be 2 or 4", [](d &x) { x.tile = 6; }},
      {TPP_STATUS_INVALID_SIZE, "tiles is -1, must not be negative", [](d &x) { x.tiles = -1; }},
      {TPP_STATUS_INVALID_SIZE, "channels is -8, must not be negative", [](d &x) { x.channels = -8; }},
      {TPP_STATUS_OVERFLOW, "the columns of 4611686018427387904 tiles do not fit in 63 bits", [](d &x) { x.tiles = huge; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider -1 is unknown", [](d &x) { x.provider = -1; }},
      {TPP_STATUS_INVALID_SIZE, "height is 5, must be 0 to 4", [](d &x) { x.height = 5; }},
      {TPP_STATUS_INVALID_SIZE, "height is -1, must be 0 to 4", [](d &x) { x.height = -1; }},
      {TPP_STATUS_INVALID_SIZE, "width is 9, must be 0 to 8", [](d &x) { x.width = 9; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in.ld is 0, must be at least 1", [](d &x) { x.in.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 7, must be at least 8: rows of an output must not overlap",
       [](d &x) { x.out.ld = 7; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in_point_stride is -1, must not be negative", [](d &x) { x.in_point_stride = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out_row_stride is -1, must not be negative", [](d &x) { x.out_row_stride = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION,
       "out_row_stride is 63, must be at least 64: rows of pixels of an output must not overlap",
       [](d &x) { x.out_row_stride = 63; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 31, must be at least 32: rows of an output must not overlap",
       [](d &x) { // rows of pixels next to each other
         x.out_row_stride = 8;
         x.out.ld = 31;
       }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit in 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of out does not fit in 63 bits", [](d &x) { x.out.ld = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of in_point_stride does not fit in 63 bits", [](d &x) { x.in_point_stride = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of out_row_stride does not fit in 63 bits", [](d &x) { x.out_row_stride = huge / 4; }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is 1, must be 0", [](d &x) { x.reserved = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is 17, must be 0 to 16", [](d &x) { x.post_op_count = 17; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -1, must be 0 to 16", [](d &x) { x.post_op_count = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].op_class 2 is unknown", [](d &x) { x.post_ops[0].op_class = 2; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[1]: broadcast 4 is unknown", [](d &x) { x.post_ops[1].broadcast = 4; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_ops[1].form.ld is 0, must be at least 1",
       [](d &x) { x.post_ops[1].form.ld = 0; }},
      {TPP_STATUS_OVERFLOW, "the extent of post_ops[1].form does not fit in 63 bits", [](d &x) { x.post_ops[1].form.ld = huge; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_row_strides[1] is -8, must not be negative",
       [](d &x) { x.post_row_strides[1] = -8; }},
      {TPP_STATUS_OVERFLOW, "the extent of post_row_strides[0] does not fit in 63 bits",
       [](d &x) { x.post_row_strides[0] = huge / 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_ops[2]: transpose is not an activation",
       [](d &x) { x.post_ops[2].kind = TPP_UNARY_transpose; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[2]: unary kind -5 is unknown", [](d &x) { x.post_ops[2].kind = -5; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_ops[2].reserved is 1, must be 0", [](d &x) { x.post_ops[2].reserved = 1; }},
  };
  expect_failures(good_output(), tpp_dispatch_winograd_output, cases);
}

// Rows and points of inputs may overlap, those of operands of post-ops too.
TEST(WinogradOutputValidationTest, InputsMayOverlap) {
  tpp_winograd_output_desc desc = good_output();
  desc.in_point_stride = 0;
  desc.post_row_strides[0] = desc.post_row_strides[1] = 1;
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(tpp_dispatch_winograd_output(&desc, &kernel), TPP_STATUS_OK) << tpp_last_error();
}

TEST(WinogradOutputValidationTest, EqualProblemsShareAKernel) {
  const auto kernel_of = [](void (*change)(tpp_winograd_output_desc &)) {
    tpp_winograd_output_desc desc = good_output();
    change(desc);
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(tpp_dispatch_winograd_output(&desc, &kernel), TPP_STATUS_OK) << tpp_last_error();
    return kernel;
  };
  using d = tpp_winograd_output_desc;
  const tpp_kernel *plain = kernel_of([](d &) {});
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_ops[0].form.ld = 99; })); // one row
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_ops[2].form.ld = 99; })); // no operand
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_row_strides[2] = -1; })); // no operand
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_ops[3].kind = 7; }));     // no step
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_row_strides[15] = 1; })); // no step
  EXPECT_NE(plain, kernel_of([](d &x) { x.post_row_strides[1] = 0; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.out_row_stride += 1; }));
  // Strides of one row are never used; an empty output is an empty output.
  EXPECT_EQ(kernel_of([](d &x) { x.height = 1; }),
            kernel_of([](d &x) { x.height = 1, x.out_row_stride = x.post_row_strides[1] = 3; }));
  EXPECT_EQ(kernel_of([](d &x) { x.height = 0; }), kernel_of([](d &x) { x.width = 0; }));
}

} // namespace

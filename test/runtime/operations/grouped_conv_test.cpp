// Every rule that a descriptor of grouped_conv can break, and the canonical form.
#include "bad_descriptors.hpp"

#include <string>

namespace {

using namespace validation;
using d = tpp_grouped_conv_desc;

static_assert(sizeof(d) == 256 + (sizeof(tpp_post_op) + 8) * TPP_MAX_POST_OPS, "tpp_grouped_conv_desc has no padding");

// Three rows of five pixels in the plain layouts, in four groups of two channels, with a column outside on the left, a bias, a residual and relu.
d good_conv() {
  d desc = tpp::grouped_conv(3, 5, 8, 3, 3, 2, 2);
  desc.left = 1;
  desc.in_width = 6;
  desc.in_row_stride = 48;
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::binary_step(TPP_BINARY_add, TPP_BROADCAST_none, tpp::plain(TPP_TYPE_f32, 8)), 40);
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_relu));
  return desc;
}

// The same for an image of u8 with a zero point, whose sums stay i32.
d quantized_conv(tpp_type type = TPP_TYPE_u8) {
  d desc = tpp::grouped_conv(type, 3, 5, 8, 3, 3, 2, 2);
  desc.left = 1;
  desc.in_width = 6;
  desc.in_row_stride = 48;
  desc.border = 100;
  return desc;
}

TEST(GroupedConvValidationTest, EachFailureHasItsStatusAndMessage) {
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 1, this version knows 1152", [](d &x) { x.struct_size = 1; }},
      {TPP_STATUS_INVALID_SIZE, "height is -1, must not be negative", [](d &x) { x.height = -1; }},
      {TPP_STATUS_INVALID_SIZE, "width is -5, must not be negative", [](d &x) { x.width = -5; }},
      {TPP_STATUS_INVALID_SIZE, "channels is -8, must not be negative", [](d &x) { x.channels = -8; }},
      {TPP_STATUS_INVALID_SIZE, "in_height is -1, must not be negative", [](d &x) { x.in_height = -1; }},
      {TPP_STATUS_INVALID_SIZE, "in_width is -1, must not be negative", [](d &x) { x.in_width = -1; }},
      {TPP_STATUS_INVALID_SIZE, "group_inputs is 0, must be at least 1", [](d &x) { x.group_inputs = 0; }},
      {TPP_STATUS_INVALID_SIZE, "group_outputs is 0, must be at least 1", [](d &x) { x.group_outputs = 0; }},
      {TPP_STATUS_INVALID_SIZE, "tap_rows is 0, must be at least 1", [](d &x) { x.tap_rows = 0; }},
      {TPP_STATUS_INVALID_SIZE, "tap_cols is -3, must be at least 1", [](d &x) { x.tap_cols = -3; }},
      {TPP_STATUS_INVALID_SIZE, "row_step is 0, must be at least 1", [](d &x) { x.row_step = 0; }},
      {TPP_STATUS_INVALID_SIZE, "col_step is 0, must be at least 1", [](d &x) { x.col_step = 0; }},
      {TPP_STATUS_INVALID_SIZE, "row_dilation is 0, must be at least 1", [](d &x) { x.row_dilation = 0; }},
      {TPP_STATUS_INVALID_SIZE, "col_dilation is 0, must be at least 1", [](d &x) { x.col_dilation = 0; }},
      {TPP_STATUS_INVALID_SIZE, "channels is 9, must be a multiple of group_outputs, which is 2", [](d &x) { x.channels = 9; }},
      {TPP_STATUS_OVERFLOW, "the channels of the input do not fit in 63 bits", [](d &x) { x.group_inputs = huge; }},
      {TPP_STATUS_OVERFLOW, "the rows of the filter do not fit in 63 bits", [](d &x) { x.tap_rows = x.tap_cols = huge; }},
      {TPP_STATUS_OVERFLOW, "the rows of the filter do not fit in 63 bits", [](d &x) { x.tap_rows = huge; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider -1 is unknown", [](d &x) { x.provider = -1; }},
      {TPP_STATUS_OVERFLOW, "the rows of the window do not fit in 63 bits", [](d &x) { x.row_step = huge; }},
      {TPP_STATUS_OVERFLOW, "the rows of the window do not fit in 63 bits", [](d &x) { x.row_dilation = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the rows of the window do not fit in 63 bits",
       [](d &x) { x.row_step = x.row_dilation = INT64_MAX / 4 + 1; }},
      {TPP_STATUS_OVERFLOW, "the columns of the window do not fit in 63 bits", [](d &x) { x.col_step = huge; }},
      {TPP_STATUS_OVERFLOW, "the columns of the window do not fit in 63 bits",
       [](d &x) { x.width = 2, x.tap_cols = 1, x.col_step = INT64_MAX; }},
      {TPP_STATUS_INVALID_SIZE, "top is -1, must be 0 to 5", [](d &x) { x.top = -1; }},
      {TPP_STATUS_INVALID_SIZE, "top is 6, must be 0 to 5", [](d &x) { x.top = 6; }},
      {TPP_STATUS_INVALID_SIZE, "left is 8, must be 0 to 7", [](d &x) { x.left = 8; }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in.ld is 0, must be at least 1", [](d &x) { x.in.ld = 0; }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit in 63 bits", [](d &x) { x.in.ld = huge; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in_row_stride is -1, must not be negative", [](d &x) { x.in_row_stride = -1; }},
      {TPP_STATUS_OVERFLOW, "the extent of in_row_stride does not fit in 63 bits", [](d &x) { x.in_row_stride = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of the window of in does not fit in 63 bits",
       [](d &x) { x.in_width = 2, x.in.ld = huge / 4; }},
      {TPP_STATUS_OVERFLOW, "the extent of in_row_stride in the window does not fit in 63 bits",
       [](d &x) { x.in_height = 2, x.in_row_stride = huge / 4; }},
      {TPP_STATUS_UNKNOWN_KIND, "filter.type -1 is unknown", [](d &x) { x.filter.type = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "filter.ld is -8, must be at least 1", [](d &x) { x.filter.ld = -8; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "filter.panel is -1, must not be negative", [](d &x) { x.filter.panel = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "filter.panel_stride is 0, must be at least 1", [](d &x) { x.filter.panel = 4; }},
      {TPP_STATUS_OVERFLOW, "the extent of filter does not fit in 63 bits", [](d &x) { x.filter.ld = huge; }},
      {TPP_STATUS_UNKNOWN_KIND, "out.type 20 is unknown", [](d &x) { x.out.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 7, must be at least 8: rows of an output must not overlap",
       [](d &x) { x.out.ld = 7; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out_row_stride is -1, must not be negative", [](d &x) { x.out_row_stride = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION,
       "out_row_stride is 39, must be at least 40: rows of pixels of an output must not overlap",
       [](d &x) { x.out_row_stride = 39; }},
      {TPP_STATUS_OVERFLOW, "the extent of out does not fit in 63 bits", [](d &x) { x.out.ld = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of out_row_stride does not fit in 63 bits", [](d &x) { x.out_row_stride = huge / 4; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is 17, must be 0 to 16", [](d &x) { x.post_op_count = 17; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_op_count is -1, must be 0 to 16", [](d &x) { x.post_op_count = -1; }},
      {TPP_STATUS_UNKNOWN_KIND, "post_ops[0].op_class 2 is unknown", [](d &x) { x.post_ops[0].op_class = 2; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_ops[1].form.ld is 0, must be at least 1",
       [](d &x) { x.post_ops[1].form.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "post_row_strides[1] is -8, must not be negative",
       [](d &x) { x.post_row_strides[1] = -8; }},
      {TPP_STATUS_OVERFLOW, "the extent of post_row_strides[0] does not fit in 63 bits",
       [](d &x) { x.post_row_strides[0] = huge / 2; }},
      {TPP_STATUS_INVALID_ARGUMENT, "post_ops[2]: transpose is not an activation",
       [](d &x) { x.post_ops[2].kind = TPP_UNARY_transpose; }},
      {TPP_STATUS_INVALID_ARGUMENT, "border is 1, must be 0 unless the input is of 8-bit integers", [](d &x) { x.border = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "border is -1, must be 0 unless the input is of 8-bit integers",
       [](d &x) { x.in.type = x.filter.type = TPP_TYPE_bf16, x.border = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is 1, must be 0", [](d &x) { x.reserved = 1; }},
  };
  expect_failures(good_conv(), tpp_dispatch_grouped_conv, cases);
}

TEST(GroupedConvValidationTest, TheBorderFitsTheInput) {
  const bad<d> unsigned_cases[] = {
      {TPP_STATUS_INVALID_ARGUMENT, "border is 256, must be 0 to 255 for an input of u8", [](d &x) { x.border = 256; }},
      {TPP_STATUS_INVALID_ARGUMENT, "border is -1, must be 0 to 255 for an input of u8", [](d &x) { x.border = -1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "reserved is -1, must be 0", [](d &x) { x.reserved = -1; }},
  };
  expect_failures(quantized_conv(), tpp_dispatch_grouped_conv, unsigned_cases);
  const bad<d> signed_cases[] = {
      {TPP_STATUS_INVALID_ARGUMENT, "border is 128, must be -128 to 127 for an input of i8", [](d &x) { x.border = 128; }},
      {TPP_STATUS_INVALID_ARGUMENT, "border is -129, must be -128 to 127 for an input of i8", [](d &x) { x.border = -129; }},
  };
  expect_failures(quantized_conv(TPP_TYPE_i8), tpp_dispatch_grouped_conv, signed_cases);
}

// Callers that were built when images had no border.
TEST(GroupedConvValidationTest, TakesDescriptorsOfTheFirstVersion) {
  d desc = good_conv(), first = desc;
  first.struct_size = offsetof(d, border);
  ASSERT_EQ(first.struct_size, 1144U);
  first.border = first.reserved = 0x5a5a5a5a; // not the caller's memory
  const tpp_kernel *kernel = nullptr, *same = nullptr;
  ASSERT_EQ(tpp_dispatch_grouped_conv(&first, &same), TPP_STATUS_OK) << tpp_last_error();
  ASSERT_EQ(tpp_dispatch_grouped_conv(&desc, &kernel), TPP_STATUS_OK);
  EXPECT_EQ(kernel, same);
  EXPECT_EQ(tpp_dispatch_grouped_conv(&first, &same), TPP_STATUS_OK); // found in the cache
  EXPECT_EQ(kernel, same);
}

const tpp_kernel *kernel_of(void (*change)(d &)) {
  d desc = good_conv();
  change(desc);
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(tpp_dispatch_grouped_conv(&desc, &kernel), TPP_STATUS_OK) << tpp_last_error();
  return kernel;
}

// Rows and pixels of inputs may overlap. The whole window may be outside of the image.
TEST(GroupedConvValidationTest, AcceptsUnusualInputs) {
  EXPECT_NE(nullptr, kernel_of([](d &x) { x.in_row_stride = 0, x.in.ld = 1, x.filter.ld = 1; }));
  EXPECT_NE(nullptr, kernel_of([](d &x) { x.in_height = 0, x.top = 5; }));
  EXPECT_NE(nullptr, kernel_of([](d &x) { x.in_height = 1000; }));
  EXPECT_NE(nullptr, kernel_of([](d &x) { x.filter = tpp::panelled(TPP_TYPE_f32, 3, 54); }));
}

TEST(GroupedConvValidationTest, EqualProblemsShareAKernel) {
  const tpp_kernel *plain = kernel_of([](d &) {});
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_ops[0].form.ld = 99; })); // one row
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_row_strides[2] = -1; })); // no operand
  EXPECT_EQ(plain, kernel_of([](d &x) { x.post_ops[3].kind = 7; }));     // no step
  EXPECT_EQ(plain, kernel_of([](d &x) { x.filter.panel = 8; }));         // one panel
  EXPECT_EQ(plain, kernel_of([](d &x) { x.in_height = 9; }));            // no output needs them
  EXPECT_EQ(plain, kernel_of([](d &x) { x.in_width = 100; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.in_height = 4; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.left = 0; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.row_step = 2; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.in_row_stride += 1; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.out_row_stride += 1; }));
}

// The border is part of the problem if some pixel is outside.
TEST(GroupedConvValidationTest, BordersDistinguishProblems) {
  const auto kernel_with = [](int32_t border, int64_t left, int64_t in_width) {
    d desc = quantized_conv();
    desc.border = border, desc.left = left, desc.in_width = in_width;
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(tpp_dispatch_grouped_conv(&desc, &kernel), TPP_STATUS_OK) << tpp_last_error();
    return kernel;
  };
  EXPECT_NE(kernel_with(0, 1, 6), kernel_with(100, 1, 6));
  EXPECT_NE(kernel_with(0, 0, 6), kernel_with(100, 0, 6));
  EXPECT_NE(kernel_with(0, 0, 0), kernel_with(100, 0, 0)); // the whole window is outside
  EXPECT_EQ(kernel_with(0, 0, 7), kernel_with(100, 0, 7));
  EXPECT_EQ(kernel_with(0, 0, 7), kernel_with(100, 0, 70));
}

// Types that no kernel takes are a lack of support, not an error in the descriptor.
TEST(GroupedConvValidationTest, RefusesOtherTypes) {
  const auto refuse = [](void (*change)(d &)) {
    d desc = quantized_conv();
    change(desc);
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(tpp_dispatch_grouped_conv(&desc, &kernel), TPP_STATUS_UNSUPPORTED);
    EXPECT_NE(std::string(tpp_last_error()).find("grouped_conv takes"), std::string::npos) << tpp_last_error();
  };
  refuse([](d &x) { x.filter.type = TPP_TYPE_u8; });
  refuse([](d &x) { x.out.type = TPP_TYPE_u8; }); // without convert
  refuse([](d &x) { tpp::add_post_op(x, tpp::activation(TPP_UNARY_convert)); });
  refuse([](d &x) { x.in.type = x.filter.type = TPP_TYPE_f16, x.border = 0; });
}

TEST(GroupedConvValidationTest, TheHelperHasTheTypesOfTheSums) {
  EXPECT_EQ(tpp::grouped_conv(TPP_TYPE_u8, 1, 1, 1, 1, 1).filter.type, TPP_TYPE_i8);
  EXPECT_EQ(tpp::grouped_conv(TPP_TYPE_u8, 1, 1, 1, 1, 1).out.type, TPP_TYPE_i32);
  EXPECT_EQ(tpp::grouped_conv(TPP_TYPE_bf16, 1, 1, 1, 1, 1).filter.type, TPP_TYPE_bf16);
  EXPECT_EQ(tpp::grouped_conv(TPP_TYPE_bf16, 1, 1, 1, 1, 1).out.type, TPP_TYPE_f32);
}

TEST(GroupedConvValidationTest, FieldsThatDoNotMatterHaveNoEffect) {
  EXPECT_EQ(kernel_of([](d &x) { x.height = 1; }),
            kernel_of([](d &x) { x.height = 1, x.row_step = 7, x.out_row_stride = x.post_row_strides[1] = 3; }));
  EXPECT_EQ(kernel_of([](d &x) { x.width = 1; }), kernel_of([](d &x) { x.width = 1, x.col_step = 7; }));
  EXPECT_EQ(kernel_of([](d &x) { x.tap_rows = 1; }), kernel_of([](d &x) { x.tap_rows = 1, x.row_dilation = 7; }));
  EXPECT_EQ(kernel_of([](d &x) { x.tap_cols = 1; }), kernel_of([](d &x) { x.tap_cols = 1, x.col_dilation = 7; }));
  EXPECT_EQ(kernel_of([](d &x) { x.in_height = 1; }), kernel_of([](d &x) { x.in_height = 1, x.in_row_stride = 3; }));
  // Without a pixel, their layout and the place of the window do not matter.
  EXPECT_EQ(kernel_of([](d &x) { x.in_height = 0; }), kernel_of([](d &x) { x.in_width = 0, x.top = 2, x.in.ld = 3; }));
  EXPECT_EQ(kernel_of([](d &x) { x.in_height = 0; }), kernel_of([](d &x) { x.top = 5; }));
  // An empty output is an empty output.
  EXPECT_EQ(kernel_of([](d &x) { x.height = 0; }), kernel_of([](d &x) { x.width = 0, x.tap_rows = 2, x.left = 0; }));
  EXPECT_EQ(kernel_of([](d &x) { x.height = 0; }), kernel_of([](d &x) { x.channels = 0, x.group_outputs = 3; }));
}

} // namespace

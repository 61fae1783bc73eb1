// Every rule that a descriptor of winograd_input can break, and the canonical form.
#include "bad_descriptors.hpp"

namespace {

using namespace validation;

static_assert(sizeof(tpp_winograd_input_desc) == 144, "tpp_winograd_input_desc has no padding");

// Two tiles of the image's interior, in the plain layouts.
tpp_winograd_input_desc good_input() { return tpp::winograd_input(4, 2, 8); }

TEST(WinogradInputValidationTest, EachFailureHasItsStatusAndMessage) {
  using d = tpp_winograd_input_desc;
  const bad<d> cases[] = {
      {TPP_STATUS_STRUCT_SIZE, "struct_size is 1, this version knows 144", [](d &x) { x.struct_size = 1; }},
      {TPP_STATUS_INVALID_ARGUMENT, "tile is 3, must be 2 or 4", [](d &x) { x.tile = 3; }},
      {TPP_STATUS_INVALID_ARGUMENT, "tile is -2, must be 2 or 4", [](d &x) { x.tile = -2; }},
      {TPP_STATUS_INVALID_SIZE, "tiles is -1, must not be negative", [](d &x) { x.tiles = -1; }},
      {TPP_STATUS_INVALID_SIZE, "channels is -8, must not be negative", [](d &x) { x.channels = -8; }},
      {TPP_STATUS_OVERFLOW, "the columns of 9223372036854775807 tiles do not fit in 63 bits", [](d &x) { x.tiles = INT64_MAX; }},
      {TPP_STATUS_UNKNOWN_KIND, "provider 100 is unknown", [](d &x) { x.provider = 100; }},
      {TPP_STATUS_INVALID_SIZE, "top is 7, must be 0 to 6", [](d &x) { x.top = 7; }},
      {TPP_STATUS_INVALID_SIZE, "top is -1, must be 0 to 6", [](d &x) { x.top = -1; }},
      {TPP_STATUS_INVALID_SIZE, "left is 9223372036854775807, must be 0 to 6", [](d &x) { x.left = INT64_MAX; }},
      {TPP_STATUS_INVALID_SIZE, "height is 7, must be 0 to 6", [](d &x) { x.height = 7; }},
      {TPP_STATUS_INVALID_SIZE, "height is 6, must be 0 to 5", [](d &x) { x.top = 1; }},
      {TPP_STATUS_INVALID_SIZE, "height is -1, must be 0 to 6", [](d &x) { x.height = -1; }},
      {TPP_STATUS_INVALID_SIZE, "width is 11, must be 0 to 10", [](d &x) { x.width = 11; }},
      {TPP_STATUS_INVALID_SIZE, "width is 10, must be 0 to 8", [](d &x) { x.left = 2; }},
      {TPP_STATUS_INVALID_SIZE, "width is 10, must be 0 to 0",
       [](d &x) {
         x.tiles = 0;
         x.left = 6;
       }},
      {TPP_STATUS_UNKNOWN_KIND, "in.type 20 is unknown", [](d &x) { x.in.type = 20; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in.ld is 0, must be at least 1", [](d &x) { x.in.ld = 0; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 7, must be at least 8: rows of an output must not overlap",
       [](d &x) { x.out.ld = 7; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "in_row_stride is -1, must not be negative", [](d &x) { x.in_row_stride = -1; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out_point_stride is -16, must not be negative",
       [](d &x) { x.out_point_stride = -16; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out_point_stride is 15, must be at least 16: points of an output must not overlap",
       [](d &x) { x.out_point_stride = 15; }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out_point_stride is 7, must be at least 8: points of an output must not overlap",
       [](d &x) {
         x.out_point_stride = 7;
         x.out.ld = 1000;
       }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION, "out.ld is 287, must be at least 288: rows of an output must not overlap",
       [](d &x) { // the points of a tile are 36 * 8 elements
         x.out_point_stride = 8;
         x.out.ld = 287;
       }},
      {TPP_STATUS_INVALID_LEADING_DIMENSION,
       "out.panel_stride is 287, must be at least 288: panels of an output must not overlap",
       [](d &x) {
         x.out = {TPP_TYPE_f32, 0, 4, 4, 287};
         x.out_point_stride = 8;
       }},
      {TPP_STATUS_OVERFLOW, "the extent of in does not fit in 63 bits", [](d &x) { x.in.ld = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of out does not fit in 63 bits", [](d &x) { x.out.ld = huge; }},
      {TPP_STATUS_OVERFLOW, "the extent of in_row_stride does not fit in 63 bits", [](d &x) { x.in_row_stride = huge / 4; }},
      {TPP_STATUS_OVERFLOW, "the extent of in_row_stride does not fit in 63 bits", [](d &x) { x.in_row_stride = INT64_MAX; }},
      {TPP_STATUS_OVERFLOW, "the extent of out_point_stride does not fit in 63 bits",
       [](d &x) { x.out_point_stride = huge / 32; }},
  };
  expect_failures(good_input(), tpp_dispatch_winograd_input, cases);
}

TEST(WinogradInputValidationTest, TakesEveryOrderOfPointsTilesAndPanels) {
  const auto takes = [](const tpp_matrix &out, int64_t point_stride) {
    tpp_winograd_input_desc desc = good_input();
    desc.out = out;
    desc.out_point_stride = point_stride;
    const tpp_kernel *kernel = nullptr;
    return tpp_dispatch_winograd_input(&desc, &kernel) == TPP_STATUS_OK;
  };
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 8, 0, 0}, 16));      // points, tiles, channels
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 288, 0, 0}, 8));     // tiles, points, channels
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 4, 4, 8}, 16));      // points, panels, tiles
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 4, 4, 36 * 8}, 8));  // panels, points, tiles
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 8, 4, 4}, 16));      // panels that are plain rows
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 8, 5, 5}, 16));      // the last one is narrower
  EXPECT_TRUE(takes({TPP_TYPE_f32, 0, 36 * 8, 1, 36}, 1)); // tiles, channels, points
  EXPECT_FALSE(takes({TPP_TYPE_f32, 0, 8, 0, 0}, 0));
}

TEST(WinogradInputValidationTest, EqualProblemsShareAKernel) {
  const auto kernel_of = [](void (*change)(tpp_winograd_input_desc &)) {
    tpp_winograd_input_desc desc = good_input();
    change(desc);
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(tpp_dispatch_winograd_input(&desc, &kernel), TPP_STATUS_OK) << tpp_last_error();
    return kernel;
  };
  using d = tpp_winograd_input_desc;
  const tpp_kernel *plain = kernel_of([](d &) {});
  EXPECT_EQ(plain, kernel_of([](d &x) { x.in = {TPP_TYPE_f32, 0, 8, 4, 4}; })); // panels that are plain rows
  EXPECT_NE(plain, kernel_of([](d &x) { x.in_row_stride += 1; }));
  EXPECT_NE(plain, kernel_of([](d &x) { x.top = 1, x.height = 5; }));
  // Strides of one row are never used; an empty image is an empty image.
  EXPECT_EQ(kernel_of([](d &x) { x.height = 1; }), kernel_of([](d &x) { x.height = 1, x.in_row_stride = 3; }));
  EXPECT_EQ(kernel_of([](d &x) { x.height = 0; }), kernel_of([](d &x) { x.width = 0, x.top = 6, x.left = 3, x.height = 0; }));
}

} // namespace

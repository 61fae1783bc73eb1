// Compares every grouped_conv kernel of this machine with the reference: filters, steps, dilations, borders, groups, channels around the vector,
// layouts and strides, operands that end or begin at an unmapped page. A kernel may reject a descriptor, but not all of them. Results on small
// integers must be equal.
#include "grouped_conv_problem.hpp"
#include "tpp/grouped_conv_limits.h"

namespace tpp_test::grouped_conv {
namespace {

TEST_P(GroupedConvTest, AcceptsSomeBlocks) {
  bool any = false;
  for (desc_type desc : blocks())
    any |= choose_types(desc);
  EXPECT_TRUE(any) << GetParam()->reject(&blocks().front());
}

TEST_P(GroupedConvTest, MatchesReferenceForEveryFilter) {
  constexpr int64_t taps[][2] = {{1, 1}, {3, 3}, {5, 5}, {7, 7}, {1, 7}, {7, 1}, {2, 3}, {4, 4}, {1, 2}, {11, 11}};
  for (const auto &tap : taps)
    for (int64_t step = 1; step <= 3; ++step)
      for (int64_t dilation = 1; dilation <= 3; ++dilation)
        for (int64_t channels : {int64_t{3}, lanes(), 2 * lanes() + 1})
          for (bool padded : {false, true}) {
            shape of;
            of.tap_rows = tap[0], of.tap_cols = tap[1];
            of.row_step = step, of.col_step = step;
            of.row_dilation = dilation, of.col_dilation = dilation;
            of.channels = channels;
            if (padded) {
              of.top = of.bottom = (tap[0] - 1) * dilation / 2;
              of.left = of.right = (tap[1] - 1) * dilation / 2;
            }
            check_with_bias(describe(of));
            if (HasFatalFailure())
              return;
          }
}

TEST_P(GroupedConvTest, RowsAndColumnsHaveTheirOwnStepsAndDilations) {
  for (int64_t row_step : {1, 3})
    for (int64_t col_step : {1, 2, 3})
      for (int64_t row_dilation : {1, 2})
        for (int64_t col_dilation : {1, 2, 3})
          for (int64_t inputs : {1, 4}) {
            shape of;
            of.width = 9, of.channels = 12;
            of.inputs = of.outputs = inputs;
            of.tap_rows = 2;
            of.row_step = row_step, of.col_step = col_step, of.row_dilation = row_dilation, of.col_dilation = col_dilation;
            of.top = 1, of.left = 2, of.right = 3;
            check_with_bias(describe(of));
            if (HasFatalFailure())
              return;
          }
}

// Each border up to the whole window, so that the image may be smaller than the filter, and empty.
TEST_P(GroupedConvTest, MatchesReferenceAtEveryBorder) {
  combinations tried;
  for (int64_t inputs : {1, 8})
    for (int64_t step : {1, 2})
      for (int64_t top = 0; top <= 5; ++top)
        for (int64_t bottom = 0; bottom <= 5; ++bottom)
          for (int64_t left = 0; left <= 7; ++left)
            for (int64_t right = 0; right <= 7; ++right)
              for (int64_t width : {4, 12}) { // strips of few outputs, and of many
                shape of;
                of.width = width, of.channels = inputs == 1 ? lanes() + 3 : 16;
                of.inputs = of.outputs = inputs;
                of.col_step = step;
                of.top = top, of.bottom = bottom, of.left = left, of.right = right;
                if (((inputs > 1 || width > 4) && (top > 2 || bottom > 2)) || tried.leave_out())
                  continue;
                check(describe(of));
                if (HasFatalFailure())
                  return;
              }
}

TEST_P(GroupedConvTest, LargeFiltersCoverSmallImages) {
  for (int64_t taps : {5, 7})
    for (int64_t size : {1, 2, 3})
      for (int64_t step : {1, 2})
        for (int64_t dilation : {1, 2}) {
          shape of;
          of.tap_rows = of.tap_cols = taps;
          of.row_step = of.col_step = step, of.row_dilation = of.col_dilation = dilation;
          of.height = of.width = (size - 1) / step + 1;
          of.top = of.left = (taps - 1) * dilation / 2;
          of.channels = lanes() + 1;
          desc_type desc = describe(of);
          desc.in_height = desc.in_width = size;
          desc.in_row_stride = desc.in_width * desc.channels;
          check_with_bias(desc);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(GroupedConvTest, MatchesReferenceForEveryWidth) {
  combinations tried;
  for (int64_t width = 1; width <= 30; ++width)
    for (int64_t height : {1, 2})
      for (int64_t step : {1, 2})
        for (int64_t border : {0, 1})
          for (int64_t inputs : {1, 2, 4}) {
            shape of;
            of.height = height, of.width = width, of.channels = inputs == 1 ? 2 * lanes() + 1 : 16;
            of.inputs = of.outputs = inputs;
            of.row_step = of.col_step = step;
            of.top = of.left = of.right = border;
            if (tried.leave_out())
              continue;
            check_with_bias(describe(of));
            if (HasFatalFailure())
              return;
          }
}

TEST_P(GroupedConvTest, MatchesReferenceForEveryNumberOfChannels) {
  std::vector<int64_t> all(40);
  for (int64_t channels = 1; channels <= 40; ++channels)
    all[static_cast<size_t>(channels - 1)] = channels;
  for (int64_t many : {63, 64, 65, 130, 144, 257, 960})
    all.push_back(many);
  for (int64_t channels : all)
    for (int64_t taps : {1, 3, 5})
      for (int64_t border : {0, 1}) {
        shape of;
        of.channels = channels;
        of.tap_rows = of.tap_cols = taps;
        of.top = of.left = of.bottom = of.right = border;
        check_with_bias(describe(of));
        if (HasFatalFailure())
          return;
      }
}

TEST_P(GroupedConvTest, MatchesReferenceForEveryGrouping) {
  combinations tried;
  for (const grouping &group : groupings)
    for (int64_t groups : {1, 2, 3, 7, 9})
      for (int64_t taps : {1, 3, 5})
        for (int64_t step : {1, 2})
          for (int64_t dilation : {1, 2}) {
            shape of;
            of.height = 2;
            of.channels = groups * group.outputs;
            of.inputs = group.inputs, of.outputs = group.outputs;
            of.tap_rows = of.tap_cols = taps;
            of.row_step = of.col_step = step, of.row_dilation = of.col_dilation = dilation;
            of.top = of.left = of.bottom = of.right = taps / 2;
            if (taps == 1 && dilation == 2)
              continue;
            if (tried.leave_out())
              continue;
            check_with_bias(describe(of));
            if (HasFatalFailure())
              return;
          }
}

// Every layout of each operand: loose, in panels, channels that are not contiguous.
TEST_P(GroupedConvTest, MatchesReferenceInEveryForm) {
  for (const grouping &group : {grouping{1, 1}, grouping{4, 4}, grouping{3, 5}, grouping{1, 2}})
    for (int64_t groups : {3, 10}) {
      shape of;
      of.inputs = group.inputs, of.outputs = group.outputs;
      of.channels = groups * group.outputs;
      of.top = of.left = of.right = 1;
      const desc_type base = describe(of);
      for (const tpp_matrix &in : elementwise::forms(TPP_TYPE_f32, base.in_width, in_channels(base)))
        for (const tpp_matrix &filter : elementwise::forms(TPP_TYPE_f32, filter_rows(base), base.channels))
          for (const tpp_matrix &out : elementwise::forms(TPP_TYPE_f32, base.width, base.channels)) {
            desc_type desc = base;
            desc.in = in, desc.filter = filter, desc.out = out;
            desc.in_row_stride = matrix_extent(in, desc.in_width, in_channels(desc)) + 3;
            desc.out_row_stride = matrix_extent(out, desc.width, desc.channels) + 1;
            check_with_bias(desc);
            if (HasFatalFailure())
              return;
          }
    }
}

// Panels as constant filters are packed, with a last panel that is not full.
TEST_P(GroupedConvTest, FiltersInPanels) {
  for (int64_t panel : {8, 16, 64})
    for (const grouping &group :
         {grouping{1, 1}, grouping{4, 4}, grouping{8, 8}, grouping{1, 2}, grouping{5, 5}, grouping{24, 24}})
      for (int64_t channels : {panel / 2, panel, panel + 3, 2 * panel + panel / 2, int64_t{120}}) {
        shape of;
        of.inputs = group.inputs, of.outputs = group.outputs;
        of.channels = (channels + group.outputs - 1) / group.outputs * group.outputs;
        of.top = of.left = 1;
        desc_type desc = describe(of);
        desc.filter = {TPP_TYPE_f32, 0, panel, panel, panel * filter_rows(desc)};
        check_with_bias(desc);
        if (HasFatalFailure())
          return;
      }
}

// Rows of pixels inside of panels of channels, and rows of the output next to each other.
TEST_P(GroupedConvTest, RowsOfPixelsMayBeInside) {
  shape of;
  of.channels = 40, of.top = 1;
  desc_type desc = describe(of);
  desc.in = {TPP_TYPE_f32, 0, 16, 16, desc.in_width * 16 * desc.in_height};
  desc.in_row_stride = desc.in_width * 16;
  check(desc);
  desc.out_row_stride = desc.channels;
  desc.out.ld = desc.channels * desc.height;
  check(desc);
}

// Rows and pixels of an input may be one and the same.
TEST_P(GroupedConvTest, InputsMayOverlap) {
  shape of;
  of.channels = 2 * lanes() + 1;
  desc_type desc = describe(of);
  desc.in_row_stride = 0;
  check(desc);
  desc.in.ld = 1;
  check(desc);
  desc.filter.ld = 1;
  check(desc);
}

// The memory of the input ends with the last pixel that an output needs, though the image has more.
TEST_P(GroupedConvTest, PixelsThatNoOutputNeedsAreNotRead) {
  for (int64_t step : {1, 2, 5})
    for (int64_t inputs : {1, 4}) {
      shape of;
      of.row_step = of.col_step = step;
      of.inputs = of.outputs = inputs;
      of.channels = inputs == 1 ? lanes() + 1 : 12;
      of.top = of.left = 1;
      desc_type desc = describe(of);
      if (!choose_types(desc))
        continue;
      problem at(desc, random, guard::behind);
      // Pixels between the taps, if steps are longer than the filter.
      for (int64_t row = 0; row < desc.in_height; ++row)
        for (int64_t col = 0; col < desc.in_width; ++col)
          for (int64_t channel = 0; channel < in_channels(desc); ++channel)
            if ((row + desc.top) % step >= desc.tap_rows || (col + desc.left) % step >= desc.tap_cols)
              at.in.set(row, col, channel, NAN);
      desc.in_height += 4, desc.in_width += 1;
      check_typed(desc, at);
    }
}

TEST_P(GroupedConvTest, EmptySizesAccessNothing) {
  for (int64_t height : {0, 2})
    for (int64_t width : {0, 3})
      for (int64_t channels : {0, 8}) {
        shape of;
        of.height = height, of.width = width, of.channels = channels, of.top = of.left = 1;
        if (height > 0 && width > 0 && channels > 0)
          continue;
        desc_type desc = describe(of);
        add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_none);
        tpp_args args{};
        if (choose_types(desc)) {
          EXPECT_TRUE(elementwise::run_row(GetParam(), desc, args)); // null pointers
        }
      }
}

TEST_P(GroupedConvTest, RejectsWhatItDoesNotCompute) {
  const char *const types_taken =
      "grouped_conv takes f32 and f32 to f32, bf16 and bf16 to f32 or bf16, and i8 or u8 and i8 to i32 (after convert to "
      "f32, bf16, f16, i8 or u8)";
  const desc_type good = blocks().front();
  desc_type desc = good;
  desc.out.type = TPP_TYPE_f16;
  EXPECT_STREQ(GetParam()->reject(&desc), types_taken);
  desc = good;
  desc.filter.type = TPP_TYPE_bf16;
  EXPECT_STREQ(GetParam()->reject(&desc), types_taken);
  desc = good;
  desc.in.type = desc.filter.type = TPP_TYPE_f16;
  EXPECT_STREQ(GetParam()->reject(&desc), types_taken);
  desc = good;
  desc.filter.vnni = 2;
  EXPECT_STREQ(GetParam()->reject(&desc), "grouped_conv takes no VNNI-blocked operand");
  desc = good;
  add_unary(desc, TPP_UNARY_convert);
  EXPECT_STREQ(GetParam()->reject(&desc), "convert is a post-op of i32 sums, once");
  desc = good;
  add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, TPP_TYPE_i32);
  EXPECT_STREQ(GetParam()->reject(&desc), "a post-op's operand must be f32, bf16 or f16 (floating point) or i32 (integers)");
}

// As many columns of taps as kernels take, which read outside of the image on both sides. The reference takes more.
TEST_P(GroupedConvTest, FiltersMayBeWide) {
  for (int64_t taps : {TPP_GROUPED_CONV_TAP_COLUMNS, TPP_GROUPED_CONV_TAP_COLUMNS + 1}) {
    shape of;
    of.height = of.tap_rows = 1, of.width = 30, of.tap_cols = taps, of.channels = 20;
    of.left = taps / 2, of.right = taps - 1 - taps / 2;
    if (taps <= TPP_GROUPED_CONV_TAP_COLUMNS || GetParam()->provider == TPP_PROVIDER_reference) {
      check(describe(of));
      continue;
    }
    for (operand_types each : types) {
      desc_type desc = describe(of);
      if (set_types(desc, each)) {
        EXPECT_STREQ(GetParam()->reject(&desc), "the kernel takes at most 128 columns of taps");
      }
    }
  }
}

TEST_P(GroupedConvTest, CostsMoreWithPostOpsAndNativeKernelsLessThanTheReference) {
  for (const desc_type &block : blocks())
    for (operand_types each : types) {
      desc_type bare = block, desc = block;
      add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
      if (!set_types(bare, each) || !set_types(desc, each) || !accepts(desc))
        continue;
      EXPECT_GT(GetParam()->cost(&desc), GetParam()->cost(&bare));
      for (row_pointer row : runnable_rows(tpp::operation::grouped_conv, /*native_only=*/false)) {
        if (row->provider == TPP_PROVIDER_reference && row != GetParam()) {
          EXPECT_LT(GetParam()->cost(&desc), row->cost(&desc));
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, GroupedConvTest, testing::ValuesIn(runnable_rows(tpp::operation::grouped_conv)), row_name);

// ---- the reference itself ----

// Scatters each product of an image with borders into a copy of the output: another order of loops than that of the reference.
TEST(GroupedConvReferenceTest, EqualsASumOverThePaddedImage) {
  std::mt19937 random{3};
  std::uniform_int_distribution<int> value(-4, 4);
  for (const grouping &group : groupings)
    for (int64_t step : {1, 2})
      for (int64_t dilation : {1, 3}) {
        shape of;
        of.channels = 3 * group.outputs, of.inputs = group.inputs, of.outputs = group.outputs;
        of.tap_rows = 2, of.row_step = step, of.col_step = 3 - step, of.row_dilation = dilation, of.col_dilation = 4 - dilation;
        of.top = 1, of.left = 2, of.bottom = 3, of.right = 1;
        const desc_type desc = describe(of);
        const int64_t inputs = in_channels(desc), taps = desc.tap_rows * desc.tap_cols;
        const int64_t rows = window(of.height, of.row_step, of.tap_rows, of.row_dilation);
        const int64_t cols = window(of.width, of.col_step, of.tap_cols, of.col_dilation);
        std::vector<float> image(static_cast<size_t>(rows * cols * inputs)), in,
            filter(static_cast<size_t>(taps * group.inputs * of.channels));
        for (float &element : filter)
          element = static_cast<float>(value(random));
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t col = 0; col < cols; ++col)
            for (int64_t c = 0; c < inputs; ++c) {
              if (row < of.top || row >= rows - of.bottom || col < of.left || col >= cols - of.right)
                continue;
              in.push_back(static_cast<float>(value(random)));
              image[static_cast<size_t>((row * cols + col) * inputs + c)] = in.back();
            }
        std::vector<float> got(static_cast<size_t>(of.height * of.width * of.channels)), want(got.size());
        for (int64_t g = 0; g < 3; ++g)
          for (int64_t c = 0; c < group.inputs; ++c)
            for (int64_t m = 0; m < group.outputs; ++m)
              for (int64_t tap = 0; tap < taps; ++tap)
                for (int64_t pixel = 0; pixel < of.height * of.width; ++pixel) {
                  const int64_t row = pixel / of.width * of.row_step + tap / of.tap_cols * of.row_dilation;
                  const int64_t col = pixel % of.width * of.col_step + tap % of.tap_cols * of.col_dilation;
                  want[static_cast<size_t>(pixel * of.channels + g * group.outputs + m)] +=
                      image[static_cast<size_t>((row * cols + col) * inputs + g * group.inputs + c)] *
                      filter[static_cast<size_t>((tap * group.inputs + c) * of.channels + g * group.outputs + m)];
                }
        tpp_args args{};
        args.a = in.data();
        args.b = filter.data();
        args.c = got.data();
        tpp::grouped_conv_reference(desc, args);
        ASSERT_EQ(got, want) << text(desc);
      }
}

// Values computed by hand: two groups of one channel and two outputs, taps 1 2 with a step of 2, and one column before the image.
TEST(GroupedConvReferenceTest, SumsTheTapsOfAGroup) {
  shape of;
  of.height = 1, of.width = 2, of.channels = 4, of.outputs = 2;
  of.tap_rows = 1, of.tap_cols = 2, of.col_step = 2, of.left = 1;
  const desc_type desc = describe(of);
  ASSERT_EQ(desc.in_width, 3);
  const float in[] = {1, 10, 2, 20, 3, 30};
  const float filter[] = {1, 2, 3, 4, 5, 6, 7, 8};
  float out[8];
  tpp_args args{};
  args.a = in;
  args.b = filter;
  args.c = out;
  tpp::grouped_conv_reference(desc, args);
  EXPECT_EQ(std::vector<float>(out, out + 8),
            (std::vector<float>{1 * 5, 1 * 6, 10 * 7, 10 * 8, 2 * 1 + 3 * 5, 2 * 2 + 3 * 6, 20 * 3 + 30 * 7, 20 * 4 + 30 * 8}));
}

} // namespace
} // namespace tpp_test::grouped_conv

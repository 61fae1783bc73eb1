// The post-ops of every grouped_conv kernel of this machine: every kind with each broadcast and type of operand, chains, a residual that is the
// output. Then random floats, whose sums are bounded by the sum of magnitudes, and special values.
#include "grouped_conv_problem.hpp"

namespace tpp_test::grouped_conv {
namespace {

class GroupedConvPostOpsTest : public GroupedConvTest {};
class GroupedConvFloatsTest : public GroupedConvTest {};

TEST_P(GroupedConvPostOpsTest, BinaryKindsWithEveryBroadcastAndType) {
  for (const desc_type &block : blocks())
    for (tpp_binary_kind kind : elementwise::all_binary_kinds)
      for (int32_t broadcast : broadcasts)
        for (int32_t type : {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16}) {
          desc_type desc = block;
          add_binary(desc, kind, broadcast, type);
          check(desc);
          add_unary(desc, TPP_UNARY_relu);
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

// Operands that are the same for all rows of pixels, or differ between them, whatever their broadcast.
TEST_P(GroupedConvPostOpsTest, OperandsMayRepeatForEachRowOfPixels) {
  for (const desc_type &block : blocks())
    for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_mul})
      for (int32_t broadcast : broadcasts)
        for (bool by_row_of_pixels : {false, true}) {
          desc_type desc = block;
          add_binary(desc, kind, broadcast, plain(desc.channels), by_row_of_pixels);
          check(desc);
          add_unary(desc, TPP_UNARY_identity);
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(GroupedConvPostOpsTest, PostOperandsInEveryForm) {
  for (const desc_type &block : blocks())
    for (const tpp_matrix &form : elementwise::forms(TPP_TYPE_f32, block.width, block.channels))
      for (int32_t broadcast : {TPP_BROADCAST_none, TPP_BROADCAST_row}) {
        desc_type desc = block;
        add_binary(desc, TPP_BINARY_add, broadcast, form, true);
        check(desc);
        if (HasFatalFailure())
          return;
      }
}

// The steps of models: bias, residual, relu, clamps, the factors of hard swish; every chain of three.
TEST_P(GroupedConvPostOpsTest, ChainsOfThree) {
  const auto add_step = [](desc_type &desc, int step) {
    switch (step) {
    case 0:
      return add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
    case 1:
      return add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_none);
    case 2:
      return add_unary(desc, TPP_UNARY_relu);
    case 3:
      return add_binary(desc, TPP_BINARY_min, TPP_BROADCAST_scalar);
    case 4:
      return add_binary(desc, TPP_BINARY_max, TPP_BROADCAST_scalar);
    default:
      return add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_none);
    }
  };
  for (const desc_type &block : blocks())
    for (int chain = 0; chain < 6 * 6 * 6; ++chain) {
      desc_type desc = block;
      add_step(desc, chain % 6);
      add_step(desc, chain / 6 % 6);
      add_step(desc, chain / 36);
      check(desc);
      if (HasFatalFailure())
        return;
    }
}

// x * clamp(x + 3, 0, 6) / 6, with an x that is an operand.
TEST_P(GroupedConvPostOpsTest, HardSwish) {
  for (const desc_type &block : blocks()) {
    desc_type desc = block;
    add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
    add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_scalar);
    add_unary(desc, TPP_UNARY_relu);
    add_binary(desc, TPP_BINARY_min, TPP_BROADCAST_scalar);
    add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_none);
    add_binary(desc, TPP_BINARY_div, TPP_BROADCAST_scalar);
    check(desc);
  }
}

TEST_P(GroupedConvPostOpsTest, LongChainsRunInOrder) {
  for (const desc_type &block : blocks()) {
    desc_type desc = block;
    for (int i = 0; i < 4; ++i) {
      add_binary(desc, TPP_BINARY_add, broadcasts[i]);
      add_unary(desc, TPP_UNARY_round);
      add_binary(desc, TPP_BINARY_min, broadcasts[3 - i], TPP_TYPE_bf16);
      add_unary(desc, i < 3 ? TPP_UNARY_identity : TPP_UNARY_relu);
    }
    ASSERT_EQ(desc.post_op_count, TPP_MAX_POST_OPS);
    check(desc);
  }
}

// The argument is an exact sum of small integers, scaled by a power of two: any difference comes from the function alone.
TEST_P(GroupedConvPostOpsTest, UnaryKindsAreAccurate) {
  for (const desc_type &block : blocks())
    for (tpp_unary_kind kind : elementwise::all_unary_kinds) {
      if (!tpp::is_post_op(kind) || kind == TPP_UNARY_convert)
        continue;
      desc_type desc = block;
      for (int i = 0; i < 3; ++i)
        add_binary(desc, TPP_BINARY_div, TPP_BROADCAST_scalar);
      add_unary(desc, kind);
      if (!choose_floats(desc))
        continue;
      problem at(desc, random, next_side());
      const result both = run(desc, at);
      expect_accurate(GetParam(), kind, both.got, both.want, text(desc));
      if (HasFatalFailure())
        return;
    }
}

TEST_P(GroupedConvPostOpsTest, TheResidualMayBeTheOutputItself) {
  for (const desc_type &block : blocks())
    for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_sub})
      for (bool bias : {false, true}) {
        desc_type desc = block;
        if (bias)
          add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
        const int step = add_output_as_operand(desc, kind);
        check(desc, step);
        add_unary(desc, TPP_UNARY_relu);
        check(desc, step);
        if (HasFatalFailure())
          return;
      }
}

// ---- floats ----

TEST_P(GroupedConvFloatsTest, RandomFloatsAreWithinTheBound) {
  for (const grouping &group : {grouping{1, 1}, grouping{4, 4}, grouping{32, 32}, grouping{3, 5}})
    for (int64_t taps : {1, 3, 7}) {
      shape of;
      of.inputs = group.inputs, of.outputs = group.outputs;
      of.channels = 3 * group.outputs * (group.outputs == 1 ? 11 : 1);
      of.tap_rows = of.tap_cols = taps;
      of.top = of.left = of.right = taps / 2;
      desc_type desc = describe(of);
      if (!choose_floats(desc))
        continue;
      problem at(desc, random, next_side());
      at.in.fill_near_zero(random);
      at.filter.fill_near_zero(random);
      const result both = run(desc, at);
      // The sum of magnitudes: the same convolution of absolute values.
      for (stacked *operand : {&at.in, &at.filter})
        for (int64_t element = 0; element < operand->elements(); ++element)
          tpp::store_double(operand->form.type, operand->data(), element,
                            std::fabs(tpp::load_double(operand->form.type, operand->data(), element)));
      tpp::grouped_conv_reference(desc, at.args);
      const double products = static_cast<double>(filter_rows(desc));
      for (int64_t i = 0; i < desc.height; ++i)
        for (int64_t j = 0; j < desc.width; ++j)
          for (int64_t channel = 0; channel < desc.channels; ++channel) {
            const int64_t offset = at.out.offset(i, j, channel);
            const double got = tpp::load_double(TPP_TYPE_f32, both.got.data(), offset);
            const double want = tpp::load_double(TPP_TYPE_f32, both.want.data(), offset);
            ASSERT_NEAR(got, want, at.out.get(i, j, channel) * (products + 1) * 0x1p-24) << text(desc);
          }
    }
}

// A NaN or infinity in one channel of one pixel: the reference changes only outputs that read it, and so does the kernel.
TEST_P(GroupedConvFloatsTest, SpecialPixelsReachOnlyTheirOutputs) {
  for (desc_type desc : blocks()) {
    if (!choose_floats(desc))
      continue;
    add_unary(desc, TPP_UNARY_relu);
    for (double special : {double{NAN}, HUGE_VAL, -HUGE_VAL})
      for (int64_t row = 0; row < desc.in_height; ++row)
        for (int64_t col = 0; col < desc.in_width; ++col)
          for (int32_t steps : {0, 1}) {
            desc.post_op_count = steps;
            problem at(desc, random, next_side());
            at.in.set(row, col, static_cast<int64_t>(random()) % in_channels(desc), special);
            const result both = run(desc, at);
            expect_equal(both.got, both.want, text(desc));
            if (HasFatalFailure())
              return;
          }
  }
}

// A NaN of the filter makes the outputs of its channel NaN whose tap is inside of the image; it may also do so where the tap is outside.
TEST_P(GroupedConvFloatsTest, SpecialFiltersReachOnlyTheirChannel) {
  for (desc_type desc : blocks()) {
    if (!choose_floats(desc))
      continue;
    for (int64_t tap = 0; tap < filter_rows(desc); ++tap) {
      problem at(desc, random, next_side());
      const int64_t special = static_cast<int64_t>(random()) % desc.channels;
      at.filter.set(0, tap, special, NAN);
      const result both = run(desc, at);
      for (int64_t i = 0; i < desc.height; ++i)
        for (int64_t j = 0; j < desc.width; ++j)
          for (int64_t channel = 0; channel < desc.channels; ++channel) {
            const double got = tpp::load_double(TPP_TYPE_f32, both.got.data(), at.out.offset(i, j, channel));
            const double want = tpp::load_double(TPP_TYPE_f32, both.want.data(), at.out.offset(i, j, channel));
            if (std::isnan(want)) {
              ASSERT_TRUE(std::isnan(got)) << text(desc);
            } else if (!(channel == special && std::isnan(got))) {
              ASSERT_EQ(got, want) << text(desc);
            }
          }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, GroupedConvPostOpsTest, testing::ValuesIn(runnable_rows(tpp::operation::grouped_conv)), row_name);

INSTANTIATE_TEST_SUITE_P(Rows, GroupedConvFloatsTest, testing::ValuesIn(runnable_rows(tpp::operation::grouped_conv)), row_name);

} // namespace
} // namespace tpp_test::grouped_conv

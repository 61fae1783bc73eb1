// Compares every native winograd_output kernel of this machine with the reference: parts of tiles, channels around the vector and the chunk, layouts
// and strides, every post-op with each broadcast and type of operand, operands that end or begin at an unmapped page. Results on small
// integers must be equal; transcendental functions of them are bounded.
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_output/winograd_output.hpp"
#include "support/build_kind.hpp"
#include "winograd_problem.hpp"

namespace tpp_test::winograd {
namespace {

// A descriptor of whole tiles, plain and contiguous.
tpp_winograd_output_desc whole_tiles(int32_t tile, int64_t tiles, int64_t channels) {
  tpp_winograd_output_desc desc{};
  desc.struct_size = sizeof desc;
  desc.tiles = tiles;
  desc.channels = channels;
  desc.height = tile;
  desc.width = tile * tiles;
  desc.in = desc.out = plain(channels);
  desc.in_point_stride = tiles * channels;
  desc.out_row_stride = desc.width * channels;
  desc.tile = tile;
  return desc;
}

std::string text(const tpp_winograd_output_desc &desc) {
  return std::to_string(desc.tiles) + " tiles of " + std::to_string(desc.channels) + " channels, " + std::to_string(desc.height) +
         "x" + std::to_string(desc.width) + " " + elementwise::text(desc.in) + " to " + elementwise::text(desc.out) +
         text_of_post_ops(desc);
}

class WinogradOutputTest : public WinogradTest {
protected:
  struct result {
    std::vector<char> got, want;
  };
  // On small integers. The operand of step `alias` is the output itself.
  result run(const tpp_winograd_output_desc &desc, int alias = -1) {
    const guard side = next_side();
    const int points = (desc.tile + 2) * (desc.tile + 2);
    stacked in(desc.in, desc.tiles, desc.channels, desc.in_point_stride, points, side);
    stacked out(desc.out, desc.width, desc.channels, desc.out_row_stride, desc.height, side);
    in.fill_integers(random);
    out.fill_bytes(elementwise::untouched);
    if (alias >= 0)
      out.fill_integers(random);
    tpp_args args{};
    args.a = in.data();
    args.c = out.data();
    const auto operands = make_post_operands(desc, args, random, side, alias);
    const std::vector<char> start = out.copy();
    result both;
    both.got = run_on_copy(GetParam(), desc, args, out, start);
    out.restore(start);
    tpp::winograd_output_reference(desc, args);
    both.want = out.copy();
    return both;
  }
  // For both types of image, with residuals of the same type and of that in `desc`.
  void check(const tpp_winograd_output_desc &desc, int alias = -1) {
    check_type(desc, alias);
    for (bool residuals : {true, false}) {
      tpp_winograd_output_desc other = desc;
      other.out.type = TPP_TYPE_bf16;
      for (int32_t s = 0; s < other.post_op_count; ++s)
        if (tpp_post_op &op = other.post_ops[s]; op.op_class == TPP_POST_OP_binary)
          if (s == alias || (residuals && op.broadcast == TPP_BROADCAST_none))
            op.form.type = TPP_TYPE_bf16;
      check_type(other, alias);
    }
  }
  void check_type(const tpp_winograd_output_desc &desc, int alias) {
    const result both = run(desc, alias);
    expect_equal(both.got, both.want, std::string(GetParam()->name) + ": " + text(desc), desc.out.type);
  }
  // Whole tiles with a loose output, and parts of tiles with channels that fill no vector.
  std::vector<tpp_winograd_output_desc> shapes() const {
    std::vector<tpp_winograd_output_desc> all = {whole_tiles(tile(), 2, lanes()), whole_tiles(tile(), 2, 2 * lanes() + 3)};
    all[0].out.ld += 3;
    all[0].out_row_stride = all[0].out.ld * all[0].width + 1;
    all[1].height -= 1;
    all[1].width -= 1;
    return all;
  }
};

TEST_P(WinogradOutputTest, MatchesReferenceForEveryPartOfATile) {
  for (int64_t tiles : {1, 3})
    for (int64_t height = 0; height <= tile(); ++height)
      for (int64_t width = 0; width <= tiles * tile(); ++width)
        for (int chain = 0; chain < 4; ++chain) {
          tpp_winograd_output_desc desc = whole_tiles(tile(), tiles, lanes() + 3);
          desc.height = height, desc.width = width;
          desc.out_row_stride = width * desc.channels + 2;
          if (chain >= 1)
            add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
          if (chain >= 2)
            add_binary(desc, chain == 2 ? TPP_BINARY_add : TPP_BINARY_mul, TPP_BROADCAST_none);
          if (chain >= 1)
            add_unary(desc, TPP_UNARY_relu);
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(WinogradOutputTest, MatchesReferenceForEveryNumberOfChannels) {
  std::vector<int64_t> all(70);
  for (int64_t channels = 1; channels <= 70; ++channels)
    all[static_cast<size_t>(channels - 1)] = channels;
  for (int64_t chunk : {256, 257, 600}) // chunks have 256
    all.push_back(chunk);
  combinations tried;
  for (int64_t channels : all)
    for (int chain = 0; chain < 3; ++chain)
      for (int64_t missing : {0, 1}) {
        if (tried.leave_out())
          continue;
        tpp_winograd_output_desc desc = whole_tiles(tile(), 2, channels);
        desc.width -= missing;
        if (chain > 0)
          add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
        if (chain > 1)
          add_binary(desc, TPP_BINARY_sub, TPP_BROADCAST_none);
        check(desc);
        if (HasFatalFailure())
          return;
      }
}

TEST_P(WinogradOutputTest, MatchesReferenceInEveryForm) {
  combinations tried;
  for (int64_t channels : {lanes() - 1, 2 * lanes(), int64_t{37}})
    for (const tpp_matrix &in : elementwise::forms(TPP_TYPE_f32, 3, channels))
      for (const tpp_matrix &out : elementwise::forms(TPP_TYPE_f32, tile() * 3 - 1, channels))
        for (const tpp_matrix &residual : elementwise::forms(TPP_TYPE_f32, tile() * 3 - 1, channels))
          for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_mul}) {
            if (tried.leave_out())
              continue;
            tpp_winograd_output_desc desc = whole_tiles(tile(), 3, channels);
            desc.width -= 1;
            desc.in = in, desc.out = out;
            desc.in_point_stride = matrix_extent(in, desc.tiles, channels) + 3;
            desc.out_row_stride = matrix_extent(out, desc.width, channels) + 1;
            add_binary(desc, kind, TPP_BROADCAST_none, residual, true);
            check(desc);
            if (HasFatalFailure())
              return;
          }
}

// The points of a tile next to each other; an image whose rows of pixels are inside its panels of channels.
TEST_P(WinogradOutputTest, PointsAndRowsMayBeInside) {
  const int64_t points = (tile() + 2) * (tile() + 2), channels = 2 * lanes() + 5;
  tpp_winograd_output_desc desc = whole_tiles(tile(), 3, channels);
  desc.in_point_stride = channels + 1;
  desc.in.ld = points * (channels + 1);
  check(desc);
  desc.out = {TPP_TYPE_f32, 0, 16, 16, desc.width * 16 * desc.height};
  desc.out_row_stride = desc.width * 16;
  check(desc);
}

TEST_P(WinogradOutputTest, BinaryKindsWithEveryBroadcastAndType) {
  for (const tpp_winograd_output_desc &shape : shapes())
    for (tpp_binary_kind kind : elementwise::all_binary_kinds)
      for (int32_t broadcast : broadcasts)
        for (int32_t type : {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16}) {
          tpp_winograd_output_desc desc = shape;
          add_binary(desc, kind, broadcast, type);
          check(desc);
          add_unary(desc, TPP_UNARY_relu);
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

// Operands that are the same for all rows of pixels, or differ between them, whatever their broadcast.
TEST_P(WinogradOutputTest, OperandsMayRepeatForEachRowOfPixels) {
  for (const tpp_winograd_output_desc &shape : shapes())
    for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_max})
      for (int32_t broadcast : broadcasts)
        for (bool by_row_of_pixels : {false, true}) {
          tpp_winograd_output_desc desc = shape;
          add_binary(desc, kind, broadcast, plain(desc.channels), by_row_of_pixels);
          add_unary(desc, TPP_UNARY_identity);
          check(desc);
          desc.post_op_count = 1;
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

// Every order of the steps that are applied in registers, each followed by another step or by none.
TEST_P(WinogradOutputTest, ChainsInRegistersAndNot) {
  const auto add_step = [](tpp_winograd_output_desc &desc, int step) {
    if (step == 0)
      add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
    else if (step == 1)
      add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_none);
    else if (step == 2)
      add_unary(desc, TPP_UNARY_relu);
    else
      add_binary(desc, TPP_BINARY_sub, TPP_BROADCAST_scalar);
  };
  for (const tpp_winograd_output_desc &shape : shapes())
    for (int first = 0; first < 4; ++first)
      for (int second = 0; second < 4; ++second)
        for (int third = 0; third < 4; ++third) {
          tpp_winograd_output_desc desc = shape;
          add_step(desc, first);
          add_step(desc, second);
          add_step(desc, third);
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(WinogradOutputTest, LongChainsRunInOrder) {
  for (const tpp_winograd_output_desc &shape : shapes()) {
    tpp_winograd_output_desc desc = shape;
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
TEST_P(WinogradOutputTest, UnaryKindsAreAccurate) {
  for (const tpp_winograd_output_desc &shape : shapes())
    for (tpp_unary_kind kind : elementwise::all_unary_kinds) {
      if (!tpp::is_post_op(kind) || kind == TPP_UNARY_convert)
        continue;
      tpp_winograd_output_desc desc = shape;
      for (int i = 0; i < 3; ++i)
        add_binary(desc, TPP_BINARY_div, TPP_BROADCAST_scalar);
      add_unary(desc, kind);
      const result both = run(desc);
      expect_accurate(GetParam(), kind, both.got, both.want, text(desc));
      if (HasFatalFailure())
        return;
    }
}

TEST_P(WinogradOutputTest, TheResidualMayBeTheOutputItself) {
  for (const tpp_winograd_output_desc &shape : shapes())
    for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_sub})
      for (bool bias : {false, true}) {
        tpp_winograd_output_desc desc = shape;
        if (bias)
          add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
        const int step = add_output_as_operand(desc, kind);
        add_unary(desc, TPP_UNARY_relu);
        check(desc, step);
        if (HasFatalFailure())
          return;
      }
}

TEST_P(WinogradOutputTest, EmptySizesAccessNothing) {
  for (int64_t tiles : {0, 2})
    for (int64_t channels : {0, 9})
      for (int64_t height : {0, 2})
        for (int64_t width : {int64_t{0}, tiles * tile()}) {
          if (tiles > 0 && channels > 0 && height > 0 && width > 0)
            continue;
          tpp_winograd_output_desc desc = whole_tiles(tile(), tiles, channels);
          desc.height = height, desc.width = width;
          add_binary(desc, TPP_BINARY_mul, TPP_BROADCAST_none);
          tpp_args args{};
          EXPECT_TRUE(elementwise::run_row(GetParam(), desc, args)); // null pointers
        }
}

TEST_P(WinogradOutputTest, RandomFloatsAreWithinTheBound) {
  const tpp_winograd_output_desc desc = whole_tiles(tile(), 3, 2 * lanes() + 1);
  const int side = tile() + 2;
  stacked in(desc.in, desc.tiles, desc.channels, desc.in_point_stride, side * side, guard::behind);
  stacked out(desc.out, desc.width, desc.channels, desc.out_row_stride, desc.height, guard::behind);
  in.fill_near_zero(random);
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  ASSERT_TRUE(elementwise::run_row(GetParam(), desc, args));
  const auto &a = tpp::winograd_matrices_of(tile()).output;
  for (int64_t t = 0; t < desc.tiles; ++t)
    for (int64_t channel = 0; channel < desc.channels; ++channel)
      for (int i = 0; i < tile(); ++i)
        for (int j = 0; j < tile(); ++j) {
          double want = 0, magnitude = 0;
          for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
              const double product = a[i][y] * in.get(y * side + x, t, channel) * a[j][x];
              want += product;
              magnitude += std::fabs(product);
            }
          ASSERT_NEAR(out.get(i, j + tile() * t, channel), want, magnitude * 8 * 0x1p-24) << i << " " << j;
        }
}

// One NaN or infinity among the products: it spreads over the pixels that the reference gives it, and never to other tiles or channels.
TEST_P(WinogradOutputTest, SpecialValuesStayInTheirTiles) {
  tpp_winograd_output_desc desc = whole_tiles(tile(), 2, lanes() + 1);
  add_unary(desc, TPP_UNARY_identity);
  const int side = tile() + 2;
  stacked in(desc.in, desc.tiles, desc.channels, desc.in_point_stride, side * side, guard::behind);
  stacked out(desc.out, desc.width, desc.channels, desc.out_row_stride, desc.height, guard::behind);
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  for (double special : {double{NAN}, -HUGE_VAL})
    for (int64_t point = 0; point < side * side; ++point)
      for (int32_t steps : {0, 1}) {
        desc.post_op_count = steps;
        in.fill_integers(random);
        in.set(point, 1, 2, special);
        tpp::winograd_output_reference(desc, args);
        const std::vector<char> want = out.copy();
        ASSERT_TRUE(elementwise::run_row(GetParam(), desc, args));
        for (int64_t i = 0; i < desc.height; ++i)
          for (int64_t j = 0; j < desc.width; ++j)
            for (int64_t channel = 0; channel < desc.channels; ++channel) {
              const double got = out.get(i, j, channel);
              const double expected = tpp::load_double(TPP_TYPE_f32, want.data(), out.offset(i, j, channel));
              const bool inside = channel == 2 && j >= tile();
              if (!std::isfinite(expected)) {
                ASSERT_TRUE(inside && !std::isfinite(got));
              } else if (!inside) {
                ASSERT_EQ(got, expected);
              }
            }
      }
}

TEST_P(WinogradOutputTest, RejectsWhatItDoesNotCompute) {
  const tpp_winograd_output_desc good = whole_tiles(tile(), 2, 8);
  tpp_winograd_output_desc desc = good;
  desc.tile = 6 - tile();
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel is for another tile");
  desc.tile = 3;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_output has tiles of 2 or 4");
  desc = good;
  desc.out.type = TPP_TYPE_u8;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_output takes f32 to f32 or bf16");
  desc = good;
  desc.in.type = TPP_TYPE_f16;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_output takes f32 to f32 or bf16");
  desc = good;
  desc.in.vnni = 2;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_output takes no VNNI-blocked operand");
  desc = good;
  add_unary(desc, TPP_UNARY_convert);
  EXPECT_STREQ(GetParam()->reject(&desc), "convert is a post-op of i32 sums, once");
  desc = good;
  add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row, TPP_TYPE_i32);
  EXPECT_STREQ(GetParam()->reject(&desc), "a post-op's operand must be f32, bf16 or f16 (floating point) or i32 (integers)");
}

TEST_P(WinogradOutputTest, CostsLessThanTheReferenceAndMoreWithPostOps) {
  for (int64_t channels : {1, 64}) {
    tpp_winograd_output_desc desc = whole_tiles(tile(), 5, channels);
    const double bare = GetParam()->cost(&desc);
    add_binary(desc, TPP_BINARY_add, TPP_BROADCAST_row);
    EXPECT_GT(GetParam()->cost(&desc), bare);
    for (row_pointer row : runnable_rows(tpp::operation::winograd_output, /*native_only=*/false)) {
      if (row->provider == TPP_PROVIDER_reference) {
        EXPECT_LT(GetParam()->cost(&desc), row->cost(&desc));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, WinogradOutputTest, testing::ValuesIn(runnable_rows(tpp::operation::winograd_output)), row_name);

// The reference itself, against values computed by hand: a tile whose only product is 1 gives the product of two columns of A^T.
TEST(WinogradOutputReferenceTest, MultipliesWithTheMatricesOnBothSides) {
  tpp_winograd_output_desc desc = whole_tiles(4, 1, 1);
  float in[36] = {}, out[16];
  in[3 * 6 + 2] = 1; // row 3, column 2
  tpp_args args{};
  args.a = in;
  args.c = out;
  tpp::winograd_output_reference(desc, args);
  // Column 3 of A^T is 1 2 4 8, column 2 is 1 -1 1 -1.
  EXPECT_EQ(std::vector<float>(out, out + 16), (std::vector<float>{1, -1, 1, -1, 2, -2, 2, -2, 4, -4, 4, -4, 8, -8, 8, -8}));
}

} // namespace
} // namespace tpp_test::winograd

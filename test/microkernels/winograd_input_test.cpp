// Compares every native winograd_input kernel of this machine with the reference: all borders, channels around the vector and the chunk, layouts and
// strides, operands that end or begin at an unmapped page. Transforms of small integers must be equal; those of random floats are bounded by eps
// * (sum of magnitudes).
#include "microkernels/common/winograd.hpp"
#include "microkernels/winograd_input/winograd_input.hpp"
#include "winograd_problem.hpp"

namespace tpp_test::winograd {
namespace {

// A descriptor of whole tiles, plain and contiguous.
tpp_winograd_input_desc whole_tiles(int32_t tile, int64_t tiles, int64_t channels) {
  tpp_winograd_input_desc desc{};
  desc.struct_size = sizeof desc;
  desc.tiles = tiles;
  desc.channels = channels;
  desc.height = tile + 2;
  desc.width = tile * tiles + 2;
  desc.in = desc.out = plain(channels);
  desc.in_row_stride = desc.width * channels;
  desc.out_point_stride = tiles * channels;
  desc.tile = tile;
  return desc;
}

std::string text(const tpp_winograd_input_desc &desc) {
  return std::to_string(desc.tiles) + " tiles of " + std::to_string(desc.channels) + " channels, " + std::to_string(desc.height) +
         "x" + std::to_string(desc.width) + " at " + std::to_string(desc.top) + "," + std::to_string(desc.left) + " " +
         elementwise::text(desc.in) + " to " + elementwise::text(desc.out);
}

class WinogradInputTest : public WinogradTest {
protected:
  // Compares on small integers, for each type of image.
  void check(tpp_winograd_input_desc desc) {
    for (int32_t type : image_types) {
      desc.in.type = type;
      check_type(desc);
    }
  }
  void check_type(const tpp_winograd_input_desc &desc) {
    const guard side = next_side();
    const int points = (desc.tile + 2) * (desc.tile + 2);
    stacked in(desc.in, desc.width, desc.channels, desc.in_row_stride, desc.height, side);
    stacked out(desc.out, desc.tiles, desc.channels, desc.out_point_stride, points, side);
    in.fill_integers(random);
    out.fill_bytes(elementwise::untouched);
    compare(desc, in, out);
  }
  void compare(const tpp_winograd_input_desc &desc, stacked &in, stacked &out) {
    const std::vector<char> start = out.copy();
    tpp_args args{};
    args.a = in.data();
    args.c = out.data();
    const std::vector<char> got = run_on_copy(GetParam(), desc, args, out, start);
    out.restore(start);
    tpp::winograd_input_reference(desc, args);
    expect_equal(got, out.copy(), std::string(GetParam()->name) + ": " + text(desc));
  }
};

TEST_P(WinogradInputTest, MatchesReferenceAtEveryBorder) {
  const int64_t side = tile() + 2;
  for (int64_t tiles : {1, 3})
    for (int64_t top = 0; top <= side; ++top)
      for (int64_t height = 0; height <= side - top; ++height)
        for (int64_t left = 0; left <= side; ++left) {
          const int64_t most = tile() * tiles + 2 - left;
          for (int64_t width = 0; width <= most; width += width > 1 && width + 3 < most ? 3 : 1) {
            tpp_winograd_input_desc desc = whole_tiles(tile(), tiles, lanes() + 3);
            desc.height = height, desc.width = width, desc.top = top, desc.left = left;
            desc.in_row_stride = width * desc.channels + 5;
            check(desc);
            if (HasFatalFailure())
              return;
          }
        }
}

TEST_P(WinogradInputTest, MatchesReferenceForEveryNumberOfChannels) {
  for (int64_t channels = 1; channels <= 70; ++channels)
    for (int64_t border : {0, 1}) {
      tpp_winograd_input_desc desc = whole_tiles(tile(), 2, channels);
      desc.top = desc.left = border;
      desc.height -= border, desc.width -= 2 * border;
      check(desc);
      if (HasFatalFailure())
        return;
    }
  for (int64_t channels : {256, 257, 600}) { // chunks have 256
    check(whole_tiles(tile(), 2, channels));
    tpp_winograd_input_desc desc = whole_tiles(tile(), 2, channels);
    desc.top = 1, desc.height -= 2, desc.left = 2, desc.width -= 3;
    check(desc);
    if (HasFatalFailure())
      return;
  }
}

TEST_P(WinogradInputTest, MatchesReferenceInEveryForm) {
  for (int64_t channels : {lanes() - 1, 2 * lanes(), int64_t{37}})
    for (int64_t border : {0, 1})
      for (const tpp_matrix &in : elementwise::forms(TPP_TYPE_f32, tile() * 3 + 2 - 2 * border, channels))
        for (const tpp_matrix &out : elementwise::forms(TPP_TYPE_f32, 3, channels)) {
          tpp_winograd_input_desc desc = whole_tiles(tile(), 3, channels);
          desc.top = desc.left = border;
          desc.height -= border, desc.width -= 2 * border;
          desc.in = in, desc.out = out;
          desc.in_row_stride = matrix_extent(in, desc.width, channels) + 1;
          desc.out_point_stride = matrix_extent(out, desc.tiles, channels) + 3;
          check(desc);
          if (HasFatalFailure())
            return;
        }
}

// The points of a tile next to each other, and those of a panel of channels.
TEST_P(WinogradInputTest, PointsMayBeInsideTilesOrPanels) {
  const int64_t points = (tile() + 2) * (tile() + 2), channels = 2 * lanes() + 5;
  tpp_winograd_input_desc desc = whole_tiles(tile(), 3, channels);
  desc.out_point_stride = channels + 1;
  desc.out.ld = points * (channels + 1);
  check(desc);
  desc.out = {TPP_TYPE_f32, 0, 16, 16, points * desc.tiles * 16};
  desc.out_point_stride = desc.tiles * 16;
  check(desc);
  // Rows of pixels next to each other: a transposed image.
  desc.in.ld = desc.height * channels;
  desc.in_row_stride = channels;
  check(desc);
}

TEST_P(WinogradInputTest, EmptySizesAccessNothing) {
  for (int64_t tiles : {0, 2})
    for (int64_t channels : {0, 9}) {
      tpp_winograd_input_desc desc = whole_tiles(tile(), tiles, channels);
      for (auto [height, width] : {std::pair<int64_t, int64_t>{0, desc.width}, {desc.height, 0}, {0, 0}}) {
        desc.height = height, desc.width = width;
        check(desc);
      }
      if (tiles > 0)
        continue;
      desc = whole_tiles(tile(), tiles, channels);
      tpp_args args{};
      EXPECT_TRUE(elementwise::run_row(GetParam(), desc, args)); // null pointers
    }
}

TEST_P(WinogradInputTest, RandomFloatsAreWithinTheBound) {
  tpp_winograd_input_desc desc = whole_tiles(tile(), 3, 2 * lanes() + 1);
  desc.left = 1, desc.width -= 1;
  const int side = tile() + 2;
  stacked in(desc.in, desc.width, desc.channels, desc.in_row_stride, desc.height, guard::behind);
  stacked out(desc.out, desc.tiles, desc.channels, desc.out_point_stride, side * side, guard::behind);
  in.fill_near_zero(random);
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  ASSERT_TRUE(elementwise::run_row(GetParam(), desc, args));
  const auto &b = tpp::winograd_matrices_of(tile()).input;
  for (int64_t t = 0; t < desc.tiles; ++t)
    for (int64_t channel = 0; channel < desc.channels; ++channel)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          double want = 0, magnitude = 0;
          for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j) {
              const int64_t col = j + tile() * t - desc.left;
              const double pixel = col >= 0 && col < desc.width ? in.get(i, col, channel) : 0;
              want += b[y][i] * pixel * b[x][j];
              magnitude += std::fabs(b[y][i] * pixel * b[x][j]);
            }
          ASSERT_NEAR(out.get(y * side + x, t, channel), want, magnitude * 8 * 0x1p-24) << y << " " << x;
        }
}

// One NaN or infinity at any pixel: it spreads over the points that the reference gives it, and never to other tiles or channels.
TEST_P(WinogradInputTest, SpecialValuesStayInTheirTiles) {
  const tpp_winograd_input_desc desc = whole_tiles(tile(), 3, lanes() + 1);
  const int side = tile() + 2;
  stacked in(desc.in, desc.width, desc.channels, desc.in_row_stride, desc.height, guard::behind);
  stacked out(desc.out, desc.tiles, desc.channels, desc.out_point_stride, side * side, guard::behind);
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  for (double special : {double{NAN}, HUGE_VAL})
    for (int64_t row = 0; row < desc.height; ++row)
      for (int64_t col = 0; col < desc.width; ++col) {
        in.fill_integers(random);
        in.set(row, col, 2, special);
        tpp::winograd_input_reference(desc, args);
        const std::vector<char> want = out.copy();
        ASSERT_TRUE(elementwise::run_row(GetParam(), desc, args));
        for (int64_t point = 0; point < side * side; ++point)
          for (int64_t t = 0; t < desc.tiles; ++t)
            for (int64_t channel = 0; channel < desc.channels; ++channel) {
              const double got = out.get(point, t, channel);
              const double expected = tpp::load_double(TPP_TYPE_f32, want.data(), out.offset(point, t, channel));
              const bool inside = channel == 2 && col >= t * tile() && col < t * tile() + side;
              if (!std::isfinite(expected)) {
                ASSERT_TRUE(inside && !std::isfinite(got));
              } else if (!inside) {
                ASSERT_EQ(got, expected);
              }
            }
      }
}

TEST_P(WinogradInputTest, RejectsWhatItDoesNotCompute) {
  tpp_winograd_input_desc desc = whole_tiles(tile(), 2, 8);
  const tpp_winograd_input_desc good = desc;
  desc.tile = 6 - tile();
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel is for another tile");
  desc.tile = 3;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_input has tiles of 2 or 4");
  desc = good;
  desc.in.type = TPP_TYPE_i8;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_input takes f32 or bf16 to f32");
  desc = good;
  desc.out.type = TPP_TYPE_bf16;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_input takes f32 or bf16 to f32");
  desc = good;
  desc.out.vnni = 2;
  EXPECT_STREQ(GetParam()->reject(&desc), "winograd_input takes no VNNI-blocked operand");
}

TEST_P(WinogradInputTest, CostsLessThanTheReference) {
  for (int64_t channels : {1, 64}) {
    const tpp_winograd_input_desc desc = whole_tiles(tile(), 5, channels);
    for (row_pointer row : runnable_rows(tpp::operation::winograd_input, /*native_only=*/false)) {
      if (row->provider == TPP_PROVIDER_reference) {
        EXPECT_LT(GetParam()->cost(&desc), row->cost(&desc));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, WinogradInputTest, testing::ValuesIn(runnable_rows(tpp::operation::winograd_input)), row_name);

// The reference itself, against values computed by hand: a tile whose only pixel is 1 gives the product of two columns of B^T.
TEST(WinogradInputReferenceTest, MultipliesWithTheMatricesOnBothSides) {
  tpp_winograd_input_desc desc = whole_tiles(2, 1, 1);
  float in[16] = {}, out[16];
  in[1 * 4 + 2] = 1; // row 1, column 2
  tpp_args args{};
  args.a = in;
  args.c = out;
  tpp::winograd_input_reference(desc, args);
  // Column 1 of B^T is 0 1 -1 1, column 2 is -1 1 1 0.
  EXPECT_EQ(std::vector<float>(out, out + 16), (std::vector<float>{0, 0, 0, 0, -1, 1, 1, 0, 1, -1, -1, 0, -1, 1, 1, 0}));
}

} // namespace
} // namespace tpp_test::winograd

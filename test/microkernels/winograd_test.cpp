// The whole of Winograd's algorithm with each pair of kernels: a transformed image, products with a transformed filter, and their transform back
// must equal a direct 3x3 convolution.
#include "winograd_problem.hpp"

namespace tpp_test::winograd {
namespace {

// G of Lavin and Gray, which the descriptors do not need: filters are transformed when they are packed.
const double filter_matrix_2[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
const double filter_matrix_4[6][3] = {{1.0 / 4, 0, 0},
                                      {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                      {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                      {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                      {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                      {0, 0, 1}};

double filter_coefficient(int32_t tile, int point, int tap) {
  return tile == 2 ? filter_matrix_2[point][tap] : filter_matrix_4[point][tap];
}

// A 3x3 convolution of an image with a border of zeros: pixels in rows of channels, filters in taps of channels.
struct convolution {
  int64_t height, width, pad, channels, filters;
  std::vector<float> image, filter;

  convolution(int64_t height, int64_t width, int64_t pad, int64_t channels, int64_t filters, std::mt19937 &random)
      : height(height), width(width), pad(pad), channels(channels), filters(filters),
        image(static_cast<size_t>(height * width * channels)), filter(static_cast<size_t>(9 * channels * filters)) {
    std::normal_distribution<float> normal;
    for (float &x : image)
      x = normal(random);
    for (float &x : filter)
      x = normal(random);
  }
  int64_t out_height() const { return height + 2 * pad - 2; }
  int64_t out_width() const { return width + 2 * pad - 2; }
  double pixel(int64_t y, int64_t x, int64_t c) const {
    if (y < 0 || y >= height || x < 0 || x >= width)
      return 0;
    return static_cast<double>(image[static_cast<size_t>((y * width + x) * channels + c)]);
  }
  double weight(int64_t y, int64_t x, int64_t c, int64_t f) const {
    return static_cast<double>(filter[static_cast<size_t>(((y * 3 + x) * channels + c) * filters + f)]);
  }
  // Element (y, x) of G * filter * G^T.
  double transformed_weight(int32_t tile, int y, int x, int64_t c, int64_t f) const {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        sum += filter_coefficient(tile, y, i) * weight(i, j, c, f) * filter_coefficient(tile, x, j);
    return sum;
  }
};

class WinogradAlgorithmTest : public WinogradTest {
protected:
  // The kernel of the other operation, for the same target.
  row_pointer output_row() const {
    std::string name = GetParam()->name;
    name.replace(name.find("winograd_input"), 14, "winograd_output");
    for (row_pointer row : runnable_rows(tpp::operation::winograd_output))
      if (name == row->name)
        return row;
    return nullptr;
  }

  // Transforms one row of tiles, whose first row of outputs is `top_row`.
  std::vector<float> transform(const convolution &of, int64_t tiles, int64_t top_row) const {
    const int side = tile() + 2;
    // Rows of the image that the tiles contain.
    const int64_t first = std::min(std::max<int64_t>(top_row - of.pad, 0), of.height);
    const int64_t end = std::min<int64_t>(top_row - of.pad + side, of.height);
    tpp_winograd_input_desc desc{};
    desc.struct_size = sizeof desc;
    desc.tiles = tiles;
    desc.channels = of.channels;
    desc.top = std::min<int64_t>(std::max<int64_t>(of.pad - top_row, 0), side);
    desc.left = of.pad;
    desc.height = std::max<int64_t>(end - first, 0);
    desc.width = std::min<int64_t>(of.width, tile() * tiles + 2 - of.pad);
    desc.in = desc.out = plain(of.channels);
    desc.in_row_stride = of.width * of.channels;
    desc.out_point_stride = tiles * of.channels;
    desc.tile = tile();
    std::vector<float> points(static_cast<size_t>(side * side * tiles * of.channels));
    tpp_args args{};
    args.a = of.image.data() + first * of.width * of.channels;
    args.c = points.data();
    EXPECT_TRUE(elementwise::run_row(GetParam(), desc, args));
    return points;
  }
  std::vector<float> multiply(const convolution &by, int64_t tiles, const std::vector<float> &points) const {
    const int side = tile() + 2;
    std::vector<float> products(static_cast<size_t>(side * side * tiles * by.filters));
    for (int point = 0; point < side * side; ++point)
      for (int64_t f = 0; f < by.filters; ++f)
        for (int64_t c = 0; c < by.channels; ++c) {
          const double weight = by.transformed_weight(tile(), point / side, point % side, c, f);
          for (int64_t t = 0; t < tiles; ++t)
            products[static_cast<size_t>((point * tiles + t) * by.filters + f)] += static_cast<float>(
                weight * static_cast<double>(points[static_cast<size_t>((point * tiles + t) * by.channels + c)]));
        }
    return products;
  }
  void transform_back(const convolution &of, int64_t tiles, int64_t top_row, const std::vector<float> &products,
                      std::vector<float> &result) const {
    tpp_winograd_output_desc desc{};
    desc.struct_size = sizeof desc;
    desc.tiles = tiles;
    desc.channels = of.filters;
    desc.height = std::min<int64_t>(of.out_height() - top_row, tile());
    desc.width = of.out_width();
    desc.in = desc.out = plain(of.filters);
    desc.in_point_stride = tiles * of.filters;
    desc.out_row_stride = of.out_width() * of.filters;
    desc.tile = tile();
    tpp_args args{};
    args.a = products.data();
    args.c = result.data() + top_row * of.out_width() * of.filters;
    EXPECT_TRUE(elementwise::run_row(output_row(), desc, args));
  }
};

TEST_P(WinogradAlgorithmTest, EqualsADirectConvolution) {
  ASSERT_NE(output_row(), nullptr);
  for (int64_t pad : {0, 1, 2})
    for (std::pair<int64_t, int64_t> size : {std::pair<int64_t, int64_t>{3, 3}, {7, 9}, {12, 13}}) {
      const convolution problem(size.first, size.second, pad, 5, 11, random);
      const int64_t tiles = (problem.out_width() + tile() - 1) / tile();
      std::vector<float> result(static_cast<size_t>(problem.out_height() * problem.out_width() * problem.filters), NAN);
      for (int64_t top_row = 0; top_row < problem.out_height(); top_row += tile())
        transform_back(problem, tiles, top_row, multiply(problem, tiles, transform(problem, tiles, top_row)), result);
      for (int64_t y = 0; y < problem.out_height(); ++y)
        for (int64_t x = 0; x < problem.out_width(); ++x)
          for (int64_t f = 0; f < problem.filters; ++f) {
            double want = 0, magnitude = 0;
            for (int64_t i = 0; i < 3; ++i)
              for (int64_t j = 0; j < 3; ++j)
                for (int64_t c = 0; c < problem.channels; ++c) {
                  const double product = problem.pixel(y + i - pad, x + j - pad, c) * problem.weight(i, j, c, f);
                  want += product;
                  magnitude += std::fabs(product);
                }
            // The transforms amplify rounding errors, those of larger tiles more, and add errors of the tile's other pixels.
            const double got =
                static_cast<double>(result[static_cast<size_t>((y * problem.out_width() + x) * problem.filters + f)]);
            ASSERT_NEAR(got, want, 0x1p-24 * (tile() == 2 ? 16 : 128) * (magnitude + 10))
                << GetParam()->name << " " << size.first << "x" << size.second << " pad " << pad << " at " << y << "," << x << ","
                << f;
          }
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, WinogradAlgorithmTest, testing::ValuesIn(runnable_rows(tpp::operation::winograd_input)), row_name);

} // namespace
} // namespace tpp_test::winograd

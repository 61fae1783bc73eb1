// Shared by the tests of winograd_input and winograd_output: stacks of matrices in guarded memory, and the comparison of two results.
#pragma once
#include "elementwise_problem.hpp"

namespace tpp_test::winograd {

using elementwise::row_name;
using elementwise::row_pointer;
using elementwise::runnable_rows;

// Matrices of one layout, `stride` elements apart, next to a guard page. It has no more bytes than its elements need.
class stacked {
public:
  tpp_matrix form;
  int64_t rows, cols, stride, count;

  stacked(tpp_matrix form, int64_t rows, int64_t cols, int64_t stride, int64_t count, guard side)
      : form(form), rows(rows), cols(cols), stride(stride), count(count),
        memory_(static_cast<size_t>(extent() * tpp::type_bytes(form.type)), side) {}

  char *data() { return memory_.as<char>(); }
  const char *data() const { return memory_.as<char>(); }
  size_t bytes() const { return memory_.bytes(); }
  int64_t elements() const { return static_cast<int64_t>(bytes()) / tpp::type_bytes(form.type); }
  int64_t offset(int64_t layer, int64_t i, int64_t j) const { return layer * stride + tpp::element_offset(form, i, j); }
  double get(int64_t layer, int64_t i, int64_t j) const { return tpp::load_double(form.type, data(), offset(layer, i, j)); }
  void set(int64_t layer, int64_t i, int64_t j, double value) {
    tpp::store_double(form.type, data(), offset(layer, i, j), value);
  }
  // Fills elements and gaps.
  void fill_integers(std::mt19937 &random, int from = -4, int to = 4) {
    std::uniform_int_distribution<int> value(from, to);
    for (int64_t at = 0; at < elements(); ++at)
      tpp::store_double(form.type, data(), at, value(random));
  }
  void fill_normal(std::mt19937 &random) {
    std::normal_distribution<double> value(0.0, 3.0);
    for (int64_t at = 0; at < elements(); ++at)
      tpp::store_double(form.type, data(), at, value(random));
  }
  void fill_bytes(unsigned char byte) {
    if (bytes() > 0)
      std::memset(data(), byte, bytes());
  }
  std::vector<char> copy() const { return std::vector<char>(data(), data() + bytes()); }
  void restore(const std::vector<char> &saved) { std::copy(saved.begin(), saved.end(), data()); }

private:
  int64_t extent() const {
    int64_t last = -1;
    for (int64_t j = 0; rows > 0 && count > 0 && j < cols; ++j)
      last = std::max(last, offset(count - 1, rows - 1, j));
    return last + 1;
  }
  guarded_buffer memory_;
};

// Elements of one matrix, gaps included.
inline int64_t matrix_extent(const tpp_matrix &form, int64_t rows, int64_t cols) {
  int64_t last = -1;
  for (int64_t j = 0; rows > 0 && j < cols; ++j)
    last = std::max(last, tpp::element_offset(form, rows - 1, j));
  return last + 1;
}

inline tpp_matrix plain(int64_t ld) { return {TPP_TYPE_f32, 0, std::max<int64_t>(ld, 1), 0, 0}; }

// Runs a kernel on arguments, on a fresh copy of `out`. The bytes of the result, or none if the kernel rejects the descriptor.
template <class Desc>
std::vector<char> run_on_copy(row_pointer row, const Desc &desc, const tpp_args &args, stacked &out,
                              const std::vector<char> &start) {
  out.restore(start);
  if (!elementwise::run_row(row, desc, args))
    return {};
  return out.copy();
}

// Expects floats to be equal (zeros of either sign are), gaps included; any NaN equals any NaN.
inline void expect_equal(const std::vector<char> &got, const std::vector<char> &want, const std::string &where) {
  ASSERT_EQ(got.size(), want.size()) << where;
  for (size_t at = 0; at + sizeof(float) <= got.size(); at += sizeof(float)) {
    float x, y;
    std::memcpy(&x, &got[at], sizeof x);
    std::memcpy(&y, &want[at], sizeof y);
    ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0)
        << where << " at element " << at / sizeof(float) << ": " << x << ", reference " << y;
  }
}

// The tile of a kernel, from its name.
inline int32_t tile_of(row_pointer row) { return std::string(row->name).find("_f32_2_") != std::string::npos ? 2 : 4; }

class WinogradTest : public testing::TestWithParam<row_pointer> {
protected:
  std::mt19937 random{11};
  int turn = 0;

  int32_t tile() const { return tile_of(GetParam()); }
  int64_t lanes() const { return elementwise::lanes(GetParam(), TPP_TYPE_f32); }
  guard next_side() { return turn++ % 2 == 0 ? guard::behind : guard::before; }
};

} // namespace tpp_test::winograd

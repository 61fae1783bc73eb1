// Shared by the tests of winograd_input, winograd_output and grouped_conv: stacks of matrices in guarded memory, post-ops of images and their operands,
// and the comparison of two results.
#pragma once
#include "elementwise_problem.hpp"

namespace tpp_test::image {

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
  void fill_near_zero(std::mt19937 &random) {
    for (int64_t at = 0; at < elements(); ++at)
      tpp::store_double(form.type, data(), at, 3 * elementwise::near_zero(random));
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
inline void expect_equal(const std::vector<char> &got, const std::vector<char> &want, const std::string &where,
                         int32_t type = TPP_TYPE_f32) {
  ASSERT_EQ(got.size(), want.size()) << where;
  const auto elements = static_cast<int64_t>(got.size()) / tpp::type_bytes(type);
  for (int64_t at = 0; at < elements; ++at) {
    const double x = tpp::load_double(type, got.data(), at), y = tpp::load_double(type, want.data(), at);
    ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << where << " at element " << at << ": " << x << ", reference " << y;
  }
}

// The types that images may have.
constexpr int32_t image_types[] = {TPP_TYPE_f32, TPP_TYPE_bf16};

// Expects floats to be those of a unary kind, within its error on equal arguments.
inline void expect_accurate(row_pointer row, tpp_unary_kind kind, const std::vector<char> &got, const std::vector<char> &want,
                            const std::string &where) {
  const bool fused = std::string(row->target) != "sse4" && std::string(row->target) != "portable";
  ASSERT_EQ(got.size(), want.size()) << where;
  for (size_t at = 0; at + sizeof(float) <= got.size(); at += sizeof(float)) {
    const float x = tpp::load_float(TPP_TYPE_f32, &got[at], 0), y = tpp::load_float(TPP_TYPE_f32, &want[at], 0);
    ASSERT_TRUE(is_accurate(kind, fused, x, y)) << row->name << " " << where << ": " << x << ", reference " << y;
  }
}

// ---- post-ops: `Desc` is a descriptor with post_row_strides ----

constexpr int32_t broadcasts[] = {TPP_BROADCAST_none, TPP_BROADCAST_row, TPP_BROADCAST_col, TPP_BROADCAST_scalar};

inline bool one_col(int32_t broadcast) { return broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar; }
inline bool one_row(int32_t broadcast) { return broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar; }
// Columns and rows of the operand, for the pixels of one row.
template <class Desc> int64_t cols_of(const Desc &desc, const tpp_post_op &op) {
  return one_col(op.broadcast) ? std::min<int64_t>(desc.channels, 1) : desc.channels;
}
template <class Desc> int64_t rows_of(const Desc &desc, const tpp_post_op &op) {
  return one_row(op.broadcast) ? std::min<int64_t>(desc.width, 1) : desc.width;
}

template <class Desc> void add_unary(Desc &desc, int32_t kind) {
  desc.post_ops[desc.post_op_count++] = {TPP_POST_OP_unary, kind, 0, 0, {}};
}
// A step whose operand has the given form, with rows of pixels one after the other, or the same for all.
template <class Desc>
void add_binary(Desc &desc, int32_t kind, int32_t broadcast, const tpp_matrix &form, bool by_row_of_pixels) {
  const int32_t s = desc.post_op_count++;
  desc.post_ops[s] = {TPP_POST_OP_binary, kind, broadcast, 0, form};
  desc.post_row_strides[s] =
      by_row_of_pixels ? matrix_extent(form, rows_of(desc, desc.post_ops[s]), cols_of(desc, desc.post_ops[s])) + 1 : 0;
}
template <class Desc> void add_binary(Desc &desc, int32_t kind, int32_t broadcast, int32_t type = TPP_TYPE_f32) {
  add_binary(desc, kind, broadcast, {type, 0, one_col(broadcast) ? 1 : std::max<int64_t>(desc.channels, 1) + 1, 0, 0},
             !one_row(broadcast));
}
// Adds a step whose operand is the output itself. Returns its position.
template <class Desc> int add_output_as_operand(Desc &desc, int32_t kind) {
  const int step = desc.post_op_count;
  add_binary(desc, kind, TPP_BROADCAST_none, desc.out, true);
  desc.post_row_strides[step] = desc.out_row_stride;
  return step;
}

template <class Desc> std::string text_of_post_ops(const Desc &desc) {
  std::string out;
  for (int32_t s = 0; s < desc.post_op_count; ++s)
    out += (desc.post_ops[s].op_class == TPP_POST_OP_unary ? " unary " : " binary ") + std::to_string(desc.post_ops[s].kind) +
           "." + std::to_string(desc.post_ops[s].broadcast) + elementwise::text(desc.post_ops[s].form);
  return out;
}

// Small integers for the operands of all binary steps. Sets args.post; that of step `alias` is the output, args.c. The operands live as long as the
// result.
template <class Desc>
std::vector<std::unique_ptr<stacked>> make_post_operands(const Desc &desc, tpp_args &args, std::mt19937 &random, guard side,
                                                         int alias = -1) {
  std::vector<std::unique_ptr<stacked>> operands;
  for (int32_t s = 0; s < desc.post_op_count; ++s) {
    const tpp_post_op &op = desc.post_ops[s];
    if (op.op_class != TPP_POST_OP_binary)
      continue;
    operands.push_back(
        std::make_unique<stacked>(op.form, rows_of(desc, op), cols_of(desc, op), desc.post_row_strides[s], desc.height, side));
    operands.back()->fill_integers(random, 1, 5); // divisors are not 0
    args.post[s] = s == alias ? args.c : operands.back()->data();
  }
  return operands;
}

} // namespace tpp_test::image

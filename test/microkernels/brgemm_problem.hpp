// A brgemm test problem: holds the descriptor, allocates and fills operands in guarded memory, runs a kernel entry and the
// reference, and compares them.
#pragma once
#include "microkernels/brgemm/brgemm.hpp"
#include "microkernels/common/matrix.hpp"
#include "support/guarded_buffer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tpp_test {

inline tpp_matrix plain(int64_t ld) { return {TPP_TYPE_f32, 0, ld, 0, 0}; }
inline tpp_matrix panels(int64_t width, int64_t rows, int64_t gap = 0) {
  return {TPP_TYPE_f32, 0, width + gap, width, rows * (width + gap) + gap};
}
// Element (i, j) is at j * ld + i.
inline tpp_matrix transposed(int64_t ld) { return {TPP_TYPE_f32, 0, 1, 1, ld}; }

// Number of elements from the pointer to the end of the last element touched.
inline int64_t extent(const tpp_matrix &form, int64_t rows, int64_t cols) {
  int64_t last = -1;
  for (int64_t j = 0; rows > 0 && j < cols; ++j)
    last = std::max(last, tpp::element_offset(form, rows - 1, j));
  return last + 1;
}

inline tpp_post_op unary_step(int32_t kind) { return {TPP_POST_OP_unary, kind, 0, 0, {}}; }
inline tpp_post_op binary_step(int32_t kind, int32_t broadcast, tpp_matrix form) {
  return {TPP_POST_OP_binary, kind, broadcast, 0, form};
}

enum class values { small_integers, random };

class brgemm_problem {
public:
  tpp_brgemm_desc desc{};
  int64_t batch = 1, b_use = 0;
  guard side = guard::behind;
  bool residual_is_c = false; // the operand of the first post-op with broadcast `none` is C itself

  brgemm_problem(int64_t m, int64_t n, int64_t k) {
    desc.struct_size = sizeof(desc);
    desc.m = m;
    desc.n = n;
    desc.k = k;
    desc.a = plain(std::max<int64_t>(k, 1));
    desc.b = plain(std::max<int64_t>(n, 1));
    desc.c = plain(std::max<int64_t>(n, 1));
    desc.batch_kind = TPP_BATCH_stride;
  }

  void add_step(tpp_post_op step) { desc.post_ops[desc.post_op_count++] = step; }

  // Allocates and fills operands that end (or begin) at a guard page. C is filled with NaN if beta is 0.
  void make(values kind, uint32_t seed) {
    std::mt19937 random(seed);
    a_extent_ = extent(desc.a, desc.m, desc.k);
    b_extent_ = extent(desc.b, desc.k, desc.n);
    desc.a_batch_stride = a_extent_ * 4;
    desc.b_batch_stride = b_extent_ * 4;
    a_ = filled(a_extent_ * batch, kind, random);
    b_ = filled(b_extent_ * batch, kind, random);
    c_start_ = filled(extent(desc.c, desc.m, desc.n), kind, random);
    if (desc.beta == 0 && !residual_is_c)
      for (size_t i = 0; i < c_start_->bytes() / 4; ++i)
        c_start_->as<float>()[i] = std::numeric_limits<float>::quiet_NaN();
    for (int s = 0; s < desc.post_op_count; ++s) {
      const tpp_post_op &op = desc.post_ops[s];
      int64_t rows =
          op.broadcast == TPP_BROADCAST_row || op.broadcast == TPP_BROADCAST_scalar ? std::min<int64_t>(desc.m, 1) : desc.m;
      int64_t cols =
          op.broadcast == TPP_BROADCAST_col || op.broadcast == TPP_BROADCAST_scalar ? std::min<int64_t>(desc.n, 1) : desc.n;
      post_[s] = op.op_class == TPP_POST_OP_binary ? filled(extent(op.form, rows, cols), kind, random) : nullptr;
    }
    // The tables list the batch entries in reverse order, so that a kernel that ignores them gives a wrong result.
    for (int64_t entry = 0; entry < batch; ++entry) {
      a_offsets_.push_back((batch - 1 - entry) * desc.a_batch_stride);
      b_offsets_.push_back((batch - 1 - entry) * desc.b_batch_stride);
      a_addresses_.push_back(a_->as<char>() + a_offsets_.back());
      b_addresses_.push_back(b_->as<char>() + b_offsets_.back());
    }
  }

  // Elements of the first batch entry, after make.
  float &a(int64_t row, int64_t col) { return a_->as<float>()[tpp::element_offset(desc.a, row, col)]; }
  float &b(int64_t row, int64_t col) { return b_->as<float>()[tpp::element_offset(desc.b, row, col)]; }

  // Runs the kernel on a fresh copy of C and returns that copy; null if the kernel rejects the descriptor.
  std::unique_ptr<guarded_buffer> run(const tpp::microkernel_row &row) const {
    if (row.reject(&desc) != nullptr)
      return nullptr;
    auto kernel = std::make_unique<tpp::microkernel>();
    kernel->desc.brgemm = desc;
    row.prepare(kernel.get());
    auto c = fresh_c();
    tpp_args args = arguments(*c);
    kernel->head.entry(&kernel->head, &args);
    return c;
  }

  std::unique_ptr<guarded_buffer> run_reference() const {
    auto c = fresh_c();
    tpp::brgemm_reference(desc, arguments(*c));
    return c;
  }

  // Expects every float of C to be equal to the reference's, gaps between rows included. Any NaN equals any NaN; zeros of either
  // sign are equal.
  void expect_equal(const tpp::microkernel_row &row) const {
    auto got = run(row);
    ASSERT_TRUE(got) << row.name << " rejects " << text() << ": " << row.reject(&desc);
    auto want = run_reference();
    const auto *x = got->as<float>(), *y = want->as<float>();
    for (size_t i = 0; i < want->bytes() / 4; ++i)
      ASSERT_TRUE(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
          << row.name << " " << text() << " at element " << i << ": " << x[i] << ", reference " << y[i];
  }

  // Sum of |a| * |b| over batch and k for one element of C, in double.
  double magnitude(int64_t row, int64_t col) const {
    double sum = 0;
    for (int64_t e = 0; e < batch; ++e)
      for (int64_t k = 0; k < desc.k; ++k)
        sum += std::fabs(static_cast<double>(a_->as<float>()[e * a_extent_ + tpp::element_offset(desc.a, row, k)]) *
                         static_cast<double>(b_->as<float>()[e * b_extent_ + tpp::element_offset(desc.b, k, col)]));
    return sum;
  }

  std::string text() const {
    std::string out = "m" + std::to_string(desc.m) + "_n" + std::to_string(desc.n) + "_k" + std::to_string(desc.k) + "_b" +
                      std::to_string(batch) + "_kind" + std::to_string(desc.batch_kind) + "_beta" + std::to_string(desc.beta);
    auto form = [&](const char *name, const tpp_matrix &f) {
      out += std::string(" ") + name + "(ld " + std::to_string(f.ld) + " panel " + std::to_string(f.panel) + "/" +
             std::to_string(f.panel_stride) + ")";
    };
    form("A", desc.a);
    form("B", desc.b);
    form("C", desc.c);
    for (int s = 0; s < desc.post_op_count; ++s) {
      const tpp_post_op &op = desc.post_ops[s];
      out += (op.op_class == TPP_POST_OP_unary ? " unary " : " binary ") + std::to_string(op.kind) + "." +
             std::to_string(op.broadcast);
    }
    return out;
  }

private:
  std::unique_ptr<guarded_buffer> filled(int64_t elements, values kind, std::mt19937 &random) const {
    auto buffer = std::make_unique<guarded_buffer>(static_cast<size_t>(elements) * 4, side);
    std::uniform_int_distribution<int> integer(-3, 3);
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    for (int64_t i = 0; i < elements; ++i)
      buffer->as<float>()[i] = kind == values::random ? real(random) : static_cast<float>(integer(random));
    return buffer;
  }

  std::unique_ptr<guarded_buffer> fresh_c() const {
    auto c = std::make_unique<guarded_buffer>(c_start_->bytes(), side);
    if (c->bytes() > 0)
      std::memcpy(c->as<char>(), c_start_->as<char>(), c->bytes());
    return c;
  }

  tpp_args arguments(guarded_buffer &c) const {
    tpp_args args{};
    args.c = c.as<void>();
    args.batch = batch, args.b_use = b_use;
    if (desc.batch_kind == TPP_BATCH_address) {
      args.a_batch = a_addresses_.data();
      args.b_batch = b_addresses_.data();
    } else {
      args.a = a_->as<void>();
      args.b = b_->as<void>();
      args.a_batch = desc.batch_kind == TPP_BATCH_offset ? a_offsets_.data() : nullptr;
      args.b_batch = desc.batch_kind == TPP_BATCH_offset ? b_offsets_.data() : nullptr;
    }
    bool c_used = !residual_is_c;
    for (int s = 0; s < desc.post_op_count; ++s) {
      args.post[s] = post_[s] ? post_[s]->as<void>() : nullptr;
      if (!c_used && desc.post_ops[s].op_class == TPP_POST_OP_binary && desc.post_ops[s].broadcast == TPP_BROADCAST_none) {
        args.post[s] = c.as<void>();
        c_used = true;
      }
    }
    return args;
  }

  int64_t a_extent_ = 0, b_extent_ = 0;
  std::unique_ptr<guarded_buffer> a_, b_, c_start_, post_[TPP_MAX_POST_OPS];
  std::vector<int64_t> a_offsets_, b_offsets_;
  std::vector<const void *> a_addresses_, b_addresses_;
};

// All native kernel entries of an operation that this machine can execute.
inline std::vector<const tpp::microkernel_row *> native_rows(tpp::operation op) {
  std::vector<const tpp::microkernel_row *> out;
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].op == op && rows[i].provider == TPP_PROVIDER_native && tpp::microkernel_row_runs_here(rows[i]))
      out.push_back(&rows[i]);
  return out;
}

// The brgemm kernels of f32.
inline std::vector<const tpp::microkernel_row *> native_brgemm_rows() {
  std::vector<const tpp::microkernel_row *> out;
  const brgemm_problem smallest(1, 1, 1);
  for (const tpp::microkernel_row *row : native_rows(tpp::operation::brgemm))
    if (row->reject(&smallest.desc) == nullptr)
      out.push_back(row);
  return out;
}

inline std::string row_name(const testing::TestParamInfo<const tpp::microkernel_row *> &info) { return info.param->name; }

class BrgemmTest : public testing::TestWithParam<const tpp::microkernel_row *> {
protected:
  const tpp::microkernel_row &row() const { return *GetParam(); }
  // Sizes around multiples of a tile's side.
  static std::vector<int64_t> around(int64_t side) {
    std::vector<int64_t> out = {1, side - 1, side, side + 1, 2 * side + 3};
    if (side == 1)
      out = {1, 2, 5};
    return out;
  }
};

} // namespace tpp_test

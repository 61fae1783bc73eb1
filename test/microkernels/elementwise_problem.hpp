// Shared by the tests of unary, binary and reduce: operands in guarded memory, the operand forms to test, and running one kernel
// entry.
#pragma once
#include "microkernels/common/typed_scalar.hpp"
#include "support/guarded_buffer.hpp"
#include "support/ulps.hpp"
#include "tpp/microkernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tpp_test::elementwise {

using row_pointer = const tpp::microkernel_row *;

// All types and kinds, expanded from kinds.def.
constexpr tpp_type all_types[] = {
#define TPP_TYPE(name, value, bytes, summary) TPP_TYPE_##name,
#include "tpp/kinds.def"
};
constexpr tpp_unary_kind all_unary_kinds[] = {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) TPP_UNARY_##name,
#include "tpp/kinds.def"
};
constexpr tpp_binary_kind all_binary_kinds[] = {
#define TPP_BINARY_KIND(name, value, formula, special_values) TPP_BINARY_##name,
#include "tpp/kinds.def"
};
constexpr tpp_reduce_kind all_reduce_kinds[] = {
#define TPP_REDUCE_KIND(name, value, formula, special_values) TPP_REDUCE_##name,
#include "tpp/kinds.def"
};

// The kernel entries of one operation that this machine can execute.
inline std::vector<row_pointer> runnable_rows(tpp::operation op, bool native_only = true) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  std::vector<row_pointer> found;
  for (size_t i = 0; i < count; ++i)
    if (rows[i].op == op && tpp::microkernel_row_runs_here(rows[i]) &&
        !(native_only && rows[i].provider == TPP_PROVIDER_reference))
      found.push_back(&rows[i]);
  return found;
}
inline std::string row_name(const testing::TestParamInfo<row_pointer> &info) { return info.param->name; }

// Elements of `type` in one vector of the kernel's target.
inline int64_t lanes(row_pointer row, int32_t type) {
  std::string target = row->target;
  return (target == "avx3" ? 64 : target == "avx2" ? 32 : 16) / tpp::type_bytes(type);
}
// Upper bound of unary_error of a kind's f32 result: the largest error over all floats (test/accuracy/run) plus a margin. Empty for kinds that move bits or only convert; their results must be equal.
inline std::optional<double> accuracy_of(tpp_unary_kind kind) {
  switch (kind) {
  case TPP_UNARY_identity:
  case TPP_UNARY_zero:
  case TPP_UNARY_convert:
  case TPP_UNARY_transpose:
  case TPP_UNARY_vnni_pack:
    return std::nullopt;
  case TPP_UNARY_relu:
  case TPP_UNARY_neg:
  case TPP_UNARY_abs:
  case TPP_UNARY_round:
    return 0.0;
  case TPP_UNARY_leaky_relu:
  case TPP_UNARY_sqrt:
  case TPP_UNARY_reciprocal:
  case TPP_UNARY_square:
    return 0.5000001; // one rounding
  case TPP_UNARY_exp:
  case TPP_UNARY_log:
    return 1.125;
  case TPP_UNARY_rsqrt:
    return 1.5;
  case TPP_UNARY_erf:
    return 3.0;
  case TPP_UNARY_tanh:
    return 3.0;
  case TPP_UNARY_gelu:
  case TPP_UNARY_gelu_tanh:
    return 2.0;
  case TPP_UNARY_sigmoid:
  case TPP_UNARY_silu:
    return 2.5;
  }
  return std::nullopt;
}

// Column counts to test: around the vector length, the unrolled loop and its tail.
inline std::vector<int64_t> widths(int64_t n) {
  std::vector<int64_t> all = {0, 1, n - 1, n, n + 1, 2 * n + 3, 8 * n + 5};
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// One operand: its form, its shape, and its address next to a guard page.
struct operand {
  tpp_matrix form{};
  int64_t rows = 0, cols = 0;
  char *data = nullptr;
  size_t bytes = 0;

  operand(tpp_matrix form, int64_t rows, int64_t cols, int32_t broadcast = TPP_BROADCAST_none)
      : form(form), rows(rows), cols(cols) {
    if (broadcast == TPP_BROADCAST_row || broadcast == TPP_BROADCAST_scalar)
      this->rows = std::min<int64_t>(rows, 1);
    if (broadcast == TPP_BROADCAST_col || broadcast == TPP_BROADCAST_scalar)
      this->cols = std::min<int64_t>(cols, 1);
    int64_t last = -1;
    const int64_t group = std::max<int64_t>(form.vnni, 1); // a partial last group takes as much memory as a full one
    for (int64_t i = 0; i < (this->rows + group - 1) / group * group; ++i)
      for (int64_t j = 0; j < this->cols; ++j)
        last = std::max(last, tpp::element_offset(form, i, j));
    bytes = static_cast<size_t>((last + 1) * tpp::type_bytes(form.type));
  }
  int64_t offset(int64_t i, int64_t j) const { return tpp::element_offset(form, i, j); }
};

// Memory for the operands of one problem, each between its own guard pages. Reused for every problem.
class arena {
public:
  void place(operand &at, int slot, guard side) {
    guarded_buffer &buffer = side == guard::behind ? behind[slot] : before[slot];
    if (at.bytes > buffer.bytes())
      std::abort();
    at.data = buffer.as<char>() + (side == guard::behind ? buffer.bytes() - at.bytes : 0);
  }

private:
  static constexpr size_t size = 2 << 20;
  guarded_buffer behind[3]{guarded_buffer(size), guarded_buffer(size), guarded_buffer(size)};
  guarded_buffer before[3]{guarded_buffer(size, guard::before), guarded_buffer(size, guard::before),
                           guarded_buffer(size, guard::before)};
};

// A number near 0, of standard deviation 1: the sum of four of 16 random bits. Draws of std::normal_distribution take most of the tests' time.
inline double near_zero(std::mt19937 &random) {
  const uint32_t a = static_cast<uint32_t>(random()), b = static_cast<uint32_t>(random());
  const double sum = static_cast<double>((a & 0xffff) + (a >> 16) + (b & 0xffff) + (b >> 16));
  return (sum / 65535 - 2) * std::sqrt(3.0);
}

// Fills with values near 0; if `specials`, about a quarter are special values.
inline void fill(operand &at, std::mt19937 &random, bool specials) {
  static const double special[] = {NAN,  HUGE_VAL, -HUGE_VAL, 0.0,  -0.0, 1e-42, -1e-42, 3.4e38, -3.4e38, 88.9,
                                   -104, 65504,    65520,     -1e9, 0.5,  1.5,   2.5,    1e-7,   -6e-8,   127.5};
  std::vector<double> once(at.bytes / static_cast<size_t>(tpp::type_bytes(at.form.type)));
  for (size_t i = 0; i < once.size(); ++i)
    tpp::store_double(at.form.type, at.data, static_cast<int64_t>(i),
                      specials && random() % 4 == 0 ? special[random() % (sizeof(special) / sizeof(special[0]))]
                                                    : near_zero(random) * (tpp::is_floating(at.form.type) ? 3.0 : 60.0));
}

// Fills with random bits: for kernels that only move elements. Values near 0 of large operands would take longer than the kernels' tests.
inline void fill_bits(operand &at, std::mt19937 &random) {
  for (size_t i = 0; i < at.bytes; i += sizeof(uint32_t)) {
    const auto bits = static_cast<uint32_t>(random());
    std::memcpy(at.data + i, &bits, std::min(sizeof(bits), at.bytes - i));
  }
}

// Forms of a rows x cols operand: dense, loose ld, panels of 16 columns (as the packed layout has), panels of 5 columns with
// gaps, column-major. With `vnni`, each has VNNI groups of that many rows.
inline std::vector<tpp_matrix> forms(int32_t type, int64_t rows, int64_t cols, int32_t vnni = 0) {
  const int64_t v = std::max(vnni, 1);
  const int64_t groups = std::max<int64_t>((rows + v - 1) / v, 1);
  cols = std::max<int64_t>(cols, 1);
  return {{type, vnni, cols * v, 0, 0},
          {type, vnni, cols * v + 3, 0, 0},
          {type, vnni, 16 * v, 16, 16 * v * groups},
          {type, std::max(vnni, 1), 7 * v, 5, 7 * v * groups + 2},
          {type, vnni, v, 1, v * (groups + 1)}};
}

inline std::string text(const tpp_matrix &form) {
  return "(type " + std::to_string(form.type) + " ld " + std::to_string(form.ld) + " panel " + std::to_string(form.panel) + "/" +
         std::to_string(form.panel_stride) + ")";
}

// Runs a kernel on a descriptor. Returns false and fails the test if the kernel rejects it.
template <class Desc> bool run_row(row_pointer row, const Desc &desc, const tpp_args &args) {
  if (const char *reason = row->reject(&desc)) {
    ADD_FAILURE() << row->name << " rejects: " << reason;
    return false;
  }
  EXPECT_GT(row->cost(&desc), 0.0) << row->name;
  tpp::microkernel kernel;
  std::memcpy(&kernel.desc, &desc, sizeof(desc));
  row->prepare(&kernel);
  kernel.head.entry(&kernel.head, &args);
  return true;
}

// Fill byte of memory that a kernel must not write.
constexpr unsigned char untouched = 0xA5;

using element_check = std::function<bool(int64_t i, int64_t j, double got, double want)>;

// Accepts the number of bf16 or f16 before or after the expected one: it may be that of a value near the middle of two, rounded to f32 first.
inline element_check neighbours(int32_t type) {
  return [type](int64_t, int64_t, double got, double want) {
    const bool half = type == TPP_TYPE_f16;
    if (!std::isfinite(got) || !std::isfinite(want)) // infinity is the number that follows the largest
      return std::fabs(std::isfinite(got) ? got : want) == (half ? 65504 : 0x1.fep127) && std::signbit(got) == std::signbit(want);
    const double step = std::fabs(want) * (half ? 0x1p-10 : 0x1p-7) + (half ? 0x1p-24 : 0x1p-133);
    return std::fabs(got - want) <= step;
  };
}

// Compares the output in memory with the expected bytes. An element passes if its bits are equal, if both are NaN, or if `close`
// accepts it. Bytes between elements must be equal.
inline void expect_output(const operand &out, const std::vector<char> &want, const element_check &close,
                          const std::string &where) {
  if (std::equal(want.begin(), want.end(), out.data))
    return;
  const auto size = static_cast<size_t>(tpp::type_bytes(out.form.type));
  std::vector<bool> element(out.bytes, false);
  for (int64_t i = 0; i < out.rows; ++i)
    for (int64_t j = 0; j < out.cols; ++j) {
      const auto at = static_cast<size_t>(out.offset(i, j)) * size;
      std::fill_n(element.begin() + static_cast<int64_t>(at), size, true);
      if (std::memcmp(out.data + at, want.data() + at, size) == 0)
        continue;
      double got = tpp::load_double(out.form.type, out.data, out.offset(i, j));
      double expected = tpp::load_double(out.form.type, want.data(), out.offset(i, j));
      ASSERT_TRUE((std::isnan(got) && std::isnan(expected)) || (close && close(i, j, got, expected)))
          << where << " at (" << i << ", " << j << "): " << got << ", reference " << expected;
    }
  for (size_t at = 0; at < out.bytes; ++at)
    ASSERT_TRUE(element[at] || out.data[at] == want[at]) << where << ": byte " << at << " between rows was written";
}

} // namespace tpp_test::elementwise

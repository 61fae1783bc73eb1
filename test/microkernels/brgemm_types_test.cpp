// Compares the native brgemm kernels of types below 32 bits with the reference: B in VNNI form, every tail of k, layouts, batch kinds, beta and
// post-ops. Integers are equal bit for bit, and so are bf16 and f16 values that are small integers.
#include "microkernels/brgemm_problem.hpp"
#include "microkernels/common/typed_scalar.hpp"

#include <array>
#include <cfloat>
#include <utility>

using namespace tpp_test;

namespace {

struct operand_types {
  int32_t a, b, c;
};
constexpr operand_types low_types[] = {
    {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_f32}, {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_bf16},
    {TPP_TYPE_f16, TPP_TYPE_f16, TPP_TYPE_f32},   {TPP_TYPE_f16, TPP_TYPE_f16, TPP_TYPE_f16},
    {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32},     {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_i32},
    {TPP_TYPE_u8, TPP_TYPE_u8, TPP_TYPE_i32},     {TPP_TYPE_i8, TPP_TYPE_u8, TPP_TYPE_i32}};

// A problem whose operands have any types. The values of floating-point operands are integers from -3 to 3, or random; bytes have all values.
class typed_problem {
public:
  tpp_brgemm_desc desc{};
  int64_t batch = 1, group;
  guard side = guard::behind;

  typed_problem(operand_types types, int64_t m, int64_t n, int64_t k) : group(4 / tpp::type_bytes(types.a)) {
    desc.struct_size = sizeof(desc);
    desc.m = m, desc.n = n, desc.k = k;
    desc.a = {types.a, 0, std::max<int64_t>(k, 1), 0, 0};
    desc.b = {types.b, static_cast<int32_t>(group), std::max<int64_t>(n, 1) * group, 0, 0};
    desc.c = {types.c, 0, std::max<int64_t>(n, 1), 0, 0};
    desc.batch_kind = TPP_BATCH_stride;
  }
  int64_t groups() const { return (desc.k + group - 1) / group; }
  int32_t sums() const { return tpp::type_bytes(desc.a.type) == 2 ? TPP_TYPE_f32 : TPP_TYPE_i32; }
  void add_step(tpp_post_op step) { desc.post_ops[desc.post_op_count++] = step; }

  // b_gap: rows of words after each batch entry of B.
  void make(values kind, uint32_t seed, int64_t b_gap = 0) {
    std::mt19937 random(seed);
    const int64_t a_elements = extent(desc.a, desc.m, desc.k),
                  b_elements = extent(desc.b, groups() * group, desc.n) + b_gap * desc.b.ld;
    desc.a_batch_stride = a_elements * tpp::type_bytes(desc.a.type);
    desc.b_batch_stride = b_elements * tpp::type_bytes(desc.b.type);
    a_ = filled(desc.a.type, a_elements * batch, kind, random);
    b_ = filled(desc.b.type, b_elements * batch, kind, random);
    c_ = filled(desc.c.type, extent(desc.c, desc.m, desc.n), kind, random);
    // The rows that complete the last group of B are zero.
    for (int64_t entry = 0; entry < batch; ++entry)
      for (int64_t k = desc.k; k < groups() * group; ++k)
        for (int64_t j = 0; j < desc.n; ++j)
          std::memset(b_->as<char>() + entry * desc.b_batch_stride +
                          tpp::element_offset(desc.b, k, j) * tpp::type_bytes(desc.b.type),
                      0, static_cast<size_t>(tpp::type_bytes(desc.b.type)));
    for (int s = 0; s < desc.post_op_count; ++s) {
      const tpp_post_op &op = desc.post_ops[s];
      const bool one_row = op.broadcast == TPP_BROADCAST_row || op.broadcast == TPP_BROADCAST_scalar;
      const bool one_column = op.broadcast == TPP_BROADCAST_col || op.broadcast == TPP_BROADCAST_scalar;
      const int64_t elements = extent(op.form, one_row ? 1 : desc.m, one_column ? 1 : desc.n);
      post_[s] = op.op_class == TPP_POST_OP_binary ? filled(op.form.type, elements, kind, random) : nullptr;
    }
    for (int64_t entry = batch - 1; entry >= 0; --entry) {
      a_offsets_.push_back(entry * desc.a_batch_stride);
      b_offsets_.push_back(entry * desc.b_batch_stride);
      a_addresses_.push_back(a_->as<char>() + a_offsets_.back());
      b_addresses_.push_back(b_->as<char>() + b_offsets_.back());
    }
  }

  // Makes the elements between the rows of A, which are in no panel, infinite or as large as possible.
  void fill_after_rows_of_a() {
    for (int64_t entry = 0; entry < batch; ++entry)
      for (int64_t i = 0; i + 1 < desc.m; ++i)
        for (int64_t j = desc.k; j < desc.a.ld; ++j) {
          char *at = a(i, j) + entry * desc.a_batch_stride;
          if (tpp::type_bytes(desc.a.type) == 2)
            tpp::store_double(desc.a.type, at, 0, INFINITY);
          else
            *at = 127;
        }
  }

  // Multiplies the elements of the f32 operand of step `s`.
  void scale_operand(int s, float factor) {
    for (size_t at = 0; at + sizeof(float) <= post_[s]->bytes(); at += sizeof(float))
      post_[s]->as<float>()[at / sizeof(float)] *= factor;
  }

  char *a(int64_t row, int64_t col) {
    return a_->as<char>() + tpp::element_offset(desc.a, row, col) * tpp::type_bytes(desc.a.type);
  }
  char *b(int64_t row, int64_t col) {
    return b_->as<char>() + tpp::element_offset(desc.b, row, col) * tpp::type_bytes(desc.b.type);
  }

  // Expects C, gaps included, to be equal to the reference's: integers bit for bit, floats within `relative` of the larger of 1 and the
  // reference.
  void expect_equal(const tpp::microkernel_row &row, double relative = 0) const {
    ASSERT_EQ(row.reject(&desc), nullptr) << row.name << " " << text();
    auto kernel = std::make_unique<tpp::microkernel>();
    kernel->desc.brgemm = desc;
    row.prepare(kernel.get());
    auto got = copy_of_c(), want = copy_of_c();
    tpp_args args = arguments(*got);
    kernel->head.entry(&kernel->head, &args);
    tpp::brgemm_reference(desc, arguments(*want));
    const int64_t bytes = tpp::type_bytes(desc.c.type);
    for (int64_t i = 0; i < static_cast<int64_t>(want->bytes()) / bytes; ++i) {
      if (std::memcmp(got->as<char>() + i * bytes, want->as<char>() + i * bytes, static_cast<size_t>(bytes)) == 0)
        continue;
      ASSERT_NE(desc.c.type, TPP_TYPE_i32) << row.name << " " << text() << " at element " << i << ": " << got->as<int32_t>()[i]
                                           << ", reference " << want->as<int32_t>()[i];
      const double x = tpp::load_double(desc.c.type, got->as<char>(), i), y = tpp::load_double(desc.c.type, want->as<char>(), i);
      ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= relative * std::max(1.0, std::fabs(y)))
          << row.name << " " << text() << " at element " << i << ": " << x << ", reference " << y;
    }
  }

  std::string text() const {
    return "m" + std::to_string(desc.m) + "_n" + std::to_string(desc.n) + "_k" + std::to_string(desc.k) + "_b" +
           std::to_string(batch) + " types " + std::to_string(desc.a.type) + std::to_string(desc.b.type) +
           std::to_string(desc.c.type) + " beta " + std::to_string(desc.beta) + " panels " + std::to_string(desc.a.panel) + " " +
           std::to_string(desc.b.panel) + " " + std::to_string(desc.c.panel) + " post-ops " + std::to_string(desc.post_op_count);
  }

private:
  std::unique_ptr<guarded_buffer> filled(int32_t type, int64_t elements, values kind, std::mt19937 &random) const {
    auto buffer = std::make_unique<guarded_buffer>(static_cast<size_t>(elements * tpp::type_bytes(type)), side);
    std::uniform_int_distribution<int> integer(-3, 3), byte(0, 255), word(-100000, 100000);
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    for (int64_t i = 0; i < elements; ++i)
      switch (tpp::type_bytes(type)) {
      case 1:
        buffer->as<uint8_t>()[i] = static_cast<uint8_t>(random() % 4 == 0 ? 128 * (random() % 2) + 127 : byte(random));
        break;
      case 2:
        tpp::store_double(type, buffer->as<char>(), i, kind == values::random ? real(random) : integer(random));
        break;
      default:
        if (type == TPP_TYPE_i32)
          buffer->as<int32_t>()[i] = word(random);
        else
          buffer->as<float>()[i] = kind == values::random ? real(random) : static_cast<float>(integer(random));
      }
    return buffer;
  }
  std::unique_ptr<guarded_buffer> copy_of_c() const {
    auto copy = std::make_unique<guarded_buffer>(c_->bytes(), side);
    if (c_->bytes() > 0)
      std::memcpy(copy->as<char>(), c_->as<char>(), c_->bytes());
    return copy;
  }
  tpp_args arguments(guarded_buffer &c) const {
    tpp_args args{};
    args.c = c.as<void>();
    args.batch = batch;
    args.b_use = 1;
    if (desc.batch_kind == TPP_BATCH_address) {
      args.a_batch = a_addresses_.data(), args.b_batch = b_addresses_.data();
    } else {
      args.a = a_->as<void>(), args.b = b_->as<void>();
      args.a_batch = desc.batch_kind == TPP_BATCH_offset ? a_offsets_.data() : nullptr;
      args.b_batch = desc.batch_kind == TPP_BATCH_offset ? b_offsets_.data() : nullptr;
    }
    for (int s = 0; s < desc.post_op_count; ++s)
      args.post[s] = post_[s] ? post_[s]->as<void>() : nullptr;
    return args;
  }

  std::unique_ptr<guarded_buffer> a_, b_, c_, post_[TPP_MAX_POST_OPS];
  std::vector<int64_t> a_offsets_, b_offsets_;
  std::vector<const void *> a_addresses_, b_addresses_;
};

bool takes(const tpp::microkernel_row &row, operand_types types) {
  const typed_problem smallest(types, 1, 1, 1);
  return row.reject(&smallest.desc) == nullptr;
}

std::vector<const tpp::microkernel_row *> low_precision_rows() {
  std::vector<const tpp::microkernel_row *> out;
  for (const tpp::microkernel_row *row : native_rows(tpp::operation::brgemm))
    for (operand_types types : low_types)
      if (takes(*row, types)) {
        out.push_back(row);
        break;
      }
  return out;
}

class BrgemmTypesTest : public BrgemmTest {
protected:
  // Calls f(types) for the types of C that the kernel takes.
  template <class F> void for_each_types(F f) const {
    int taken = 0;
    for (operand_types types : low_types)
      if (takes(row(), types)) {
        ++taken;
        f(types);
        if (HasFatalFailure())
          return;
      }
    EXPECT_GT(taken, 0);
  }
};

TEST_P(BrgemmTypesTest, MatchesReferenceOnEveryTail) {
  uint32_t turn = 0;
  for_each_types([&](operand_types types) {
    for (int64_t m : around(row().mr))
      for (int64_t n : around(row().nr))
        for (int64_t k : {0, 1, 2, 3, 4, 5, 7, 16, 33, 66}) {
          typed_problem p(types, m, n, k);
          p.batch = std::array<int64_t, 7>{1, 3, 0, 1, 2, 1, 3}[turn % 7];
          p.desc.batch_kind = static_cast<int32_t>(turn % 11 % 3);
          p.desc.beta = turn % 13 % 2;
          p.side = turn % 17 % 2 ? guard::before : guard::behind;
          p.make(values::small_integers, ++turn);
          p.expect_equal(row());
          if (HasFatalFailure())
            return;
        }
  });
}

TEST_P(BrgemmTypesTest, HandlesEveryRowAndVectorCount) {
  for_each_types([&](operand_types types) {
    for (int64_t m = 1; m <= 2 * row().mr + 1; ++m)
      for (int64_t n = 1; n <= row().nr + 1; n += row().nr > 16 ? 5 : 1) {
        typed_problem p(types, m, n, 13);
        p.batch = 2;
        p.desc.beta = static_cast<int32_t>(n % 2);
        p.make(values::small_integers, static_cast<uint32_t>(m * 100 + n));
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
  });
}

// Panels of A, B and C, whose widths are no multiples of a vector in some cases; gaps between rows and panels.
TEST_P(BrgemmTypesTest, TakesPanels) {
  for_each_types([&](operand_types types) {
    uint32_t seed = 0;
    for (int64_t k : {3, 8, 21, 64})
      for (int64_t a_panel : {0, 4, 8, 16})
        for (int64_t width : {0, 3, 8, 16, 20})
          for (int64_t gap : {0, 4}) {
            const int64_t m = row().mr + 2, n = 2 * row().nr + 3;
            typed_problem p(types, m, n, k);
            if (a_panel != 0)
              p.desc.a.ld = a_panel + gap, p.desc.a.panel = a_panel, p.desc.a.panel_stride = m * (a_panel + gap) + gap;
            else
              p.desc.a.ld = k + gap;
            if (width != 0) {
              p.desc.b.panel = p.desc.c.panel = width;
              p.desc.b.ld = width * p.group + gap * p.group, p.desc.b.panel_stride = p.groups() * p.desc.b.ld + gap;
              p.desc.c.ld = width + gap, p.desc.c.panel_stride = m * p.desc.c.ld + gap;
            }
            p.make(values::small_integers, ++seed);
            p.expect_equal(row());
            if (HasFatalFailure())
              return;
          }
  });
}

// Panels of A whose width is not divisible by a step of AMX's tiles (16 words): some steps read two panels.
TEST_P(BrgemmTypesTest, TakesStepsInTwoPanels) {
  for_each_types([&](operand_types types) {
    uint32_t seed = 0;
    for (int64_t k : {96, 200, 203})
      for (int64_t a_panel : {24, 40, 72, 136}) {
        const int64_t m = row().mr + 3, n = row().nr + 1;
        typed_problem p(types, m, n, k);
        p.desc.a.ld = a_panel + 4, p.desc.a.panel = a_panel, p.desc.a.panel_stride = m * (a_panel + 4) + 8;
        p.batch = 2;
        p.make(values::small_integers, ++seed);
        p.expect_equal(row());
        if (HasFatalFailure())
          return;
      }
  });
}

// Batch entries of few words, of which AMX's kernels multiply several at once: those that follow one another in B, and others. Elements of A after the
// last k of a row are infinite or as large as possible.
TEST_P(BrgemmTypesTest, JoinsShortBatchEntries) {
  for_each_types([&](operand_types types) {
    uint32_t seed = 0;
    for (int64_t k : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17})
      for (int64_t batch : {2, k <= 3 ? 21 : 9})
        for (int64_t gap : {0, 1})
          for (int32_t kind : {TPP_BATCH_stride, TPP_BATCH_offset}) {
            typed_problem p(types, row().mr + 1, std::min<int64_t>(row().nr, 33) + 1, k);
            p.desc.a.ld = k + 5;
            p.desc.batch_kind = kind;
            p.batch = batch;
            p.make(values::small_integers, ++seed, gap);
            p.fill_after_rows_of_a();
            p.expect_equal(row());
            if (HasFatalFailure())
              return;
          }
  });
}

// Sums that a tile computes in several pieces because their words of A, split into parts, fill more than one buffer; and column tiles that
// share the split words, or are too many to do so.
TEST_P(BrgemmTypesTest, SplitsLongAndWideSums) {
  for_each_types([&](operand_types types) {
    uint32_t seed = 0;
    for (auto [k, batch] :
         {std::pair(90, 1), std::pair(90, 3), std::pair(701, 2), std::pair(1501, 1), std::pair(1501, 3), std::pair(4003, 1)})
      for (int64_t a_panel : {0, 64})
        for (int64_t n : {row().nr, k > 4000 ? row().nr + 3 : 3 * row().nr + 1, k < 1000 ? 9 * row().nr : row().nr + 3}) {
          const int64_t m = row().mr + 1;
          typed_problem p(types, m, n, k);
          if (a_panel != 0)
            p.desc.a.ld = a_panel, p.desc.a.panel = a_panel, p.desc.a.panel_stride = m * a_panel + 4;
          p.batch = batch;
          p.desc.b_uses = seed % 4 < 2 ? 2 : 0;
          p.desc.beta = static_cast<int32_t>(seed % 2);
          p.make(values::small_integers, ++seed);
          p.expect_equal(row());
          if (HasFatalFailure())
            return;
        }
  });
}

// Elements of A after the last k of a row, here infinite or as large as possible, are no part of the sum.
TEST_P(BrgemmTypesTest, IgnoresWhatFollowsAnOddK) {
  for_each_types([&](operand_types types) {
    for (int64_t k : {1, 3, 5, 6, 7}) {
      typed_problem p(types, row().mr + 1, row().nr + 1, k);
      p.desc.a.ld = k + 8;
      p.make(values::small_integers, static_cast<uint32_t>(k));
      p.fill_after_rows_of_a();
      p.expect_equal(row());
      if (HasFatalFailure())
        return;
    }
  });
}

TEST_P(BrgemmTypesTest, AppliesPostOps) {
  for_each_types([&](operand_types types) {
    uint32_t seed = 0;
    for (int32_t broadcast : {TPP_BROADCAST_none, TPP_BROADCAST_row, TPP_BROADCAST_col, TPP_BROADCAST_scalar})
      for (int32_t kind : {TPP_BINARY_add, TPP_BINARY_sub, TPP_BINARY_mul, TPP_BINARY_max, TPP_BINARY_min})
        for (bool relu : {false, true})
          for (bool low : {false, true}) {
            typed_problem p(types, row().mr + 1, row().nr + 3, 10);
            const bool floating = p.sums() == TPP_TYPE_f32;
            if (low && !floating)
              continue;
            if (relu)
              p.add_step(unary_step(TPP_UNARY_relu));
            tpp_matrix form = {low ? p.desc.a.type : p.sums(), 0, p.desc.n, 0, 0};
            p.add_step(binary_step(kind, broadcast, form));
            p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, form));
            p.make(values::small_integers, ++seed);
            p.expect_equal(row());
            if (HasFatalFailure())
              return;
          }
  });
}

// Sums of integers that are converted: steps before `convert` compute in i32, steps after it in f32 on operands of all types, and C saturates.
TEST_P(BrgemmTypesTest, ConvertsSums) {
  for_each_types([&](operand_types types) {
    if (types.c != TPP_TYPE_i32)
      return;
    uint32_t seed = 0;
    for (int32_t c : {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16, TPP_TYPE_i8, TPP_TYPE_u8})
      for (int64_t m : {int64_t{1}, row().mr + int64_t{1}})
        for (int64_t n : {1, 7, 16, row().nr, row().nr + 3}) {
          typed_problem p({types.a, types.b, c}, m, n, 22);
          const auto operand = [&](int32_t type) { return tpp_matrix{type, 0, n + 2, 0, 0}; };
          p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, operand(TPP_TYPE_i32)));
          if (seed % 2 == 0)
            p.add_step(unary_step(TPP_UNARY_relu));
          p.add_step(unary_step(TPP_UNARY_convert));
          p.add_step(binary_step(TPP_BINARY_div, TPP_BROADCAST_none, operand(TPP_TYPE_i32)));
          p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_row, operand(TPP_TYPE_u8)));
          p.add_step(binary_step(TPP_BINARY_mul, TPP_BROADCAST_col, operand(TPP_TYPE_f32)));
          p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_none, operand(TPP_TYPE_bf16)));
          p.add_step(unary_step(TPP_UNARY_round));
          p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_scalar, operand(TPP_TYPE_i8)));
          p.make(values::random, ++seed);
          p.expect_equal(row());
          if (HasFatalFailure())
            return;
        }
  });
}

// The chain that kernels apply in registers when they store u8, with and without each of its steps, and chains that differ from it in one step.
TEST_P(BrgemmTypesTest, QuantizesSums) {
  for_each_types([&](operand_types types) {
    if (types.c != TPP_TYPE_i32)
      return;
    uint32_t seed = 0;
    for (int32_t c : {TPP_TYPE_u8, TPP_TYPE_i8})
      for (int64_t n : {1, 16, row().nr, row().nr + 3})
        for (int32_t offset : {-1, static_cast<int32_t>(TPP_BINARY_sub), static_cast<int32_t>(TPP_BINARY_add)})
          for (int32_t broadcast : {TPP_BROADCAST_row, TPP_BROADCAST_scalar, TPP_BROADCAST_col})
            for (bool bias : {false, true})
              for (bool zero_point : {false, true})
                for (bool relu : {false, true}) {
                  typed_problem p({types.a, types.b, c}, row().mr + 1, n, 22);
                  const auto operand = [&](int32_t type) { return tpp_matrix{type, 0, n + 2, 0, 0}; };
                  if (offset >= 0)
                    p.add_step(binary_step(static_cast<tpp_binary_kind>(offset), TPP_BROADCAST_row, operand(TPP_TYPE_i32)));
                  p.add_step(unary_step(TPP_UNARY_convert));
                  const int scale = p.desc.post_op_count;
                  p.add_step(binary_step(TPP_BINARY_mul, broadcast, operand(TPP_TYPE_f32)));
                  if (bias)
                    p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_row, operand(TPP_TYPE_i8)));
                  if (zero_point) {
                    p.add_step(unary_step(TPP_UNARY_round));
                    p.add_step(binary_step(TPP_BINARY_add, TPP_BROADCAST_scalar, operand(TPP_TYPE_u8)));
                  }
                  if (relu)
                    p.add_step(unary_step(TPP_UNARY_relu));
                  p.make(values::random, ++seed);
                  p.scale_operand(scale, 1e-3f); // few results saturate
                  p.expect_equal(row());
                  if (HasFatalFailure())
                    return;
                }
  });
}

TEST(BrgemmTypesRejectTest, ExplainsWhatCannotBeConverted) {
  typed_problem p({TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_u8}, 4, 4, 4);
  EXPECT_STREQ(tpp::brgemm_reject_reason(p.desc),
               "brgemm takes f32*f32 to f32, bf16*bf16 to f32 or bf16, f16*f16 to f32 or f16, and i8 or u8 times i8 or u8 to "
               "i32 (after convert to f32, bf16, f16, i8 or u8)");
  p.add_step(unary_step(TPP_UNARY_convert));
  EXPECT_EQ(tpp::brgemm_reject_reason(p.desc), nullptr);
  p.desc.beta = 1;
  EXPECT_STREQ(tpp::brgemm_reject_reason(p.desc), "sums that are converted cannot start with C");
  p.desc.beta = 0;
  p.add_step(unary_step(TPP_UNARY_convert));
  EXPECT_STREQ(tpp::brgemm_reject_reason(p.desc), "convert is a post-op of i32 sums, once");
  p.desc.post_op_count = 1;
  p.desc.c.type = TPP_TYPE_i32;
  EXPECT_NE(tpp::brgemm_reject_reason(p.desc), nullptr);
}

// Products of the smallest and largest bytes: -128 * -128, 255 * -128, 255 * 255, and sums of four of them.
TEST_P(BrgemmTypesTest, MultipliesExtremeBytes) {
  for_each_types([&](operand_types types) {
    if (tpp::type_bytes(types.a) != 1)
      return;
    for (int a : {0, 127, 128, 255})
      for (int b : {0, 127, 128, 255})
        for (int64_t k : {1, 4, 256, 1023}) {
          typed_problem p(types, 2, row().nr, k);
          p.make(values::small_integers, 1);
          for (int64_t step = 0; step < k; ++step) {
            for (int64_t i = 0; i < p.desc.m; ++i)
              *p.a(i, step) = static_cast<char>(a);
            for (int64_t j = 0; j < p.desc.n; ++j)
              *p.b(step, j) = static_cast<char>(b);
          }
          p.expect_equal(row());
          if (HasFatalFailure())
            return;
        }
  });
}

// Products of bf16 or f16 values are exact in f32; each addition rounds by at most 2^-24 of the largest partial sum.
TEST_P(BrgemmTypesTest, IsAccurateOnRandomValues) {
  for_each_types([&](operand_types types) {
    if (tpp::type_bytes(types.a) != 2)
      return;
    for (int64_t k : {7, 64, 1000}) {
      typed_problem p(types, row().mr + 1, row().nr + 1, k);
      p.make(values::random, static_cast<uint32_t>(k));
      p.expect_equal(row(), types.c == TPP_TYPE_f32 ? static_cast<double>(k) * FLT_EPSILON : 1.0 / 128);
      if (HasFatalFailure())
        return;
    }
  });
}

TEST_P(BrgemmTypesTest, RejectsWithReasons) {
  for_each_types([&](operand_types types) {
    typed_problem plain_b(types, 4, 4, 8), vnni_a(types, 4, 4, 8), split(types, 4, 4, 8);
    plain_b.desc.b = {types.b, 0, 4, 0, 0};
    EXPECT_STREQ(row().reject(&plain_b.desc), "needs B in VNNI form");
    vnni_a.desc.a.vnni = static_cast<int32_t>(vnni_a.group);
    EXPECT_STREQ(row().reject(&vnni_a.desc), "takes no VNNI-blocked A");
    split.desc.a.panel = 1, split.desc.a.panel_stride = 4;
    EXPECT_STREQ(row().reject(&split.desc), "needs whole words in the panels of A");
  });
}

INSTANTIATE_TEST_SUITE_P(Rows, BrgemmTypesTest, testing::ValuesIn(low_precision_rows()), row_name);

} // namespace

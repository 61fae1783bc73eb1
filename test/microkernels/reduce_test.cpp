// Compares every native reduce kernel of this machine with the reference: sizes around the vector and the unrolled loops, forms,
// both axes, both betas, special values, operands that end or begin at an unmapped page. Sums are bounded by (elements) * eps *
// (sum of magnitudes); maxima and sums of small integers must be equal.
#include "elementwise_problem.hpp"
#include "microkernels/reduce/reduce.hpp"

namespace tpp_test::elementwise {
namespace {

// Descriptors with the kind and each pair of types that a kernel computes.
std::vector<tpp_reduce_desc> native_descs(row_pointer row) {
  std::vector<tpp_reduce_desc> descs;
  for (tpp_reduce_kind kind : all_reduce_kinds)
    for (tpp_type in : all_types)
      for (tpp_type out : all_types) {
        tpp_reduce_desc desc{};
        desc.struct_size = sizeof(desc);
        desc.m = desc.n = desc.in.ld = desc.out.ld = 1;
        desc.kind = kind;
        desc.in.type = in, desc.out.type = out;
        if (row->reject(&desc) == nullptr)
          descs.push_back(desc);
      }
  EXPECT_FALSE(descs.empty()) << row->name << " accepts nothing";
  return descs;
}

enum class values { small_integers, normal, special };

double largest(int32_t type) { return type == TPP_TYPE_f16 ? 65504 : type == TPP_TYPE_bf16 ? 0x1.fep127 : 0x1.fffffep127; }

class ReduceTest : public testing::TestWithParam<row_pointer> {
protected:
  arena memory;
  std::mt19937 random{3};

  void check(const tpp_reduce_desc &desc, guard side, values kind) {
    const bool rows = desc.axis == TPP_REDUCE_over_rows;
    operand in(desc.in, desc.m, desc.n), out(desc.out, rows ? 1 : desc.m, rows ? desc.n : 1);
    memory.place(in, 0, side);
    memory.place(out, 1, side);
    fill(in, random, kind == values::special);
    fill(out, random, false);
    if (kind == values::small_integers)
      for (operand *at : {&in, &out})
        for (size_t i = 0; i < at->bytes / static_cast<size_t>(tpp::type_bytes(at->form.type)); ++i)
          tpp::store_double(at->form.type, at->data, static_cast<int64_t>(i), static_cast<int>(random() % 9) - 4);
    if (desc.beta == 0)
      std::memset(out.data, 0xff, out.bytes); // NaN: the kernel must not read it
    std::vector<char> start(out.data, out.data + out.bytes);
    tpp_args args{};
    args.a = in.data;
    args.c = out.data;
    tpp::reduce_reference(desc, args);
    std::vector<char> want(out.data, out.data + out.bytes);
    std::copy(start.begin(), start.end(), out.data);
    if (!run_row(GetParam(), desc, args))
      return;
    auto close = [&](int64_t i, int64_t j, double got, double expected) {
      if (got == expected)
        return true; // zeros of either sign are equal
      if (kind == values::small_integers || desc.kind != TPP_REDUCE_sum)
        return false;
      double sum = desc.beta != 0 ? tpp::load_double(desc.out.type, start.data(), out.offset(i, j)) : 0.0;
      double magnitudes = std::fabs(sum);
      for (int64_t k = 0; k < (rows ? desc.m : desc.n); ++k) {
        const double x = tpp::load_double(desc.in.type, in.data, rows ? in.offset(k, j) : in.offset(i, k));
        sum += x;
        magnitudes += std::fabs(x);
      }
      // If partial sums may overflow, the order of additions decides whether they do: the result is then an infinity or NaN, and
      // else the sum. An infinite element allows no finite result.
      if (magnitudes > 3.4e38 && !std::isfinite(got))
        return true;
      double bound = static_cast<double>(rows ? desc.m : desc.n) * 0x1p-23 * magnitudes;
      // A small type is rounded to after that: a sum that is near the middle of two of its numbers, to either.
      if (desc.out.type != TPP_TYPE_f32)
        bound += std::fabs(sum) * (desc.out.type == TPP_TYPE_bf16 ? 0x1p-8 : 0x1p-11) + 0x1p-25;
      if (!std::isfinite(got))
        return got == expected || std::fabs(sum) + bound > largest(desc.out.type);
      return std::isfinite(sum) && std::fabs(got - sum) <= bound;
    };
    expect_output(out, want, close,
                  std::to_string(desc.m) + "x" + std::to_string(desc.n) + " axis " + std::to_string(desc.axis) + " beta " +
                      std::to_string(desc.beta) + " " + text(desc.in) + " to " + text(desc.out));
  }
};

TEST_P(ReduceTest, MatchesReferenceInEveryForm) {
  const int64_t length = lanes(GetParam(), TPP_TYPE_f32);
  int turn = 0;
  for (tpp_reduce_desc desc : native_descs(GetParam())) {
    const bool mixed = desc.in.type != TPP_TYPE_f32 || desc.out.type != TPP_TYPE_f32;
    std::vector<int64_t> all_widths =
        mixed ? std::vector<int64_t>{1, length + 1, 300} : widths(length); // pieces have 256 columns
    for (int64_t m : mixed ? std::vector<int64_t>{0, 1, 5} : std::vector<int64_t>{0, 1, 3, 4, 5, 9, 19})
      for (int64_t n : all_widths)
        for (int32_t axis : {TPP_REDUCE_over_rows, TPP_REDUCE_over_cols})
          for (int32_t beta : {0, 1})
            for (const tpp_matrix &in : forms(desc.in.type, m, n))
              for (const tpp_matrix &out :
                   forms(desc.out.type, axis == TPP_REDUCE_over_rows ? 1 : m, axis == TPP_REDUCE_over_rows ? n : 1))
                for (values kind : {values::small_integers, values::normal, values::special}) {
                  desc.m = m;
                  desc.n = n;
                  desc.axis = axis;
                  desc.beta = beta;
                  desc.in = in;
                  desc.out = out;
                  check(desc, turn++ % 2 == 0 ? guard::behind : guard::before, kind);
                  if (HasFatalFailure())
                    return;
                }
  }
}

TEST_P(ReduceTest, FindsOneNaNAnywhere) {
  tpp_reduce_desc desc = native_descs(GetParam()).front();
  desc.m = 9;
  desc.n = 2 * lanes(GetParam(), TPP_TYPE_f32) + 3;
  desc.in.ld = desc.out.ld = desc.n;
  const auto elements = desc.m * desc.n;
  std::vector<char> in(static_cast<size_t>(elements * tpp::type_bytes(desc.in.type)));
  std::vector<char> out(static_cast<size_t>(elements * tpp::type_bytes(desc.out.type)));
  for (int32_t axis : {TPP_REDUCE_over_rows, TPP_REDUCE_over_cols})
    for (int64_t at = 0; at < elements; ++at) {
      desc.axis = axis;
      for (int64_t i = 0; i < elements; ++i) {
        tpp::store_double(desc.in.type, in.data(), i, i != at ? 2.0 : at % 2 == 0 ? NAN : -NAN);
        tpp::store_double(desc.out.type, out.data(), i, 7.0);
      }
      tpp_args args{};
      args.a = in.data();
      args.c = out.data();
      ASSERT_TRUE(run_row(GetParam(), desc, args));
      const bool rows = axis == TPP_REDUCE_over_rows;
      for (int64_t i = 0; i < (rows ? desc.n : desc.m); ++i)
        ASSERT_EQ(std::isnan(tpp::load_double(desc.out.type, out.data(), rows ? i : i * desc.n)),
                  i == (rows ? at % desc.n : at / desc.n))
            << at;
    }
}

TEST_P(ReduceTest, RejectsWhatItDoesNotCompute) {
  tpp_reduce_desc desc = native_descs(GetParam()).front();
  desc.in.vnni = 2;
  EXPECT_STREQ(GetParam()->reject(&desc), "native reduce kernels take no VNNI-blocked operand");
  desc.in.type = TPP_TYPE_f64;
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel is for other types");
  desc.kind = desc.kind == TPP_REDUCE_sum ? TPP_REDUCE_max : TPP_REDUCE_sum;
  EXPECT_STREQ(GetParam()->reject(&desc), "the kernel computes another kind");
}

INSTANTIATE_TEST_SUITE_P(Rows, ReduceTest, testing::ValuesIn(runnable_rows(tpp::operation::reduce)), row_name);

// Tests of the reference itself, against values computed by hand.

TEST(ReduceReferenceTest, StatesTheEmptyReduction) {
  float out = 5.0f;
  tpp_reduce_desc desc{};
  desc.m = 1;
  desc.in.ld = desc.out.ld = 1;
  desc.axis = TPP_REDUCE_over_cols;
  tpp_args args{};
  args.c = &out;
  tpp::reduce_reference(desc, args);
  EXPECT_EQ(out, 0.0f);
  EXPECT_FALSE(std::signbit(out));
  desc.kind = TPP_REDUCE_max;
  tpp::reduce_reference(desc, args);
  EXPECT_EQ(out, -HUGE_VALF);
  desc.beta = 1;
  out = 5.0f;
  tpp::reduce_reference(desc, args);
  EXPECT_EQ(out, 5.0f);
}

TEST(ReduceReferenceTest, SumsSmallIntegersIntoI32) {
  const uint8_t in[] = {200, 100, 50, 6, 7, 8};
  int32_t out[3] = {1, 1, 1};
  tpp_reduce_desc desc{};
  desc.m = 2;
  desc.n = 3;
  desc.in = {TPP_TYPE_u8, 0, 3, 0, 0};
  desc.out = {TPP_TYPE_i32, 0, 3, 0, 0};
  desc.beta = 1;
  tpp_args args{};
  args.a = in;
  args.c = out;
  EXPECT_EQ(tpp::reduce_reject_reason(desc), nullptr);
  tpp::reduce_reference(desc, args);
  EXPECT_EQ(std::vector<int32_t>(out, out + 3), (std::vector<int32_t>{207, 108, 59}));
  desc.out.type = TPP_TYPE_u8;
  EXPECT_STREQ(tpp::reduce_reject_reason(desc), "integers are summed into i32");
  desc.kind = TPP_REDUCE_max;
  EXPECT_EQ(tpp::reduce_reject_reason(desc), nullptr);
  desc.out.type = TPP_TYPE_i8;
  EXPECT_STREQ(tpp::reduce_reject_reason(desc), "an integer maximum needs equal types");
}

} // namespace
} // namespace tpp_test::elementwise

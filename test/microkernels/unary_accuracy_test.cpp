// Checks the error bounds of the f32 unary kinds against double, on a dense sample of all floats, for each kernel that this
// machine runs.
#include "elementwise_problem.hpp"
#include "microkernels/common/scalar.hpp"

namespace tpp_test::elementwise {
namespace {

// The kinds with an error bound.
std::vector<tpp_unary_kind> bounded_kinds() {
  std::vector<tpp_unary_kind> kinds;
  for (tpp_unary_kind kind : all_unary_kinds)
    if (accuracy_of(kind))
      kinds.push_back(kind);
  return kinds;
}
std::string kind_name(const testing::TestParamInfo<tpp_unary_kind> &info) {
  switch (info.param) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case TPP_UNARY_##name:                                                                                                         \
    return #name;
#include "tpp/kinds.def"
  }
  return "";
}

class UnaryAccuracyTest : public testing::TestWithParam<tpp_unary_kind> {};

TEST_P(UnaryAccuracyTest, StaysWithinItsBoundOnEvery2003rdFloat) {
  const auto allowed = accuracy_of(GetParam());
  if (!allowed)
    GTEST_FAIL() << "the kind has no bound";
  constexpr uint32_t step = 2003; // a prime: the sample has every exponent and varying mantissas
  constexpr size_t count = (uint64_t{1} << 32) / step;
  const float alpha = GetParam() == TPP_UNARY_leaky_relu ? 0.01f : 0.0f;
  std::vector<float> in(count), out(count);
  std::vector<double> want(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(i) * step;
    std::memcpy(&in[i], &bits, sizeof(bits));
    want[i] = tpp::scalar_unary(GetParam(), static_cast<double>(in[i]), static_cast<double>(alpha));
  }
  tpp_unary_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.m = 1;
  desc.n = count;
  desc.in = desc.out = {TPP_TYPE_f32, 0, static_cast<int64_t>(count), 0, 0};
  desc.kind = GetParam();
  desc.alpha = alpha;
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  int tested = 0;
  for (row_pointer row : runnable_rows(tpp::operation::unary, false)) {
    if (row->reject(&desc) != nullptr)
      continue;
    ++tested;
    ASSERT_TRUE(run_row(row, desc, args));
    const double bound = row->provider == TPP_PROVIDER_reference ? 0.5000001 : *allowed;
    double worst = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < count; ++i)
      if (double error = unary_error(GetParam(), static_cast<double>(in[i]), out[i], want[i]); error > worst) {
        worst = error;
        at = i;
      }
    EXPECT_LE(worst, bound) << row->name << " of " << in[at] << " gives " << out[at] << ", exactly " << want[at];
    RecordProperty(row->name, std::to_string(worst));
  }
  EXPECT_GE(tested, 2);
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnaryAccuracyTest, testing::ValuesIn(bounded_kinds()), kind_name);

} // namespace
} // namespace tpp_test::elementwise

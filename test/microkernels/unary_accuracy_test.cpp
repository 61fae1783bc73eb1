// Error bounds of the f32 kinds over a dense sample of all floats, against double: each row that this machine runs.
#include "elementwise_problem.hpp"
#include "microkernels/common/scalar.hpp"

namespace tpp_test::elementwise {
namespace {

struct accuracy_case {
  int32_t kind;
  const char *name;
  double ulp;         // bound with fused multiply-add
  double ulp_without; // and without
};
// Measured maxima plus a little. Without fused multiply-add gelu_tanh's left tail keeps the rounding error of its exponent.
const accuracy_case cases[] = {{TPP_UNARY_exp, "exp", 1.25, 1.25},       {TPP_UNARY_tanh, "tanh", 3.0, 3.0},
                               {TPP_UNARY_sigmoid, "sigmoid", 3.0, 3.0}, {TPP_UNARY_silu, "silu", 3.5, 3.5},
                               {TPP_UNARY_gelu, "gelu", 5.5, 6.5},       {TPP_UNARY_gelu_tanh, "gelu_tanh", 3.5, 150.0},
                               {TPP_UNARY_relu, "relu", 0.0, 0.0}};

class UnaryAccuracyTest : public testing::TestWithParam<accuracy_case> {};

TEST_P(UnaryAccuracyTest, StaysWithinItsBoundOverAllFloats) {
  constexpr uint32_t step = 2003; // a prime: every exponent, and ever other mantissas
  constexpr size_t count = (uint64_t{1} << 32) / step;
  std::vector<float> in(count), out(count);
  std::vector<double> want(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(i) * step;
    std::memcpy(&in[i], &bits, sizeof(bits));
    want[i] = tpp::scalar_unary(GetParam().kind, static_cast<double>(in[i]));
  }
  tpp_unary_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.m = 1;
  desc.n = count;
  desc.in = desc.out = {TPP_TYPE_f32, 0, static_cast<int64_t>(count), 0, 0};
  desc.kind = GetParam().kind;
  tpp_args args{};
  args.a = in.data();
  args.c = out.data();
  int tested = 0;
  for (row_pointer row : runnable_rows(tpp::operation::unary, false)) {
    if (row->reject(&desc) != nullptr)
      continue;
    ++tested;
    ASSERT_TRUE(run_row(row, desc, args));
    const double bound = row->provider == TPP_PROVIDER_reference ? 0.5000001
                         : has_fma(row)                          ? GetParam().ulp
                                                                 : GetParam().ulp_without;
    double worst = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < count; ++i)
      if (double error = ulps(out[i], want[i]); error > worst) {
        worst = error;
        at = i;
      }
    EXPECT_LE(worst, bound) << row->name << " of " << in[at] << " gives " << out[at] << ", exactly " << want[at];
    RecordProperty(row->name, std::to_string(worst));
  }
  EXPECT_GE(tested, 2);
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnaryAccuracyTest, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<accuracy_case> &info) { return std::string(info.param.name); });

} // namespace
} // namespace tpp_test::elementwise

// Every provider computes exactly what a naive loop computes, on small integers. A descriptor that forces a provider gets a
// kernel of that provider or fails with a reason; it never gets another provider's kernel.
#include "naive.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

struct form_case {
  const char *name;
  bool xsmm; // libxsmm supports it
  void (*change)(tpp_brgemm_desc &desc);
};

void unchanged(tpp_brgemm_desc &) {}

// Changes applied to a dense row-major f32 problem.
const form_case forms[] = {
    {"plain", true, unchanged},
    {"beta1", true, [](tpp_brgemm_desc &d) { d.beta = 1; }},
    {"loose", true,
     [](tpp_brgemm_desc &d) {
       d.a.ld += 3;
       d.b.ld += 5;
       d.c.ld += 7;
       d.a_batch_stride = 4 * d.m * d.a.ld + 8;
       d.b_batch_stride = 4 * d.k * d.b.ld + 12;
     }},
    {"offset", true, [](tpp_brgemm_desc &d) { d.batch_kind = TPP_BATCH_offset; }},
    {"address", true, [](tpp_brgemm_desc &d) { d.batch_kind = TPP_BATCH_address; }},
    {"addressBeta1", true,
     [](tpp_brgemm_desc &d) {
       d.batch_kind = TPP_BATCH_address;
       d.beta = 1;
     }},
    {"panels", false,
     [](tpp_brgemm_desc &d) {
       d.a = tpp::panelled(TPP_TYPE_f32, 4, 4 * d.m + 1);
       d.b = tpp::panelled(TPP_TYPE_f32, 8, 8 * d.k);
       d.c = tpp::panelled(TPP_TYPE_f32, 8, 8 * d.m);
       d.a_batch_stride = 4 * 8 * (4 * d.m + 1);
       d.b_batch_stride = 4 * 8 * (8 * d.k);
     }},
    {"overlappingRows", false,
     [](tpp_brgemm_desc &d) {
       d.a.ld = 1;
       d.a_batch_stride = 4;
     }},
    {"transposedB", false, [](tpp_brgemm_desc &d) { d.b = tpp::transposed(TPP_TYPE_f32, d.k); }},
    {"negativeStride", false, [](tpp_brgemm_desc &d) { d.a_batch_stride = -d.a_batch_stride; }},
    {"biasRelu", false,
     [](tpp_brgemm_desc &d) {
       tpp::add_post_op(d, tpp::bias(TPP_TYPE_f32));
       tpp::add_post_op(d, tpp::activation(TPP_UNARY_relu));
     }},
    {"scaleResidual", false,
     [](tpp_brgemm_desc &d) {
       tpp::add_post_op(d, tpp::binary_step(TPP_BINARY_mul, TPP_BROADCAST_scalar, tpp::plain(TPP_TYPE_f32, 1)));
       tpp::add_post_op(d, tpp::binary_step(TPP_BINARY_add, TPP_BROADCAST_none, tpp::plain(TPP_TYPE_f32, d.n + 2)));
     }},
};

struct shape {
  int64_t m, n, k, batch;
};
// Sizes around the register tiles (13x32, 11x32, 6x64) and libxsmm's 16-column vectors, and degenerate ones.
const shape shapes[] = {{13, 32, 64, 3}, {1, 1, 1, 1},    {5, 7, 9, 2},   {12, 31, 16, 1}, {14, 33, 5, 2}, {6, 64, 32, 1},
                        {29, 67, 13, 3}, {1, 48, 40, 2},  {33, 1, 17, 1}, {4, 16, 0, 2},   {3, 20, 8, 0},  {0, 5, 5, 1},
                        {5, 0, 5, 1},    {64, 64, 64, 1}, {7, 130, 3, 1}, {2, 15, 2, 5}};

std::string shape_name(const tpp_brgemm_desc &desc, int64_t batch) {
  return "m" + std::to_string(desc.m) + "_n" + std::to_string(desc.n) + "_k" + std::to_string(desc.k) + "_b" +
         std::to_string(batch);
}

// Operands of a descriptor, filled with small integers. Each allocation has exactly the operand's extent, so that ASan detects
// reads beyond it.
struct operands {
  std::vector<char> a, b, c;
  std::vector<std::vector<char>> post;
  std::vector<int64_t> a_offsets, b_offsets;
  std::vector<const void *> a_addresses, b_addresses;
  tpp_args args = {};

  operands(const tpp_brgemm_desc &desc, int64_t batch, unsigned seed) {
    std::mt19937 random(seed);
    const int64_t entries = batch > 0 ? batch - 1 : 0;
    const auto allocate = [&](const tpp_matrix &form, int64_t rows, int64_t cols, int64_t stride, std::vector<char> &data) {
      const int64_t bytes = naive::elements(form, rows, cols) * naive::bytes_of(form.type) + std::abs(stride) * entries;
      data = naive::random_elements(form.type, (bytes + naive::bytes_of(form.type) - 1) / naive::bytes_of(form.type), random);
      return data.data() + (stride < 0 ? -stride * entries : 0);
    };
    args.a = allocate(desc.a, desc.m, desc.k, desc.a_batch_stride, a);
    args.b = allocate(desc.b, desc.k, desc.n, desc.b_batch_stride, b);
    args.c = allocate(desc.c, desc.m, desc.n, 0, c);
    args.batch = batch;
    for (int64_t i = 0; i < batch; ++i) {
      const int64_t entry = (i * 5 + 2) % batch; // a permuted order of entries
      a_offsets.push_back(entry * desc.a_batch_stride);
      b_offsets.push_back(entry * desc.b_batch_stride);
      a_addresses.push_back(static_cast<const char *>(args.a) + a_offsets.back());
      b_addresses.push_back(static_cast<const char *>(args.b) + b_offsets.back());
    }
    if (desc.batch_kind == TPP_BATCH_offset) {
      args.a_batch = a_offsets.data();
      args.b_batch = b_offsets.data();
    } else if (desc.batch_kind == TPP_BATCH_address) {
      args.a_batch = a_addresses.data();
      args.b_batch = b_addresses.data();
      args.a = args.b = nullptr; // must not be read
    }
    for (int32_t s = 0; s < desc.post_op_count; ++s) {
      post.push_back({});
      allocate(desc.post_ops[s].form, std::max<int64_t>(desc.m, 1), std::max<int64_t>(desc.n, 1), 0, post.back());
      args.post[s] = post.back().data();
    }
  }
};

void expect_equals_naive(const tpp_brgemm_desc &desc, int64_t batch) {
  const tpp_kernel *kernel = nullptr;
  ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  ASSERT_EQ(desc.provider, tpp_kernel_provider(kernel)) << tpp_kernel_name(kernel);
  operands actual(desc, batch, 7), expected(desc, batch, 7);
  const auto a_offsets = actual.a_offsets;
  const auto a_addresses = actual.a_addresses, b_addresses = actual.b_addresses;
  tpp_invoke(kernel, &actual.args);
  naive::brgemm(desc, expected.args);
  EXPECT_TRUE(actual.c == expected.c) << tpp_kernel_name(kernel); // includes gaps between rows, which must not be written
  EXPECT_EQ(a_offsets, actual.a_offsets);
  EXPECT_EQ(a_addresses, actual.a_addresses); // the tables must not be written
  EXPECT_EQ(b_addresses, actual.b_addresses);
}

class BrgemmProviderTest : public testing::TestWithParam<std::tuple<tpp_provider, form_case, shape>> {};

TEST_P(BrgemmProviderTest, EqualsNaiveLoop) {
  const auto &[provider, form, size] = GetParam();
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, size.m, size.n, size.k);
  form.change(desc);
  desc.provider = provider;
  if (provider == TPP_PROVIDER_xsmm && !form.xsmm) {
    const tpp_kernel *kernel = nullptr;
    const tpp_status status = tpp_dispatch_brgemm(&desc, &kernel);
    // In degenerate shapes the unsupported property may vanish: one column has no panels, for example.
    if (status == TPP_STATUS_OK)
      return expect_equals_naive(desc, size.batch);
    EXPECT_EQ(TPP_STATUS_UNSUPPORTED, status);
    EXPECT_NE(nullptr, strstr(tpp_last_error(), "no kernel of provider xsmm for brgemm")) << tpp_last_error();
    return;
  }
  expect_equals_naive(desc, size.batch);
}

std::vector<tpp_provider> available_providers() {
  std::vector<tpp_provider> all = {TPP_PROVIDER_native, TPP_PROVIDER_reference};
  if (TPP_TEST_HAS_XSMM)
    all.push_back(TPP_PROVIDER_xsmm);
  return all;
}

std::string provider_word(tpp_provider provider) {
  switch (provider) {
#define TPP_PROVIDER(name, value, summary)                                                                                       \
  case TPP_PROVIDER_##name:                                                                                                      \
    return #name;
#include "tpp/kinds.def"
  }
  return "unknown";
}

std::string provider_case_name(const testing::TestParamInfo<BrgemmProviderTest::ParamType> &info) {
  const auto &[provider, form, size] = info.param;
  return provider_word(provider) + "_" + form.name + "_" +
         shape_name(tpp::brgemm(TPP_TYPE_f32, size.m, size.n, size.k), size.batch);
}

INSTANTIATE_TEST_SUITE_P(F32, BrgemmProviderTest,
                         testing::Combine(testing::ValuesIn(available_providers()), testing::ValuesIn(forms),
                                          testing::ValuesIn(shapes)),
                         provider_case_name);

#if TPP_TEST_HAS_XSMM

// Every reason for which the libxsmm provider rejects a descriptor.
TEST(XsmmProviderTest, RejectsWithReason) {
  const struct {
    const char *reason;
    void (*change)(tpp_brgemm_desc &);
  } cases[] = {
      {"an operand spans panels", [](tpp_brgemm_desc &d) { d.c = tpp::panelled(TPP_TYPE_f32, 16, 16 * d.m); }},
      {"libxsmm has no post-ops", [](tpp_brgemm_desc &d) { tpp::add_post_op(d, tpp::activation(TPP_UNARY_relu)); }},
      {"rows of A overlap", [](tpp_brgemm_desc &d) { d.a.ld = 2; }},
      {"rows of B overlap", [](tpp_brgemm_desc &d) { d.b.ld = 2; }},
      {"a batch stride is negative", [](tpp_brgemm_desc &d) { d.b_batch_stride = -4; }},
      {"does not fit libxsmm's 32 bits", [](tpp_brgemm_desc &d) { d.b_batch_stride = int64_t{1} << 32; }},
      {"too large for libxsmm's 32-bit offsets", [](tpp_brgemm_desc &d) { d.a.ld = int64_t{1} << 30; }},
      {"no kernel for these element types", [](tpp_brgemm_desc &d) { d.c.type = TPP_TYPE_f64; }},
      {"no kernel for these element types",
       [](tpp_brgemm_desc &d) {
         d.a.type = TPP_TYPE_i8;
         d.b = {TPP_TYPE_u8, 4, 4 * d.n, 0, 0};
         d.c.type = TPP_TYPE_i32;
       }},
      {"needs B in VNNI groups", [](tpp_brgemm_desc &d) { d.a.type = d.b.type = TPP_TYPE_bf16; }},
      {"k is not a multiple of the VNNI group",
       [](tpp_brgemm_desc &d) {
         d.a.type = d.b.type = TPP_TYPE_bf16;
         d.b.vnni = 2;
         d.b.ld *= 2;
         d.k = 7;
       }},
      {"a.ld is not a multiple of the VNNI group",
       [](tpp_brgemm_desc &d) {
         d.a.type = d.b.type = TPP_TYPE_bf16;
         d.b.vnni = 2;
         d.b.ld *= 2;
         d.a.ld = 9;
       }},
  };
  for (const auto &each : cases) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 32, 8);
    desc.provider = TPP_PROVIDER_xsmm;
    each.change(desc);
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(TPP_STATUS_UNSUPPORTED, tpp_dispatch_brgemm(&desc, &kernel)) << each.reason;
    EXPECT_EQ(nullptr, kernel);
    EXPECT_NE(nullptr, strstr(tpp_last_error(), each.reason)) << tpp_last_error();
  }
}

struct low_precision {
  const char *name;
  tpp_type a, b, c;
  int32_t vnni;
};

class XsmmLowPrecisionTest : public testing::TestWithParam<std::tuple<low_precision, tpp_batch_kind, shape>> {};

TEST_P(XsmmLowPrecisionTest, EqualsNaiveLoop) {
  const auto &[types, batch_kind, size] = GetParam();
  for (int32_t beta = 0; beta < 2; ++beta) {
    tpp_brgemm_desc desc = tpp::brgemm(types.a, size.m, size.n, size.k);
    desc.b = tpp::plain(types.b, (size.n + 3) * types.vnni);
    desc.b.vnni = types.vnni;
    desc.b_batch_stride = desc.b.ld * ((size.k + types.vnni - 1) / types.vnni) * naive::bytes_of(types.b);
    desc.c = tpp::plain(types.c, size.n + 5);
    desc.beta = beta;
    desc.batch_kind = batch_kind;
    desc.provider = TPP_PROVIDER_xsmm;
    const tpp_kernel *kernel = nullptr;
    if (tpp_dispatch_brgemm(&desc, &kernel) == TPP_STATUS_UNSUPPORTED &&
        (strstr(tpp_last_error(), "needs AVX-512") || strstr(tpp_last_error(), "without VNNI instructions")))
      GTEST_SKIP() << tpp_last_error();
    expect_equals_naive(desc, size.batch);
  }
}

const low_precision low_precision_types[] = {{"bf16bf16f32", TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_f32, 2},
                                             {"bf16bf16bf16", TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_bf16, 2},
                                             {"u8i8i32", TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32, 4}};
const shape low_precision_shapes[] = {{13, 32, 8, 2}, {1, 16, 4, 1}, {6, 64, 32, 3},  {5, 7, 12, 1},
                                      {17, 33, 4, 2}, {3, 9, 8, 0},  {31, 48, 20, 2}, {2, 65, 16, 1}};

std::string low_precision_case_name(const testing::TestParamInfo<XsmmLowPrecisionTest::ParamType> &info) {
  const auto &[types, batch_kind, size] = info.param;
  static const char *const kinds[] = {"stride", "offset", "address"};
  return std::string(types.name) + "_" + kinds[batch_kind] + "_" +
         shape_name(tpp::brgemm(TPP_TYPE_f32, size.m, size.n, size.k), size.batch);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, XsmmLowPrecisionTest,
                         testing::Combine(testing::ValuesIn(low_precision_types),
                                          testing::Values(TPP_BATCH_stride, TPP_BATCH_offset, TPP_BATCH_address),
                                          testing::ValuesIn(low_precision_shapes)),
                         low_precision_case_name);

#else

TEST(XsmmProviderTest, IsUnavailableWithoutLibxsmm) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 4, 4);
  desc.provider = TPP_PROVIDER_xsmm;
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_PROVIDER_UNAVAILABLE, tpp_dispatch_brgemm(&desc, &kernel));
  EXPECT_STREQ("provider xsmm: this build does not contain libxsmm", tpp_last_error());
}

#endif

TEST(ProviderTest, XsmmHasNoElementwise) {
  if (!TPP_TEST_HAS_XSMM)
    GTEST_SKIP() << "built without libxsmm";
  tpp_unary_desc desc = tpp::unary(TPP_UNARY_relu, TPP_TYPE_f32, 4, 4);
  desc.provider = TPP_PROVIDER_xsmm;
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_UNSUPPORTED, tpp_dispatch_unary(&desc, &kernel));
  EXPECT_STREQ(
      "no kernel of provider xsmm for unary relu 4x4 f32(ld 4) -> f32(ld 4) provider xsmm: the provider has none for this "
      "operation",
      tpp_last_error());
}

} // namespace

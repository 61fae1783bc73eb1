// Random descriptors, from slightly wrong to pure noise. Dispatch must return a status and a text and never crash (the asan
// preset runs this under ASan and UBSan). Valid small descriptors are invoked and compared with the naive loop.
#include "naive.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace {

// Number of entries of each table of kinds.def; their values count from 0.
enum : int32_t {
  types = 0
#define TPP_TYPE(name, value, bytes, summary) +1
#include "tpp/kinds.def"
  ,
  unary_kinds = 0
#define TPP_UNARY_KIND(name, value, group, formula, special_values) +1
#include "tpp/kinds.def"
  ,
  binary_kinds = 0
#define TPP_BINARY_KIND(name, value, formula, special_values) +1
#include "tpp/kinds.def"
  ,
  reduce_kinds = 0
#define TPP_REDUCE_KIND(name, value, formula, special_values) +1
#include "tpp/kinds.def"
  ,
  broadcasts = 0
#define TPP_BROADCAST_KIND(name, value, summary) +1
#include "tpp/kinds.def"
  ,
  providers = 0
#define TPP_PROVIDER(name, value, summary) +1
#include "tpp/kinds.def"
};

class DescriptorFuzzTest : public testing::Test {
protected:
  std::mt19937_64 random{20240229};

  bool one_in(int n) { return random() % n == 0; }

  // A size: mostly small, sometimes an extreme value, sometimes any 64-bit value.
  int64_t size() {
    static constexpr int64_t edges[] = {0,         -1,        INT64_MAX, INT64_MIN, int64_t{1} << 31, (int64_t{1} << 31) - 1,
                                        INT32_MIN, 1LL << 62, 1LL << 40, -64,       INT64_MAX / 4};
    if (one_in(25))
      return edges[random() % std::size(edges)];
    if (one_in(40))
      return static_cast<int64_t>(random());
    return static_cast<int64_t>(random() % 40);
  }
  // An enumeration value: mostly one of the first `count`, sometimes any int32.
  int32_t choice(int32_t count) { return one_in(40) ? static_cast<int32_t>(random()) : static_cast<int32_t>(random() % count); }
  int32_t broadcast() { return choice(broadcasts); }
  int32_t provider() { return choice(providers); }

  tpp_matrix matrix(int64_t cols) {
    tpp_matrix form = {};
    form.type = one_in(10) ? choice(types) : TPP_TYPE_f32;
    form.vnni = one_in(10) ? choice(5) : 0;
    form.ld = one_in(6) || cols < 1 || cols > 1000 ? size() : cols + static_cast<int64_t>(random() % 4);
    if (one_in(3)) {
      form.panel = one_in(8) ? size() : static_cast<int64_t>(random() % 17);
      form.panel_stride = one_in(6) ? size() : (form.panel > 1000 || form.panel < 0 ? form.panel : form.panel * 40);
      if (one_in(2) && form.panel > 0)
        form.ld = form.panel;
    } else if (one_in(4)) {
      form.panel_stride = size();
    }
    return form;
  }

  tpp_brgemm_desc brgemm() {
    tpp_brgemm_desc desc = {};
    desc.struct_size = one_in(100) ? random() : sizeof desc;
    desc.m = size();
    desc.n = size();
    desc.k = size();
    if (one_in(5)) { // few columns and a long k: the dot-product path
      desc.n = 1 + static_cast<int64_t>(random() % 8);
      desc.k = 40 + static_cast<int64_t>(random() % 160);
    }
    desc.a = matrix(desc.k);
    desc.b = matrix(desc.n);
    desc.c = matrix(desc.n);
    desc.batch_kind = choice(3);
    desc.beta = choice(2);
    desc.a_batch_stride = one_in(10) ? size() : 64;
    desc.b_batch_stride = one_in(10) ? size() : 128;
    desc.provider = provider();
    desc.b_uses = one_in(4) ? static_cast<int32_t>(random() % 10) - 1 : 0;
    desc.post_op_count = one_in(30) ? static_cast<int32_t>(random()) : static_cast<int32_t>(random() % 3);
    for (tpp_post_op &step : desc.post_ops) {
      step.op_class = choice(2);
      step.kind = choice(step.op_class == TPP_POST_OP_binary ? binary_kinds : unary_kinds);
      step.broadcast = broadcast();
      step.reserved = one_in(50);
      step.form = matrix(desc.n);
    }
    return desc;
  }

  template <typename Desc, typename Dispatch> bool dispatch(const Desc &desc, Dispatch function, const tpp_kernel **kernel) {
    const tpp_status status = function(&desc, kernel);
    EXPECT_EQ(status == TPP_STATUS_OK, *kernel != nullptr);
    if (status != TPP_STATUS_OK) {
      EXPECT_STRNE("", tpp_last_error());
      ++refused[status];
    }
    return status == TPP_STATUS_OK;
  }

  std::map<tpp_status, int> refused;
};

bool small_and_exact(const tpp_brgemm_desc &desc) {
  const auto fits = [](const tpp_matrix &form) {
    return form.type == TPP_TYPE_f32 && form.ld < 250 && (form.panel == 0 || form.panel_stride < 1000);
  };
  bool ok = desc.m < 50 && desc.n < 50 && desc.k < 200 && fits(desc.a) && fits(desc.b) && fits(desc.c) &&
            desc.batch_kind == TPP_BATCH_stride && desc.a_batch_stride >= 0 && desc.a_batch_stride < 1000 &&
            desc.b_batch_stride >= 0 && desc.b_batch_stride < 1000;
  for (int32_t i = 0; ok && i < desc.post_op_count; ++i) {
    const tpp_post_op &step = desc.post_ops[i];
    ok = step.op_class == TPP_POST_OP_unary
             ? step.kind == TPP_UNARY_relu || step.kind == TPP_UNARY_identity
             : fits(step.form) && (step.kind == TPP_BINARY_add || step.kind == TPP_BINARY_sub || step.kind == TPP_BINARY_max);
  }
  return ok;
}

TEST_F(DescriptorFuzzTest, BrgemmIsRefusedOrRight) {
  int invoked = 0;
  for (int i = 0; i < 30000; ++i) {
    const tpp_brgemm_desc desc = brgemm();
    const tpp_kernel *kernel = nullptr;
    if (!dispatch(desc, tpp_dispatch_brgemm, &kernel) || !small_and_exact(desc))
      continue;
    std::mt19937 values(static_cast<unsigned>(i));
    const int64_t batch = static_cast<int64_t>(random() % 3);
    const std::vector<char> a = naive::random_elements(TPP_TYPE_f32, naive::elements(desc.a, desc.m, desc.k) + 500, values);
    const std::vector<char> b = naive::random_elements(TPP_TYPE_f32, naive::elements(desc.b, desc.k, desc.n) + 500, values);
    std::vector<char> actual = naive::random_elements(TPP_TYPE_f32, naive::elements(desc.c, desc.m, desc.n), values);
    std::vector<char> expected = actual;
    std::vector<std::vector<char>> post;
    tpp_args args = {};
    args.b_use = one_in(4) ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(random() % 10);
    for (int32_t s = 0; s < desc.post_op_count; ++s) {
      const tpp_matrix &form = desc.post_ops[s].form;
      if (desc.post_ops[s].op_class == TPP_POST_OP_binary)
        post.push_back(naive::random_elements(TPP_TYPE_f32, naive::elements(form, desc.m + 1, desc.n + 1) + 1, values));
      else
        post.push_back({});
      args.post[s] = post.back().data();
    }
    args.a = a.data();
    args.b = b.data();
    args.batch = batch;
    args.c = actual.data();
    tpp_invoke(kernel, &args);
    args.c = expected.data();
    naive::brgemm(desc, args);
    ASSERT_EQ(expected, actual) << "descriptor " << i << ", " << tpp_kernel_name(kernel);
    ++invoked;
  }
  // The generator must keep producing both valid descriptors and each kind of error.
  EXPECT_GT(invoked, 1000);
  for (const tpp_status status : {TPP_STATUS_STRUCT_SIZE, TPP_STATUS_UNKNOWN_KIND, TPP_STATUS_INVALID_SIZE,
                                  TPP_STATUS_INVALID_LEADING_DIMENSION, TPP_STATUS_OVERFLOW, TPP_STATUS_INVALID_ARGUMENT})
    EXPECT_GT(refused[status], 10) << tpp_status_text(status);
}

TEST_F(DescriptorFuzzTest, ElementwiseNeverCrashes) {
  for (int i = 0; i < 20000; ++i) {
    const tpp_kernel *kernel = nullptr;
    const int64_t m = size(), n = size();
    const tpp_unary_desc unary = {sizeof unary,        m,           n,          matrix(n),  matrix(n),
                                  choice(unary_kinds), broadcast(), provider(), one_in(50), one_in(10) ? -0.5f : 0.0f,
                                  one_in(50)};
    dispatch(unary, tpp_dispatch_unary, &kernel);
    const tpp_binary_desc binary = {sizeof binary,        m,           n,           matrix(n), matrix(n), matrix(n),
                                    choice(binary_kinds), broadcast(), broadcast(), provider()};
    dispatch(binary, tpp_dispatch_binary, &kernel);
    const tpp_reduce_desc reduce = {sizeof reduce,        m,         n,         matrix(n), matrix(n),
                                    choice(reduce_kinds), choice(2), choice(2), provider()};
    dispatch(reduce, tpp_dispatch_reduce, &kernel);
  }
}

TEST_F(DescriptorFuzzTest, GroupedConvNeverCrashes) {
  // f32, bf16, u8 and i8: accepted descriptors of each, and those with a border.
  int accepted[4] = {}, borders = 0;
  for (int i = 0; i < 30000; ++i) {
    tpp_grouped_conv_desc desc = {};
    desc.struct_size = one_in(10) ? offsetof(tpp_grouped_conv_desc, border) : sizeof desc;
    const auto positive = [this] { return one_in(20) ? size() : static_cast<int64_t>(1 + random() % 4); };
    desc.height = size(), desc.width = size();
    desc.in_height = size(), desc.in_width = size();
    desc.group_inputs = positive(), desc.group_outputs = positive();
    const bool few_outputs = desc.group_outputs >= 0 && desc.group_outputs <= 1000; // the product below does not overflow
    desc.channels = one_in(20) || !few_outputs ? size() : desc.group_outputs * static_cast<int64_t>(random() % 9);
    desc.tap_rows = positive(), desc.tap_cols = positive();
    desc.row_step = positive(), desc.col_step = positive();
    desc.row_dilation = positive(), desc.col_dilation = positive();
    desc.top = one_in(20) ? size() : static_cast<int64_t>(random() % 3);
    desc.left = one_in(20) ? size() : static_cast<int64_t>(random() % 3);
    desc.in = matrix(desc.channels);
    desc.filter = matrix(desc.channels);
    desc.out = matrix(desc.channels);
    desc.in_row_stride = size();
    desc.out_row_stride = one_in(5) ? size() : 100000;
    desc.provider = provider();
    static constexpr tpp_type in_types[] = {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_u8, TPP_TYPE_i8};
    const size_t type = random() % 4;
    if (!one_in(20)) { // else what matrix() chose
      const bool of_integers = type >= 2;
      desc.in.type = in_types[type];
      desc.filter.type = of_integers ? TPP_TYPE_i8 : in_types[type];
      desc.out.type = one_in(4) ? choice(types) : of_integers ? TPP_TYPE_i32 : one_in(2) ? TPP_TYPE_f32 : in_types[type];
      desc.border = of_integers && one_in(2) ? static_cast<int32_t>(random() % 400) - 140 : 0;
    }
    if (one_in(40))
      desc.border = static_cast<int32_t>(random());
    desc.reserved = one_in(100);
    desc.post_op_count = one_in(30) ? static_cast<int32_t>(random()) : static_cast<int32_t>(random() % 3);
    for (tpp_post_op &step : desc.post_ops) {
      step.op_class = choice(2);
      step.kind = choice(step.op_class == TPP_POST_OP_binary ? binary_kinds : unary_kinds);
      if (one_in(3)) // integers end as they began, or are converted
        step = tpp::activation(one_in(2) ? TPP_UNARY_convert : TPP_UNARY_relu);
      step.broadcast = broadcast();
      step.form = matrix(desc.channels);
    }
    for (int64_t &stride : desc.post_row_strides)
      stride = one_in(5) ? size() : 0;
    const tpp_kernel *kernel = nullptr;
    const bool is_accepted = dispatch(desc, tpp_dispatch_grouped_conv, &kernel);
    accepted[type] += is_accepted;
    borders += is_accepted && desc.struct_size == sizeof desc && desc.border != 0;
  }
  for (int count : accepted)
    EXPECT_GT(count, 100);
  EXPECT_GT(borders, 100);
}

// Random bytes after a correct struct_size.
TEST_F(DescriptorFuzzTest, NoiseNeverCrashes) {
  union {
#define TPP_OPERATION(name, Name, formula) tpp_##name##_desc name;
#include "tpp/operations.def"
  } noise;
  for (int i = 0; i < 20000; ++i) {
    uint64_t words[sizeof noise / 8];
    for (uint64_t &word : words)
      word = one_in(2) ? random() : random() % 8;
    memcpy(&noise, words, sizeof noise);
    const tpp_kernel *kernel = nullptr;
#define TPP_OPERATION(name, Name, formula)                                                                                       \
  noise.name.struct_size = sizeof noise.name;                                                                                    \
  dispatch(noise.name, tpp_dispatch_##name, &kernel);
#include "tpp/operations.def"
  }
}

} // namespace

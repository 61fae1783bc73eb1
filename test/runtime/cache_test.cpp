// The kernel cache returns one handle per meaning. Descriptors that are equal or differ only in fields without meaning share a
// handle; any other difference gives another handle.
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

const tpp_kernel *dispatched(const tpp_brgemm_desc &desc) {
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  return kernel;
}

TEST(KernelCacheTest, EqualDescriptorsShareAKernel) {
  const tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 21, 34, 55);
  const tpp_kernel *first = dispatched(desc);
  EXPECT_EQ(first, dispatched(desc));
  const tpp_brgemm_desc copy = desc;
  EXPECT_EQ(first, dispatched(copy));
}

TEST(KernelCacheTest, WhatHasNoMeaningMakesNoDifference) {
  const struct {
    const char *what;
    void (*change)(tpp_brgemm_desc &);
  } same[] = {
      {"post-ops beyond the count", [](tpp_brgemm_desc &d) { memset(d.post_ops + d.post_op_count, 0x5a, 100); }},
      {"the panel stride of a plain operand", [](tpp_brgemm_desc &d) { d.a.panel_stride = 12345; }},
      {"one panel as wide as the operand", [](tpp_brgemm_desc &d) { d.b.panel = d.n; }},
      {"one panel wider than the operand", [](tpp_brgemm_desc &d) { d.c.panel = d.n + 100; }},
      {"panels without a gap",
       [](tpp_brgemm_desc &d) {
         d.b.panel = 8;
         d.b.panel_stride = 8;
       }},
      {"b_uses 1", [](tpp_brgemm_desc &d) { d.b_uses = 1; }},
      {"vnni 1", [](tpp_brgemm_desc &d) { d.a.vnni = d.b.vnni = d.c.vnni = 1; }},
      {"the form of a unary step's operand", [](tpp_brgemm_desc &d) { memset(&d.post_ops[1].form, 0x77, sizeof(tpp_matrix)); }},
      {"the leading dimension of a row", [](tpp_brgemm_desc &d) { d.post_ops[0].form.ld = 999; }},
  };
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 7, 32, 16);
  tpp::add_post_op(desc, tpp::bias(TPP_TYPE_f32));
  tpp::add_post_op(desc, tpp::activation(TPP_UNARY_relu));
  const tpp_kernel *kernel = dispatched(desc);
  for (const auto &each : same) {
    tpp_brgemm_desc changed = desc;
    each.change(changed);
    EXPECT_EQ(kernel, dispatched(changed)) << each.what;
  }

  tpp_brgemm_desc by_offset = tpp::brgemm(TPP_TYPE_f32, 7, 32, 16);
  by_offset.batch_kind = TPP_BATCH_offset;
  kernel = dispatched(by_offset);
  by_offset.a_batch_stride = 1;
  by_offset.b_batch_stride = -7;
  EXPECT_EQ(kernel, dispatched(by_offset)) << "strides of a batch by offset";

  tpp_brgemm_desc one_row = tpp::brgemm(TPP_TYPE_f32, 1, 32, 16);
  kernel = dispatched(one_row);
  one_row.a.ld = 3;
  one_row.c.ld = 1;
  EXPECT_EQ(kernel, dispatched(one_row)) << "leading dimensions of single rows";
}

TEST(KernelCacheTest, EveryMeaningfulFieldMakesADifference) {
  void (*const changes[])(tpp_brgemm_desc &) = {
      [](tpp_brgemm_desc &) {},
      [](tpp_brgemm_desc &d) { d.m = 8; },
      [](tpp_brgemm_desc &d) { d.n = 31; },
      [](tpp_brgemm_desc &d) { d.k = 15; },
      [](tpp_brgemm_desc &d) { d.a.ld = 17; },
      [](tpp_brgemm_desc &d) { d.b.ld = 33; },
      [](tpp_brgemm_desc &d) { d.c.ld = 33; },
      [](tpp_brgemm_desc &d) { d.a = tpp::panelled(TPP_TYPE_f32, 4, 100); },
      [](tpp_brgemm_desc &d) { d.a = tpp::panelled(TPP_TYPE_f32, 4, 104); },
      [](tpp_brgemm_desc &d) { d.beta = 1; },
      [](tpp_brgemm_desc &d) { d.b_uses = 2; },
      [](tpp_brgemm_desc &d) { d.batch_kind = TPP_BATCH_offset; },
      [](tpp_brgemm_desc &d) { d.batch_kind = TPP_BATCH_address; },
      [](tpp_brgemm_desc &d) { d.a_batch_stride += 4; },
      [](tpp_brgemm_desc &d) { d.b_batch_stride += 4; },
      [](tpp_brgemm_desc &d) { d.provider = TPP_PROVIDER_native; },
      [](tpp_brgemm_desc &d) { d.provider = TPP_PROVIDER_reference; },
      [](tpp_brgemm_desc &d) { tpp::add_post_op(d, tpp::bias(TPP_TYPE_f32)); },
      [](tpp_brgemm_desc &d) { tpp::add_post_op(d, tpp::activation(TPP_UNARY_relu)); },
      [](tpp_brgemm_desc &d) { tpp::add_post_op(d, tpp::activation(TPP_UNARY_identity)); },
      [](tpp_brgemm_desc &d) {
        tpp::add_post_op(d, tpp::bias(TPP_TYPE_f32));
        tpp::add_post_op(d, tpp::activation(TPP_UNARY_relu));
      },
  };
  std::set<const tpp_kernel *> kernels;
  for (const auto change : changes) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 7, 32, 16);
    change(desc);
    kernels.insert(dispatched(desc));
  }
  EXPECT_EQ(std::size(changes), kernels.size());
}

// The cache lookup comes before validation, so an invalid descriptor must not match a cached valid one.
TEST(KernelCacheTest, InvalidDescriptorsDoNotHitValidNeighbours) {
  const tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 1, 32, 16);
  dispatched(desc);
  void (*const changes[])(tpp_brgemm_desc &) = {
      [](tpp_brgemm_desc &d) { d.a.ld = 0; },           [](tpp_brgemm_desc &d) { d.c.ld = -1; },
      [](tpp_brgemm_desc &d) { d.b.panel = -1; },       [](tpp_brgemm_desc &d) { d.b.vnni = -1; },
      [](tpp_brgemm_desc &d) { d.post_op_count = -1; },
  };
  for (const auto change : changes) {
    tpp_brgemm_desc bad = desc;
    change(bad);
    const tpp_kernel *kernel = nullptr;
    EXPECT_NE(TPP_STATUS_OK, tpp_dispatch_brgemm(&bad, &kernel));
    EXPECT_EQ(nullptr, kernel);
  }
}

// The hash table grows several times. All earlier kernels must still be found at the same address.
TEST(KernelCacheTest, KeepsEveryKernelWhileItGrows) {
  std::vector<const tpp_kernel *> kernels;
  const auto shape = [](int64_t n) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 2, n, 1);
    desc.provider = TPP_PROVIDER_reference; // avoids JIT code for thousands of shapes
    return desc;
  };
  const int64_t count = 3000;
  for (int64_t n = 1; n <= count; ++n)
    kernels.push_back(dispatched(shape(n)));
  EXPECT_EQ(static_cast<size_t>(count), std::set<const tpp_kernel *>(kernels.begin(), kernels.end()).size());
  for (int64_t n = 1; n <= count; ++n)
    ASSERT_EQ(kernels[static_cast<size_t>(n - 1)], dispatched(shape(n)));
}

} // namespace

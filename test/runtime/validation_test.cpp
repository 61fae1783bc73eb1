// Rules of dispatch that are the same for every operation, and statuses. The rules of each descriptor are tested in operations/.
#include "tpp/tpp.hpp"

#include <gtest/gtest.h>

#include <string.h>

extern "C" const char *tpp_status_text_from_c(int status); // headers.c

namespace {

template <typename Desc> void expect_null_pointers_are_refused(tpp_status (*dispatch)(const Desc *, const tpp_kernel **)) {
  const Desc desc = {};
  const tpp_kernel *kernel = reinterpret_cast<const tpp_kernel *>(&desc);
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, dispatch(nullptr, &kernel));
  EXPECT_EQ(nullptr, kernel);
  EXPECT_STREQ("desc is null", tpp_last_error());
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, dispatch(&desc, nullptr));
  EXPECT_STREQ("kernel is null", tpp_last_error());
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, dispatch(nullptr, nullptr));
}

TEST(ValidationTest, NullPointers) {
#define TPP_OPERATION(name, Name, formula) expect_null_pointers_are_refused(tpp_dispatch_##name);
#include "tpp/operations.def"
  EXPECT_EQ(nullptr, tpp_kernel_name(nullptr));
  EXPECT_EQ(TPP_PROVIDER_auto, tpp_kernel_provider(nullptr));
}

// Must be accepted: any value in a field without meaning.
TEST(ValidationTest, IgnoresWhatHasNoMeaning) {
  tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
  memset(desc.post_ops, 0xff, sizeof desc.post_ops); // beyond post_op_count
  desc.batch_kind = TPP_BATCH_offset;
  desc.a_batch_stride = desc.b_batch_stride = INT64_MIN;                       // unused: the batch is not by stride
  desc.a.panel_stride = desc.b.panel_stride = desc.c.panel_stride = INT64_MIN; // unused: no panels
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();

  tpp_unary_desc zero = tpp::unary(TPP_UNARY_zero, TPP_TYPE_f32, 3, 5);
  memset(&zero.in, 0xff, sizeof zero.in); // never read
  zero.broadcast = 77;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_unary(&zero, &kernel)) << tpp_last_error();
}

TEST(ValidationTest, AcceptsEveryWayToLayOutAnOutput) {
  const tpp_matrix forms[] = {
      {TPP_TYPE_f32, 0, 16, 0, 0},   // plain
      {TPP_TYPE_f32, 1, 16, 16, 0},  // one panel
      {TPP_TYPE_f32, 0, 8, 8, 32},   // panels one after the other
      {TPP_TYPE_f32, 0, 40, 8, 20},  // panels side by side in a row, with a gap
      {TPP_TYPE_f32, 0, 1, 1, 4},    // column-major
      {TPP_TYPE_f32, 0, 13, 5, 100}, // a partial last panel
  };
  for (const tpp_matrix &form : forms) {
    tpp_brgemm_desc desc = tpp::brgemm(TPP_TYPE_f32, 4, 16, 8);
    desc.c = form;
    const tpp_kernel *kernel = nullptr;
    EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  }
}

TEST(StatusTest, EveryStatusHasAText) {
#define TPP_STATUS(NAME, value, text) EXPECT_STREQ(text, tpp_status_text(TPP_STATUS_##NAME));
#include "tpp/kinds.def"
  EXPECT_STREQ("unknown status", tpp_status_text_from_c(12345));
}

TEST(StatusTest, VersionIsTheHeaders) { EXPECT_EQ(TPP_ABI_VERSION, tpp_abi_version()); }

} // namespace

// Statuses that compiled models ask the runtime for: failed assertions and missing processor features.
#include "tpp/tpp.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

struct feature {
  const char *name;
  bool present;
};

// What the compiler's own library reports, for the features that all supported compilers know.
std::vector<feature> list_features() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#define FEATURE(name) {name, __builtin_cpu_supports(name) != 0}
  return {FEATURE("sse3"),
          FEATURE("ssse3"),
          FEATURE("sse4.1"),
          FEATURE("sse4.2"),
          FEATURE("popcnt"),
          FEATURE("avx"),
          FEATURE("avx2"),
          FEATURE("fma"),
          FEATURE("bmi"),
          FEATURE("bmi2"),
          FEATURE("xop"),
          FEATURE("fma4"),
          FEATURE("sse4a"),
          FEATURE("gfni"),
          FEATURE("vpclmulqdq"),
          FEATURE("avx512f"),
          FEATURE("avx512vl"),
          FEATURE("avx512bw"),
          FEATURE("avx512dq"),
          FEATURE("avx512cd"),
          FEATURE("avx512vbmi"),
          FEATURE("avx512ifma"),
          FEATURE("avx512vbmi2"),
          FEATURE("avx512vnni"),
          FEATURE("avx512bitalg"),
          FEATURE("avx512bf16"),
          FEATURE("avxvnni"),
          FEATURE("avx512fp16"),
          FEATURE("avx512vpopcntdq")};
#undef FEATURE
#else
  return {};
#endif
}

TEST(StatusTest, CpuFeaturesAreThoseTheCompilersLibraryReports) {
  std::string all, missing;
  for (const feature &f : list_features()) {
    EXPECT_EQ(tpp_check_cpu(f.name), f.present ? TPP_STATUS_OK : TPP_STATUS_UNSUPPORTED_CPU) << f.name;
    if (f.present) {
      all += all.empty() ? "" : ",";
      all += f.name;
    } else {
      EXPECT_NE(std::string(tpp_last_error()).find(f.name), std::string::npos) << tpp_last_error();
      missing = f.name;
    }
  }
  EXPECT_EQ(tpp_check_cpu(all.c_str()), TPP_STATUS_OK) << tpp_last_error();
  if (!missing.empty()) {
    EXPECT_EQ(tpp_check_cpu((all + "," + missing).c_str()), TPP_STATUS_UNSUPPORTED_CPU);
  }
}

TEST(StatusTest, AnEmptyListOfFeaturesIsSatisfied) { EXPECT_EQ(tpp_check_cpu(""), TPP_STATUS_OK); }

TEST(StatusTest, AnUnknownFeatureIsNamed) {
  for (const char *list : {"warp-drive", "warp-drive,", ",warp-drive", "warp-drive,sse3"})
    EXPECT_EQ(tpp_check_cpu(list), TPP_STATUS_UNSUPPORTED_CPU) << list;
  EXPECT_EQ(tpp_check_cpu("warp-drive"), TPP_STATUS_UNSUPPORTED_CPU);
  EXPECT_NE(std::string(tpp_last_error()).find("'warp-drive'"), std::string::npos) << tpp_last_error();
  EXPECT_EQ(tpp_check_cpu(nullptr), TPP_STATUS_NULL_POINTER);
}

TEST(StatusTest, AFailedAssertionLeavesItsMessage) {
  EXPECT_EQ(tpp_fail_assertion("the index is out of range"), TPP_STATUS_ASSERTION);
  EXPECT_STREQ(tpp_last_error(), "the index is out of range");
  EXPECT_EQ(tpp_fail_assertion("100 % of %s"), TPP_STATUS_ASSERTION);
  EXPECT_STREQ(tpp_last_error(), "100 % of %s");
  EXPECT_EQ(tpp_fail_assertion(nullptr), TPP_STATUS_ASSERTION);
  EXPECT_STREQ(tpp_last_error(), "");
}

} // namespace

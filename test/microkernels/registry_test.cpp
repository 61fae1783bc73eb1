// Tests the registry as a whole: every kernel entry is complete and its name follows the grammar, and the host runs the entries
// it should.
#include "tpp/machine.hpp"
#include "tpp/microkernels.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

TEST(RegistryTest, RowsAreCompleteAndNamedByTheGrammar) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  ASSERT_GT(count, 0u);
  std::set<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    const tpp::microkernel_row &row = rows[i];
    std::string name = row.name, prefix = std::string("tpp_uk_") + tpp::operation_name(row.op) + "_";
    EXPECT_EQ(name.compare(0, prefix.size(), prefix), 0) << name;
    EXPECT_GE(name.size(), prefix.size() + std::string(row.target).size()) << name;
    EXPECT_EQ(name.substr(name.size() - std::string(row.target).size()), row.target) << name;
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_TRUE(row.reject && row.cost && row.prepare) << name;
    EXPECT_EQ(row.provider == TPP_PROVIDER_reference, std::string(row.target) == "reference") << name;
  }
}

TEST(RegistryTest, EveryOperationHasAReferenceThatRunsHere) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  std::multiset<tpp::operation> found;
  for (size_t i = 0; i < count; ++i)
    if (std::string(rows[i].target) == "reference" && tpp::microkernel_row_runs_here(rows[i]))
      found.insert(rows[i].op);
  const std::multiset<tpp::operation> all = {
#define TPP_OPERATION(name, Name, formula) tpp::operation::name,
#include "tpp/operations.def"
  };
  EXPECT_EQ(found, all);
}

// An operation may have only its reference. If it has native kernels, one of them runs on every machine.
TEST(RegistryTest, EveryOperationWithNativeKernelsHasAPortableOneThatRunsHere) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  std::set<tpp::operation> portable, native;
  for (size_t i = 0; i < count; ++i) {
    if (rows[i].provider == TPP_PROVIDER_native)
      native.insert(rows[i].op);
    if (std::string(rows[i].target) == "portable" && tpp::microkernel_row_runs_here(rows[i]))
      portable.insert(rows[i].op);
  }
  EXPECT_FALSE(native.empty());
  EXPECT_EQ(portable, native);
}

#if defined(__x86_64__) && defined(__GNUC__)
// Compares with the compiler's own CPU detection, so that a target cannot be lost by accident.
TEST(RegistryTest, RunsTheRowsOfTheProcessorsTargets) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  for (size_t i = 0; i < count; ++i) {
    std::string target = rows[i].target;
    if (target == "avx2") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx2) << rows[i].name;
    }
    if (target == "amxbf16") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]),
                avx3 && __builtin_cpu_supports("avx512bf16") && tpp::host_has_amx(TPP_TYPE_bf16))
          << rows[i].name;
    }
    if (target == "amxint8") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx3 && tpp::host_has_amx(TPP_TYPE_i8)) << rows[i].name;
    }
    if (target == "avx512bf16") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx3 && __builtin_cpu_supports("avx512bf16")) << rows[i].name;
    }
    if (target == "avx512vnni") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx3 && __builtin_cpu_supports("avx512vnni")) << rows[i].name;
    }
    if (target == "avxvnni") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx2 && __builtin_cpu_supports("avxvnni")) << rows[i].name;
    }
    if (target == "avx3") {
      EXPECT_EQ(tpp::microkernel_row_runs_here(rows[i]), avx3) << rows[i].name;
    }
  }
}
#endif

} // namespace

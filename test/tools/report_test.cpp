// Tests of tpp-run's JSON object. Its keys are a contract: a value that was not measured is null, its key is never missing.
#include "support.h"
#include "tools/tpp-run/Report.h"
#include "llvm/Support/JSON.h"

namespace tpp::run {
namespace {

const char *const keys[] = {"model",
                            "entry",
                            "threads",
                            "target",
                            "flops",
                            "compile_seconds",
                            "parse_seconds",
                            "passes_seconds",
                            "prepack_seconds",
                            "jit_seconds",
                            "seconds_min",
                            "seconds_median",
                            "seconds_p95",
                            "gflops",
                            "peak_gflops",
                            "percent_of_peak",
                            "percent_of_peak_median",
                            "packs",
                            "unpacks",
                            "copies",
                            "copy_bytes",
                            "peak_anonymous_bytes",
                            "workspace_bytes",
                            "weights_bytes",
                            "kernels"};

llvm::json::Object jsonOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeJson(report, stream);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  EXPECT_TRUE(bool(value)) << text;
  return *value->getAsObject();
}

Report timed() {
  Report report;
  report.model = "m.mlir";
  report.entry = "main";
  report.target = "host";
  report.threads = 2;
  report.flops = 2'000'000'000;
  report.flopsType = "f32";
  report.time = Summary{10, 0.01, 0.0125, 0.02};
  report.peakGflops = 250.0;
  report.peakInstruction = "avx512 fma";
  report.kernels = {{"tpp_uk_brgemm", "native", 7}};
  return report;
}

TEST(ReportTest, HoldsExactlyTheKeysOfTheContract) {
  for (const Report &report : {Report(), timed()}) {
    llvm::json::Object object = jsonOf(report);
    for (const char *key : keys)
      EXPECT_TRUE(object.get(key)) << key;
    EXPECT_EQ(object.size(), std::size(keys));
  }
}

TEST(ReportTest, RatesUseTheMinimumAndTheMedian) {
  llvm::json::Object object = jsonOf(timed());
  EXPECT_DOUBLE_EQ(*object.getNumber("seconds_min"), 0.01);
  EXPECT_DOUBLE_EQ(*object.getNumber("gflops"), 200);
  EXPECT_DOUBLE_EQ(*object.getNumber("peak_gflops"), 250);
  EXPECT_DOUBLE_EQ(*object.getNumber("percent_of_peak"), 80);
  EXPECT_DOUBLE_EQ(*object.getNumber("percent_of_peak_median"), 64);
  const llvm::json::Object &kernel = *(*object.getArray("kernels"))[0].getAsObject();
  EXPECT_EQ(kernel.getString("name"), "tpp_uk_brgemm");
  EXPECT_EQ(kernel.getString("provider"), "native");
  EXPECT_EQ(kernel.getInteger("calls_per_run"), 7);
  EXPECT_EQ(kernel.size(), 3u);
}

TEST(ReportTest, WhatWasNotMeasuredIsNull) {
  llvm::json::Object untimed = jsonOf(Report());
  for (const char *key : {"seconds_min", "seconds_median", "seconds_p95", "gflops", "peak_gflops", "percent_of_peak",
                          "percent_of_peak_median", "peak_anonymous_bytes"})
    EXPECT_EQ(untimed.get(key)->kind(), llvm::json::Value::Null) << key;
  Report noContractions = timed();
  noContractions.flops = 0;
  noContractions.peakGflops.reset();
  llvm::json::Object object = jsonOf(noContractions);
  EXPECT_EQ(object.get("gflops")->kind(), llvm::json::Value::Null);
  EXPECT_EQ(object.get("percent_of_peak")->kind(), llvm::json::Value::Null);
  EXPECT_DOUBLE_EQ(*object.getNumber("seconds_min"), 0.01);
}

TEST(ReportTest, SummaryTellsTimeShareAndKernels) {
  Report report = timed();
  report.checks = {"result #0 equals the reference exactly"};
  report.scalarLoops = 2;
  std::string text;
  llvm::raw_string_ostream stream(text);
  printSummary(report, stream);
  for (const char *part :
       {"min 10.000 ms, median 12.500 ms, p95 20.000 ms (10 calls, warm caches, 2 threads)",
        "200.0 GFLOP/s, 80.0 % of the f32 peak 250.0 (avx512 fma); by the median 64.0 %", "tpp_uk_brgemm (native), 7 calls",
        "result #0 equals the reference exactly", "2 loops run element by element"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ReportTest, ReportsAnUnwritableFile) {
  EXPECT_EQ(test::textOf(writeJsonFile(Report(), "/no/such/directory/x.json")),
            "/no/such/directory/x.json: cannot write: No such file or directory");
  if (llvm::sys::fs::exists("/dev/full"))
    EXPECT_EQ(test::textOf(writeJsonFile(Report(), "/dev/full")), "/dev/full: cannot write: No space left on device");
}

} // namespace
} // namespace tpp::run

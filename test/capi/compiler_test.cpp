// The C API of the compiler: what it computes, and what it says about programs, options and calls that are wrong.
#include "capi/compiled_model.hpp"
#include "tpp/tpp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

using namespace tpp_test;

namespace {

TEST(CompilerTest, CompilesAndRuns) {
  for (int32_t threads : {0, 1, 2})
    for (int32_t reference : {0, 1}) {
      tpp_compile_options options = defaults();
      options.threads = threads;
      options.reference = reference;
      compiled made = compile(matmul, options);
      ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
      std::vector<float> a = numbers(24, 1), b = numbers(30, 2), c(20, NAN);
      ASSERT_EQ(run(made.model.get(), {a.data(), b.data(), c.data()}), TPP_STATUS_OK) << tpp_compiler_last_error();
      EXPECT_EQ(c, multiply(a, b, 4, 5, 6));
    }
}

TEST(CompilerTest, DescribesArgumentsAndResults) {
  compiled made = compile("func.func @f(%a: tensor<2x3xbf16>, %m: memref<4xi64>, %i: index) -> (tensor<i1>, f64) {\n"
                          "  %c = arith.constant dense<true> : tensor<i1>\n  %x = arith.constant 2.0 : f64\n"
                          "  return %c, %x : tensor<i1>, f64\n}",
                          defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  const tpp_model *model = made.model.get();
  ASSERT_EQ(tpp_model_argument_count(model), 3);
  ASSERT_EQ(tpp_model_result_count(model), 2);
  const tpp_value *a = tpp_model_argument(model, 0), *m = tpp_model_argument(model, 1), *i = tpp_model_argument(model, 2);
  EXPECT_STREQ(a->type, "bf16");
  EXPECT_EQ(std::vector<int64_t>(a->shape, a->shape + a->rank), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(a->element_bytes, 2);
  EXPECT_EQ(a->bytes, 12);
  EXPECT_EQ(a->is_weight + a->is_written, 0);
  EXPECT_STREQ(m->type, "i64");
  EXPECT_EQ(m->bytes, 32);
  EXPECT_EQ(m->is_written, 1);
  EXPECT_STREQ(i->type, "index");
  EXPECT_EQ(i->rank, 0);
  EXPECT_EQ(i->bytes, 8);
  EXPECT_STREQ(tpp_model_result(model, 0)->type, "i1");
  EXPECT_EQ(tpp_model_result(model, 0)->bytes, 1);
  EXPECT_STREQ(tpp_model_result(model, 1)->type, "f64");
  EXPECT_EQ(tpp_model_argument(model, 3), nullptr);
  EXPECT_EQ(tpp_model_argument(model, -1), nullptr);
  EXPECT_EQ(tpp_model_result(model, 2), nullptr);
}

TEST(CompilerTest, WeightsAreReadWhenTheyArePacked) {
  const int64_t weight = 1;
  tpp_compile_options options = defaults();
  options.weights = &weight;
  options.weight_count = 1;
  compiled made = compile(matmul, options);
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  tpp_model *model = made.model.get();
  EXPECT_EQ(tpp_model_argument(model, 1)->is_weight, 1);
  std::vector<float> a = numbers(24, 1), c(20);
  EXPECT_EQ(run(model, {a.data(), c.data()}), TPP_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(tpp_compiler_last_error(), "the model has weight arguments: call tpp_model_prepack first");
  for (int start : {2, 3}) {
    std::vector<float> b = numbers(30, start), expected = multiply(a, b, 4, 5, 6);
    const void *weights[] = {b.data()};
    ASSERT_EQ(tpp_model_prepack(model, weights), TPP_STATUS_OK) << tpp_compiler_last_error();
    b.assign(30, NAN); // not read any more
    ASSERT_EQ(run(model, {a.data(), c.data()}), TPP_STATUS_OK);
    EXPECT_EQ(c, expected);
  }
  const void *none[] = {nullptr};
  EXPECT_EQ(tpp_model_prepack(model, none), TPP_STATUS_NULL_POINTER);
  EXPECT_EQ(tpp_model_prepack(model, nullptr), TPP_STATUS_NULL_POINTER);
}

TEST(CompilerTest, DiagnosticsHavePositions) {
  std::vector<diagnostic> said;
  tpp_compile_options options = defaults();
  options.diagnose = keep;
  options.user = &said;
  compiled made = compile("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %b : tensor<4xf32>\n}", options);
  EXPECT_EQ(made.status, TPP_STATUS_INVALID_PROGRAM);
  EXPECT_EQ(made.model, nullptr);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].severity, TPP_SEVERITY_error);
  EXPECT_EQ(said[0].file, "test.mlir");
  EXPECT_EQ(said[0].line, 2);
  EXPECT_EQ(said[0].column, 10);
  EXPECT_NE(said[0].message.find("undeclared SSA value"), std::string::npos) << said[0].message;
  EXPECT_EQ(made.error.find("test.mlir:2:10: "), 0u) << made.error;
}

TEST(CompilerTest, ProgramsThatCannotBeCompiledSayWhy) {
  const std::pair<const char *, const char *> programs[] = {
      {"", "test.mlir: the file is empty"},
      {"module {}", "no public function with a body"},
      {"func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }", "tensor<?xf32>"},
      {"func.func @f(%a: tensor<4xi4>) -> tensor<4xi4> { return %a : tensor<4xi4> }", "i4"},
      {"func.func @f() { return } func.func @g() { return }", "@main"},
  };
  for (auto [program, why] : programs) {
    compiled made = compile(program, defaults());
    EXPECT_EQ(made.status, TPP_STATUS_INVALID_PROGRAM) << program;
    EXPECT_NE(made.error.find(why), std::string::npos) << program << ": " << made.error;
  }
}

TEST(CompilerTest, OptionsAreChecked) {
  auto refused = [](auto set, tpp_status status, const char *why) {
    tpp_compile_options options = defaults();
    set(options);
    compiled made = compile(matmul, options);
    EXPECT_EQ(made.status, status) << why << ": " << made.error;
    EXPECT_NE(made.error.find(why), std::string::npos) << why << ": " << made.error;
    EXPECT_EQ(made.model, nullptr);
  };
  using options = tpp_compile_options;
  refused([](options &o) { o.struct_size = 3; }, TPP_STATUS_STRUCT_SIZE, "options.struct_size is 3");
  refused([](options &o) { o.provider = "fast"; }, TPP_STATUS_INVALID_ARGUMENT, "options.provider is 'fast'");
  refused([](options &o) { o.precision = "f8"; }, TPP_STATUS_INVALID_ARGUMENT, "options.precision is 'f8'");
  refused([](options &o) { o.winograd = "on"; }, TPP_STATUS_INVALID_ARGUMENT,
          "options.winograd is 'on': there are auto, always and off");
  refused([](options &o) { o.denormals = "flush"; }, TPP_STATUS_INVALID_ARGUMENT,
          "options.denormals is 'flush': there are keep and zero");
  refused([](options &o) { o.threads = -1; }, TPP_STATUS_INVALID_ARGUMENT, "options.threads is -1");
  refused([](options &o) { o.threads = 1 << 20; }, TPP_STATUS_INVALID_ARGUMENT, "options.threads is 1048576");
  refused([](options &o) { o.weight_count = 1; }, TPP_STATUS_INVALID_ARGUMENT, "options.weight_count is 1 for no list");
  static const int64_t outside = 7;
  refused([](options &o) { o.weights = &outside, o.weight_count = 1; }, TPP_STATUS_INVALID_PROGRAM, "7");
  refused([](options &o) { o.target = "abacus"; }, TPP_STATUS_INVALID_PROGRAM, "unknown target 'abacus'");
  refused([](options &o) { o.packing = "#none"; }, TPP_STATUS_INVALID_PROGRAM, "#none");
  refused([](options &o) { o.entry = "nothing"; }, TPP_STATUS_INVALID_PROGRAM, "@nothing");
#if defined(__x86_64__)
  refused([](options &o) { o.target = "neoverse-n1"; }, TPP_STATUS_UNSUPPORTED_CPU,
          "cannot run what is compiled for neoverse-n1");
#endif
}

TEST(CompilerTest, PrecisionAndPackingReachTheCompiler) {
  tpp_compile_options options = defaults();
  options.precision = "bf16";
  options.packing = "none";
  compiled made = compile(matmul, options);
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  EXPECT_NE(std::string(tpp_model_report(made.model.get())).find("brgemm_bf16"), std::string::npos)
      << tpp_model_report(made.model.get());
}

TEST(CompilerTest, DenormalNumbersAreKeptOrZero) {
  const std::string program = std::regex_replace(matmul, std::regex("4x6|6x5|4x5"), "256x256");
  std::vector<float> a(256 * 256, 1e-40f), b(256 * 256, 1.0f), c(256 * 256, NAN);
  for (bool keep : {true, false})
    for (int32_t threads : {1, 2}) {
      tpp_compile_options options = defaults();
      options.threads = threads;
      options.denormals = keep ? nullptr : "zero";
      compiled made = compile(program, options);
      ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
      ASSERT_EQ(run(made.model.get(), {a.data(), b.data(), c.data()}), TPP_STATUS_OK);
      EXPECT_NEAR(*std::min_element(c.begin(), c.end()), keep ? 256e-40f : 0, 1e-42f);
      EXPECT_NEAR(*std::max_element(c.begin(), c.end()), keep ? 256e-40f : 0, 1e-42f);
      volatile float small = 1e-40f;
      EXPECT_GT(small * 0.5f, 0) << "the caller's control register is as it was";
    }
}

TEST(CompilerTest, ReportsWhatACallDoes) {
  compiled made = compile(matmul, defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  std::string report = tpp_model_report(made.model.get());
  for (const char *part :
       {"\"entry\":\"product\"", "\"flops\":240", "\"copies\":0", "\"kernels\":[{\"name\":", "\"compile_seconds\":"})
    EXPECT_NE(report.find(part), std::string::npos) << part << " in " << report;
}

TEST(CompilerTest, NullPointersAreRefused) {
  tpp_model *model = reinterpret_cast<tpp_model *>(1);
  EXPECT_EQ(tpp_compile(nullptr, 5, nullptr, nullptr, &model), TPP_STATUS_NULL_POINTER);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(tpp_compile(matmul, std::strlen(matmul), nullptr, nullptr, nullptr), TPP_STATUS_NULL_POINTER);
  EXPECT_EQ(tpp_compile_file(nullptr, nullptr, &model), TPP_STATUS_NULL_POINTER);
  ASSERT_EQ(tpp_compile(matmul, std::strlen(matmul), nullptr, nullptr, &model), TPP_STATUS_OK) << tpp_compiler_last_error();
  model_pointer owned(model);
  std::vector<float> values(30);
  EXPECT_EQ(run(model, {values.data(), values.data(), nullptr}), TPP_STATUS_NULL_POINTER);
  EXPECT_STREQ(tpp_compiler_last_error(), "values[2] is null");
  std::vector<void *> pointers = {values.data(), values.data(), values.data()};
  workspace scratch(model);
  EXPECT_EQ(tpp_model_run(model, scratch.memory, nullptr), TPP_STATUS_NULL_POINTER);
  for (tpp_status status : {tpp_model_prepack(nullptr, nullptr), tpp_model_touch_weights(nullptr),
                            tpp_model_run(nullptr, scratch.memory, pointers.data())}) {
    EXPECT_EQ(status, TPP_STATUS_NULL_POINTER);
    EXPECT_STREQ(tpp_compiler_last_error(), "model is null");
  }
  EXPECT_EQ(tpp_model_argument_count(nullptr) + tpp_model_result_count(nullptr), 0);
  EXPECT_EQ(tpp_model_argument(nullptr, 0), nullptr);
  EXPECT_EQ(tpp_model_result(nullptr, 0), nullptr);
  EXPECT_EQ(tpp_model_workspace_bytes(nullptr), 0u);
  EXPECT_EQ(tpp_model_report(nullptr), nullptr);
  tpp_model_destroy(nullptr);
}

TEST(CompilerTest, TheWorkspaceIsChecked) {
  compiled made = compile("func.func @cube(%a: tensor<128x128xf32>) -> tensor<128x128xf32> {\n"
                          "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<128x128xf32>\n"
                          "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>\n"
                          "  %b = linalg.matmul ins(%a, %a : tensor<128x128xf32>, tensor<128x128xf32>)"
                          " outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>\n"
                          "  %c = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>)"
                          " outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>\n  return %c : tensor<128x128xf32>\n}",
                          defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  ASSERT_GT(tpp_model_workspace_bytes(made.model.get()), 0u);
  std::vector<float> a = numbers(128 * 128, 3), c(128 * 128);
  void *values[] = {a.data(), c.data()};
  workspace scratch(made.model.get());
  EXPECT_EQ(tpp_model_run(made.model.get(), static_cast<char *>(scratch.memory) + 8, values), TPP_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(tpp_compiler_last_error(), "workspace is not aligned to 64 bytes");
  EXPECT_EQ(tpp_model_run(made.model.get(), nullptr, values), TPP_STATUS_NULL_POINTER);
  EXPECT_STREQ(tpp_compiler_last_error(), "workspace is null");
  ASSERT_EQ(tpp_model_run(made.model.get(), scratch.memory, values), TPP_STATUS_OK) << tpp_compiler_last_error();
  EXPECT_EQ(c, multiply(a, multiply(a, a, 128, 128, 128), 128, 128, 128));
}

TEST(CompilerTest, EmptyValuesNeedNoMemory) {
  compiled made = compile("func.func @f(%a: tensor<0x4xf32>) -> tensor<0x4xf32> { return %a : tensor<0x4xf32> }", defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  void *values[] = {nullptr, nullptr};
  EXPECT_EQ(tpp_model_run(made.model.get(), nullptr, values), TPP_STATUS_OK) << tpp_compiler_last_error();
  compiled nothing = compile("func.func @f() { return }", defaults());
  ASSERT_EQ(nothing.status, TPP_STATUS_OK) << nothing.error;
  EXPECT_EQ(tpp_model_run(nothing.model.get(), nullptr, nullptr), TPP_STATUS_OK) << tpp_compiler_last_error();
  EXPECT_EQ(tpp_model_prepack(nothing.model.get(), nullptr), TPP_STATUS_OK);
}

TEST(CompilerTest, FilesAreReadAndMissingOnesNamed) {
  std::string path = (std::filesystem::path(testing::TempDir()) / "capi_matmul.mlir").string();
  std::ofstream(path) << matmul;
  tpp_model *model = nullptr;
  ASSERT_EQ(tpp_compile_file(path.c_str(), nullptr, &model), TPP_STATUS_OK) << tpp_compiler_last_error();
  tpp_model_destroy(model);
  std::filesystem::remove(path);
  EXPECT_EQ(tpp_compile_file(path.c_str(), nullptr, &model), TPP_STATUS_FILE);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(tpp_compiler_last_error(), path + ": cannot read: No such file or directory");
}

TEST(CompilerTest, AssertionsOfTheProgramFailTheCall) {
  compiled made = compile("func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {\n  %c4 = arith.constant 4 : index\n"
                          "  %inside = arith.cmpi ult, %i, %c4 : index\n  cf.assert %inside, \"i is outside\"\n"
                          "  %v = tensor.extract %a[%i] : tensor<4xf32>\n  return %v : f32\n}",
                          defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  std::vector<float> a = {1, 2, 3, 4};
  float result = 0;
  int64_t index = 2;
  ASSERT_EQ(run(made.model.get(), {a.data(), &index, &result}), TPP_STATUS_OK) << tpp_compiler_last_error();
  EXPECT_EQ(result, 3);
  index = 4;
  EXPECT_EQ(run(made.model.get(), {a.data(), &index, &result}), TPP_STATUS_ASSERTION);
  EXPECT_NE(std::string(tpp_compiler_last_error()).find("i is outside"), std::string::npos) << tpp_compiler_last_error();
}

TEST(CompilerTest, CompilesAndRunsInSeveralThreads) {
  compiled shared = compile(matmul, defaults());
  ASSERT_EQ(shared.status, TPP_STATUS_OK) << shared.error;
  std::vector<std::thread> threads;
  std::vector<int> good(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      compiled own = compile(matmul, defaults());
      std::vector<float> a = numbers(24, t), b = numbers(30, 2 * t), expected = multiply(a, b, 4, 5, 6), c(20), d(20);
      for (int call = 0; own.model && call < 100; ++call) {
        c.assign(20, NAN), d.assign(20, NAN);
        good[t] += run(shared.model.get(), {a.data(), b.data(), c.data()}) == TPP_STATUS_OK && c == expected &&
                   run(own.model.get(), {a.data(), b.data(), d.data()}) == TPP_STATUS_OK && d == expected;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(good, std::vector<int>(4, 100));
}

TEST(CompilerTest, WeightsMayBeUnused) {
  const int64_t weight = 1;
  tpp_compile_options options = defaults();
  options.weights = &weight;
  options.weight_count = 1;
  compiled made = compile(R"(func.func @f(%x: tensor<4xf32>, %w: tensor<8xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  })",
                          options);
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  std::vector<float> x = {1, 2, 3, 4}, w(8), y(4);
  const void *weights[] = {w.data()};
  ASSERT_EQ(tpp_model_prepack(made.model.get(), weights), TPP_STATUS_OK) << tpp_compiler_last_error();
  ASSERT_EQ(run(made.model.get(), {x.data(), y.data()}), TPP_STATUS_OK);
  EXPECT_EQ(y, (std::vector<float>{2, 4, 6, 8}));
}

TEST(CompilerTest, ProfilesTimeEveryKernel) {
  compiled made = compile(matmul, defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  temporary_file file("capi_profile.tpp");
  ASSERT_EQ(tpp_model_save(made.model.get(), file.path.c_str()), TPP_STATUS_OK);
  tpp_model *loaded = nullptr;
  ASSERT_EQ(tpp_model_load(file.path.c_str(), &loaded), TPP_STATUS_OK) << tpp_compiler_last_error();
  model_pointer owned(loaded);
  std::vector<float> a = numbers(24, 1), b = numbers(30, 2), c(20);
  void *values[] = {a.data(), b.data(), c.data()};
  for (tpp_model *model : {made.model.get(), loaded}) {
    workspace scratch(model);
    const char *text = nullptr;
    ASSERT_EQ(tpp_model_profile(model, scratch.memory, values, 0, &text), TPP_STATUS_OK) << tpp_compiler_last_error();
    const std::string profile = text;
    EXPECT_EQ(profile.find("{\"calls\":3,\"seconds\":"), 0u) << profile;
    EXPECT_NE(profile.find("\"what\":\"brgemm "), std::string::npos) << profile;
    EXPECT_NE(profile.find("\"threads\":[[[0,"), std::string::npos) << profile;
    EXPECT_EQ(c, multiply(a, b, 4, 5, 6));
    std::fill(c.begin(), c.end(), 0);
    ASSERT_EQ(run(model, {a.data(), b.data(), c.data()}), TPP_STATUS_OK); // with its own kernels again
    EXPECT_EQ(c, multiply(a, b, 4, 5, 6));
    for (double seconds : {-1.0, double(NAN), double(INFINITY)})
      EXPECT_EQ(tpp_model_profile(model, scratch.memory, values, seconds, &text), TPP_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(text, nullptr);
    EXPECT_EQ(tpp_model_profile(model, scratch.memory, values, 0, nullptr), TPP_STATUS_NULL_POINTER);
    EXPECT_EQ(tpp_model_profile(model, scratch.memory, nullptr, 0, &text), TPP_STATUS_NULL_POINTER);
  }
}

TEST(CompilerTest, DrawsLayouts) {
  tpp_compile_options options = defaults();
  compiled without = compile(matmul, options);
  options.drawing = 1;
  compiled with = compile(matmul, options);
  ASSERT_EQ(with.status, TPP_STATUS_OK) << with.error;
  EXPECT_STREQ(tpp_model_drawing(without.model.get()), "");
  const std::string drawing = tpp_model_drawing(with.model.get());
  EXPECT_EQ(drawing.find("<svg "), drawing.find_first_of('<')) << drawing;
  temporary_file file("capi_drawing.tpp");
  ASSERT_EQ(tpp_model_save(with.model.get(), file.path.c_str()), TPP_STATUS_OK);
  tpp_model *loaded = nullptr;
  ASSERT_EQ(tpp_model_load(file.path.c_str(), &loaded), TPP_STATUS_OK);
  model_pointer owned(loaded);
  EXPECT_EQ(tpp_model_drawing(loaded), drawing);
}

TEST(CompilerTest, HasAnIdentity) {
  const std::string identity = tpp_compiler_identity();
  EXPECT_EQ(identity.find("tpp "), 0u);
  EXPECT_NE(identity.find("#tpp.target<"), std::string::npos) << identity;
  EXPECT_EQ(identity, tpp_compiler_identity());
}

// A program without a target is compiled for the machine that dispatch chooses for.
TEST(CompilerTest, CompilesForTheMachineOfTheRuntime) {
  const std::string of_host = tpp_compiler_identity();
  tpp_machine machine = {};
  machine.struct_size = sizeof machine;
  ASSERT_EQ(tpp_get_machine(&machine), TPP_STATUS_OK) << tpp_last_error();
  tpp_machine slow = machine;
  slow.clock_ghz = 0.125;
  ASSERT_EQ(tpp_set_machine(&slow), TPP_STATUS_OK) << tpp_last_error();
  const std::string of_slow = tpp_compiler_identity();
  EXPECT_NE(of_slow.find("clock_ghz = 1.250000e-01"), std::string::npos) << of_slow;
  EXPECT_EQ(compile(matmul, defaults()).status, TPP_STATUS_OK);
  tpp_machine foreign = machine;
  std::strcpy(foreign.isa, std::strcmp(machine.isa, "neon") == 0 ? "sse4" : "neon");
  ASSERT_EQ(tpp_set_machine(&foreign), TPP_STATUS_OK) << tpp_last_error();
  const compiled refused = compile(matmul, defaults());
  EXPECT_EQ(refused.status, TPP_STATUS_BAD_MACHINE);
  EXPECT_NE(refused.error.find("To compile for another machine, name it as target"), std::string::npos) << refused.error;
  EXPECT_EQ(tpp_compiler_identity(), nullptr);
  ASSERT_EQ(tpp_set_machine(nullptr), TPP_STATUS_OK);
  EXPECT_EQ(tpp_compiler_identity(), of_host);
}

TEST(CompilerTest, HasTheVersionOfItsHeader) { EXPECT_EQ(tpp_compiler_abi_version(), TPP_COMPILER_ABI_VERSION); }

} // namespace

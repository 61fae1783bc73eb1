// Files of compiled models, through the C API: saved and loaded again, damaged, small, and written by several threads.
#include "capi/compiled_model.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace tpp_test;

namespace {

TEST(ModelFileTest, SavedModelsAreLoadedAgain) {
  const int64_t weight = 1;
  tpp_compile_options options = defaults();
  options.weights = &weight;
  options.weight_count = 1;
  options.threads = 2;
  compiled made = compile(matmul, options);
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  temporary_file unpacked("capi_unpacked.tpp"), packed("capi_packed.tpp");
  ASSERT_EQ(tpp_model_save(made.model.get(), unpacked.path.c_str()), TPP_STATUS_OK) << tpp_compiler_last_error();
  std::vector<float> a = numbers(24, 1), b = numbers(30, 2), other = numbers(30, 5), c(20);
  const void *weights[] = {b.data()}, *others[] = {other.data()};
  ASSERT_EQ(tpp_model_prepack(made.model.get(), weights), TPP_STATUS_OK);
  ASSERT_EQ(tpp_model_save(made.model.get(), packed.path.c_str()), TPP_STATUS_OK) << tpp_compiler_last_error();
  std::string report = tpp_model_report(made.model.get());
  made.model.reset();

  for (int turn = 0; turn < 2; ++turn) { // changes by prepack stay in the process
    tpp_model *model = nullptr;
    ASSERT_EQ(tpp_model_load(packed.path.c_str(), &model), TPP_STATUS_OK) << tpp_compiler_last_error();
    model_pointer owned(model);
    EXPECT_EQ(tpp_model_report(model), report);
    ASSERT_EQ(tpp_model_argument_count(model), 2);
    EXPECT_STREQ(tpp_model_argument(model, 1)->type, "f32");
    EXPECT_EQ(tpp_model_argument(model, 1)->is_weight, 1);
    EXPECT_EQ(tpp_model_argument(model, 1)->shape[0], 6);
    EXPECT_EQ(tpp_model_result(model, 0)->bytes, 80);
    ASSERT_EQ(run(model, {a.data(), c.data()}), TPP_STATUS_OK) << tpp_compiler_last_error();
    EXPECT_EQ(c, multiply(a, b, 4, 5, 6));
    ASSERT_EQ(tpp_model_prepack(model, others), TPP_STATUS_OK) << tpp_compiler_last_error();
    ASSERT_EQ(run(model, {a.data(), c.data()}), TPP_STATUS_OK);
    EXPECT_EQ(c, multiply(a, other, 4, 5, 6));
  }
  tpp_model *model = nullptr;
  ASSERT_EQ(tpp_model_load(unpacked.path.c_str(), &model), TPP_STATUS_OK) << tpp_compiler_last_error();
  model_pointer owned(model);
  EXPECT_EQ(run(model, {a.data(), c.data()}), TPP_STATUS_INVALID_ARGUMENT); // still to be packed
}

TEST(ModelFileTest, DamagedFilesAreRefused) {
  compiled made = compile(matmul, defaults());
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  temporary_file file("capi_damaged.tpp");
  ASSERT_EQ(tpp_model_save(made.model.get(), file.path.c_str()), TPP_STATUS_OK) << tpp_compiler_last_error();
  std::ifstream stream(file.path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(stream)), {});
  auto refused = [&](const std::string &content, const char *why) {
    std::ofstream(file.path, std::ios::binary) << content;
    tpp_model *model = reinterpret_cast<tpp_model *>(1);
    EXPECT_EQ(tpp_model_load(file.path.c_str(), &model), TPP_STATUS_INVALID_PROGRAM) << why;
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(std::string(tpp_compiler_last_error()), file.path + ": " + why);
  };
  refused("", "not a saved model");
  refused(matmul, "not a saved model");
  refused("TPPMODEL", "not a saved model");
  for (size_t bytes : {size_t{48}, size_t{100}, good.size() - 1})
    refused(good.substr(0, bytes), "the file of the model is incomplete");
  refused(good + "x", "the file of the model is incomplete");
  for (size_t at : {size_t{8}, size_t{24}, size_t{40}, size_t{60}, good.size() / 2, good.size() - 1}) {
    std::string content = good;
    content[at] = static_cast<char>(content[at] ^ 1);
    std::ofstream(file.path, std::ios::binary) << content;
    tpp_model *model = nullptr;
    EXPECT_EQ(tpp_model_load(file.path.c_str(), &model), TPP_STATUS_INVALID_PROGRAM) << at;
    tpp_model_destroy(model);
  }
  tpp_model *model = nullptr;
  EXPECT_EQ(tpp_model_load("/nowhere/model.tpp", &model), TPP_STATUS_FILE);
  EXPECT_STREQ(tpp_compiler_last_error(), "/nowhere/model.tpp: cannot read: No such file or directory");
  EXPECT_EQ(tpp_model_save(made.model.get(), "/nowhere/model.tpp"), TPP_STATUS_FILE);
  EXPECT_NE(std::string(tpp_compiler_last_error()).find("/nowhere/model.tpp: cannot write: "), std::string::npos);
  EXPECT_EQ(tpp_model_save(made.model.get(), "/dev/full/x"), TPP_STATUS_FILE);
  EXPECT_EQ(tpp_model_save(nullptr, "x"), TPP_STATUS_NULL_POINTER);
  EXPECT_EQ(tpp_model_load(nullptr, &model), TPP_STATUS_NULL_POINTER);
}

// Weights that are not packed are not stored, those of constants are.
TEST(ModelFileTest, FilesOfUnpackedModelsAreSmall) {
  std::string ones = "\"0x";
  for (int i = 0; i < 512; ++i)
    ones += "0000803F"; // 1.0 in little-endian order
  const std::string program = R"(func.func @main(%x: tensor<4x512xf32>, %w: tensor<512x512xf32>) -> tensor<4x512xf32> {
    %e = tensor.empty() : tensor<4x512xf32>
    %c = arith.constant dense<)" +
                              ones + R"("> : tensor<512xf32>
    %b = linalg.broadcast ins(%c : tensor<512xf32>) outs(%e : tensor<4x512xf32>) dimensions = [0]
    %y = linalg.matmul ins(%x, %w : tensor<4x512xf32>, tensor<512x512xf32>) outs(%b : tensor<4x512xf32>) -> tensor<4x512xf32>
    return %y : tensor<4x512xf32>
  })";
  const int64_t weight = 1;
  tpp_compile_options options = defaults();
  options.weights = &weight;
  options.weight_count = 1;
  compiled made = compile(program, options);
  ASSERT_EQ(made.status, TPP_STATUS_OK) << made.error;
  temporary_file file("capi_small.tpp");
  ASSERT_EQ(tpp_model_save(made.model.get(), file.path.c_str()), TPP_STATUS_OK) << tpp_compiler_last_error();
  EXPECT_LT(std::ifstream(file.path, std::ios::ate | std::ios::binary).tellg(), 512 * 1024); // half of the weight
  std::vector<float> x = numbers(4 * 512, 1), w = numbers(512 * 512, 2), y(4 * 512);
  const void *weights[] = {w.data()};
  tpp_model *model = nullptr;
  ASSERT_EQ(tpp_model_load(file.path.c_str(), &model), TPP_STATUS_OK) << tpp_compiler_last_error();
  model_pointer owned(model);
  std::thread touching([&] { EXPECT_EQ(tpp_model_touch_weights(model), TPP_STATUS_OK); });
  EXPECT_EQ(tpp_model_prepack(model, weights), TPP_STATUS_OK) << tpp_compiler_last_error();
  touching.join();
  ASSERT_EQ(run(model, {x.data(), y.data()}), TPP_STATUS_OK) << tpp_compiler_last_error();
  std::vector<float> expected = multiply(x, w, 4, 512, 512);
  for (size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(y[i], expected[i] + 1, 1e-3);
}

// Other processes may write the same file at the same time.
TEST(ModelFileTest, SavingLeavesOtherFilesAlone) {
  compiled made = compile(matmul, defaults());
  temporary_file file("capi_same.tpp");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 10; ++turn)
        EXPECT_EQ(tpp_model_save(made.model.get(), file.path.c_str()), TPP_STATUS_OK) << tpp_compiler_last_error();
    });
  for (std::thread &thread : threads)
    thread.join();
  tpp_model *model = nullptr;
  EXPECT_EQ(tpp_model_load(file.path.c_str(), &model), TPP_STATUS_OK) << tpp_compiler_last_error();
  tpp_model_destroy(model);
}

} // namespace

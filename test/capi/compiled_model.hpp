// What the tests of the compiler's C API share: compiling a text, running a model in a workspace of its own, numbers to run it on.
#pragma once
#include "tpp/compiler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tpp_test {

inline constexpr const char *matmul = R"(func.func @product(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>
})";

struct diagnostic {
  tpp_severity severity;
  std::string message, file;
  int64_t line, column;
};

inline void keep(void *user, const tpp_diagnostic *said) {
  static_cast<std::vector<diagnostic> *>(user)->push_back({said->severity, said->message, said->file, said->line, said->column});
}

struct model_deleter {
  void operator()(tpp_model *model) const { tpp_model_destroy(model); }
};
using model_pointer = std::unique_ptr<tpp_model, model_deleter>;

struct compiled {
  tpp_status status;
  std::string error;
  model_pointer model;
};

inline compiled compile(const std::string &program, const tpp_compile_options &options) {
  tpp_model *model = nullptr;
  tpp_status status = tpp_compile(program.data(), program.size(), "test.mlir", &options, &model);
  return {status, tpp_compiler_last_error(), model_pointer(model)};
}
inline tpp_compile_options defaults() { return TPP_COMPILE_OPTIONS; }

struct workspace {
  explicit workspace(const tpp_model *model)
      : memory(std::aligned_alloc(64, (tpp_model_workspace_bytes(model) + 64) / 64 * 64)) {}
  ~workspace() { std::free(memory); }
  workspace(const workspace &) = delete;
  workspace &operator=(const workspace &) = delete;
  void *memory;
};

inline std::vector<float> numbers(size_t count, int start) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>((static_cast<int>(i) * 7 + start) % 11 - 5);
  return values;
}

inline std::vector<float> multiply(const std::vector<float> &a, const std::vector<float> &b, size_t m, size_t n, size_t k) {
  std::vector<float> c(m * n);
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t l = 0; l < k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

inline tpp_status run(const tpp_model *model, std::vector<void *> values) {
  workspace scratch(model);
  return tpp_model_run(model, scratch.memory, values.data());
}

// A file of the test that is removed at its end.
struct temporary_file {
  explicit temporary_file(const char *name) : path((std::filesystem::path(testing::TempDir()) / name).string()) {}
  ~temporary_file() { std::filesystem::remove(path); }
  temporary_file(const temporary_file &) = delete;
  temporary_file &operator=(const temporary_file &) = delete;
  std::string path;
};

} // namespace tpp_test

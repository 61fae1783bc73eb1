// Measures the overhead of a compiled model over the bare kernel for small problems: NAME_run of a matmul and libxsmm's kernel, in one
// process.
//
//   bench-compiled [--quick] [--filter=REGEX] MODEL.so NAME M N K
//
// `tpp-run MODEL.mlir --emit=shared -o MODEL.so` writes MODEL.so from a matmul f32[MxK] * f32[KxN] of two variable operands (tools/gen
// matmul). Name of the result: compiled/f32/<M>x<N>x<K>x1/tpp/t1. Both compute the same matmul of the same operands. The results are
// compared bit for bit (small integers), and the timings are interleaved.
#include "benchmarks/support/harness.hpp"
#include "tpp/types.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <libxsmm.h>
#include <memory>

using namespace tpp::bench;

namespace {

// The entry points of a compiled model with two arguments and one result (docs/compiled-model.md).
struct compiled_matmul {
  void *state = nullptr;
  tpp_status (*run)(const void *state, void *workspace, const void *a, const void *b, void *c) = nullptr;
  void (*destroy)(void *state) = nullptr;
  std::unique_ptr<void, void (*)(void *)> workspace{nullptr, std::free};

  ~compiled_matmul() {
    if (state)
      destroy(state);
  }

  // Loads and creates the model. Returns a message if that fails, else "".
  std::string load(const std::string &path, const std::string &name) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return dlerror();
    auto create = reinterpret_cast<tpp_status (*)(const void *, size_t, void **)>(dlsym(library, (name + "_create").c_str()));
    auto workspace_bytes = reinterpret_cast<size_t (*)(const void *)>(dlsym(library, (name + "_workspace_bytes").c_str()));
    run = reinterpret_cast<decltype(run)>(dlsym(library, (name + "_run").c_str()));
    destroy = reinterpret_cast<decltype(destroy)>(dlsym(library, (name + "_destroy").c_str()));
    if (!create || !workspace_bytes || !run || !destroy)
      return path + " has no entry points of a model " + name;
    if (tpp_status status = create(nullptr, 0, &state); status != TPP_STATUS_OK)
      return name + "_create: status " + std::to_string(status);
    const size_t bytes = (workspace_bytes(state) + 63) / 64 * 64 + 64;
    workspace.reset(std::aligned_alloc(64, bytes));
    return workspace ? "" : "out of memory";
  }
};

[[noreturn]] void usage_error() {
  std::fprintf(stderr, "usage: bench-compiled [flags] MODEL.so NAME M N K\n");
  std::exit(1);
}

void measure(const options &opts, const std::string &path, const std::string &model, int m, int n, int k) {
  result res;
  res.name = "compiled/f32/" + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + "x1/tpp/t1";
  if (!selected(opts, res.name))
    return;
  compiled_matmul compiled;
  if (std::string error = compiled.load(path, model); !error.empty())
    return fail(res.name, error);

  // libxsmm is column-major: its A is our B, its m our n.
  const float alpha = 1, beta = 0;
  const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  const libxsmm_blasint lda = n, ldb = k, ldc = n, a_bytes = m * k * 4, b_bytes = k * n * 4;
  const auto bare =
      libxsmm_smmdispatch_reducebatch_strd(n, m, k, b_bytes, a_bytes, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch);
  if (!bare)
    return fail(res.name, "libxsmm did not generate a kernel");

  buffer a(static_cast<size_t>(m) * static_cast<size_t>(k), 2, 1), b(static_cast<size_t>(k) * static_cast<size_t>(n), 2, 2);
  buffer c(static_cast<size_t>(m) * static_cast<size_t>(n)), c_bare(c.size());
  const unsigned long long batch = 1;
  if (compiled.run(compiled.state, compiled.workspace.get(), a.data(), b.data(), c.data()) != TPP_STATUS_OK)
    return fail(res.name, "a call of the model failed");
  bare(b.floats(), a.floats(), c_bare.floats(), &batch);
  if (std::memcmp(c.data(), c_bare.data(), c.size() * sizeof(float)) != 0)
    return fail(res.name, "the compiled model and the bare kernel differ");

  body through_model = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      (void)compiled.run(compiled.state, compiled.workspace.get(), a.data(), b.data(), c.data());
  });
  body direct = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      bare(b.floats(), a.floats(), c_bare.floats(), &batch);
  });
  std::vector<statistics> stats = measure_interleaved(opts, {through_model, direct});
  res.seconds = stats[0];
  res.flops = 2.0 * m * n * k;
  res.baseline_seconds = stats[1].min;
  res.baseline_name = "libxsmm's kernel called directly";
  print(res);
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  if (opts.arguments.size() != 5)
    usage_error();
  int sizes[3];
  for (size_t i = 0; i < 3; ++i) {
    const long size = parse_integer(opts.arguments[i + 2], 1, 1 << 14);
    if (size < 0)
      usage_error();
    sizes[i] = static_cast<int>(size);
  }
  measure(opts, opts.arguments[0], opts.arguments[1], sizes[0], sizes[1], sizes[2]);
  return failures() != 0;
}

// Measures compiled relayouts relative to a copy of as many bytes, interleaved in one process.
//
//   bench-relayouts [--quick] [--filter=REGEX] [--threads=N] MODEL.so LOOPS.so NAME IN_BYTES OUT_BYTES
//
// `tpp-run MODEL.mlir --emit=shared` writes both libraries from a function of one argument and one result: MODEL.so for N threads, and
// LOOPS.so with --pipeline=loops, whose result is the expected answer. Names of the results: NAME/warm/t<N> uses the same operands in
// every call; NAME/huge/t<N> cycles through operands that together exceed every cache. The copy is the fastest of memcpy, the identity
// kernel and the streaming identity kernel, split into one part per thread.
#include "benchmarks/support/harness.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <omp.h>
#include <random>

using namespace tpp::bench;

namespace {

constexpr size_t page = 4096, huge_bytes = size_t{256} << 20; // of all inputs together, and of all outputs
// Untimed calls before each sample: settling_calls, or as many as write settling_bytes if these are fewer.
constexpr size_t settling_bytes = size_t{64} << 20, settling_calls = 16;

// The entry points of a compiled model with one argument and one result (docs/compiled-model.md).
struct compiled_relayout {
  void *state = nullptr;
  tpp_status (*run)(const void *state, void *workspace, const void *in, void *out) = nullptr;
  void (*destroy)(void *state) = nullptr;
  std::unique_ptr<void, void (*)(void *)> workspace{nullptr, std::free};

  ~compiled_relayout() {
    if (state)
      destroy(state);
  }

  // Loads and creates the model. Returns a message if that fails, else "".
  std::string load(const std::string &path) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return dlerror();
    auto create = reinterpret_cast<tpp_status (*)(const void *, size_t, void **)>(dlsym(library, "main_create"));
    auto workspace_bytes = reinterpret_cast<size_t (*)(const void *)>(dlsym(library, "main_workspace_bytes"));
    run = reinterpret_cast<decltype(run)>(dlsym(library, "main_run"));
    destroy = reinterpret_cast<decltype(destroy)>(dlsym(library, "main_destroy"));
    if (!create || !workspace_bytes || !run || !destroy)
      return path + " has no entry points of a model main";
    if (tpp_status status = create(nullptr, 0, &state); status != TPP_STATUS_OK)
      return "main_create: status " + std::to_string(status);
    const size_t bytes = (workspace_bytes(state) + 63) / 64 * 64 + 64;
    workspace.reset(std::aligned_alloc(64, bytes));
    return workspace ? "" : "out of memory";
  }
};

// `count` page-aligned operands of `bytes` bytes each, filled with random bits: a Zen 5 copies zeros a third faster than other values.
struct operands {
  operands(size_t bytes, size_t count, uint64_t seed)
      : step((bytes + page - 1) / page * page), count(count), memory(step * count, 0, 1, TPP_TYPE_i8) {
    std::mt19937_64 random(seed);
    for (char *to = at(0), *end = to + step * count; to < end; to += sizeof(uint64_t)) {
      const uint64_t bits = random();
      std::memcpy(to, &bits, sizeof bits);
    }
  }
  char *at(long turn) const { return static_cast<char *>(memory.data()) + static_cast<size_t>(turn) % count * step; }

  size_t step, count;
  buffer memory;
};

using copy_function = std::function<void(char *to, const char *from, size_t bytes)>;

// Runs `copy` on one part per thread.
void copy_in_parts(const copy_function &copy, int threads, char *to, const char *from, size_t bytes) {
  const size_t part = (bytes / static_cast<size_t>(threads) + page - 1) / page * page;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const size_t begin = std::min(bytes, part * static_cast<size_t>(omp_get_thread_num()));
    const size_t end = omp_get_thread_num() + 1 == threads ? bytes : std::min(bytes, begin + part);
    if (end > begin)
      copy(to + begin, from + begin, end - begin);
  }
}

// Copies with the identity kernel in runs of 64 KiB, and the remainder with memcpy.
copy_function identity_kernel(const std::string &name, bool streaming) {
  const auto dispatch = [&](int64_t columns) {
    tpp_unary_desc desc = {};
    desc.struct_size = sizeof desc;
    desc.m = 1, desc.n = columns, desc.kind = TPP_UNARY_identity, desc.provider = TPP_PROVIDER_native;
    desc.in = desc.out = {TPP_TYPE_i8, 0, columns, 0, 0};
    desc.streaming = streaming;
    const tpp_kernel *kernel = nullptr;
    if (tpp_dispatch_unary(&desc, &kernel) != TPP_STATUS_OK)
      fail(name, "a call failed");
    return kernel;
  };
  constexpr size_t run = 16 * page;
  const tpp_kernel *whole = dispatch(run);
  return [=](char *to, const char *from, size_t bytes) {
    for (; bytes >= run; bytes -= run, from += run, to += run) {
      tpp_args args = {};
      args.a = from, args.c = to;
      whole->entry(whole, &args);
    }
    std::memcpy(to, from, bytes);
  };
}

void measure(const options &opts, const compiled_relayout &model, const std::string &name, size_t in_bytes, size_t out_bytes,
             size_t count) {
  result res;
  res.name = name;
  if (!selected(opts, name))
    return;
  const int threads = opts.threads.front();
  const operands in(std::max(in_bytes, out_bytes), count, 1), out(out_bytes, count, 2);
  long turn = 0;
  // Each body runs untimed before its samples, so that it does not wait for dirty lines that the previous body left in the caches.
  const auto after_itself = [&](const std::function<void(char *to, const char *from)> &once) -> body {
    return [&turn, &in, &out, out_bytes, once](long repetitions) {
      const auto run = [&] { once(out.at(turn), in.at(turn)), ++turn; };
      for (size_t call = 0; call < settling_calls && call * out_bytes < settling_bytes; ++call)
        run();
      return timed([&](long count) {
        for (long i = 0; i < count; ++i)
          run();
      })(repetitions);
    };
  };
  std::vector<body> bodies = {
      after_itself([&](char *to, const char *from) { (void)model.run(model.state, model.workspace.get(), from, to); })};
  const std::pair<const char *, copy_function> copies[] = {
      {"memcpy", [](char *to, const char *from, size_t bytes) { std::memcpy(to, from, bytes); }},
      {"the identity kernel", identity_kernel(name, false)},
      {"the streaming identity kernel", identity_kernel(name, true)}};
  if (failures())
    return;
  for (const auto &each : copies)
    bodies.push_back(after_itself(
        [&, copy = &each.second](char *to, const char *from) { copy_in_parts(*copy, threads, to, from, out_bytes); }));
  const std::vector<statistics> stats = measure_interleaved(opts, bodies);
  const auto fastest = std::min_element(stats.begin() + 1, stats.end(), [](auto &x, auto &y) { return x.min < y.min; });
  res.seconds = stats[0];
  res.bytes = static_cast<double>(out_bytes);
  res.peak_bytes = res.bytes / fastest->min;
  res.peak_name = std::string("a copy by ") + copies[fastest - stats.begin() - 1].first;
  print(res);
}

[[noreturn]] void usage_error() {
  std::fprintf(stderr, "usage: bench-relayouts [flags] MODEL.so LOOPS.so NAME IN_BYTES OUT_BYTES\n");
  std::exit(1);
}

} // namespace

int main(int argc, char **argv) {
  const options opts = parse_options(argc, argv);
  if (opts.arguments.size() != 5 || opts.threads.size() != 1)
    usage_error();
  const std::string &name = opts.arguments[2];
  const long in_size = parse_integer(opts.arguments[3], 1, 1L << 40), out_size = parse_integer(opts.arguments[4], 1, 1L << 40);
  if (in_size < 0 || out_size < 0)
    usage_error();
  const auto in_bytes = static_cast<size_t>(in_size), out_bytes = static_cast<size_t>(out_size);

  compiled_relayout model, loops;
  for (auto [relayout, path] : {std::pair(&model, &opts.arguments[0]), std::pair(&loops, &opts.arguments[1])})
    if (std::string error = relayout->load(*path); !error.empty()) {
      fail(name, error);
      return 1;
    }
  {
    const operands in(in_bytes, 1, 1), got(out_bytes, 1, 2), want(out_bytes, 1, 3);
    if (model.run(model.state, model.workspace.get(), in.at(0), got.at(0)) != TPP_STATUS_OK ||
        loops.run(loops.state, loops.workspace.get(), in.at(0), want.at(0)) != TPP_STATUS_OK) {
      fail(name, "a call failed");
      return 1;
    }
    if (std::memcmp(got.at(0), want.at(0), out_bytes) != 0) {
      fail(name, "the model and its plain loops differ");
      return 1;
    }
  }
  const std::string threads = "/t" + std::to_string(opts.threads.front());
  const size_t larger = std::max(in_bytes, out_bytes);
  measure(opts, model, name + "/warm" + threads, in_bytes, out_bytes, 1);
  measure(opts, model, name + "/huge" + threads, in_bytes, out_bytes, std::max<size_t>(2, huge_bytes / larger));
  return failures() != 0;
}

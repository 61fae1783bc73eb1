// tpp-accuracy: measures the largest error over all floats of each unary kind's f32 kernels, and of compiled models that compute
// a kind.
//
//   tpp-accuracy [--step=N] [--threads=N] [--limit=ULP] [--kind=NAME]... [NAME=MODEL.so]...
//
// For every N-th of the 2^32 floats (1: all of them, some minutes per kind), each kernel that this machine runs is compared with
// the kind's scalar definition in double. MODEL.so is a model emitted by tpp-run that computes kind NAME of tensor<65536xf32>
// (test/accuracy/run makes them). Prints one line per implementation. Exits with 1 if an error exceeds the limit (4 ulp by
// default; for gelu and gelu_tanh of negative numbers, ulp of the argument), or if NaN, infinity or sign differ.
#include "microkernels/common/scalar.hpp"
#include "support/ulps.hpp"
#include "tpp/microkernels.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t chunk = 65536;
constexpr float alpha = 0.01f; // of leaky_relu

struct kind {
  const char *name;
  tpp_unary_kind value;
  tpp::unary_group group;
};
constexpr kind kinds[] = {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) {#name, TPP_UNARY_##name, tpp::unary_group::group},
#include "tpp/kinds.def"
};

struct options {
  uint64_t step = 1;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  double limit = 4.0;
  std::vector<std::string> kinds;                          // empty: all
  std::vector<std::pair<std::string, std::string>> models; // kind and file
};

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "tpp-accuracy: error: %s\n", message.c_str());
  std::exit(1);
}

const kind *find_kind(const std::string &name) {
  for (const kind &one : kinds)
    if (name == one.name && (one.group == tpp::unary_group::activation || one.group == tpp::unary_group::formula))
      return &one;
  return nullptr;
}

options parse(int argc, char **argv) {
  options parsed;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    if (equals == std::string::npos)
      die("'" + argument + "' is neither a flag nor KIND=MODEL.so");
    const std::string key = argument.substr(0, equals), value = argument.substr(equals + 1);
    char *end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool positive = !value.empty() && *end == '\0' && number > 0 && number < 4294967296.0;
    if (key == "--kind" || key.rfind("--", 0) != 0) {
      const std::string &name = key == "--kind" ? value : key;
      if (!find_kind(name))
        die("'" + name + "' is no element-wise unary kind");
      if (key == "--kind")
        parsed.kinds.push_back(value);
      else
        parsed.models.emplace_back(key, value);
    } else if (!positive) {
      die("'" + argument + "' needs a positive number");
    } else if (key == "--step") {
      parsed.step = static_cast<uint64_t>(number);
    } else if (key == "--threads") {
      parsed.threads = static_cast<unsigned>(number);
    } else if (key == "--limit") {
      parsed.limit = number;
    } else {
      die("unknown flag '" + key + "'");
    }
  }
  return parsed;
}

// One implementation of a kind. `compute` computes `chunk` floats and is called from several threads at once. The other fields
// describe its largest error.
struct implementation {
  std::string name;
  std::function<void(const float *in, float *out)> compute;
  double worst = 0;
  float at = 0, gave = 0;
  double exactly = 0;
};

void add_rows(const kind &what, std::vector<implementation> &all) {
  size_t count = 0;
  const tpp::microkernel_row *rows = tpp::microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i) {
    if (rows[i].op != tpp::operation::unary || !tpp::microkernel_row_runs_here(rows[i]) ||
        rows[i].provider == TPP_PROVIDER_reference)
      continue;
    auto kernel = std::make_shared<tpp::microkernel>();
    tpp_unary_desc &desc = kernel->desc.unary;
    desc = {};
    desc.struct_size = sizeof desc;
    desc.m = 1;
    desc.n = chunk;
    desc.in = desc.out = {TPP_TYPE_f32, 0, static_cast<int64_t>(chunk), 0, 0};
    desc.kind = what.value;
    desc.alpha = what.value == TPP_UNARY_leaky_relu ? alpha : 0.0f;
    if (rows[i].reject(&desc))
      continue;
    rows[i].prepare(kernel.get());
    all.push_back({rows[i].name, [kernel](const float *in, float *out) {
                     tpp_args args{};
                     args.a = in;
                     args.c = out;
                     kernel->head.entry(&kernel->head, &args);
                   }});
  }
}

// Adds an emitted model through its entry points (docs/compiled-model.md). It stays loaded until the process ends.
void add_model(const std::string &path, std::vector<implementation> &all) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    die(dlerror());
  auto create = reinterpret_cast<tpp_status (*)(const void *, size_t, void **)>(dlsym(library, "main_create"));
  auto workspace_bytes = reinterpret_cast<size_t (*)(const void *)>(dlsym(library, "main_workspace_bytes"));
  auto run = reinterpret_cast<tpp_status (*)(const void *, void *, const void *, void *)>(dlsym(library, "main_run"));
  if (!create || !workspace_bytes || !run)
    die(path + " has no entry points of a model @main");
  void *model = nullptr;
  if (create(nullptr, 0, &model) != TPP_STATUS_OK)
    die("main_create of " + path + " failed");
  if (workspace_bytes(model) != 0)
    die(path + " needs a workspace; one element-wise operation does not");
  all.push_back({path, [run, model](const float *in, float *out) {
                   if (run(model, nullptr, in, out) != TPP_STATUS_OK)
                     die("a call failed");
                 }});
}

void measure(const kind &what, const options &opts, std::vector<implementation> &all) {
  const uint64_t count = ((uint64_t{1} << 32) + opts.step - 1) / opts.step;
  std::atomic<uint64_t> next{0};
  const bool progress = isatty(STDERR_FILENO) != 0;
  std::vector<std::vector<implementation>> found(opts.threads, all);
  const auto work = [&](unsigned thread) {
    std::vector<float> in(chunk), out(chunk);
    std::vector<double> want(chunk);
    for (uint64_t first; (first = next.fetch_add(chunk)) < count;) {
      if (thread == 0 && progress)
        std::fprintf(stderr, "\r%s: %3.0f %%", what.name, 100.0 * static_cast<double>(first) / static_cast<double>(count));
      for (size_t i = 0; i < chunk; ++i) {
        const auto bits = static_cast<uint32_t>(std::min(first + i, count - 1) * opts.step);
        std::memcpy(&in[i], &bits, sizeof bits);
        want[i] = tpp::scalar_unary(what.value, static_cast<double>(in[i]), static_cast<double>(alpha));
      }
      for (implementation &one : found[thread]) {
        one.compute(in.data(), out.data());
        for (size_t i = 0; i < chunk; ++i)
          // Fast path: a correctly rounded result is at most 0.5 ulp off, so it cannot be worse than a known error of 0.5.
          if (one.worst < 0.5 || out[i] != static_cast<float>(want[i]))
            if (const double error = tpp_test::unary_error(what.value, static_cast<double>(in[i]), out[i], want[i]);
                error > one.worst) {
              one.worst = error;
              one.at = in[i], one.gave = out[i], one.exactly = want[i];
            }
      }
    }
  };
  std::vector<std::thread> pool;
  for (unsigned thread = 0; thread < opts.threads; ++thread)
    pool.emplace_back(work, thread);
  for (std::thread &thread : pool)
    thread.join();
  if (progress)
    std::fprintf(stderr, "\r%*s\r", 40, "");
  for (const std::vector<implementation> &part : found)
    for (size_t i = 0; i < all.size(); ++i)
      if (part[i].worst > all[i].worst)
        all[i] = part[i];
}

} // namespace

int main(int argc, char **argv) {
  const options opts = parse(argc, argv);
  std::printf("%-12s %-44s %10s  %s\n", "kind", "implementation", "ulp", "worst at");
  bool good = true;
  for (const kind &what : kinds) {
    if (!find_kind(what.name))
      continue;
    if (!opts.kinds.empty() && std::find(opts.kinds.begin(), opts.kinds.end(), what.name) == opts.kinds.end())
      continue;
    std::vector<implementation> all;
    add_rows(what, all);
    for (const auto &[name, path] : opts.models)
      if (name == what.name)
        add_model(path, all);
    measure(what, opts, all);
    for (const implementation &one : all) {
      std::printf("%-12s %-44s %10.3f  %.9g gives %.9g, exactly %.9g\n", what.name, one.name.c_str(), one.worst,
                  static_cast<double>(one.at), static_cast<double>(one.gave), one.exactly);
      good = good && one.worst <= opts.limit;
    }
    std::fflush(stdout);
  }
  if (!good)
    std::fprintf(stderr, "tpp-accuracy: beyond %g ulp\n", opts.limit);
  return good ? 0 : 1;
}

// Measures every brgemm kernel of the registry on its own tile, and each provider of the runtime on common shapes, as shares of peak.
//
// Names: brgemm/<types>/<M>x<N>x<K>x<batch>/<kernel or provider>/t1. Kernels are called directly, so it is certain which one ran. A
// provider is requested by name, and the run fails if it returns a kernel of another one. Operands are in cache: the results measure the
// kernel, not the memory. Every answer is compared bit for bit with plain loops in double; the data are small integers.
#include "benchmarks/support/harness.hpp"
#include "benchmarks/support/peak.hpp"
#include "tpp/microkernels.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

using namespace tpp;
using namespace tpp::bench;

namespace {

struct shape {
  int64_t m, n, k, batch;
};

struct operand_types {
  tpp_type a, b, c;
  // Rows of B per VNNI group, as dot-product instructions need them; 0: plain.
  int vnni;
};
constexpr std::array<operand_types, 7> all_types = {{{TPP_TYPE_f32, TPP_TYPE_f32, TPP_TYPE_f32, 0},
                                                     {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_f32, 2},
                                                     {TPP_TYPE_bf16, TPP_TYPE_bf16, TPP_TYPE_bf16, 2},
                                                     {TPP_TYPE_f16, TPP_TYPE_f16, TPP_TYPE_f32, 2},
                                                     {TPP_TYPE_f16, TPP_TYPE_f16, TPP_TYPE_f16, 2},
                                                     {TPP_TYPE_u8, TPP_TYPE_i8, TPP_TYPE_i32, 4},
                                                     {TPP_TYPE_i8, TPP_TYPE_i8, TPP_TYPE_i32, 4}}};

// Rows of B in storage: k rounded up to whole VNNI groups.
int64_t stored_rows(const shape &size, const operand_types &types) {
  const int64_t group = std::max(types.vnni, 1);
  return (size.k + group - 1) / group * group;
}

std::string types_word(const operand_types &types) {
  std::string word = name_of(types.a);
  if (types.a == types.b && types.b == types.c)
    return word;
  return word + name_of(types.b) + name_of(types.c);
}

std::string name_of_case(const operand_types &types, const shape &size, const std::string &who) {
  std::ostringstream name;
  name << "brgemm/" << types_word(types) << "/" << size.m << "x" << size.n << "x" << size.k << "x" << size.batch << "/" << who
       << "/t1";
  return name.str();
}

// Plain operands; the entries of the batch are contiguous.
tpp_brgemm_desc describe(const shape &size, const operand_types &types, tpp_provider provider) {
  tpp_brgemm_desc desc;
  std::memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.m = size.m;
  desc.n = size.n;
  desc.k = size.k;
  const int64_t group = std::max(types.vnni, 1);
  desc.a = {types.a, 0, std::max<int64_t>(size.k, 1), 0, 0};
  desc.b = {types.b, types.vnni, std::max<int64_t>(size.n * group, 1), 0, 0};
  desc.c = {types.c, 0, std::max<int64_t>(size.n, 1), 0, 0};
  desc.batch_kind = TPP_BATCH_stride;
  desc.a_batch_stride = size.m * size.k * static_cast<int64_t>(bytes_of(types.a));
  desc.b_batch_stride = stored_rows(size, types) * size.n * static_cast<int64_t>(bytes_of(types.b));
  desc.provider = provider;
  return desc;
}

struct problem {
  shape size;
  operand_types types;
  buffer a, b, c;
  tpp_args args{};

  problem(const shape &size, const operand_types &types)
      : size(size), types(types), a(static_cast<size_t>(size.m * size.k * size.batch), 2, 1, types.a),
        b(static_cast<size_t>(stored_rows(size, types) * size.n * size.batch), 2, 2, types.b),
        c(static_cast<size_t>(size.m * size.n), 0, 0, types.c) {
    args.a = a.data();
    args.b = b.data();
    args.c = c.data();
    args.batch = size.batch;
    // The rows that complete the last group are zero.
    for (int64_t e = 0; e < size.batch; ++e)
      for (int64_t k = size.k; k < stored_rows(size, types); ++k)
        for (int64_t j = 0; j < size.n; ++j)
          std::memset(static_cast<char *>(b.data()) + index_in_b(e, k, j) * bytes_of(types.b), 0, bytes_of(types.b));
  }

  // The element of B in batch entry `e`.
  size_t index_in_b(int64_t e, int64_t k, int64_t j) const {
    const int64_t group = std::max(types.vnni, 1);
    return static_cast<size_t>(e * stored_rows(size, types) * size.n + k / group * size.n * group + j * group + k % group);
  }

  double flops() const { return 2.0 * static_cast<double>(size.m * size.n * size.k * size.batch); }

  // Runs the kernel on a C of zeros and compares. Returns a message if an element is wrong, else "".
  std::string wrong(const tpp_kernel *kernel) {
    std::memset(c.data(), 0, c.size() * bytes_of(types.c));
    kernel->entry(kernel, &args);
    for (int64_t i = 0; i < size.m; ++i) {
      for (int64_t j = 0; j < size.n; ++j) {
        double sum = 0;
        for (int64_t e = 0; e < size.batch; ++e)
          for (int64_t k = 0; k < size.k; ++k)
            sum += a.get(static_cast<size_t>((e * size.m + i) * size.k + k)) * b.get(index_in_b(e, k, j));
        // bf16 has eight significant bits, f16 eleven. The tests check the rounding; here the error is only bounded.
        double bound = types.c == TPP_TYPE_bf16 ? std::abs(sum) / 256 : types.c == TPP_TYPE_f16 ? std::abs(sum) / 2048 : 0;
        double got = c.get(static_cast<size_t>(i * size.n + j));
        if (!(std::abs(got - sum) <= bound))
          return "wrong answer at (" + std::to_string(i) + ", " + std::to_string(j) + "): " + std::to_string(got) +
                 " instead of " + std::to_string(sum);
      }
    }
    return "";
  }
};

// Measures kernels of one problem, interleaved with each other and with the peak.
void measure(const options &opts, problem &work, const std::vector<std::pair<std::string, const tpp_kernel *>> &kernels,
             const std::vector<std::string> &kernel_names) {
  const peak_kernel *peak = find_peak_kernel(work.types.a == TPP_TYPE_u8 ? "i8" : name_of(work.types.a));
  std::vector<body> bodies;
  for (const auto &named : kernels) {
    const tpp_kernel *kernel = named.second;
    bodies.push_back(timed([kernel, args = &work.args](long repetitions) {
      for (long i = 0; i < repetitions; ++i)
        kernel->entry(kernel, args);
    }));
  }
  if (peak)
    bodies.push_back(peak_body(*peak));
  std::vector<statistics> stats = measure_interleaved(opts, bodies);
  for (size_t i = 0; i < kernels.size(); ++i) {
    result res;
    res.name = kernels[i].first;
    res.kernel = kernel_names[i];
    res.seconds = stats[i];
    res.flops = work.flops();
    if (peak) {
      res.peak_flops = peak->flops / stats.back().min;
      res.peak_name = std::string(peak->type) + "/" + peak->instruction;
    }
    print(res);
  }
}

void measure_row(const options &opts, const microkernel_row &row, const operand_types &types, const shape &size) {
  // The runtime passes canonical descriptors to kernels. These are canonical: plain operands, tight leading dimensions.
  auto kernel = std::make_unique<microkernel>();
  std::memset(kernel.get(), 0, sizeof *kernel);
  kernel->desc.brgemm = describe(size, types, row.provider);
  if (row.reject(&kernel->desc.brgemm))
    return;
  const std::string name = name_of_case(types, size, row.name);
  if (!selected(opts, name))
    return;
  row.prepare(kernel.get());
  problem work(size, types);
  if (std::string error = work.wrong(&kernel->head); !error.empty())
    return fail(name, error);
  measure(opts, work, {{name, &kernel->head}}, {row.name});
}

// Calls visit(row) for each brgemm kernel that this machine can execute.
template <class Visit> void for_each_row(Visit visit) {
  size_t count = 0;
  const microkernel_row *rows = microkernel_rows(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].op == operation::brgemm && microkernel_row_runs_here(rows[i]))
      visit(rows[i]);
}

// Measures a kernel on its full tile, once with batch 1 and once with a batch whose B streams from L2. The reference has no tile and gets
// 16 x 16.
void measure_tile(const options &opts, const microkernel_row &row) {
  const bool has_tile = row.provider != TPP_PROVIDER_reference;
  const int64_t m = has_tile ? row.mr : 16, n = has_tile ? row.nr : 16;
  for (const operand_types &types : all_types)
    for (int64_t batch : {1, 16})
      measure_row(opts, row, types, {m, n, 64, batch});
}

void measure_providers(const options &opts, const shape &size) {
  for (const operand_types &types : all_types) {
    problem work(size, types);
    std::vector<std::pair<std::string, const tpp_kernel *>> kernels;
    std::vector<std::string> kernel_names;
    for (tpp_provider provider : {TPP_PROVIDER_xsmm, TPP_PROVIDER_native}) {
      const std::string name = name_of_case(types, size, provider == TPP_PROVIDER_xsmm ? "xsmm" : "native");
      if (!selected(opts, name))
        continue;
      tpp_brgemm_desc desc = describe(size, types, provider);
      const tpp_kernel *kernel = nullptr;
      tpp_status status = tpp_dispatch_brgemm(&desc, &kernel);
      if (status == TPP_STATUS_UNSUPPORTED || status == TPP_STATUS_PROVIDER_UNAVAILABLE) {
        result res;
        res.name = name;
        res.skipped = tpp_last_error();
        print(res);
      } else if (status != TPP_STATUS_OK) {
        fail(name, std::string(tpp_status_text(status)) + ": " + tpp_last_error());
      } else if (tpp_kernel_provider(kernel) != provider) {
        fail(name, std::string("another kernel was dispatched: ") + tpp_kernel_name(kernel));
      } else if (std::string error = work.wrong(kernel); !error.empty()) {
        fail(name, error);
      } else {
        kernels.emplace_back(name, kernel);
        kernel_names.emplace_back(tpp_kernel_name(kernel));
      }
    }
    if (!kernels.empty())
      measure(opts, work, kernels, kernel_names);
  }
}

// Reads one problem per line: M N K BATCH; # starts a comment.
std::vector<shape> read_shapes(const std::string &path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "error: cannot read %s\n", path.c_str());
    std::exit(1);
  }
  std::vector<shape> shapes;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    std::istringstream words(line);
    shape size{};
    std::string rest;
    if (!(words >> size.m >> size.n >> size.k >> size.batch) || words >> rest || size.m < 1 || size.n < 1 || size.k < 1 ||
        size.batch < 1 || std::max({size.m, size.n, size.k, size.batch}) > 1 << 16) {
      std::fprintf(stderr, "error: %s:%d: expected 'M N K BATCH', positive and at most 65536\n", path.c_str(), number);
      std::exit(1);
    }
    shapes.push_back(size);
  }
  return shapes;
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  for_each_row([&](const microkernel_row &row) { measure_tile(opts, row); });
  if (opts.shapes.empty())
    return failures() != 0;
  for (const shape &size : read_shapes(opts.shapes)) {
    measure_providers(opts, size);
    if (opts.rows)
      for_each_row([&](const microkernel_row &row) {
        for (const operand_types &types : all_types)
          measure_row(opts, row, types, size);
      });
  }
  return failures() != 0;
}

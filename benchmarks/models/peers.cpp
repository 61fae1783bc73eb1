// Measures other libraries on the problems TPP is measured on: libxsmm in a hand-written loop, and OpenBLAS.
//
//   bench-peers [--threads=N,...] [--min-time=S] [--filter=REGEX] matmul M N K [constant] [ta] [tb]
//   bench-peers [--threads=N,...] [--min-time=S] [--filter=REGEX] mlp BATCH WIDTH,WIDTH[,WIDTH...]
//
// Names: matmul/f32/<M>x<N>x<K>[-constant][-ta][-tb]/<peer>/t<threads>, mlp/f32/<batch>x<widths, joined by x>/<peer>/t<threads>. The time
// includes packing and transposing variable operands; a constant B and the weights of an MLP are packed before. Each layer of an MLP is a
// matmul, a bias and a relu. The answers are compared bit for bit with a computation in double: the data are small integers, so every
// partial sum is exact in float.
#include "benchmarks/models/peer_problem.hpp"
#include "benchmarks/support/harness.hpp"
#include "benchmarks/support/peak.hpp"

#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <libxsmm.h>
#include <memory>
#include <omp.h>
#include <thread>

using namespace tpp::bench;

extern "C" void openblas_set_num_threads(int count);

namespace {

using kernel_function = libxsmm_smmfunction_reducebatch_strd;

void bias_relu(float *row, const float *bias, int n) {
  for (int j = 0; j < n; ++j)
    row[j] = std::max(row[j] + bias[j], 0.0f);
}

// ---- OpenBLAS: sgemm, then one loop for bias and relu -----------------------------------------------------------------------

class openblas_peer {
public:
  openblas_peer(const problem &work, int threads) : work(work) {
    for (size_t layer = 0; layer < work.layers(); ++layer)
      activations.push_back(std::make_unique<buffer>(static_cast<size_t>(work.m) * static_cast<size_t>(work.n(layer))));
    openblas_set_num_threads(threads);
  }

  void run() {
    const float *in = work.input->floats();
    for (size_t layer = 0; layer < work.layers(); ++layer) {
      const int n = work.n(layer), k = work.k(layer);
      float *out = activations[layer]->floats();
      cblas_sgemm(CblasRowMajor, work.transposed_a ? CblasTrans : CblasNoTrans, work.transposed_b ? CblasTrans : CblasNoTrans,
                  work.m, n, k, 1, in, work.transposed_a ? work.m : k, work.weights[layer]->floats(), work.transposed_b ? k : n,
                  0, out, n);
      if (work.is_mlp)
        for (int i = 0; i < work.m; ++i)
          bias_relu(out + static_cast<ptrdiff_t>(i) * n, work.biases[layer]->floats(), n);
      in = out;
    }
  }

  const float *output() const { return activations.back()->floats(); }

private:
  const problem &work;
  std::vector<std::unique_ptr<buffer>> activations;
};

// ---- libxsmm: blocks of at most 32 x 64, all of K in one batched call, bias and relu while the block is in cache --------------

int largest_divisor(int size, int most) {
  int best = 1;
  for (int i = 1; i <= std::min(size, most); ++i)
    if (size % i == 0)
      best = i;
  return best;
}

class xsmm_peer {
public:
  xsmm_peer(const problem &work, int threads) : work(work), threads(threads) {
    for (size_t index = 0; index < work.layers(); ++index) {
      layer made;
      made.k = work.k(index);
      made.n = work.n(index);
      // Small operands fit L1: one call, unpacked.
      const bool small = work.m <= 64 && made.n <= 64 && made.k <= 64;
      made.block_m = small ? work.m : largest_divisor(work.m, 32);
      made.block_n = small ? made.n : largest_divisor(made.n, 64);
      made.block_k = largest_divisor(made.k, 64);
      made.packs = work.transposed_b || made.block_n != made.n;
      // libxsmm is column-major: its A is our B, its m our n. B has panels [N/bn][K][bn]; A and C are row-major.
      const libxsmm_blasint lda = made.block_n, ldb = made.k, ldc = made.n;
      const float alpha = 1, beta = 0;
      const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
      const auto bytes = static_cast<libxsmm_blasint>(sizeof(float));
      made.kernel =
          libxsmm_smmdispatch_reducebatch_strd(made.block_n, made.block_m, made.block_k, made.block_k * made.block_n * bytes,
                                               made.block_k * bytes, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch);
      if (made.packs)
        made.panels = std::make_unique<buffer>(static_cast<size_t>(made.k) * static_cast<size_t>(made.n));
      made.out = std::make_unique<buffer>(static_cast<size_t>(work.m) * static_cast<size_t>(made.n));
      layers.push_back(std::move(made));
    }
    if (work.transposed_a)
      rows = std::make_unique<buffer>(work.input->size());
    if (work.constant) // packed once, not timed
      for (size_t index = 0; index < layers.size(); ++index)
        pack(index);
  }

  bool supported() const {
    return std::all_of(layers.begin(), layers.end(), [](const layer &each) { return each.kernel != nullptr; });
  }

  void run() {
    const float *in = work.transposed_a ? transposed_input() : work.input->floats();
    for (size_t index = 0; index < layers.size(); ++index) {
      if (!work.constant)
        pack(index);
      compute(index, in);
      in = layers[index].out->floats();
    }
  }

  const float *output() const { return layers.back().out->floats(); }

private:
  struct layer {
    int k = 0, n = 0, block_m = 0, block_n = 0, block_k = 0;
    bool packs = false;
    kernel_function kernel = nullptr;
    std::unique_ptr<buffer> panels, out;
  };

  void pack(size_t index) {
    layer &each = layers[index];
    if (!each.packs)
      return;
    const float *from = work.weights[index]->floats();
    float *to = each.panels->floats();
    const auto row_bytes = static_cast<size_t>(each.block_n) * sizeof(float);
    const ptrdiff_t panel_size = static_cast<ptrdiff_t>(each.k) * each.block_n;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int panel = 0; panel < each.n / each.block_n; ++panel) {
      float *target = to + panel * panel_size;
      if (work.transposed_b) { // block_n rows of k floats
        libxsmm_otrans(target, from + panel * panel_size, sizeof(float), each.k, each.block_n, each.k, each.block_n);
        continue;
      }
      for (ptrdiff_t k = 0; k < each.k; ++k)
        std::memcpy(target + k * each.block_n, from + k * each.n + panel * each.block_n, row_bytes);
    }
  }

  // The transposed input in row-major layout.
  const float *transposed_input() {
    const layer &first = layers.front();
    const float *from = work.input->floats();
    float *to = rows->floats();
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < work.m / first.block_m; ++i)
      libxsmm_otrans(to + static_cast<ptrdiff_t>(i) * first.block_m * first.k, from + static_cast<ptrdiff_t>(i) * first.block_m,
                     sizeof(float), first.block_m, first.k, work.m, first.k);
    return to;
  }

  void block(const layer &each, size_t index, const float *in, int i, int j) const {
    const float *b =
        each.packs ? each.panels->floats() + static_cast<ptrdiff_t>(j) * each.k * each.block_n : work.weights[index]->floats();
    const float *a = in + static_cast<ptrdiff_t>(i) * each.block_m * each.k;
    float *c = each.out->floats() + static_cast<ptrdiff_t>(i) * each.block_m * each.n + static_cast<ptrdiff_t>(j) * each.block_n;
    const auto batch = static_cast<unsigned long long>(each.k / each.block_k);
    each.kernel(b, a, c, &batch);
    for (int row = 0; work.is_mlp && row < each.block_m; ++row)
      bias_relu(c + static_cast<ptrdiff_t>(row) * each.n, work.biases[index]->floats() + static_cast<ptrdiff_t>(j) * each.block_n,
                each.block_n);
  }

  void compute(size_t index, const float *in) const {
    const layer &each = layers[index];
    const int rows = work.m / each.block_m, columns = each.n / each.block_n;
    if (threads == 1 || rows * columns == 1) { // a parallel region costs 0.3 us even on one thread
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
          block(each, index, in, i, j);
      return;
    }
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        block(each, index, in, i, j);
  }

  const problem &work;
  int threads;
  std::vector<layer> layers;
  std::unique_ptr<buffer> rows; // row-major copy of a transposed input
};

// Measures the work and the peak, interleaved. Both thread pools spin for up to 200 ms after their work, on the cores that the threads of
// the peak use. With several threads, whole measurements alternate instead, with a pause between them.
std::vector<statistics> measure_with_peak(const options &opts, const body &run, const peak_kernel &peak, int threads) {
  if (threads == 1)
    return measure_interleaved(opts, {run, peak_body(peak)});
  const auto pause = std::chrono::milliseconds(300);
  std::this_thread::sleep_for(pause);
  statistics peak_before = measure_interleaved(opts, {peak_body(peak, threads)}).front();
  statistics work = measure_interleaved(opts, {run}).front();
  std::this_thread::sleep_for(pause);
  statistics peak_after = measure_interleaved(opts, {peak_body(peak, threads)}).front();
  return {work, peak_before.min < peak_after.min ? peak_before : peak_after};
}

template <typename Peer> void measure(const options &opts, const problem &work, const char *peer_name, int threads) {
  result res;
  res.name = work.name + "/" + peer_name + "/t" + std::to_string(threads);
  if (!selected(opts, res.name))
    return;
  Peer peer(work, threads);
  peer.run();
  if (std::string error = wrong(work, peer.output()); !error.empty())
    return fail(res.name, error);
  const peak_kernel *peak = find_peak_kernel("f32");
  body run = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      peer.run();
  });
  std::vector<statistics> stats = measure_with_peak(opts, run, *peak, threads);
  res.kernel = peer_name;
  res.seconds = stats[0];
  res.flops = work.flops();
  res.peak_flops = peak->flops * threads / stats[1].min;
  res.peak_name = std::string(peak->type) + "/" + peak->instruction;
  print(res);
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  const problem work = make_problem(opts.arguments);
  for (int threads : opts.threads) {
    // OpenBLAS runs before OpenMP starts its threads: otherwise the workers of both would spin on the same cores.
    measure<openblas_peer>(opts, work, "openblas", threads);
    xsmm_peer probe(work, threads);
    if (!probe.supported())
      fail(work.name + "/xsmm", "libxsmm did not generate a kernel for its blocks");
    else
      measure<xsmm_peer>(opts, work, "xsmm", threads);
  }
  return failures() != 0;
}

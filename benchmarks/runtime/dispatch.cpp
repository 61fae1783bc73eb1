// Measures the runtime's own cost: a dispatch that hits the cache, the first dispatch of a kernel, and an invocation through the handle
// compared with libxsmm's bare kernel.
//
// Names: dispatch/hit/<descriptors>/..., dispatch/new/<op>/... and invoke/f32/<M>x<N>x<K>x<batch>/... The timings of the bare kernel and
// of the handle are interleaved. Both call the same machine code with the same operands, so the difference is the cost of the handle.
#include "benchmarks/support/harness.hpp"
#include "tpp/tpp.h"

#include <cstring>
#include <sstream>
#include <vector>

#ifdef TPP_BENCH_XSMM
#include <libxsmm.h>
#endif

using namespace tpp::bench;

namespace {

tpp_brgemm_desc describe(int64_t m, int64_t n, int64_t k, tpp_provider provider) {
  tpp_brgemm_desc desc;
  std::memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.m = m;
  desc.n = n;
  desc.k = k;
  desc.a = {TPP_TYPE_f32, 0, k, 0, 0};
  desc.b = {TPP_TYPE_f32, 0, n, 0, 0};
  desc.c = {TPP_TYPE_f32, 0, n, 0, 0};
  desc.batch_kind = TPP_BATCH_stride;
  desc.a_batch_stride = m * k * static_cast<int64_t>(sizeof(float));
  desc.b_batch_stride = k * n * static_cast<int64_t>(sizeof(float));
  desc.provider = provider;
  return desc;
}

// Cycles through `count` descriptors: with one, the cache always hits the same entry; many are a network with as many layers.
void measure_hits(const options &opts, int count, int post_ops) {
  result res;
  res.name = "dispatch/hit/" + std::to_string(count) + (post_ops ? "-with-post-ops" : "") + "/auto/t1";
  if (!selected(opts, res.name))
    return;
  std::vector<tpp_brgemm_desc> descriptors;
  std::vector<const tpp_kernel *> kernels;
  for (int i = 0; i < count; ++i) {
    tpp_brgemm_desc desc = describe(8 + i % 16, 16 * (1 + i / 16 % 4), 16 + 16 * (i / 64), TPP_PROVIDER_auto);
    desc.post_op_count = post_ops;
    for (int step = 0; step < post_ops; ++step) {
      desc.post_ops[step].op_class = step ? TPP_POST_OP_unary : TPP_POST_OP_binary;
      desc.post_ops[step].kind = step ? static_cast<int32_t>(TPP_UNARY_relu) : static_cast<int32_t>(TPP_BINARY_add);
      if (step == 0) {
        desc.post_ops[step].broadcast = TPP_BROADCAST_row;
        desc.post_ops[step].form = {TPP_TYPE_f32, 0, desc.n, 0, 0};
      }
    }
    const tpp_kernel *kernel = nullptr;
    if (tpp_dispatch_brgemm(&desc, &kernel) != TPP_STATUS_OK)
      return fail(res.name, tpp_last_error());
    descriptors.push_back(desc);
    kernels.push_back(kernel);
  }
  for (int i = 0; i < count; ++i) { // check: a hit returns the same kernel
    const tpp_kernel *kernel = nullptr;
    if (tpp_dispatch_brgemm(&descriptors[static_cast<size_t>(i)], &kernel) != TPP_STATUS_OK ||
        kernel != kernels[static_cast<size_t>(i)])
      return fail(res.name, "a second dispatch gave another kernel");
  }
  size_t next = 0;
  body hits = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i) {
      const tpp_kernel *kernel = nullptr;
      tpp_dispatch_brgemm(&descriptors[next], &kernel);
      next = next + 1 == descriptors.size() ? 0 : next + 1;
    }
  });
  res.seconds = measure_interleaved(opts, {hits}).front();
  print(res);
}

// Each dispatch has a new size, so it misses the cache. Measures the selection among the entries of kernels.def and the insertion into the cache; no code is
// generated.
void measure_new(const options &opts) {
  result res;
  res.name = "dispatch/new/relu/native/t1";
  if (!selected(opts, res.name))
    return;
  tpp_unary_desc desc;
  std::memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.n = 16;
  desc.kind = TPP_UNARY_relu;
  desc.in = desc.out = {TPP_TYPE_f32, 0, desc.n, 0, 0};
  desc.provider = TPP_PROVIDER_native;
  tpp_status status = TPP_STATUS_OK;
  body dispatches = timed([&](long repetitions) {
    for (long i = 0; i < repetitions && status == TPP_STATUS_OK; ++i) {
      const tpp_kernel *kernel = nullptr;
      ++desc.m;
      status = tpp_dispatch_unary(&desc, &kernel);
    }
  });
  res.seconds = measure_interleaved(opts, {dispatches}).front();
  if (status != TPP_STATUS_OK)
    return fail(res.name, tpp_last_error());
  print(res);
}

void measure_invoke(const options &opts, int m, int n, int k, int batch) {
  result res;
  std::ostringstream name;
  name << "invoke/f32/" << m << "x" << n << "x" << k << "x" << batch << "/xsmm/t1";
  res.name = name.str();
  if (!selected(opts, res.name))
    return;
#ifndef TPP_BENCH_XSMM
  res.skipped = "built without libxsmm";
  print(res);
#else
  tpp_brgemm_desc desc = describe(m, n, k, TPP_PROVIDER_xsmm);
  const tpp_kernel *kernel = nullptr;
  tpp_status status = tpp_dispatch_brgemm(&desc, &kernel);
  if (status == TPP_STATUS_PROVIDER_UNAVAILABLE || status == TPP_STATUS_UNSUPPORTED) {
    res.skipped = tpp_last_error();
    print(res);
    return;
  }
  if (status != TPP_STATUS_OK)
    return fail(res.name, tpp_last_error());
  if (tpp_kernel_provider(kernel) != TPP_PROVIDER_xsmm)
    return fail(res.name, std::string("another kernel was dispatched: ") + tpp_kernel_name(kernel));

  // libxsmm is column-major: its A is our B, its m our n.
  const float alpha = 1, beta = 0;
  const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  const libxsmm_blasint lda = n, ldb = k, ldc = n;
  const auto bare = libxsmm_smmdispatch_reducebatch_strd(n, m, k, desc.b_batch_stride, desc.a_batch_stride, &lda, &ldb, &ldc,
                                                         &alpha, &beta, &flags, &prefetch);
  if (!bare)
    return fail(res.name, "libxsmm did not generate a kernel");

  buffer a(static_cast<size_t>(m * k * batch), 2, 1), b(static_cast<size_t>(k * n * batch), 2, 2);
  buffer c(static_cast<size_t>(m * n)), c_bare(static_cast<size_t>(m * n));
  tpp_args args{};
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  args.batch = batch;
  const auto entries = static_cast<unsigned long long>(batch);
  tpp_invoke(kernel, &args);
  bare(b.floats(), a.floats(), c_bare.floats(), &entries);
  if (std::memcmp(c.data(), c_bare.data(), c.size() * sizeof(float)) != 0)
    return fail(res.name, "the handle and the bare kernel differ");

  body through_handle = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      tpp_invoke(kernel, &args);
  });
  body direct = timed([&](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      bare(b.floats(), a.floats(), c.floats(), &entries);
  });
  std::vector<statistics> stats = measure_interleaved(opts, {through_handle, direct});
  res.kernel = tpp_kernel_name(kernel);
  res.seconds = stats[0];
  res.flops = 2.0 * m * n * k * batch;
  res.baseline_seconds = stats[1].min;
  res.baseline_name = "libxsmm's kernel called directly";
  print(res);
#endif
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  for (int post_ops : {0, 2})
    for (int count : {1, 64})
      measure_hits(opts, count, post_ops);
  measure_new(opts);
  measure_invoke(opts, 1, 16, 1, 1);
  measure_invoke(opts, 8, 16, 16, 1);
  measure_invoke(opts, 32, 32, 32, 1);
  measure_invoke(opts, 64, 64, 64, 1);
  return failures() != 0;
}

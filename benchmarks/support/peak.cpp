// Peak of instructions that Highway does not offer (bf16 and int8 dot products, AMX), and the list of all peaks. Interface in peak.hpp.
#include "benchmarks/support/peak.hpp"

#include "benchmarks/support/peak_vector.hpp"
#include "tpp/amx_peak.hpp"
#include "tpp/machine.hpp"
#include "tpp/types.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tpp::bench {

namespace {

constexpr int rounds = 2000;
constexpr int accumulators = 12; // as in peak_vector.cpp

void f32_burst() { fma_burst(); }

#if defined(__x86_64__)

// Dot products with one 512-bit instruction: 32 products of bf16 or 64 of int8.
__attribute__((target("avx512f,avx512bf16"))) void avx512_bf16_burst() {
  volatile int32_t one = 0x3f803f80;
  __m512i bits = _mm512_set1_epi32(one);
  __m512bh x;
  std::memcpy(&x, &bits, sizeof x);
  __m512 sums[accumulators];
  for (auto &sum : sums)
    sum = _mm512_setzero_ps();
  for (int round = 0; round < rounds; ++round)
    for (auto &sum : sums)
      sum = _mm512_dpbf16_ps(sum, x, x);
  __m512 total = sums[0];
  for (int i = 1; i < accumulators; ++i)
    total = _mm512_add_ps(total, sums[i]);
  alignas(64) float lanes[16];
  _mm512_store_ps(lanes, total);
  volatile float sink = lanes[0];
  (void)sink;
}

__attribute__((target("avx512f,avx512vnni"))) void avx512_vnni_burst() {
  volatile int32_t one = 0x01010101;
  __m512i x = _mm512_set1_epi32(one);
  __m512i sums[accumulators];
  for (auto &sum : sums)
    sum = _mm512_setzero_si512();
  for (int round = 0; round < rounds; ++round)
    for (auto &sum : sums)
      sum = _mm512_dpbusd_epi32(sum, x, x);
  __m512i total = sums[0];
  for (int i = 1; i < accumulators; ++i)
    total = _mm512_add_epi32(total, sums[i]);
  alignas(64) int lanes[16];
  _mm512_store_si512(lanes, total);
  volatile int sink = lanes[0];
  (void)sink;
}

// The same with AVX-VNNI, as assembly: older compilers have no intrinsic for it.
__attribute__((target("avx2"))) void avx_vnni_burst() {
  __m256i x = _mm256_set1_epi8(1);
  __m256i sums[accumulators];
  for (auto &sum : sums)
    sum = _mm256_setzero_si256();
  for (int round = 0; round < rounds; ++round)
    for (auto &sum : sums)
      asm volatile("%{vex%} vpdpbusd %1, %1, %0" : "+x"(sum) : "x"(x));
  __m256i total = sums[0];
  for (int i = 1; i < accumulators; ++i)
    total = _mm256_add_epi32(total, sums[i]);
  alignas(32) int lanes[8];
  _mm256_store_si256(reinterpret_cast<__m256i *>(lanes), total);
  volatile int sink = lanes[0];
  (void)sink;
}

constexpr int tile_rounds = 500;
template <bool kBf16> void amx_burst() { amx::multiply_rounds<kBf16>(tile_rounds); }

struct features {
  bool avx512_bf16 = false, avx512_vnni = false, avx_vnni = false;
};

// Uses cpuid, because __builtin_cpu_supports of older compilers does not know the newer features. The operating system must also have
// enabled the AVX-512 registers, which __builtin_cpu_supports("avx512f") checks.
features detect() {
  features found;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__builtin_cpu_supports("avx512f")) {
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
      found.avx512_vnni = c >> 11 & 1;
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
      found.avx512_bf16 = a >> 5 & 1;
  }
  if (__builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d))
    found.avx_vnni = a >> 4 & 1;
  return found;
}

#endif

std::vector<peak_kernel> list_kernels() {
  std::vector<peak_kernel> list = {{"f32", "fma", fma_burst(), f32_burst}};
#if defined(__x86_64__)
  features have = detect();
  const double dots = 2.0 * accumulators * rounds, tiles = 2.0 * 4 * tile_rounds;
  if (have.avx512_bf16)
    list.push_back({"bf16", "avx512_bf16", dots * 32, avx512_bf16_burst});
  if (have.avx512_vnni)
    list.push_back({"i8", "avx512_vnni", dots * 64, avx512_vnni_burst});
  else if (have.avx_vnni)
    list.push_back({"i8", "avx_vnni", dots * 32, avx_vnni_burst});
  if (host_has_amx(TPP_TYPE_bf16))
    list.push_back({"bf16", "amx_bf16", tiles * 16 * 16 * 32, amx_burst<true>});
  if (host_has_amx(TPP_TYPE_i8))
    list.push_back({"i8", "amx_int8", tiles * 16 * 16 * 64, amx_burst<false>});
#endif
  return list;
}

size_t cache_bytes(int name) {
  long bytes = sysconf(name);
  return bytes > 0 ? static_cast<size_t>(bytes) : 0;
}

} // namespace

const std::vector<peak_kernel> &peak_kernels() {
  static const std::vector<peak_kernel> list = list_kernels();
  return list;
}

const peak_kernel *find_peak_kernel(const std::string &type) {
  for (const peak_kernel &kernel : peak_kernels())
    if (type == kernel.type)
      return &kernel;
  return nullptr;
}

body peak_body(const peak_kernel &kernel, int threads) {
  auto bursts = [burst = kernel.burst](long repetitions) {
    for (long i = 0; i < repetitions; ++i)
      burst();
  };
  if (threads == 1)
    return timed(bursts);
  return [=](long repetitions) { return run_together(threads, [=](int) { bursts(1); }, [=](int) { bursts(repetitions); }); };
}

std::vector<memory_level> memory_levels() {
  std::vector<memory_level> levels;
  size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE), l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE),
         l3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE);
  if (l1)
    levels.push_back({"L1", l1 / 2});
  if (l2)
    levels.push_back({"L2", std::max(l1 * 3, l2 / 2)});
  if (l3 > 2 * l2)
    levels.push_back({"L3", std::max(l2 * 3, l3 / 8)}); // an eighth: other users share it
  levels.push_back({"memory", std::max<size_t>(4 * std::max({l1, l2, l3}), size_t{256} << 20)});
  return levels;
}

} // namespace tpp::bench

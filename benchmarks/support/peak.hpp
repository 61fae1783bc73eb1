// What this machine can do at most: arithmetic per type and instruction set, and reads per level of the memory hierarchy.
//
// The measure of every share that the benchmarks print. Measured, not computed from a data sheet: clocks change with load,
// instruction mix and neighbours, so a burst is short (some tens of microseconds) and is run between the samples of what it is
// compared with.
#pragma once
#include "benchmarks/support/harness.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tpp::bench {

// One way to do as much arithmetic as possible: independent accumulators in registers, no memory.
struct peak_kernel {
  const char *type;        // "f32", "bf16", "i8"
  const char *instruction; // "fma", "avx512_bf16", "amx_int8" ...
  double flops;            // of one burst: a multiplication and an addition count as two
  void (*burst)();
};

// All that this machine can execute. The first of a type is the best that vector instructions reach; matrix units (AMX) come
// after.
const std::vector<peak_kernel> &peak_kernels();

// The best vector kernel of a type, or null when the machine has none.
const peak_kernel *find_peak_kernel(const std::string &type);

// A body for measure_interleaved: each repetition is one burst on each of `threads` threads, all at once.
body peak_body(const peak_kernel &kernel, int threads = 1);

// Reads `count` floats (a multiple of 256, 64-byte aligned) once and returns something that depends on all of them.
float read_all(const float *data, size_t count);

// Bytes of the machine's caches (data, one core's view), and a size that fits none; 0 where the system does not say.
struct memory_level {
  const char *name; // "L1", "L2", "L3", "memory"
  size_t bytes;     // of a buffer that lives in this level and not in the one above
};
std::vector<memory_level> memory_levels();

} // namespace tpp::bench

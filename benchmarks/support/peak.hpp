// The limits of this machine: arithmetic per type and instruction set, and reads per level of the memory hierarchy.
//
// The benchmarks print all shares relative to these limits. They are measured, not computed from a data sheet, because clocks change with
// load, instruction mix and other users of the machine. So a burst is short (tens of microseconds) and runs between the samples of the
// work.
#pragma once
#include "benchmarks/support/harness.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tpp::bench {

// A loop that executes one instruction at its greatest rate: independent accumulators in registers, no memory accesses.
struct peak_kernel {
  const char *type;        // "f32", "bf16", "i8"
  const char *instruction; // "fma", "avx512_bf16", "amx_int8", ...
  double flops;            // per burst; a multiply-add counts as two
  void (*burst)();
};

// All peaks that this machine can execute. The first of a type is the best vector instruction; matrix units (AMX) come after it.
const std::vector<peak_kernel> &peak_kernels();

// The best vector kernel of a type, or null if the machine has none.
const peak_kernel *find_peak_kernel(const std::string &type);

// A body for measure_interleaved: each repetition is one burst on each of `threads` threads, all at once.
body peak_body(const peak_kernel &kernel, int threads = 1);

// Reads `count` floats (a multiple of 256, 64-byte aligned) once and returns a value that depends on all of them.
float read_all(const float *data, size_t count);

// Levels of the memory hierarchy, with buffer sizes for them; levels that the system does not report are left out.
struct memory_level {
  const char *name; // "L1", "L2", "L3", "memory"
  size_t bytes;     // of a buffer that fits this level but not the one before
};
std::vector<memory_level> memory_levels();

} // namespace tpp::bench

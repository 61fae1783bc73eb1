// Measures the limits of the machine: arithmetic per type, and read bandwidth per memory level, at each thread count.
//
// Names: peak/<type>/<instruction>/t<threads> and read/f32/<level>/t<threads>. A result counts all threads together: all start at the
// same time, and the slowest determines the time.
#include "benchmarks/support/harness.hpp"
#include "benchmarks/support/peak.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

using namespace tpp::bench;

namespace {

statistics measure_together(int threads, int samples, const std::function<void(int)> &work) {
  std::vector<double> seconds;
  for (int sample = 0; sample < samples; ++sample)
    seconds.push_back(run_together(threads, work, work));
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2], seconds[seconds.size() * 95 / 100], samples, 1};
}

void measure_arithmetic(const options &opts, const peak_kernel &kernel, int threads) {
  result res;
  res.name = std::string("peak/") + kernel.type + "/" + kernel.instruction + "/t" + std::to_string(threads);
  if (!selected(opts, res.name))
    return;
  constexpr int bursts = 10;
  res.kernel = kernel.instruction;
  res.flops = kernel.flops * bursts * threads;
  res.seconds = measure_together(threads, opts.quick ? 50 : 500, [&](int) {
    for (int i = 0; i < bursts; ++i)
      kernel.burst();
  });
  print(res);
}

void measure_reads(const options &opts, const memory_level &level, int threads) {
  result res;
  res.name = std::string("read/f32/") + level.name + "/t" + std::to_string(threads);
  if (!selected(opts, res.name))
    return;
  // Each thread has its own buffer in the private levels; the shared levels are divided among the threads.
  bool is_private = level.name[0] == 'L' && level.name[1] < '3';
  size_t count = level.bytes / sizeof(float) / (is_private ? 1 : static_cast<size_t>(threads)) / 256 * 256;
  size_t passes = std::max<size_t>(1, (size_t{4} << 20) / (count * sizeof(float)));
  std::vector<std::unique_ptr<buffer>> buffers;
  for (int thread = 0; thread < threads; ++thread)
    buffers.push_back(std::make_unique<buffer>(count, 1));
  std::vector<float> sinks(static_cast<size_t>(threads) * 64);
  res.bytes = static_cast<double>(count) * sizeof(float) * static_cast<double>(passes) * threads;
  res.seconds = measure_together(threads, opts.quick ? 5 : 30, [&](int thread) {
    float sum = 0;
    for (size_t pass = 0; pass < passes; ++pass)
      sum += read_all(buffers[static_cast<size_t>(thread)]->floats(), count);
    sinks[static_cast<size_t>(thread) * 64] = sum; // stored a multiple of a cache line apart
  });
  print(res);
}

} // namespace

int main(int argc, char **argv) {
  options opts = parse_options(argc, argv);
  for (int threads : opts.threads)
    for (const peak_kernel &kernel : peak_kernels())
      measure_arithmetic(opts, kernel, threads);
  for (int threads : opts.threads)
    for (const memory_level &level : memory_levels())
      measure_reads(opts, level, threads);
  return failures() != 0;
}

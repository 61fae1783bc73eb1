// The timing harness of all benchmarks: samples, interleaving, statistics and one JSON line per result.
//
// Why not Google Benchmark: the clock of a shared machine changes by several percent within seconds. A share of peak is only valid if
// bursts of the peak run between the samples of the work, and a ratio of two kernels only if their samples alternate. Google Benchmark
// runs one benchmark after the other and reports means.
//
// A body is called with a repetition count and contains the loop itself, so that the harness adds nothing to a call of a few nanoseconds.
// The count is chosen once, so that a sample is long compared to the clock's resolution (about 25 ns).
#pragma once
#include "tpp/types.h"

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace tpp::bench {

struct options {
  bool quick = false;                 // fewer samples: checks that everything runs; results are rough
  double min_seconds = 0;             // minimum time of each body's samples, at least three; 0: 0.1 s and at least 15
  bool list = false;                  // print names, measure nothing
  std::string filter;                 // regular expression that a name must contain; empty: all
  std::regex pattern;                 // the same, compiled
  std::string shapes;                 // file of problem sizes, for programs that take one
  bool rows = false;                  // run every kernel of the registry on these sizes, too
  std::vector<int> threads;           // thread counts; default {1, all cores}
  std::vector<std::string> arguments; // positional arguments
};

// Parses --quick --min-time=S --list --filter=REGEX --shapes=FILE --rows --threads=N[,N...] and positional arguments. Prints an error and
// exits with 1 on any other flag.
options parse_options(int argc, char **argv);

// Parses the whole text as a decimal number from `least` (0 or more) to `most`. Returns -1 if it is none.
long parse_integer(const std::string &text, long least, long most);

// True if a result of this name is to be measured. With --list, prints the name and returns false.
bool selected(const options &opts, const std::string &name);

double now_seconds();

// Seconds per repetition, over all samples of a body.
struct statistics {
  double min = 0, median = 0, p95 = 0;
  int samples = 0;
  long repetitions = 0; // per sample
};

// Runs the work `repetitions` times and returns the seconds it took.
using body = std::function<double(long repetitions)>;

// Makes a body from a void(long) that is timed from call to return.
template <typename Work> body timed(Work work) {
  return [work = std::move(work)](long repetitions) mutable {
    const double begin = now_seconds();
    work(repetitions);
    return now_seconds() - begin;
  };
}

// Runs work(thread) on `threads` threads at once. Returns the seconds from the first start to the last end. warm(thread) runs before,
// untimed, on the same thread. Threads are created anew for each call, so that none spins while something else is measured.
double run_together(int threads, const std::function<void(int)> &warm, const std::function<void(int)> &work);

// Measures all bodies, interleaved: one sample of each per round. Each body runs once before, untimed.
std::vector<statistics> measure_interleaved(const options &opts, const std::vector<body> &bodies);

// One result. Everything but the name is optional; fields that are not set are not printed.
struct result {
  std::string name;   // <op>/<types>/<shape>/<provider or kernel>/t<threads>
  std::string kernel; // name of the kernel that ran
  statistics seconds;
  double flops = 0, bytes = 0;           // per repetition
  double peak_flops = 0, peak_bytes = 0; // per second, measured between the samples; 0: not measured
  std::string peak_name;                 // what peak_* measures
  double baseline_seconds = 0;           // of the baseline, interleaved
  std::string baseline_name;
  std::string skipped; // reason why nothing was measured
};

// Prints the result as one line of JSON on standard output.
void print(const result &res);

// Prints "NAME: message" on standard error and counts a failure: a wrong answer, or a wrong kernel. main returns failures() != 0.
void fail(const std::string &name, const std::string &message);
int failures();

// 64-byte aligned memory of `count` elements of a tpp_type. They are small integers in [-magnitude, magnitude] (unsigned types: [0,
// magnitude]), so that sums are exact in every order and type; zeros if the magnitude is 0.
class buffer {
public:
  explicit buffer(size_t count, int magnitude = 0, unsigned seed = 1, tpp_type type = TPP_TYPE_f32);
  ~buffer();
  buffer(const buffer &) = delete;
  buffer &operator=(const buffer &) = delete;

  void *data() const { return bytes; }
  float *floats() const { return static_cast<float *>(bytes); }
  size_t size() const { return count; }
  double get(size_t index) const;
  void set(size_t index, int value);

private:
  void *bytes;
  size_t count;
  tpp_type type;
};

// Bytes and name of a tpp_type (kinds.def).
size_t bytes_of(tpp_type type);
const char *name_of(tpp_type type);

} // namespace tpp::bench

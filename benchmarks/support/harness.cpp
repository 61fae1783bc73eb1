// The timing harness; interface and rationale in harness.hpp.
#include "benchmarks/support/harness.hpp"
#include "microkernels/common/typed_scalar.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace tpp::bench {

namespace {

int failure_count = 0;

[[noreturn]] void usage_error(const std::string &message) {
  std::fprintf(
      stderr,
      "error: %s\nusage: [--quick] [--min-time=S] [--list] [--filter=REGEX] [--shapes=FILE] [--rows] [--threads=N[,N...]]\n",
      message.c_str());
  std::exit(1);
}

std::vector<int> parse_threads(const std::string &text) {
  std::vector<int> counts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    const long value = parse_integer(text.substr(begin, end - begin), 1, 4096);
    if (value < 0)
      usage_error("--threads: expected counts from 1 to 4096, not '" + text + "'");
    counts.push_back(static_cast<int>(value));
    begin = end + 1;
  }
  return counts;
}

double parse_seconds(const std::string &text) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(value > 0 && value <= 3600))
    usage_error("--min-time: expected seconds, more than 0 and at most 3600, not '" + text + "'");
  return value;
}

std::string json_string(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + "\"";
}

} // namespace

long parse_integer(const std::string &text, long least, long most) {
  char *end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  return text.empty() || *end || errno || value < least || value > most ? -1 : value;
}

options parse_options(int argc, char **argv) {
  options opts;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value_of = [&](const char *flag) -> const char * {
      std::string prefix = std::string(flag) + "=";
      return argument.compare(0, prefix.size(), prefix) == 0 ? argv[i] + prefix.size() : nullptr;
    };
    if (argument == "--quick") {
      opts.quick = true;
    } else if (const char *seconds = value_of("--min-time")) {
      opts.min_seconds = parse_seconds(seconds);
    } else if (argument == "--list") {
      opts.list = true;
    } else if (const char *filter = value_of("--filter")) {
      opts.filter = filter;
    } else if (const char *shapes = value_of("--shapes")) {
      opts.shapes = shapes;
    } else if (argument == "--rows") {
      opts.rows = true;
    } else if (const char *threads = value_of("--threads")) {
      opts.threads = parse_threads(threads);
    } else if (argument.rfind('-', 0) == 0) {
      usage_error("unknown flag '" + argument + "'");
    } else {
      opts.arguments.push_back(argument);
    }
  }
  if (opts.threads.empty()) {
    opts.threads.push_back(1);
    if (int cores = static_cast<int>(std::thread::hardware_concurrency()); cores > 1)
      opts.threads.push_back(cores);
  }
  // Compiled here, because std::regex reports a bad pattern by an exception.
  try {
    opts.pattern.assign(opts.filter);
  } catch (const std::regex_error &error) {
    usage_error("--filter is not a valid regular expression: " + std::string(error.what()));
  }
  return opts;
}

bool selected(const options &opts, const std::string &name) {
  if (!opts.filter.empty() && !std::regex_search(name, opts.pattern))
    return false;
  if (opts.list)
    std::printf("%s\n", name.c_str());
  return !opts.list;
}

double now_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double run_together(int threads, const std::function<void(int)> &warm, const std::function<void(int)> &work) {
  std::vector<double> begins(static_cast<size_t>(threads)), ends(static_cast<size_t>(threads));
  std::atomic<int> ready{0};
  auto run = [&](int thread) {
    warm(thread);
    // Spins, because waking a thread takes longer than the measured work; yields, because there may be fewer cores than threads.
    for (++ready; ready < threads;)
      std::this_thread::yield();
    begins[static_cast<size_t>(thread)] = now_seconds();
    work(thread);
    ends[static_cast<size_t>(thread)] = now_seconds();
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread)
    others.emplace_back(run, thread);
  run(0);
  for (std::thread &other : others)
    other.join();
  return *std::max_element(ends.begin(), ends.end()) - *std::min_element(begins.begin(), begins.end());
}

std::vector<statistics> measure_interleaved(const options &opts, const std::vector<body> &bodies) {
  // 50 us: 2000 times the clock's resolution, and short enough that most samples see no interrupt.
  constexpr double sample_seconds = 50e-6;
  const double budget_seconds = opts.min_seconds > 0 ? opts.min_seconds : opts.quick ? 0.002 : 0.1; // per body
  const int least_samples = opts.min_seconds > 0 ? 3 : opts.quick ? 5 : 15;

  std::vector<statistics> stats(bodies.size());
  std::vector<std::vector<double>> samples(bodies.size());
  double round_seconds = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    bodies[i](1); // warm up: page faults, caches, JIT
    long repetitions = 1;
    double seconds = bodies[i](repetitions);
    while (seconds < sample_seconds) {
      double factor = seconds > 0 ? sample_seconds / seconds * 1.1 : 10;
      repetitions = static_cast<long>(static_cast<double>(repetitions) * std::clamp(factor, 1.1, 10.0)) + 1;
      seconds = bodies[i](repetitions);
    }
    stats[i].repetitions = repetitions;
    round_seconds += seconds;
  }
  double rounds = budget_seconds * static_cast<double>(bodies.size()) / round_seconds;
  int count = std::clamp(static_cast<int>(rounds), least_samples, 2000);
  for (int round = 0; round < count; ++round)
    for (size_t i = 0; i < bodies.size(); ++i)
      samples[i].push_back(bodies[i](stats[i].repetitions) / static_cast<double>(stats[i].repetitions));

  for (size_t i = 0; i < bodies.size(); ++i) {
    std::sort(samples[i].begin(), samples[i].end());
    stats[i].samples = count;
    stats[i].min = samples[i].front();
    stats[i].median = samples[i][samples[i].size() / 2];
    stats[i].p95 = samples[i][samples[i].size() * 95 / 100];
  }
  return stats;
}

void print(const result &res) {
  std::printf("{\"name\": %s", json_string(res.name).c_str());
  auto number = [](const char *key, double value) { std::printf(", \"%s\": %.6g", key, value); };
  if (!res.kernel.empty())
    std::printf(", \"kernel\": %s", json_string(res.kernel).c_str());
  if (!res.skipped.empty())
    std::printf(", \"skipped\": %s", json_string(res.skipped).c_str());
  if (res.seconds.samples) {
    number("seconds_min", res.seconds.min);
    number("seconds_median", res.seconds.median);
    number("seconds_p95", res.seconds.p95);
    number("samples", res.seconds.samples);
    number("repetitions", static_cast<double>(res.seconds.repetitions));
  }
  if (res.flops > 0)
    number("gflops", res.flops / res.seconds.min * 1e-9);
  if (res.bytes > 0)
    number("gbytes_per_second", res.bytes / res.seconds.min * 1e-9);
  if (!res.peak_name.empty())
    std::printf(", \"peak\": %s", json_string(res.peak_name).c_str());
  if (res.peak_flops > 0) {
    number("peak_gflops", res.peak_flops * 1e-9);
    number("percent_of_peak", 100 * res.flops / res.seconds.min / res.peak_flops);
    number("percent_of_peak_median", 100 * res.flops / res.seconds.median / res.peak_flops);
  } else if (res.peak_bytes > 0) {
    number("peak_gbytes_per_second", res.peak_bytes * 1e-9);
    number("percent_of_peak", 100 * res.bytes / res.seconds.min / res.peak_bytes);
    number("percent_of_peak_median", 100 * res.bytes / res.seconds.median / res.peak_bytes);
  }
  if (!res.baseline_name.empty()) {
    std::printf(", \"baseline\": %s", json_string(res.baseline_name).c_str());
    number("baseline_seconds", res.baseline_seconds);
    number("ratio_to_baseline", res.seconds.min / res.baseline_seconds);
    number("nanoseconds_over_baseline", (res.seconds.min - res.baseline_seconds) * 1e9);
  }
  std::printf("}\n");
  std::fflush(stdout);
}

void fail(const std::string &name, const std::string &message) {
  std::fprintf(stderr, "error: %s: %s\n", name.c_str(), message.c_str());
  ++failure_count;
}

int failures() { return failure_count; }

size_t bytes_of(tpp_type type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return bytes;
#include "tpp/kinds.def"
  }
  return 0;
}

const char *name_of(tpp_type type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return #name;
#include "tpp/kinds.def"
  }
  return "?";
}

buffer::buffer(size_t count, int magnitude, unsigned seed, tpp_type type)
    : bytes(std::aligned_alloc(64, std::max<size_t>((count * bytes_of(type) + 63) / 64 * 64, 64))), count(count), type(type) {
  if (!bytes) {
    std::fprintf(stderr, "error: out of memory: a buffer of %zu elements\n", count);
    std::exit(1);
  }
  std::memset(bytes, 0, count * bytes_of(type));
  uint32_t state = seed * 2654435761u + 1;
  for (size_t i = 0; magnitude && i < count; ++i) {
    state = state * 1664525u + 1013904223u; // an LCG; its upper bits are random enough for test data
    int value = static_cast<int>((state >> 16) % static_cast<uint32_t>(2 * magnitude + 1)) - magnitude;
    set(i, type == TPP_TYPE_u8 ? std::abs(value) : value);
  }
}

buffer::~buffer() { std::free(bytes); }

void buffer::set(size_t index, int value) { store_double(type, bytes, static_cast<int64_t>(index), value); }

double buffer::get(size_t index) const { return load_double(type, bytes, static_cast<int64_t>(index)); }

} // namespace tpp::bench

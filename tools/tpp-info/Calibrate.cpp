// Measures the figures of this machine with loops of known instructions (MeasuringLoops.h).
//
// Measured on one thread, except for fork_ns and barrier_ns. Virtual machines are noisy, so each figure is the best of thousands of short samples,
// and of teams the median.
//
// Not measured: sizes and ways of caches, and cores, which the operating system reports; vector_bytes and registers, which the instruction set
// defines; tlb_pages and prefetch_streams.
#include "Calibrate.h"
#include "Info.h"
#include "MeasuringLoops.h"
#include "tpp/machine.hpp"
#include "tpp/microkernels.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace tpp::info {
namespace {

constexpr double sampleNs = 1e5; // duration of a sample; reading the clock takes about 50 ns
constexpr double figureNs = 1e9; // duration of all samples of a figure

double nowNs() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Returns the least time of a round in nanoseconds. body(n) executes n rounds; before() precedes each sample and is not measured.
template <typename Body, typename Before> double leastNs(const Body &body, const Before &before) {
  double best = HUGE_VAL;
  int64_t rounds = 1;
  for (const double end = nowNs() + figureNs; nowNs() < end || best == HUGE_VAL;) {
    before();
    const double begin = nowNs();
    body(rounds);
    const double took = nowNs() - begin;
    if (took < sampleNs / 2)
      rounds *= 2;
    else
      best = std::min(best, took / static_cast<double>(rounds));
  }
  return best;
}

template <typename Body> double leastNs(const Body &body) {
  return leastNs(body, [] {});
}

// Returns the median of what sample() returns.
template <typename Sample> double medianNs(const Sample &sample) {
  std::vector<double> samples;
  for (const double end = nowNs() + figureNs; nowNs() < end || samples.empty();)
    samples.push_back(sample());
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

// ---- memory -------------------------------------------------------------------------------------------------------------------------------------

constexpr int64_t hugePageBytes = 2 << 20; // where small pages have 4 KiB

enum class Pages { huge, small };

// Memory that has been written to, aligned to huge pages. get() returns null if the system has none.
class Buffer {
public:
  Buffer(int64_t bytes, Pages pages) : mapped(static_cast<size_t>(bytes + hugePageBytes)) {
    void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    begin = static_cast<char *>(memory);
    const int64_t beyond = static_cast<int64_t>(reinterpret_cast<uintptr_t>(begin) % hugePageBytes);
    data = begin + (hugePageBytes - beyond) % hugePageBytes;
    advise(bytes, pages);
    std::memset(data, 1, static_cast<size_t>(bytes));
  }
  ~Buffer() {
    if (begin)
      munmap(begin, mapped);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  char *get() const { return data; }

private:
  // Has no effect if the system does not support huge pages.
  void advise([[maybe_unused]] int64_t bytes, [[maybe_unused]] Pages pages) {
#ifdef MADV_HUGEPAGE
    madvise(data, static_cast<size_t>(bytes), pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
  }

  size_t mapped;
  char *begin = nullptr, *data = nullptr;
};

// Returns the numbers of `count` cache lines, one in `step`, in an order that is random within groups of `group` lines.
std::vector<uint32_t> randomLines(int64_t count, uint32_t step, int64_t group) {
  std::vector<uint32_t> lines(static_cast<size_t>(count));
  std::mt19937 random(static_cast<uint32_t>(count));
  for (size_t i = 0; i < lines.size(); ++i)
    lines[i] = static_cast<uint32_t>(i) * step;
  for (int64_t begin = 0; begin < count; begin += group)
    std::shuffle(lines.begin() + begin, lines.begin() + std::min(begin + group, count), random);
  return lines;
}

// Reads of cache lines in the order of `lines`, which are numbered from `data`. Each line holds the address of the next one, and the last one that
// of the first.
class Chain {
public:
  Chain(const MeasuringLoops &loops, char *data, std::vector<uint32_t> ordered)
      : loops(loops), data(data), lines(std::move(ordered)) {
    for (size_t i = 0; i < lines.size(); ++i)
      *reinterpret_cast<const void **>(at(i)) = at((i + 1) % lines.size());
  }

  // Time of a read whose address the previous read returns. before() precedes each sample.
  template <typename Before> double latencyNs(const Before &before) const {
    const void *pointer = at(0);
    return leastNs([&](int64_t rounds) { pointer = loops.followPointers(pointer, rounds); }, before) / pointersPerRound;
  }
  double latencyNs() const {
    return latencyNs([] {});
  }

  // Time of a read that does not wait for others.
  double independentNs() const {
    size_t next = 0;
    return leastNs([&](int64_t rounds) {
      const size_t count = static_cast<size_t>(rounds);
      next = next + count > lines.size() ? 0 : next;
      loops.readLines(data, &lines[next], rounds);
      next += count;
    });
  }

private:
  char *at(size_t i) const { return data + int64_t(lines[i]) * TPP_LINE_BYTES; }

  const MeasuringLoops &loops;
  char *data;
  std::vector<uint32_t> lines;
};

// ---- figures ------------------------------------------------------------------------------------------------------------------------------------

int64_t powerOfTwoUpTo(int64_t value) {
  int64_t power = 1;
  while (power <= value / 2)
    power *= 2;
  return power;
}

double roundToThreeDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return std::strtod(text, nullptr);
}

// Returns name and unit of a field.
template <typename T> std::pair<const char *, const char *> describe(T tpp_machine::*field) {
#define TPP_MACHINE_FIELD(type, name, least, most, unit, summary)                                                                \
  if constexpr (std::is_same_v<T, type>)                                                                                         \
    if (field == &tpp_machine::name)                                                                                             \
      return {#name, unit};
#include "tpp/machine_fields.def"
  return {"", ""};
}

// Whether this machine can execute the kernels of a target of kernels.def.
bool hasKernels(const char *target) {
  size_t count;
  const microkernel_row *rows = microkernel_rows(&count);
  return std::any_of(rows, rows + count, [&](const microkernel_row &row) {
    return std::strcmp(row.target, target) == 0 && microkernel_row_runs_here(row);
  });
}

class Measurement {
public:
  Measurement(const MeasuringLoops &loops, tpp_machine &machine)
      : loops(loops), machine(machine),
        memoryBytes(powerOfTwoUpTo(std::clamp<int64_t>(4 * machine.l3_bytes, 256 << 20, 512 << 20))),
        memory(memoryBytes, Pages::huge) {}

  // Returns an empty text, or the problem.
  std::string run();

private:
  void measureArithmetic();
  void measureDots(double tpp_machine::*field, const DotLoop &loop);
  void measureCaches();
  void measureLevel(int64_t bytes, int64_t innerBytes, double tpp_machine::*bandwidth, double tpp_machine::*latency);
  void measureMemory();
  void measurePrefetcher();
  void measurePageWalk(const Buffer &pages, int64_t count);
  void measureTeams();
  void setTeamFigure(double tpp_machine::*field, double ns);

  // Sets a field, and reports it.
  template <typename T> void set(T tpp_machine::*field, double value);
  template <typename T> void keep(T tpp_machine::*field, const char *reason);

  double perCycle(int64_t count, double ns) const { return static_cast<double>(count) / (ns * machine.clock_ghz); }
  int64_t blockBytes() const { return vectorsPerBlock * loops.vectorBytes; }
  void readOnce(const char *data, int64_t bytes) const { loops.read(data, bytes, 0, bytes / blockBytes()); }
  // Time of a block of a loop that reads the first `bytes` bytes of `memory`.
  double blockNs(ReadLoop read, int64_t bytes) const;
  double gigabytesPerSecond(int64_t bytes) const;
  // Reads of every second line of the first `bytes` bytes of `memory`: the hardware may prefetch the other line of a pair. Groups of lines that follow
  // each other are in half as many pages as the TLB holds.
  Chain chainOf(int64_t bytes) const {
    constexpr uint32_t step = 2;
    const int64_t group = machine.tlb_pages / 2 * TPP_PAGE_BYTES / (step * TPP_LINE_BYTES);
    return {loops, memory.get(), randomLines(bytes / (step * TPP_LINE_BYTES), step, std::max<int64_t>(group, 1))};
  }
  // Largest power of two that a loop can read, up to `bytes`.
  int64_t readable(int64_t bytes) const { return powerOfTwoUpTo(std::clamp<int64_t>(bytes, TPP_PAGE_BYTES, memoryBytes)); }

  const MeasuringLoops &loops;
  tpp_machine &machine;
  int64_t memoryBytes; // at least twice the last-level cache, but at most 512 MiB
  Buffer memory;
};

template <typename T> void Measurement::set(T tpp_machine::*field, double value) {
  const auto [name, unit] = describe(field);
  const double before = static_cast<double>(machine.*field);
  machine.*field = static_cast<T>(std::is_integral_v<T> ? std::round(value) : roundToThreeDigits(value));
  std::fprintf(stderr, "  %-20s%10.4g  ->%10.4g%s%s\n", name, before, static_cast<double>(machine.*field), unit[0] ? " " : "",
               unit);
}

template <typename T> void Measurement::keep(T tpp_machine::*field, const char *reason) {
  std::fprintf(stderr, "  %-20s%10.4g  kept: %s\n", describe(field).first, static_cast<double>(machine.*field), reason);
}

// The chain of additions follows vector arithmetic, so that its clock is that of vector arithmetic.
void Measurement::measureArithmetic() {
  const double fmaNs = leastNs(loops.fma);
  const auto arithmetic = [&] { loops.fma(static_cast<int64_t>(sampleNs / fmaNs)); };
  set(&tpp_machine::clock_ghz, addsPerRound / leastNs(loops.addChain, arithmetic));
  set(&tpp_machine::fma_per_cycle, perCycle(loops.independentSums, fmaNs));
  measureDots(&tpp_machine::bf16_dot_per_cycle, loops.bf16Dot);
  measureDots(&tpp_machine::i8_dot_per_cycle, loops.i8Dot);
  set(&tpp_machine::fma_latency, leastNs(loops.fmaChain) * machine.clock_ghz);
  measureDots(&tpp_machine::bf16_tile_per_cycle, loops.bf16Tile);
  measureDots(&tpp_machine::i8_tile_per_cycle, loops.i8Tile);
}

void Measurement::measureDots(double tpp_machine::*field, const DotLoop &loop) {
  if (loop.run && hasKernels(loop.target))
    set(field, perCycle(loops.independentSums, leastNs(loop.run)));
  else
    keep(field, "no kernel for this machine has such an instruction");
}

double Measurement::blockNs(ReadLoop read, int64_t bytes) const {
  int64_t offset = 0;
  readOnce(memory.get(), bytes); // afterwards, a cache that holds less than `bytes` does not hold the first blocks
  return leastNs([&](int64_t rounds) { offset = read(memory.get(), bytes, offset, rounds); });
}

double Measurement::gigabytesPerSecond(int64_t bytes) const {
  return static_cast<double>(blockBytes()) / blockNs(loops.read, bytes);
}

void Measurement::measureCaches() {
  set(&tpp_machine::loads_per_cycle, perCycle(vectorsPerBlock, blockNs(loops.read, readable(machine.l1_bytes / 2))));
  measureLevel(readable(machine.l2_bytes / 2), machine.l1_bytes, &tpp_machine::l2_gbs, &tpp_machine::l2_ns);
  // A quarter of L3, because other cores use it, too.
  const int64_t bytes = std::max(std::min<int64_t>(machine.l3_bytes / 4, 64 << 20), 2 * machine.l2_bytes);
  if (bytes <= machine.l3_bytes) {
    measureLevel(readable(bytes), machine.l2_bytes, &tpp_machine::l3_gbs, &tpp_machine::l3_ns);
  } else {
    keep(&tpp_machine::l3_gbs, "there is no such cache, or it is hardly larger than L2");
    keep(&tpp_machine::l3_ns, "there is no such cache, or it is hardly larger than L2");
  }
}

// Before each sample of the latency, all lines are read, because other cores may have evicted them from a shared cache. Then other lines are read,
// which evict the last ones from the next smaller cache, of innerBytes bytes.
void Measurement::measureLevel(int64_t bytes, int64_t innerBytes, double tpp_machine::*bandwidth, double tpp_machine::*latency) {
  set(bandwidth, gigabytesPerSecond(bytes));
  const int64_t otherBytes = readable(2 * innerBytes);
  const auto readLevel = [&] {
    readOnce(memory.get(), bytes);
    readOnce(memory.get() + memoryBytes - otherBytes, otherBytes);
  };
  set(latency, chainOf(bytes).latencyNs(readLevel));
}

void Measurement::measureMemory() {
  set(&tpp_machine::memory_gbs, gigabytesPerSecond(memoryBytes));
  const Chain chain = chainOf(memoryBytes);
  const double latencyNs = chain.latencyNs();
  set(&tpp_machine::memory_ns, latencyNs);
  set(&tpp_machine::line_fills, std::clamp(latencyNs / chain.independentNs(), 4.0, 64.0));
}

// If the hardware prefetcher stops at the end of a page, reads wait at the start of the next one, and software prefetch two pages ahead saves time.
// If it saves little, the hardware prefetches across pages, and its reach is set to two pages.
void Measurement::measurePrefetcher() {
  const double leastGain = 1.15;
  const double plainNs = blockNs(loops.read, memoryBytes), aheadNs = blockNs(loops.readAhead, memoryBytes);
  set(&tpp_machine::prefetch_reach, plainNs > leastGain * aheadNs ? TPP_PAGE_BYTES : 2 * TPP_PAGE_BYTES);
}

// Compares reads of one line in each page with reads of as many lines in few pages. Each page uses the line after that of the previous page, so that
// the lines spread over the sets of the caches.
void Measurement::measurePageWalk(const Buffer &pages, int64_t count) {
  constexpr uint32_t linesOfPage = TPP_PAGE_BYTES / TPP_LINE_BYTES;
  std::vector<uint32_t> lines = randomLines(count, linesOfPage, count);
  for (uint32_t &line : lines)
    line += line / linesOfPage % linesOfPage;
  const double farNs = Chain(loops, pages.get(), std::move(lines)).latencyNs();
  const double nearNs = Chain(loops, memory.get(), randomLines(count, 1, count)).latencyNs();
  set(&tpp_machine::page_walk_ns, std::max(1.0, farNs - nearNs));
}

void Measurement::measureTeams() {
  if (availableCores() < 2) {
    keep(&tpp_machine::fork_ns, "only one core is available");
    keep(&tpp_machine::barrier_ns, "only one core is available");
    return;
  }
  setTeamFigure(&tpp_machine::fork_ns, medianNs([] {
    constexpr int teams = 10;
    const double begin = nowNs();
    for (int i = 0; i < teams; ++i)
      tpp_run_team(2, [](void *, tpp_team *, int32_t, int32_t) {}, nullptr);
    return (nowNs() - begin) / teams;
  }));
  const auto passBarriers = [](void *ns, tpp_team *team, int32_t thread, int32_t) {
    constexpr int barriers = 1000;
    tpp_team_barrier(team); // from here on, both threads run
    const double begin = nowNs();
    for (int i = 0; i < barriers; ++i)
      tpp_team_barrier(team);
    if (thread == 0)
      *static_cast<double *>(ns) = (nowNs() - begin) / barriers;
  };
  setTeamFigure(&tpp_machine::barrier_ns, medianNs([&] {
    double ns = 0;
    tpp_run_team(2, passBarriers, &ns);
    return ns;
  }));
}

// Threads that run at the same time wait for each other without sleeping, which takes much less than waking a thread.
void Measurement::setTeamFigure(double tpp_machine::*field, double ns) {
  const double leastToWakeNs = 5e4;
  if (ns < leastToWakeNs)
    set(field, ns);
  else
    keep(field, "other programs use the cores, so that two threads did not run at the same time");
}

// Other programs slow down teams of threads, shared caches and memory for longer than a figure is measured.
void warnIfBusy(const tpp_machine &machine) {
  double load;
  if (getloadavg(&load, 1) == 1 && load > static_cast<double>(machine.cores) / 4)
    std::fprintf(stderr, "tpp-info: warning: the load average is %.1f; calibrate while no other program runs\n", load);
}

std::string Measurement::run() {
  const int64_t pages = 4 * machine.tlb_pages;
  const Buffer smallPages(pages * TPP_PAGE_BYTES, Pages::small);
  if (!memory.get() || !smallPages.get())
    return "there is not enough memory";
  warnIfBusy(machine);
  std::fprintf(stderr, "  %-20s%10s  ->%10s\n", "figure", "table", "measured");
  measureArithmetic();
  measureCaches();
  measureMemory();
  measurePrefetcher();
  measurePageWalk(smallPages, pages);
  measureTeams();
  return machine_problem(machine);
}

} // namespace

std::string measureMachine(tpp_machine *machine) {
  *machine = host_machine();
  const MeasuringLoops *loops = findMeasuringLoops(machine->isa);
  if (!loops)
    return "there are no measuring loops for this architecture";
  return Measurement(*loops, *machine).run();
}

} // namespace tpp::info

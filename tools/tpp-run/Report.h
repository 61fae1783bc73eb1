// What a run found out: the JSON object that scripts read, and the summary that people read.
#pragma once
#include "Bench.h"
#include "ElementType.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace tpp::run {

struct KernelUse {
  std::string name, provider;
  int64_t callsPerRun;
};

// Of the fastest of some calls, the kernels that take longest first. Seconds are sums over the threads.
struct ProfileSummary {
  struct Kernel {
    std::string name, provider, what; // "brgemm 64x64x1024"
    int64_t calls = 0;
    double seconds = 0;
    std::optional<double> gflops, percentOfPeak; // of one thread
  };
  size_t calls = 0; // of which this is the fastest
  double seconds = 0, kernelSeconds = 0;
  int threads = 1;
  std::vector<Kernel> kernels;
};

struct Report {
  std::string model, entry, signature, target;
  int threads = 1;
  double compileSeconds = 0, parseSeconds = 0, passesSeconds = 0, prepackSeconds = 0, jitSeconds = 0;
  int64_t flops = 0; // of contractions, in one call
  std::string flopsType;
  std::optional<Summary> time; // set when timed
  bool cold = false;
  std::optional<double> peakGflops; // set when timed and the peak of flopsType can be measured
  std::string peakInstruction;
  int64_t packs = 0, unpacks = 0, copies = 0, copyBytes = 0, scalarLoops = 0;
  std::optional<int64_t> peakAnonymousBytes;
  int64_t workspaceBytes = 0, weightsBytes = 0;
  std::vector<KernelUse> kernels;
  std::optional<ProfileSummary> profile; // set when asked for
  std::vector<std::string> remarks;
  std::vector<std::string> checks; // one line for each compared output

  // 2*M*N*K of all contractions by the fastest, or the median, call; nothing when not timed or without contractions.
  std::optional<double> gflops() const { return rate(time ? time->min : 0); }
  std::optional<double> percentOfPeak() const { return share(gflops()); }
  std::optional<double> percentOfPeakMedian() const { return share(rate(time ? time->median : 0)); }

private:
  std::optional<double> rate(double seconds) const;
  std::optional<double> share(std::optional<double> gflops) const;
};

// One object with every key of the contract, always; what was not measured is null.
void writeJson(const Report &report, llvm::raw_ostream &stream);
// To a file, or to stdout for "-".
llvm::Error writeJsonFile(const Report &report, llvm::StringRef path);

void printSummary(const Report &report, llvm::raw_ostream &stream);

} // namespace tpp::run

// The results of a run: as a JSON object for scripts and as a summary for people.
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

// The profile of the fastest call. Kernels are sorted by time, longest first; times of kernels are sums over all threads.
struct ProfileSummary {
  struct Kernel {
    std::string name, provider, what; // "brgemm 64x64x1024"
    int64_t calls = 0;
    double seconds = 0;
    std::optional<double> gflops, percentOfPeak; // per thread
  };
  size_t calls = 0; // number of calls that were timed
  double seconds = 0, kernelSeconds = 0;
  int threads = 1;
  std::vector<Kernel> kernels;
};

struct Report {
  std::string model, entry, signature, target;
  int threads = 1;
  double compileSeconds = 0, parseSeconds = 0, passesSeconds = 0, prepackSeconds = 0, jitSeconds = 0;
  int64_t flops = 0; // of the contractions of one call
  std::string flopsType;
  std::optional<Summary> time; // set if calls were timed
  bool cold = false;
  std::optional<double> peakGflops; // set if calls were timed and there is a peak loop for flopsType
  std::string peakInstruction;
  int64_t packs = 0, unpacks = 0, copies = 0, copyBytes = 0, scalarLoops = 0;
  std::optional<int64_t> peakAnonymousBytes;
  int64_t workspaceBytes = 0, weightsBytes = 0;
  std::vector<KernelUse> kernels;
  std::optional<ProfileSummary> profile; // set with --profile
  std::vector<std::string> remarks;
  std::vector<std::string> checks; // one line per compared output
  struct OutputError {
    std::string what;
    double max = 0, mean = 0, cosine = 1; // of absolute errors; see Comparison
  };
  std::vector<OutputError> errors; // of each compared output

  // Rates count 2*M*N*K of all contractions per time of the fastest or the median call. Empty if nothing was timed or there are no
  // contractions.
  std::optional<double> gflops() const { return rate(time ? time->min : 0); }
  std::optional<double> percentOfPeak() const { return share(gflops()); }
  std::optional<double> percentOfPeakMedian() const { return share(rate(time ? time->median : 0)); }

private:
  std::optional<double> rate(double seconds) const;
  std::optional<double> share(std::optional<double> gflops) const;
};

// Writes one JSON object with all keys of docs/tpp-run.md. Values that were not measured are null.
void writeJson(const Report &report, llvm::raw_ostream &stream);
// Writes the JSON object to a file, or to stdout if `path` is "-".
llvm::Error writeJsonFile(const Report &report, llvm::StringRef path);

void printSummary(const Report &report, llvm::raw_ostream &stream);

} // namespace tpp::run

// Compiles, checks and times variants, and drops slow ones. See Tuner.h.
#include "Tuner.h"
#include "../tpp-run/Peak.h"

#include "tpp/tpp.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

namespace tpp::tune {

using mlir::tpp::CompiledModel;
using mlir::tpp::CompileOptions;
using mlir::tpp::Packing;
using run::Execution;
using run::Tensor;

std::optional<double> Results::percentOfPeak(const Result &result) const {
  return peakGflops ? std::optional(100 * gflops(result) / *peakGflops) : std::nullopt;
}

const Result &Results::of(int64_t number) const {
  return *llvm::find_if(sorted, [&](const Result &result) { return result.number == number; });
}

static CompileOptions compileOptions(const Options &options) {
  CompileOptions compile;
  compile.entry = "contraction";
  compile.threads = options.threads;
  compile.packing = "none"; // keep the layouts of values; the contraction's own attribute sets its packing
  compile.useMachine = [](const tpp_machine &machine) { tpp_set_machine(&machine); };
  return compile; // the target is an attribute of the module
}

static void setPacking(Contraction &contraction, const Packing &packing) {
  using namespace mlir::tpp;
  contraction.op->setAttr(kPackingAttr, PackingFixedAttr::get(contraction.op.getContext(), packing));
}

llvm::Expected<std::string> assemble(Contraction &contraction, const Packing &packing, const Options &options) {
  setPacking(contraction, packing);
  return mlir::tpp::compileToAssembly(*contraction.module, compileOptions(options));
}

llvm::Expected<Program> makeProgram(Contraction &contraction, const std::vector<Packing> &packings, const Options &options) {
  Program program;
  auto function = *contraction.module->getOps<mlir::func::FuncOp>().begin();
  llvm::Expected<run::Signature> signature = run::describeSignature(function, options.model);
  if (!signature)
    return signature.takeError();
  program.signature = std::move(*signature);
  program.variants = int64_t(packings.size());
  program.compile = [&](int64_t number) {
    setPacking(contraction, packings[number]);
    return CompiledModel::compile(*contraction.module, compileOptions(options));
  };
  return program;
}

namespace {
// A variant and its times. `execution` is null after the variant is dropped.
struct Candidate {
  int64_t number;
  std::unique_ptr<Execution> execution;
  std::vector<double> minima, medians; // one per round

  double best() const { return *llvm::min_element(minima); }
  int64_t bytes() const {
    const mlir::tpp::CompileReport &report = execution->model->report();
    int64_t sum = report.weightsBytes + report.workspaceBytes;
    for (const Tensor &result : execution->results)
      sum += result.spec.bytes();
    return sum;
  }
};

class Tuner {
public:
  Tuner(const Program &program, const Options &options, llvm::raw_ostream &progress)
      : program(program), options(options), progress(progress) {}

  llvm::Expected<Results> operator()();

private:
  llvm::Error prepareArguments();
  llvm::Error firstRound();
  llvm::Expected<std::unique_ptr<Execution>> compile(int64_t number);
  llvm::Error compare(int64_t number, const Execution &execution);
  void time(Candidate &candidate);
  void drop();
  Results summarize() const;

  const Program &program;
  const Options &options;
  llvm::raw_ostream &progress;
  std::vector<Tensor> arguments;
  std::vector<Tensor> expected; // the first variant's results
  std::vector<Candidate> candidates;
  std::optional<run::PeakMeter> peak;
  int64_t flops = 0, memoryBytes = 0;
};

llvm::Error Tuner::prepareArguments() {
  const run::Signature &signature = program.signature;
  std::vector<const run::TensorSpec *> needed;
  // Results twice: those of the variant that runs, and the expected ones.
  for (const auto *specs : {&signature.arguments, &signature.results, &signature.results})
    for (const run::TensorSpec &spec : *specs)
      needed.push_back(&spec);
  int64_t available = run::availableMemoryBytes();
  if (llvm::Error error = run::checkMemory(needed, available))
    return error;
  for (auto [i, spec] : llvm::enumerate(signature.arguments)) {
    llvm::Expected<Tensor> tensor = run::allocateTensor(spec);
    if (!tensor)
      return tensor.takeError();
    if (llvm::Error error = run::fillTensor(*tensor, run::InputSpec(), int64_t(i)))
      return error;
    arguments.push_back(std::move(*tensor));
  }
  memoryBytes = run::availableMemoryBytes() / 2; // limit for packed weights and workspaces of the variants in memory
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Execution>> Tuner::compile(int64_t number) {
  auto model = program.compile(number);
  if (!model)
    return model.takeError();
  auto execution = Execution::create(std::move(*model), program.signature);
  if (!execution)
    return execution.takeError();
  std::vector<Tensor *> pointers;
  for (Tensor &argument : arguments)
    pointers.push_back(&argument);
  if (llvm::Error error = (*execution)->bind(pointers))
    return std::move(error);
  return std::move(*execution);
}

// Keeps the first variant's results, and compares the results of all other variants with them.
llvm::Error Tuner::compare(int64_t number, const Execution &execution) {
  for (auto [i, got] : llvm::enumerate(execution.results)) {
    if (number == 0) {
      llvm::Expected<Tensor> copy = run::allocateTensor(got.spec);
      if (!copy)
        return copy.takeError();
      std::memcpy(copy->data(), got.data(), size_t(got.spec.bytes()));
      expected.push_back(std::move(*copy));
      continue;
    }
    run::Comparison comparison = run::compareTensors(got.spec, got.data(), expected[i].data(), program.tolerance);
    if (!comparison.passed)
      return run::makeError("variants 0 and " + llvm::Twine(number) + " give different results: " +
                            run::describeComparison(got.spec, comparison, got.data(), expected[i].data()));
  }
  return llvm::Error::success();
}

void Tuner::time(Candidate &candidate) {
  run::Summary summary = run::bench([&] { candidate.execution->repeat(); }, peak ? &*peak : nullptr,
                                    {options.minSeconds / options.rounds, 0, options.cold, options.threads});
  candidate.minima.push_back(summary.min);
  candidate.medians.push_back(summary.median);
}

// Drops variants that are too slow to win. If the others need more memory than the limit, drops the slowest of them.
void Tuner::drop() {
  constexpr double hopeless = 1.3; // slowdown against the best; the rounds of one variant differ by only a few percent
  std::vector<Candidate *> alive;
  for (Candidate &candidate : candidates)
    if (candidate.execution)
      alive.push_back(&candidate);
  llvm::sort(alive, [](Candidate *x, Candidate *y) { return x->best() < y->best(); });
  int64_t bytes = 0;
  for (Candidate *candidate : alive) {
    bytes += candidate->bytes();
    if (candidate->best() > hopeless * alive.front()->best() || (bytes > memoryBytes && candidate != alive.front()))
      candidate->execution.reset();
  }
}

llvm::Error Tuner::firstRound() {
  for (int64_t number = 0, count = program.variants; number < count; ++number) {
    progress << "\rvariant " << number + 1 << " of " << count << " ";
    auto execution = compile(number);
    if (!execution)
      return execution.takeError();
    if (llvm::Error error = (*execution)->call())
      return error;
    if (llvm::Error error = compare(number, **execution))
      return error;
    if (number == 0) {
      const mlir::tpp::CompileReport &report = (*execution)->model->report();
      flops = report.flops;
      if (const run::PeakLoop *loop = run::peakLoop(report.flopsType))
        peak.emplace(*loop, options.threads);
    }
    candidates.push_back({number, std::move(*execution), {}, {}});
    time(candidates.back());
    drop();
  }
  return llvm::Error::success();
}

Results Tuner::summarize() const {
  Results results;
  results.flops = flops;
  if (peak)
    results.peakGflops = peak->gflops();
  for (const Candidate &candidate : candidates)
    results.sorted.push_back(
        {candidate.number, candidate.best(), run::summarize(candidate.medians).median, !candidate.execution});
  llvm::stable_sort(results.sorted,
                    [](const Result &x, const Result &y) { return std::pair(x.dropped, x.min) < std::pair(y.dropped, y.min); });
  return results;
}

llvm::Expected<Results> Tuner::operator()() {
  if (llvm::Error error = prepareArguments())
    return std::move(error);
  llvm::Error error = firstRound();
  for (int round = 1; !error && round < options.rounds; ++round) {
    progress << "\rround " << round + 1 << " of " << options.rounds << "          ";
    for (Candidate &candidate : candidates)
      if (candidate.execution)
        time(candidate);
  }
  progress << "\r                         \r";
  if (error)
    return std::move(error);
  return summarize();
}
} // namespace

llvm::Expected<Results> timeVariants(const Program &program, const Options &options, llvm::raw_ostream &progress) {
  return Tuner(program, options, progress)();
}

} // namespace tpp::tune

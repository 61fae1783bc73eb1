// tpp-run: compiles a tensor program and runs it, with checks and timing. See --help and docs.
//
// This file contains the sequence of steps. Each step has its own file: Options (command line), Model (loading), Tensor and Npy (arguments
// and results), Execution, Compare, Bench, Peak and Profile (timing), Memory, Report (JSON and summary). lowering/compile/CompileModel.h
// compiles and calls models.
#include "Bench.h"
#include "Calibrate.h"
#include "Execution.h"
#include "Memory.h"
#include "Model.h"
#include "Npy.h"
#include "Options.h"
#include "Peak.h"
#include "Profile.h"
#include "Report.h"
#include "Tool.h"
#include "lowering/compile/CompileModel.h"
#include "lowering/report/MoveReport.h"

#include "tpp/openmp.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

namespace tpp::run {
namespace {

constexpr int exitCheckFailed = 2;
constexpr double int8Tolerance = 0.1; // of --check with --precision=int8

using mlir::tpp::CompiledModel;
static_assert(mostThreads == mlir::tpp::CompileOptions::mostThreads, "flags and passes must have the same thread limit");

mlir::tpp::CompileOptions compileOptions(const Options &options, const Signature &signature, Pipeline pipeline,
                                         const std::vector<double> &ranges = {}) {
  mlir::tpp::CompileOptions result;
  result.entry = signature.entry;
  using Pipelines = mlir::tpp::CompileOptions::Pipeline;
  result.pipeline = pipeline == Pipeline::loops ? Pipelines::Loops : Pipelines::Default;
  result.threads = options.threads;
  result.provider = options.provider;
  result.target = options.target;
  result.packing = options.packing;
  if (pipeline != Pipeline::loops)
    result.precision = options.precision, result.ranges = ranges, result.winograd = options.winograd,
    result.denormals = options.denormals;
  result.weights = options.weights;
  result.useMachine = [](const tpp_machine &machine) { tpp_set_machine(&machine); };
  return result;
}

// One invocation of the tool. Each step returns an error with a message for the user.
class Run {
public:
  explicit Run(Options options) : options(std::move(options)) {}

  // Runs all steps and returns the exit status.
  llvm::Expected<int> operator()();

private:
  llvm::Error load();
  llvm::Error prepareArguments();
  llvm::Error calibrate();
  llvm::Error compileAndCall();
  llvm::Error writeOutputs();
  llvm::Expected<bool> check();
  llvm::Expected<bool> checkAgainst(size_t output, const void *expected);
  llvm::Error benchmark();
  llvm::Error profile();
  llvm::Error writeLayoutReport();
  llvm::Error emit();
  void describe(const mlir::tpp::CompileReport &compiled);

  llvm::Error fill(Tensor &tensor, size_t argument) { return fillTensor(tensor, inputs[argument], int64_t(argument)); }

  // The results, followed by the memref arguments.
  std::vector<Tensor *> outputs();

  Options options;
  AnonymousMemoryPeak memory;
  std::unique_ptr<Model> model;
  Signature signature;
  std::vector<InputSpec> inputs;
  std::vector<Tensor> arguments;
  std::vector<double> ranges; // of the values that --precision=int8 quantizes; empty: those of each call
  std::unique_ptr<Execution> execution;
  Report report;
};

llvm::Error Run::load() {
  double begin = secondsNow();
  auto loaded = Model::load(options.model, options.plugins);
  if (!loaded)
    return loaded.takeError();
  model = std::move(*loaded);
  if (!options.transform.empty())
    if (llvm::Error error = model->transform(options.transform))
      return error;
  auto selected = model->signature(options.entry);
  if (!selected)
    return selected.takeError();
  signature = std::move(*selected);
  report.parseSeconds = secondsNow() - begin;
  return llvm::Error::success();
}

llvm::Error Run::prepareArguments() {
  size_t count = signature.arguments.size();
  size_t outputCount = signature.results.size() + llvm::count(signature.isMemref, true);
  inputs = options.inputs.value_or(std::vector<InputSpec>(count));
  auto mismatch = [&](llvm::StringRef flag, size_t given, size_t wanted, llvm::StringRef what) {
    return makeError(options.model + ": @" + signature.entry + " has " + llvm::Twine(wanted) + " " + what +
                     (wanted == 1 ? "" : "s") + ", " + flag + " gives " + llvm::Twine(given));
  };
  if (inputs.size() != count)
    return mismatch("--input", inputs.size(), count, "argument");
  if (!options.outputs.empty() && options.outputs.size() != outputCount)
    return mismatch("--output", options.outputs.size(), outputCount, "output");
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (llvm::is_contained(llvm::ArrayRef(options.outputs).take_front(i), options.outputs[i]))
      return makeError("--output gives '" + options.outputs[i] + "' for two outputs");
  if (options.check == Check::files && options.checkFiles.size() != outputCount)
    return mismatch("--check", options.checkFiles.size(), outputCount, "output");

  std::vector<const TensorSpec *> needed;
  for (const TensorSpec &spec : signature.arguments)
    needed.push_back(&spec);
  // A check allocates every output a second time.
  for (int copy = 0; copy < (options.check == Check::none ? 1 : 2); ++copy)
    for (const TensorSpec &spec : signature.results)
      needed.push_back(&spec);
  if (llvm::Error error = checkMemory(needed, availableMemoryBytes()))
    return error;
  for (size_t i = 0; i < count; ++i) {
    llvm::Expected<Tensor> tensor = allocateTensor(signature.arguments[i]);
    if (!tensor)
      return tensor.takeError();
    if (llvm::Error error = fill(*tensor, i))
      return error;
    arguments.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

llvm::Error Run::calibrate() {
  if (options.calibration.empty())
    return llvm::Error::success();
  mlir::tpp::CompileOptions recording = compileOptions(options, signature, options.pipeline);
  recording.precision = "program";
  llvm::Expected<std::vector<double>> recorded = recordRanges(*model, signature, recording, options.calibration);
  if (!recorded)
    return recorded.takeError();
  ranges = std::move(*recorded);
  return llvm::Error::success();
}

llvm::Error Run::compileAndCall() {
  double begin = secondsNow();
  mlir::tpp::CompileOptions compile = compileOptions(options, signature, options.pipeline, ranges);
  compile.releaseConstants = options.check != Check::reference; // --check=reference compiles the module again
  auto compiled = CompiledModel::compile(model->module(), compile);
  if (!compiled)
    return compiled.takeError();
  report.compileSeconds = report.parseSeconds + secondsNow() - begin;
  memory.sample();
  auto created = Execution::create(std::move(*compiled), signature);
  if (!created)
    return created.takeError();
  execution = std::move(*created);
  std::vector<Tensor *> pointers;
  for (Tensor &argument : arguments)
    pointers.push_back(&argument);
  if (llvm::Error error = execution->bind(pointers))
    return error;
  report.compileSeconds += execution->prepackSeconds;
  if (llvm::Error error = execution->call())
    return error;
  memory.stop();
  describe(execution->model->report());
  return llvm::Error::success();
}

void Run::describe(const mlir::tpp::CompileReport &compiled) {
  report.model = options.model;
  report.entry = signature.entry;
  report.signature = signature.text();
  report.target = compiled.target;
  report.threads = options.threads;
  report.passesSeconds = compiled.passesSeconds;
  report.prepackSeconds = compiled.prepackSeconds + execution->prepackSeconds;
  report.jitSeconds = compiled.jitSeconds;
  report.flops = compiled.flops;
  report.flopsType = compiled.flopsType;
  mlir::tpp::MoveTotals moved = mlir::tpp::sumMoves(compiled.moves);
  report.packs = moved.packs;
  report.unpacks = moved.unpacks;
  report.copies = moved.copies;
  report.copyBytes = moved.bytes;
  report.scalarLoops = compiled.scalarLoops;
  report.peakAnonymousBytes = memory.bytes();
  report.workspaceBytes = compiled.workspaceBytes;
  report.weightsBytes = compiled.weightsBytes;
  for (const auto &kernel : compiled.kernels)
    report.kernels.push_back({kernel.name, kernel.provider, kernel.callsPerRun});
  report.remarks.assign(compiled.remarks.begin(), compiled.remarks.end());
}

std::vector<Tensor *> Run::outputs() {
  std::vector<Tensor *> result;
  for (Tensor &tensor : execution->results)
    result.push_back(&tensor);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (signature.isMemref[i])
      result.push_back(&arguments[i]);
  return result;
}

llvm::Error Run::writeOutputs() {
  std::vector<Tensor *> tensors = outputs();
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (llvm::Error error = writeNpy(options.outputs[i], tensors[i]->spec, tensors[i]->data()))
      return error;
  return llvm::Error::success();
}

llvm::Expected<bool> Run::checkAgainst(size_t output, const void *expected) {
  Tensor &tensor = *outputs()[output];
  Tolerance tolerance = options.tolerance;
  bool lowered = options.precision != "program" && elementTypeInfo(tensor.spec.element).floating;
  if (lowered && !tolerance.relative)
    tolerance.relative = std::max(options.precision == "int8" ? int8Tolerance : defaultRelativeTolerance(ElementType::bf16),
                                  defaultRelativeTolerance(tensor.spec.element));
  Comparison comparison = compareTensors(tensor.spec, tensor.data(), expected, tolerance);
  report.checks.push_back(describeComparison(tensor.spec, comparison, tensor.data(), expected));
  if (lowered)
    report.checks.back() +=
        llvm::formatv(", mean absolute error {0:e2}, cosine similarity {1:f6}", comparison.meanAbsolute, comparison.cosine);
  report.errors.push_back({tensor.spec.what, comparison.largestAbsolute, comparison.meanAbsolute, comparison.cosine});
  return comparison.passed;
}

llvm::Expected<bool> Run::check() {
  bool passed = true;
  auto note = [&](llvm::Expected<bool> equal) -> llvm::Error {
    if (!equal)
      return equal.takeError();
    passed &= *equal;
    return llvm::Error::success();
  };
  if (options.check == Check::files) {
    for (size_t i = 0; i < options.checkFiles.size(); ++i) {
      llvm::Expected<Tensor> expected = readTensor(options.checkFiles[i], outputs()[i]->spec);
      if (!expected)
        return expected.takeError();
      if (llvm::Error error = note(checkAgainst(i, expected->data())))
        return std::move(error);
    }
    return passed;
  }

  auto compiled = CompiledModel::compile(model->module(), compileOptions(options, signature, Pipeline::loops));
  if (!compiled)
    return compiled.takeError();
  auto reference = Execution::create(std::move(*compiled), signature);
  if (!reference)
    return reference.takeError();
  // Calls only read tensor arguments, so both models share them. Memref arguments are filled again, as before the first call.
  std::vector<Tensor> fresh;
  fresh.reserve(arguments.size());
  std::vector<Tensor *> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!signature.isMemref[i]) {
      pointers.push_back(&arguments[i]);
      continue;
    }
    llvm::Expected<Tensor> tensor = allocateTensor(arguments[i].spec);
    if (!tensor)
      return tensor.takeError();
    fresh.push_back(std::move(*tensor));
    if (llvm::Error error = fill(fresh.back(), i))
      return std::move(error);
    pointers.push_back(&fresh.back());
  }
  if (llvm::Error error = (*reference)->bind(pointers))
    return std::move(error);
  if (llvm::Error error = (*reference)->call())
    return std::move(error);
  size_t output = 0;
  for (Tensor &result : (*reference)->results)
    if (llvm::Error error = note(checkAgainst(output++, result.data())))
      return std::move(error);
  for (Tensor &memref : fresh)
    if (llvm::Error error = note(checkAgainst(output++, memref.data())))
      return std::move(error);
  return passed;
}

llvm::Error Run::benchmark() {
  // Fill memref arguments again, so that a model that accumulates into one starts from the same values.
  for (size_t i = 0; i < arguments.size(); ++i)
    if (signature.isMemref[i])
      if (llvm::Error error = fill(arguments[i], i))
        return error;
  std::optional<PeakMeter> peak;
  const PeakLoop *loop = report.flops ? peakLoop(report.flopsType) : nullptr;
  if (loop)
    peak.emplace(*loop, options.threads);
  report.time = bench([&] { execution->repeat(); }, peak ? &*peak : nullptr,
                      {options.minSeconds, options.repetitions, options.cold, options.threads});
  report.cold = options.cold;
  if (peak) {
    report.peakGflops = peak->gflops();
    report.peakInstruction = peak->measured().instruction;
  }
  return llvm::Error::success();
}

llvm::Error Run::profile() {
  const mlir::tpp::CompileReport &compiled = execution->model->report();
  const PeakLoop *loop = report.flops ? peakLoop(report.flopsType) : nullptr;
  std::optional<PeakMeter> peak;
  if (loop)
    peak.emplace(*loop, options.threads);
  auto call = [&] {
    execution->repeat();
    return llvm::Error::success();
  };
  auto times = profileCalls(*execution->model, call, peak ? &*peak : nullptr);
  if (!times)
    return times.takeError();
  report.profile = summarizeProfile(*times, compiled, options.threads, peak ? peak->gflops() : 0, report.flopsType);
  if (options.profileFile.empty())
    return llvm::Error::success();
  return writeTrace(*times, compiled, options.model, options.profileFile);
}

llvm::Error Run::emit() {
  using mlir::tpp::EmitKind;
  static const EmitKind kinds[] = {EmitKind::LLVM, EmitKind::Asm, EmitKind::Object, EmitKind::Shared};
  return mlir::tpp::emitModel(model->module(), compileOptions(options, signature, options.pipeline, ranges),
                              kinds[int(options.emit) - int(Emit::llvm)], options.emitFile);
}

// Reports the relayouts of a call. If there are weight arguments, also those of their prepacking, which runs again when they change.
llvm::Error Run::writeLayoutReport() {
  const mlir::tpp::CompileReport &compiled = execution->model->report();
  std::vector<mlir::tpp::MovesOfFunction> functions = {{signature.entry, compiled.moves}};
  if (llvm::any_of(execution->model->arguments(), [](const auto &argument) { return argument.isWeight; }))
    functions.push_back({mlir::tpp::getPrepackName(signature.entry), compiled.prepackMoves});
  return mlir::tpp::writeMoveReport(functions, options.layoutReport);
}

llvm::Expected<int> Run::operator()() {
  if (!options.ownThreads) {
    omp_set_dynamic(0);
    tpp_use_openmp();
  }
  if (llvm::Error error = load())
    return std::move(error);
  if (llvm::Error error = calibrate())
    return std::move(error);
  if (options.emit != Emit::none) {
    if (llvm::Error error = emit())
      return std::move(error);
    return 0;
  }
  if (llvm::Error error = prepareArguments())
    return std::move(error);
  if (llvm::Error error = compileAndCall())
    return std::move(error);
  if (llvm::Error error = writeOutputs())
    return std::move(error);
  bool passed = true;
  if (options.check != Check::none) {
    llvm::Expected<bool> equal = check();
    if (!equal)
      return equal.takeError();
    passed = *equal;
  }
  // Do not time a wrong result.
  if (options.bench && passed)
    if (llvm::Error error = benchmark())
      return std::move(error);
  if (options.profile && passed)
    if (llvm::Error error = profile())
      return std::move(error);
  if (!options.json.empty())
    if (llvm::Error error = writeJsonFile(report, options.json))
      return std::move(error);
  if (!options.layoutReport.empty())
    if (llvm::Error error = writeLayoutReport())
      return std::move(error);
  bool ownsStdout = options.json != "-" && options.layoutReport != "-";
  printSummary(report, ownsStdout ? llvm::outs() : llvm::errs());
  return passed ? 0 : exitCheckFailed;
}

llvm::Expected<int> runOnce(const Options &options) { return Run(options)(); }

} // namespace
} // namespace tpp::run

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  using namespace tpp::run;
  return runTool("tpp-run", argc, argv, parseOptions, helpText, runOnce);
}

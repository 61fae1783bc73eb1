// The flag table and its parsing. See Options.h. Scripts rely on the flags and their meaning (docs/tpp-run.md): never rename one.
#include "Options.h"
#include "../support/FlagReader.h"

#include <sched.h>
#include <thread>

namespace tpp::run {

using tools::Flag;
using Reader = tools::FlagReader;

static const std::vector<Flag> table = {
    {"--entry", "NAME", "function to call (the only public function with a body, else main)"},
    {"--input", "SPEC[,SPEC...]", "one per argument: random[:SEED], zeros, ones, NUMBER or FILE.npy (random:0)"},
    {"--weights", "N|N-M[,...]",
     "indices (from 0) of arguments that are the same in every call; what depends only on them is computed once"},
    {"--output", "FILE.npy[,...]", "write results, then memref arguments (bf16 as its uint16 bits)"},
    {"--check", "reference|FILE.npy[,...]",
     "compare with --pipeline=loops on the same inputs, or with files; exit status 2 if outside the tolerance"},
    {"--rtol", "R", "relative tolerance (f64 1e-10, f32 1e-4, f16 1e-2, bf16 3e-2, integers 0)"},
    {"--atol", "A", "absolute tolerance (the relative one times the largest expected magnitude)"},
    {"--bench", nullptr, "time each call: min, median, 95th percentile; also measure the machine's peak"},
    {"--min-time", "S", "time for at least S seconds (1)"},
    {"--reps", "N", "time exactly N calls instead"},
    {"--cold", nullptr, "evict the caches before each timed call"},
    {"--profile", "[FILE.json]", "time every kernel invocation of a call; with a file, also write a trace for ui.perfetto.dev"},
    {"--threads", "N", "threads (all available cores)"},
    {"--threading", "openmp|pool", "where they come from: OpenMP, or the runtime's own pool (openmp)"},
    {"--pipeline", "default|loops", "default: optimized; loops: plain loops, the reference (default)"},
    {"--provider", "NAME", "provider of the kernels: auto, xsmm, native or reference (auto)"},
    {"--target", "TARGET", "machine to compile for: host, a name, an attribute or a file (host)"},
    {"--precision", "program|bf16|int8",
     "contractions of f32 values on operands rounded to bf16, or with constant weights on 8-bit integers (program)"},
    {"--winograd", "auto|always|off",
     "Winograd's algorithm for 3x3 convolutions: auto where it is estimated to be faster (auto)"},
    {"--denormals", "keep|zero",
     "numbers too small for all digits (for f32, below 2^-126): keep them, or compute with zeros, which is faster (keep)"},
    {"--calibrate", "FILE.npy[,...]",
     "int8: take the ranges of values from a run on these inputs, one file per argument, or several runs"},
    {"--packing", "STRATEGY", "packing strategy: default, none, an attribute or a FILE.json of tuning records (default)"},
    {"--transform", "FILE", "apply a transform-dialect script to the model first"},
    {"--load-dialect-plugin", "FILE[,FILE...]", "load libraries that add dialects, attributes or layout rules"},
    {"--json", "FILE|-", "write one JSON object; with -, to stdout, and the summary goes to stderr"},
    {"--layout-report", "FILE|-",
     "list every relayout and copy of a call with its reason, as JSON if FILE ends in .json; - as for --json"},
    {"--emit", "llvm|asm|obj|shared", "write the compiled model to the file given by -o instead of running it"},
    {"-o", "FILE", "output file of --emit; the C header and FILE.weights are written to the same folder"},
    {"--help", nullptr, "print this help"},
};

std::string helpText() {
  return "usage: tpp-run MODEL [flags]\n\nCompiles a tensor program (MLIR text or bytecode: linalg on tensors, or TOSA) and runs "
         "it.\n"
         "Exit status: 0 good, 1 bad input or unsupported, 2 a check failed.\n\n" +
         tools::flagHelp(table) +
         "\n"
         "  tpp-run MODEL --check=reference                   compare the result with that of plain loops\n"
         "  tpp-run MODEL --threads=1 --bench                 time it, and compare with the peak of one core\n"
         "  tpp-run MODEL --threads=1 --profile               time spent in each kernel\n"
         "  tpp-run MODEL --layout-report=-                   relayouts and copies of a call, and their reasons\n"
         "  tpp-run MODEL --threads=1 --emit=obj -o model.o   for a C program: model.o, model.h, model.o.weights\n"
         "\n"
         "All flags in detail: docs/tpp-run.md. Introduction: docs/tutorial.md.\n";
}

int availableCores() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

static void requireNpy(Reader &reader, const char *flag, const std::vector<std::string> &files) {
  for (const std::string &file : files)
    if (!llvm::StringRef(file).ends_with(".npy"))
      reader.note(std::string(flag) + ": '" + file + "' does not end in .npy");
}

static llvm::Error readInputs(const tools::ParsedLine &line, Options &options) {
  const std::string *given = line.find("--input");
  if (!given)
    return llvm::Error::success();
  std::vector<std::string> parts;
  std::string problem = tools::splitList("--input", *given, parts);
  if (!problem.empty())
    return makeError(problem);
  options.inputs.emplace();
  for (const std::string &part : parts) {
    llvm::Expected<InputSpec> input = parseInputSpec(part);
    if (!input)
      return makeError("--input: " + llvm::toString(input.takeError()));
    options.inputs->push_back(*input);
  }
  return llvm::Error::success();
}

// Rejects flags that control kernels, tiles or layouts with --pipeline=loops, which uses none of them.
static void refuseForLoops(Reader &reader, const Options &options) {
  if (options.pipeline != Pipeline::loops)
    return;
  auto refuse = [&](const char *flag, const char *why) {
    reader.note(std::string(flag) + " has no effect with --pipeline=loops, " + why);
  };
  if (options.provider != "auto")
    refuse("--provider", "which calls no kernels");
  if (!options.packing.empty() && options.packing != "default")
    refuse("--packing", "which packs nothing");
  if (options.precision != "program")
    refuse("--precision", "which computes what the program says");
  if (options.winograd != "auto")
    refuse("--winograd", "which computes convolutions directly");
  if (options.denormals != "keep")
    refuse("--denormals", "which computes what the program says");
  if (options.profile)
    refuse("--profile", "which calls no kernels");
  if (!options.target.empty() && options.target != "host" && options.emit == Emit::none)
    refuse("--target", "unless --emit writes code for it");
}

llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments) {
  Options options;
  tools::ParsedLine line;
  std::string problem = tools::parseLine(arguments, table, line);
  if (!problem.empty())
    return makeError(problem);
  if (line.find("--help")) {
    options.help = true;
    return options;
  }

  Reader reader(line);
  reader.model(options.model);
  options.threads = availableCores();
  reader.text("--entry", options.entry);
  reader.positions("--weights", 0, "argument", options.weights);
  reader.list("--output", options.outputs);
  requireNpy(reader, "--output", options.outputs);
  if (const std::string *check = line.find("--check")) {
    options.check = *check == "reference" ? Check::reference : Check::files;
    if (options.check == Check::files) {
      reader.list("--check", options.checkFiles);
      requireNpy(reader, "--check (reference, or files)", options.checkFiles);
    }
  }
  reader.real("--rtol", 0, 1e300, options.tolerance.relative);
  reader.real("--atol", 0, 1e300, options.tolerance.absolute);
  options.bench = reader.has("--bench");
  reader.real("--min-time", 0, 86400, options.minSeconds);
  reader.integer("--reps", 1, 1000000000, options.repetitions);
  options.cold = reader.has("--cold");
  options.profile = reader.has("--profile");
  reader.text("--profile", options.profileFile);
  if (!options.profileFile.empty() && !llvm::StringRef(options.profileFile).ends_with(".json"))
    reader.note("--profile: '" + options.profileFile + "' does not end in .json");
  reader.integer("--threads", 1, mostThreads, options.threads);
  options.ownThreads = reader.choice("--threading", {"openmp", "pool"}, 0) == 1;
  options.pipeline = Pipeline(reader.choice("--pipeline", {"default", "loops"}, 0));
  std::vector<std::string> providers;
#define TPP_PROVIDER(name, value, summary) providers.push_back(#name);
#include "tpp/kinds.def"
  reader.choice("--provider", providers, 0);
  reader.text("--provider", options.provider);
  reader.text("--target", options.target);
  reader.choice("--precision", {"program", "bf16", "int8"}, 0);
  reader.text("--precision", options.precision);
  reader.choice("--winograd", {"auto", "always", "off"}, 0);
  reader.text("--winograd", options.winograd);
  reader.choice("--denormals", {"keep", "zero"}, 0);
  reader.text("--denormals", options.denormals);
  reader.list("--calibrate", options.calibration);
  requireNpy(reader, "--calibrate", options.calibration);
  if (!options.calibration.empty() && options.precision != "int8")
    reader.note("--calibrate has no effect without --precision=int8");
  reader.text("--packing", options.packing);
  reader.text("--transform", options.transform);
  reader.list("--load-dialect-plugin", options.plugins);
  reader.text("--json", options.json);
  reader.text("--layout-report", options.layoutReport);
  options.emit = Emit(1 + reader.choice("--emit", {"llvm", "asm", "obj", "shared"}, -1));
  reader.text("-o", options.emitFile);

  for (const char *flag : {"--rtol", "--atol"})
    reader.needs(flag, "--check");
  for (const char *flag : {"--min-time", "--reps", "--cold"})
    reader.needs(flag, "--bench");
  reader.excludes("--min-time", "--reps");
  reader.needs("-o", "--emit");
  if (options.emit != Emit::none && options.emitFile.empty())
    reader.note("--emit needs -o FILE");
  for (const char *flag : {"--input", "--output", "--check", "--bench", "--profile", "--json", "--layout-report"})
    reader.excludes("--emit", flag);
  if (!options.json.empty() && options.json == options.layoutReport)
    reader.note("--json and --layout-report cannot both go to " + (options.json == "-" ? "stdout" : "'" + options.json + "'"));
  refuseForLoops(reader, options);
  if (!reader.problem.empty())
    return makeError(reader.problem);
  if (llvm::Error error = readInputs(line, options))
    return std::move(error);
  return options;
}

} // namespace tpp::run

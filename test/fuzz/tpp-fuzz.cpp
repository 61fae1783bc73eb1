// tpp-fuzz: runs random small programs through both pipelines, in one process per worker.
//
//   tpp-fuzz --seeds=0:300 --workers=2     checks seeds 0 to 299; exit 1 if one fails
//   tpp-fuzz --fresh=2000                  checks 2000 seeds that no earlier run has checked, and shows progress
//   tpp-fuzz --seed=17 --print             prints seed 17's program and exits
//   tpp-fuzz --seed=17 --result=9 --cut=4,6   checks a part of it, with the options that a failure report prints
//
// Workers are forked, so that a crash of generated code is reported like any other failure: the parent reports the seed and
// continues with the next one. A failing program is shrunk to fewer operations; each candidate runs in its own process.
#include "Check.h"
#include "Generator.h"
#include "Progress.h"
#include "Summary.h"

#include "lowering/Pipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tpp::fuzz;
namespace cl = llvm::cl;

namespace {

cl::OptionCategory category("tpp-fuzz");
cl::opt<std::string> seedsOption("seeds", cl::cat(category), cl::desc("range of seeds FIRST:END, END excluded"),
                                 cl::init("0:300"));
cl::opt<int64_t> freshOption("fresh", cl::cat(category),
                             cl::desc("check N seeds that start at a number derived from the clock; shows progress"),
                             cl::init(0));
cl::opt<int64_t> seedOption("seed", cl::cat(category), cl::desc("check one seed in this process"), cl::init(-1));
cl::opt<bool> printOption("print", cl::cat(category), cl::desc("print the program of --seed instead of checking it"));
cl::opt<int> workersOption("workers", cl::cat(category), cl::desc("number of processes that share the seeds"), cl::init(1));
cl::opt<int> maxFailuresOption("max-failures", cl::cat(category), cl::desc("stop a worker after N failing seeds"), cl::init(5));
cl::opt<bool> shrinkOption("shrink", cl::cat(category), cl::desc("shrink failing programs"), cl::init(true));
cl::opt<unsigned> timeoutOption("timeout", cl::cat(category), cl::desc("seconds after which a seed fails as hanging"),
                                cl::init(120));
cl::opt<std::string> providerOption("provider", cl::cat(category), cl::desc("provider of the default pipeline's kernels"),
                                    cl::init("auto"));
cl::opt<std::string> packingOption("packing", cl::cat(category),
                                   cl::desc("packing strategy of the default pipeline; random: a different one for each seed"),
                                   cl::init("default"));
cl::opt<int64_t> l2BytesOption("l2-bytes", cl::cat(category),
                               cl::desc("bytes of L2 of the machine that the default pipeline compiles for, whose L3 is slow; 0: "
                                        "this machine, with --packing=random only for half of the seeds"),
                               cl::init(0));
cl::opt<bool> requireKindsOption("require-kinds", cl::cat(category),
                                 cl::desc("fail if the programs contain too few kinds of operations"));
cl::list<int> resultOption("result", cl::cat(category),
                           cl::desc("return these values of --seed's program instead of its results"), cl::CommaSeparated);
cl::list<int> cutOption("cut", cl::cat(category), cl::desc("make these values of --seed's program arguments"),
                        cl::CommaSeparated);

constexpr int64_t mostSeeds = 1000000000; // of one run
constexpr size_t requiredKinds = 40;
constexpr int64_t smallL2Bytes = 8192; // which does not hold all values of a small program: contractions are computed in bands

// A random packing strategy with small tasks in any order: most contractions of a program are split into several tasks. Half of the strategies cut
// activations into tiles.
std::string makePacking(uint64_t seed) {
  Random random(seed);
  auto fields = [&] {
    constexpr int64_t vector = 16; // of f32, on the widest target
    const char *orders[] = {"auto", "rows", "columns", "blocked", "curve"};
    int64_t panel = vector * random.below(5);
    int64_t nc = vector * random.between(1, panel == 0 ? 3 : panel / vector);
    return "panel = " + std::to_string(panel) + ", mc = " + std::to_string(random.between(1, 9)) +
           ", nc = " + std::to_string(nc) + ", order = " + orders[random.below(5)];
  };
  auto tiles = [&] {
    const int64_t sizes[] = {0, 2, 3, 4, 8, 16, 32};
    auto size = [&] { return std::to_string(sizes[random.below(7)]); };
    std::string a = ", a = [" + size() + ", " + size() + "]", c = ", c = [" + size() + ", " + size() + "]";
    return random.below(4) == 0 ? a : random.below(4) == 0 ? c : a + c;
  };
  std::string all = fields(), few = fields();
  if (random.below(2) == 0)
    all += tiles(), few += tiles();
  return "#tpp.packing_fixed<" + all + ", small_batch = <" + few + ">>";
}

CheckOptions optionsFor(uint64_t seed) {
  const bool random = packingOption == "random";
  return {seed % 4 == 3 ? 2 : 1, seed % 2 == 0, providerOption, random ? makePacking(seed) : packingOption.getValue(),
          random && l2BytesOption == 0 && seed / 4 % 2 == 0 ? smallL2Bytes : l2BytesOption.getValue()};
}

// `shared`: where to count the program, or null.
Report checkSeed(uint64_t seed, const Selection *selection = nullptr, Shared *shared = nullptr) {
  static Checker *checker = new Checker; // never destroyed: processes end by _exit
  Program program = Generator(seed).generate();
  if (shared)
    shared->count(program);
  return checker->check(program, selection ? *selection : program.everything(), optionsFor(seed));
}

void leave(int code) {
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(code);
}

// Runs `body` in a child process. Returns the status that waitpid reports.
int inChild(llvm::function_ref<int()> body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(timeoutOption);
    leave(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::string describe(int status) {
  if (!WIFSIGNALED(status))
    return "";
  if (WTERMSIG(status) == SIGALRM)
    return "does not end within " + std::to_string(timeoutOption) + " s\n";
  return "ends with signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")\n";
}

std::string list(llvm::iterator_range<std::set<int>::const_iterator> values) {
  return llvm::join(llvm::map_range(values, [](int x) { return std::to_string(x); }), ",");
}

// Shrinks a failing program: finds the first operation that fails as the only result, then cuts every node that keeps it failing.
Selection shrink(uint64_t seed, const Program &program) {
  // Discards the error output of the candidates; only the shrunken program matters.
  auto fails = [&](const Selection &selection) {
    return inChild([&] {
             int nowhere = open("/dev/null", O_WRONLY);
             if (nowhere >= 0)
               dup2(nowhere, STDERR_FILENO);
             return checkSeed(seed, &selection).passed ? 0 : 1;
           }) != 0;
  };
  Selection best = program.everything();
  for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
    if (program.nodes[i].kind != Node::Kind::operation || !fails({{i}, {}}))
      continue;
    best = {{i}, {}};
    break;
  }
  for (int i = static_cast<int>(program.nodes.size()) - 1; i >= 0; --i) {
    Selection candidate = best;
    candidate.cut.insert(i);
    if (program.nodes[i].kind == Node::Kind::argument || llvm::is_contained(best.results, i) ||
        program.arguments(candidate) == program.arguments(best))
      continue;
    if (fails(candidate))
      best = candidate;
  }
  return best;
}

// The options that change what is checked, as text that follows the seeds in a command; empty if they are the defaults.
std::string otherOptions(const std::string &packing, int64_t l2Bytes) {
  std::string text;
  if (providerOption != "auto")
    text += " --provider=" + providerOption;
  if (packing != "default")
    text += " '--packing=" + packing + "'";
  if (l2Bytes != 0)
    text += " --l2-bytes=" + std::to_string(l2Bytes);
  return text;
}

// Each message is one write, so that those of several workers do not mix.
void reportFailure(uint64_t seed, const std::string &message) {
  Program program = Generator(seed).generate();
  llvm::errs() << Progress::lineStart() + ("seed " + std::to_string(seed) + " fails\n" + message);
  Selection selection = shrinkOption ? shrink(seed, program) : program.everything();
  const CheckOptions options = optionsFor(seed);
  std::string command = "reproduce: tpp-fuzz --seed=" + std::to_string(seed) + " --result=" +
                        llvm::join(llvm::map_range(selection.results, [](int x) { return std::to_string(x); }), ",");
  if (!selection.cut.empty())
    command += " --cut=" + list(selection.cut);
  llvm::errs() << Progress::lineStart() + command + otherOptions(options.packing, options.l2Bytes) + "\n" +
                      program.print(selection) + "\n";
}

// Checks seeds first, first + step, ... below end in forked processes. Returns the number of failing seeds.
int supervise(int64_t first, int64_t end, int64_t step, Shared *shared) {
  int failures = 0;
  for (int64_t next = first; next < end && failures < maxFailuresOption;) {
    shared->message[0] = '\0';
    pid_t child = fork();
    if (child == 0) {
      for (int64_t seed = next; seed < end; seed += step) {
        shared->seed = seed;
        alarm(timeoutOption);
        Report report = checkSeed(static_cast<uint64_t>(seed), nullptr, shared);
        if (!report.passed) {
          std::strncpy(shared->message, report.message.c_str(), sizeof shared->message - 1);
          leave(1);
        }
        shared->addReport(report);
      }
      leave(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return failures;
    ++failures;
    shared->addFailure();
    reportFailure(static_cast<uint64_t>(shared->seed), WIFSIGNALED(status) ? describe(status) : shared->message);
    next = shared->seed + step;
  }
  return failures;
}

// Waits for the workers and shows progress if there is any to show. Returns whether a worker failed.
bool waitFor(std::vector<pid_t> workers, llvm::ArrayRef<Shared *> shared, Progress *progress) {
  bool failed = false;
  while (!workers.empty()) {
    usleep(50000);
    llvm::erase_if(workers, [&](pid_t worker) {
      int status = 0;
      bool ended = waitpid(worker, &status, WNOHANG) == worker;
      failed |= ended && status != 0;
      return ended;
    });
    if (!progress)
      continue;
    int64_t checked = 0, failures = 0;
    for (const Shared *worker : shared)
      checked += worker->checked, failures += worker->failed;
    progress->show(checked + failures, failures);
  }
  if (progress)
    progress->clear();
  return failed;
}

int checkRange(int64_t first, int64_t end, Progress *progress) {
  std::vector<Shared *> shared;
  std::vector<pid_t> workers;
  for (int i = 0; i < workersOption; ++i) {
    shared.push_back(Shared::create());
    if (!shared.back()) {
      llvm::errs() << "tpp-fuzz: error: no shared memory\n";
      leave(1);
    }
    pid_t worker = fork();
    if (worker == 0)
      leave(supervise(first + i, end, workersOption, shared.back()) ? 1 : 0);
    workers.push_back(worker);
  }
  bool failed = waitFor(std::move(workers), shared, progress);
  size_t kinds = summarize(end - first, shared);
  // A passing run is worthless if the generator produces too few kinds of operations.
  if (requireKindsOption && kinds < requiredKinds) {
    llvm::errs() << "tpp-fuzz: error: the programs contain only " << kinds << " kinds of operations, not " << requiredKinds
                 << "\n";
    failed = true;
  }
  return failed ? 1 : 0;
}

int checkFresh() {
  // Milliseconds: later runs start at higher numbers than this one reaches, because a program takes longer than that.
  int64_t first =
              std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(),
          end = first + freshOption;
  llvm::outs() << "repeat this run: tpp-fuzz --seeds=" << first << ":" << end << otherOptions(packingOption, l2BytesOption)
               << "\n";
  llvm::outs().flush();
  Progress progress(freshOption);
  return checkRange(first, end, &progress);
}

int checkOne() {
  Program program = Generator(static_cast<uint64_t>(seedOption)).generate();
  Selection selection = program.everything();
  if (!resultOption.empty())
    selection.results.assign(resultOption.begin(), resultOption.end());
  selection.cut.insert(cutOption.begin(), cutOption.end());
  for (int node : llvm::concat<const int>(resultOption, cutOption))
    if (node < 0 || node >= static_cast<int>(program.nodes.size())) {
      llvm::errs() << "tpp-fuzz: error: seed " << seedOption << " has no value " << node << "\n";
      return 1;
    }
  if (printOption) {
    llvm::outs() << program.print(selection);
    return 0;
  }
  Report report = checkSeed(static_cast<uint64_t>(seedOption), &selection);
  llvm::errs() << report.message << (report.passed ? "passes\n" : "fails\n");
  leave(report.passed ? 0 : 1);
  return 1;
}

// The error of options that do not fit together, or an empty text.
const char *mistake() {
  if ((freshOption.getNumOccurrences() > 0) + (seedsOption.getNumOccurrences() > 0) + (seedOption.getNumOccurrences() > 0) > 1)
    return "--fresh, --seeds and --seed exclude each other";
  if (freshOption.getNumOccurrences() > 0 && (freshOption < 1 || freshOption > mostSeeds))
    return "--fresh must be at least 1 and at most 1000000000";
  return workersOption < 1 ? "--workers must be at least 1" : "";
}

} // namespace

#ifdef __has_feature
#if __has_feature(address_sanitizer)
// LLVM's allocators poison memory explicitly, both inline and in its shared libraries. The libraries are not instrumented, so the poison marks do not
// agree: without this option, programs fail at random. ASAN_OPTIONS in the environment adds to these.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=0"; }
#endif
#endif

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Checks random programs through the default and the loops pipeline\n");
  mlir::tpp::registerTppPasses(); // a check runs a pass again from its text
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  if (*mistake()) {
    llvm::errs() << "tpp-fuzz: error: " << mistake() << "\n";
    return 1;
  }
  if (freshOption > 0)
    return checkFresh();
  if (seedOption >= 0)
    return checkOne();
  auto [firstText, endText] = llvm::StringRef(seedsOption).split(':');
  int64_t first = 0, end = 0;
  if (firstText.getAsInteger(10, first) || endText.getAsInteger(10, end) || first < 0 || end <= first) {
    llvm::errs() << "tpp-fuzz: error: --seeds must be FIRST:END with 0 <= FIRST < END\n";
    return 1;
  }
  return checkRange(first, end, nullptr);
}

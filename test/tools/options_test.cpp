// Tests of tpp-run's command line: defaults, every flag, and the exact message of each mistake.
#include "support.h"
#include "tools/tpp-run/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace tpp::run {
namespace {

using test::textOf;

TEST(OptionsTest, HasTheDocumentedDefaults) {
  Options options = llvm::cantFail(parseOptions({"m.mlir"}));
  EXPECT_EQ(options.model, "m.mlir");
  EXPECT_EQ(options.entry, "");
  EXPECT_FALSE(options.inputs);
  EXPECT_EQ(options.check, Check::none);
  EXPECT_FALSE(options.bench);
  EXPECT_EQ(options.minSeconds, 1);
  EXPECT_EQ(options.repetitions, 0);
  EXPECT_EQ(options.threads, availableCores());
  EXPECT_EQ(options.pipeline, Pipeline::optimized);
  EXPECT_EQ(options.provider, "auto");
  EXPECT_EQ(options.emit, Emit::none);
}

// The flags that --help lists: the first word of each line that is indented by two spaces and starts with a dash.
std::set<std::string> flagsOfHelp() {
  std::set<std::string> flags;
  llvm::SmallVector<llvm::StringRef> lines;
  std::string help = helpText();
  llvm::StringRef(help).split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.consume_front("  ") && line.starts_with("-"))
      flags.insert(line.take_until([](char c) { return c == ' ' || c == '=' || c == '['; }).str());
  return flags;
}

TEST(OptionsTest, ReadsEveryFlag) {
  std::set<std::string> given;
  auto parse = [&](std::vector<std::string> words) {
    for (llvm::StringRef word : words)
      if (word.starts_with("-"))
        given.insert(word.split('=').first.str());
    return llvm::cantFail(parseOptions(words));
  };
  Options run = parse({"--entry=f",
                       "--input=random:7,ones,a.npy",
                       "--output=x.npy,y.npy",
                       "--check=reference",
                       "--rtol=1e-3",
                       "--atol=0",
                       "m.mlir",
                       "--bench",
                       "--reps=5",
                       "--cold",
                       "--threads=3",
                       "--pipeline=default",
                       "--provider=native",
                       "--target=t",
                       "--precision=int8",
                       "--winograd=off",
                       "--denormals=zero",
                       "--calibrate=c.npy,d.npy",
                       "--packing=p",
                       "--transform=s.mlir",
                       "--load-dialect-plugin=a.so,b.so",
                       "--json=-",
                       "--layout-report=r.json"});
  EXPECT_EQ(run.entry, "f");
  ASSERT_EQ(run.inputs->size(), 3u);
  EXPECT_EQ((*run.inputs)[0].seed, 7u);
  EXPECT_EQ((*run.inputs)[1].kind, InputSpec::Kind::constant);
  EXPECT_EQ((*run.inputs)[1].value, 1);
  EXPECT_EQ((*run.inputs)[2].path, "a.npy");
  EXPECT_EQ(run.outputs, (std::vector<std::string>{"x.npy", "y.npy"}));
  EXPECT_EQ(run.check, Check::reference);
  EXPECT_EQ(run.tolerance.relative, 1e-3);
  EXPECT_EQ(run.tolerance.absolute, 0.0);
  EXPECT_TRUE(run.bench);
  EXPECT_EQ(run.repetitions, 5);
  EXPECT_TRUE(run.cold);
  EXPECT_EQ(run.threads, 3);
  EXPECT_EQ(run.pipeline, Pipeline::optimized);
  EXPECT_EQ(run.provider, "native");
  EXPECT_EQ(run.target, "t");
  EXPECT_EQ(run.packing, "p");
  EXPECT_EQ(run.precision, "int8");
  EXPECT_EQ(run.winograd, "off");
  EXPECT_EQ(run.denormals, "zero");
  EXPECT_EQ(run.calibration, (std::vector<std::string>{"c.npy", "d.npy"}));
  EXPECT_EQ(run.transform, "s.mlir");
  EXPECT_EQ(run.plugins, (std::vector<std::string>{"a.so", "b.so"}));
  EXPECT_EQ(run.json, "-");
  EXPECT_EQ(run.layoutReport, "r.json");
  EXPECT_EQ(parse({"m", "--bench", "--min-time=2.5"}).minSeconds, 2.5);
  EXPECT_EQ(parse({"m", "--weights=7,1-3"}).weights, (std::vector<int64_t>{1, 2, 3, 7}));
  EXPECT_EQ(parse({"m", "--check=a.npy,b.npy"}).checkFiles, (std::vector<std::string>{"a.npy", "b.npy"}));
  Options object = parse({"m", "--emit=obj", "-o", "m.o"});
  EXPECT_EQ(object.emit, Emit::object);
  EXPECT_EQ(object.emitFile, "m.o");
  Options profiled = parse({"m", "--profile"}), traced = parse({"m", "--profile=trace.json"});
  EXPECT_TRUE(profiled.profile);
  EXPECT_EQ(profiled.profileFile, "");
  EXPECT_TRUE(traced.profile);
  EXPECT_EQ(traced.profileFile, "trace.json");
  EXPECT_EQ(parse({"m", "--pipeline=loops", "--provider=auto", "--target=host", "--packing=default"}).pipeline, Pipeline::loops);
  EXPECT_EQ(parse({"m", "--pipeline=loops", "--target=neon", "--emit=obj", "-o", "m.o"}).target, "neon");
  EXPECT_TRUE(parse({"m", "--threading=pool"}).ownThreads);
  EXPECT_FALSE(parse({"m", "--threading=openmp"}).ownThreads);
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_EQ(given, flagsOfHelp()) << "this test gives each flag of --help";
}

TEST(OptionsTest, NamesEachMistake) {
  const std::pair<std::vector<std::string>, std::string> rows[] = {
      {{}, "no model is given (see --help)"},
      {{""}, "the model's file name is empty"},
      {{"a", "b"}, "one model is expected, 'b' is superfluous"},
      {{"m", "--frobnicate"}, "unknown flag '--frobnicate' (see --help)"},
      {{"m", "--thread=2"}, "unknown flag '--thread', did you mean '--threads'?"},
      {{"m", "--threads=0"}, "--threads: '0' is not an integer from 1 to 1024"},
      {{"m", "--threads=-1"}, "--threads: '-1' is not an integer from 1 to 1024"},
      {{"m", "--threads=1000000"}, "--threads: '1000000' is not an integer from 1 to 1024"},
      {{"m", "--threads=two"}, "--threads: 'two' is not an integer from 1 to 1024"},
      {{"m", "--bench", "--reps=0"}, "--reps: '0' is not an integer from 1 to 1000000000"},
      {{"m", "--bench", "--reps=-3"}, "--reps: '-3' is not an integer from 1 to 1000000000"},
      {{"m", "--bench", "--min-time=-1"}, "--min-time: '-1' is not a number from 0 to 86400"},
      {{"m", "--bench", "--min-time=nan"}, "--min-time: 'nan' is not a number from 0 to 86400"},
      {{"m", "--bench", "--min-time=1e9"}, "--min-time: '1e9' is not a number from 0 to 86400"},
      {{"m", "--bench", "--min-time=1", "--reps=1"}, "--min-time and --reps cannot be combined"},
      {{"m", "--reps=3"}, "--reps has an effect only with --bench"},
      {{"m", "--min-time=3"}, "--min-time has an effect only with --bench"},
      {{"m", "--cold"}, "--cold has an effect only with --bench"},
      {{"m", "--rtol=1"}, "--rtol has an effect only with --check"},
      {{"m", "--check=reference", "--rtol=-1"}, "--rtol: '-1' is not a number from 0 to 1e+300"},
      {{"m", "--check=reference", "--atol=inf"}, "--atol: 'inf' is not a number from 0 to 1e+300"},
      {{"m", "--check=yes"}, "--check (reference, or files): 'yes' does not end in .npy"},
      {{"m", "--check=a.npy,"}, "--check: 'a.npy,' has an empty entry"},
      {{"m", "--output=a.txt"}, "--output: 'a.txt' does not end in .npy"},
      {{"m", "--pipeline=fast"}, "--pipeline: 'fast' is none of default, loops"},
      {{"m", "--pipeline=loops", "--packing=none"}, "--packing has no effect with --pipeline=loops, which packs nothing"},
      {{"m", "--pipeline=loops", "--denormals=zero"},
       "--denormals has no effect with --pipeline=loops, which computes what the program says"},
      {{"m", "--pipeline=loops", "--winograd=off"},
       "--winograd has no effect with --pipeline=loops, which computes convolutions directly"},
      {{"m", "--pipeline=loops", "--provider=xsmm"}, "--provider has no effect with --pipeline=loops, which calls no kernels"},
      {{"m", "--pipeline=loops", "--target=neon"},
       "--target has no effect with --pipeline=loops, unless --emit writes code for it"},
      {{"m", "--provider=mkl"}, "--provider: 'mkl' is none of auto, xsmm, native, reference"},
      {{"m", "--emit=exe", "-o", "x"}, "--emit: 'exe' is none of llvm, asm, obj, shared"},
      {{"m", "--emit=obj"}, "--emit needs -o FILE"},
      {{"m", "-o", "x"}, "-o has an effect only with --emit"},
      {{"m", "--emit=obj", "-o", "x", "--bench"}, "--emit and --bench cannot be combined"},
      {{"m", "--emit=obj", "-o", "x", "--profile"}, "--emit and --profile cannot be combined"},
      {{"m", "--profile=trace"}, "--profile: 'trace' does not end in .json"},
      {{"m", "--pipeline=loops", "--profile"}, "--profile has no effect with --pipeline=loops, which calls no kernels"},
      {{"m", "--emit=obj", "-o", "x", "--layout-report=r"}, "--emit and --layout-report cannot be combined"},
      {{"m", "--layout-report="}, "flag '--layout-report' needs a value: --layout-report=FILE|-"},
      {{"m", "--layout-report=a", "--layout-report=b"}, "flag '--layout-report' is given twice"},
      {{"m", "--json=-", "--layout-report=-"}, "--json and --layout-report cannot both go to stdout"},
      {{"m", "--json=r.json", "--layout-report=r.json"}, "--json and --layout-report cannot both go to 'r.json'"},
      {{"m", "--weights="}, "flag '--weights' needs a value: --weights=N|N-M[,...]"},
      {{"m", "--weights=w"}, "--weights: 'w' is not an integer from 0 to 1048576"},
      {{"m", "--weights=1,"}, "--weights: '1,' has an empty entry"},
      {{"m", "--weights=-1"}, "--weights: '' is not an integer from 0 to 1048576"},
      {{"m", "--weights=3-"}, "--weights: '' is not an integer from 3 to 1048576"},
      {{"m", "--weights=3-2"}, "--weights: '2' is not an integer from 3 to 1048576"},
      {{"m", "--weights=1-3,2"}, "--weights: argument 2 is given twice"},
      {{"m", "--input=two"},
       "--input: 'two' is not an input: write random[:SEED], zeros, ones, a number or a file that ends in .npy"},
      {{"m", "--input=ones,"}, "--input: 'ones,' has an empty entry"},
  };
  for (const auto &[arguments, message] : rows)
    EXPECT_EQ(textOf(parseOptions(arguments)), message);
}

// Scripts rely on these names.
TEST(OptionsTest, TheFlagsAreThoseOfTheContract) {
  EXPECT_EQ(flagsOfHelp(), (std::set<std::string>{"--entry",     "--input",
                                                  "--weights",   "--output",
                                                  "--check",     "--rtol",
                                                  "--atol",      "--bench",
                                                  "--min-time",  "--reps",
                                                  "--cold",      "--profile",
                                                  "--threads",   "--threading",
                                                  "--pipeline",  "--provider",
                                                  "--target",    "--precision",
                                                  "--calibrate", "--packing",
                                                  "--transform", "--load-dialect-plugin",
                                                  "--json",      "--layout-report",
                                                  "--emit",      "-o",
                                                  "--help",      "--winograd",
                                                  "--denormals"}));
}

} // namespace
} // namespace tpp::run

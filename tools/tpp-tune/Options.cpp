// The flag table and its parsing. See Options.h.
#include "Options.h"
#include "../support/FlagReader.h"
#include "../tpp-run/ElementType.h"
#include "../tpp-run/Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace tpp::tune {

static const std::vector<tools::Flag> table = {
    {"-o", "FILE", "write the fastest packings to a file of records for tpp-run --packing=FILE; the name must end in .json"},
    {"--only", "N[,N-M...]|REGEX", "tune only these contractions: numbers, or a regular expression over titles (all)"},
    {"--asm", "N|best", "for one contraction: print the assembly of variant N instead of tuning, or of the fastest after tuning"},
    {"--threads", "N", "threads (all available cores)"},
    {"--min-time", "S", "time each variant that is not dropped for at least S seconds over all rounds (0.2)"},
    {"--rounds", "N", "time all variants one after the other, N times (5)"},
    {"--cold", nullptr, "evict the caches before each timed call"},
    {"--entry", "NAME", "function to tune (the only public function with a body, else main)"},
    {"--weights", "N|N-M[,...]", "indices (from 0) of arguments that are the same in every call; packing them is not timed"},
    {"--target", "TARGET", "machine to compile for; its code must run here: host, a name, an attribute or a file (host)"},
    {"--help", nullptr, "print this help"},
};

std::string helpText() {
  return "usage: tpp-tune MODEL [flags]\n\nTimes each contraction of a tensor program with different packings, prints a table of "
         "them, and "
         "writes the fastest to a file.\nExit status: 0 good, 1 bad input, unsupported, or variants that disagree.\n\n" +
         tools::flagHelp(table) +
         "\n"
         "  tpp-tune MODEL --threads=1 -o records.json    then: tpp-run MODEL --threads=1 --packing=records.json --bench\n"
         "\n"
         "Details: docs/tpp-tune.md.\n";
}

static void readOnly(tools::FlagReader &reader, Options &options) {
  reader.text("--only", options.only);
  if (options.only.find_first_not_of("0123456789,-") == std::string::npos) {
    reader.positions("--only", 1, "contraction", options.list);
    options.only.clear();
    return;
  }
  std::string wrong;
  if (!llvm::Regex(options.only).isValid(wrong))
    reader.note("--only: '" + options.only + "' is not a regular expression: " + wrong);
}

static void readAssembly(tools::FlagReader &reader, Options &options) {
  std::string text;
  reader.text("--asm", text);
  if (text.empty())
    return;
  options.assembly.kind = text == "best" ? AssemblyChoice::Kind::best : AssemblyChoice::Kind::number;
  if (text == "best")
    return;
  if (!llvm::all_of(text, llvm::isDigit))
    reader.note("--asm: '" + text + "' is neither best nor the number of a variant");
  else
    reader.integer("--asm", 0, 1 << 20, options.assembly.number);
}

llvm::Expected<Options> parseOptions(const std::vector<std::string> &arguments) {
  Options options;
  tools::ParsedLine line;
  std::string problem = tools::parseLine(arguments, table, line);
  if (!problem.empty())
    return run::makeError(problem);
  if (line.find("--help")) {
    options.help = true;
    return options;
  }

  tools::FlagReader reader(line);
  reader.model(options.model);
  options.threads = run::availableCores();
  reader.text("-o", options.records);
  if (!options.records.empty() && !llvm::StringRef(options.records).ends_with(".json"))
    reader.note("-o: '" + options.records + "' does not end in .json, which --packing requires");
  readOnly(reader, options);
  readAssembly(reader, options);
  reader.integer("--threads", 1, run::mostThreads, options.threads);
  reader.real("--min-time", 0, 86400, options.minSeconds);
  reader.integer("--rounds", 1, 1000, options.rounds);
  options.cold = reader.has("--cold");
  reader.text("--entry", options.entry);
  reader.positions("--weights", 0, "argument", options.weights);
  reader.text("--target", options.target);
  if (options.assembly.kind == AssemblyChoice::Kind::number)
    for (const char *flag : {"-o", "--min-time", "--rounds", "--cold"})
      if (reader.has(flag))
        reader.note("--asm=" + std::to_string(options.assembly.number) + " times nothing: " + flag + " has no effect");
  if (!reader.problem.empty())
    return run::makeError(reader.problem);
  return options;
}

} // namespace tpp::tune

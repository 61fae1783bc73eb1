// tpp-tune: times the contractions of a tensor program with different packings and writes the fastest to a file. See --help and docs.
//
// This file contains the sequence of steps. Each step has its own file: Options (command line), Contractions (extracts the contractions of
// a model), Variants (packings to time), Tuner (compiles, compares and times), Report (table and records). tpp-run's files load, call and
// time models.
#include "../tpp-run/Tool.h"
#include "Report.h"
#include "Variants.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Regex.h"

namespace tpp::tune {
namespace {

// Whether the options select contraction `number` (from 1).
bool isWanted(const Options &options, int64_t number, llvm::StringRef title) {
  if (!options.list.empty())
    return llvm::is_contained(options.list, number);
  return options.only.empty() || llvm::Regex(options.only).match(title);
}

llvm::Expected<std::vector<size_t>> select(const std::vector<Contraction> &contractions, const Options &options) {
  std::vector<size_t> selected;
  std::string titles;
  for (auto [i, contraction] : llvm::enumerate(contractions)) {
    std::string title = contraction.title();
    titles += "\n  " + std::to_string(i + 1) + ": " + title;
    if (isWanted(options, int64_t(i) + 1, title))
      selected.push_back(i);
  }
  if (!options.list.empty() && options.list.back() > int64_t(contractions.size()))
    return run::makeError("--only: there is no contraction " + llvm::Twine(options.list.back()) + "; the model has" + titles);
  if (selected.empty())
    return run::makeError("--only: no title matches '" + options.only + "'; the model has" + titles);
  if (options.assembly.kind != AssemblyChoice::Kind::none && selected.size() != 1)
    return run::makeError("--asm is for one contraction, choose it with --only; the model has" + titles);
  return selected;
}

llvm::Error printAssembly(Contraction &contraction, const mlir::tpp::Packing &packing, const Options &options) {
  llvm::Expected<std::string> text = assemble(contraction, packing, options);
  if (!text)
    return text.takeError();
  llvm::outs() << *text;
  return llvm::Error::success();
}

llvm::Error printAssemblyOfNumber(Contraction &contraction, const Options &options) {
  std::vector<mlir::tpp::Packing> variants = getVariants(contraction.info);
  int64_t number = options.assembly.number;
  if (number >= int64_t(variants.size()))
    return run::makeError("--asm: there is no variant " + llvm::Twine(number) + ", the last one is " +
                          llvm::Twine(variants.size() - 1));
  return printAssembly(contraction, variants[number], options);
}

llvm::Error tuneAll(const Options &options) {
  if (!options.records.empty())
    if (llvm::Error error = checkWritable(options.records))
      return error;
  auto model = run::Model::load(options.model);
  if (!model)
    return model.takeError();
  llvm::Expected<std::vector<Contraction>> contractions = findContractions(**model, options);
  if (!contractions)
    return contractions.takeError();
  llvm::Expected<std::vector<size_t>> selected = select(*contractions, options);
  if (!selected)
    return selected.takeError();
  if (options.assembly.kind == AssemblyChoice::Kind::number)
    return printAssemblyOfNumber((*contractions)[selected->front()], options);

  std::vector<Tuned> tuned;
  for (size_t i : *selected) {
    Contraction &contraction = (*contractions)[i];
    std::string heading = llvm::formatv("contraction {0} of {1}: {2}", i + 1, contractions->size(), contraction.title()).str();
    llvm::raw_ostream &progress = llvm::errs().is_displayed() ? llvm::errs() : llvm::nulls(); // updates overwrite the line
    llvm::Expected<Results> results = tune(contraction, getVariants(contraction.info), options, progress);
    if (!results)
      return run::makeError(heading + ": " + llvm::toString(results.takeError()));
    llvm::outs() << heading << '\n';
    printTable(*results, llvm::outs());
    llvm::outs().flush();
    tuned.push_back({&contraction, std::move(*results)});
  }
  if (!options.records.empty())
    if (llvm::Error error = writeRecords(tuned, options, options.records))
      return error;
  if (options.assembly.kind == AssemblyChoice::Kind::best)
    return printAssembly(*tuned.front().contraction, tuned.front().results.best().packing, options);
  return llvm::Error::success();
}

llvm::Expected<int> tuneOnce(Options options) {
  if (llvm::Error error = tuneAll(options))
    return std::move(error);
  return 0;
}

} // namespace
} // namespace tpp::tune

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  using namespace tpp::tune;
  return tpp::run::runTool("tpp-tune", argc, argv, parseOptions, helpText, tuneOnce);
}

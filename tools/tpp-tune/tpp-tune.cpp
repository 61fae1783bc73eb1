// tpp-tune: times the contractions of a tensor program with different packings and writes the fastest to a file. See --help and docs.
//
// This file contains the sequence of steps. Each step has its own file: Options (command line), Contractions (extracts the contractions of
// a model), Variants (packings to time), Tuner (compiles, compares and times), Layouts (of the whole model's activations), Report (table and
// records). tpp-run's files load, call and time models.
#include "../tpp-run/Tool.h"
#include "Layouts.h"
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

llvm::Expected<Tuned> tuneOne(Contraction &contraction, const Options &options, llvm::raw_ostream &progress) {
  std::vector<mlir::tpp::Packing> packings = getVariants(contraction.info);
  llvm::Expected<Program> program = makeProgram(contraction, packings, options);
  if (!program)
    return program.takeError();
  llvm::Expected<Results> results = timeVariants(*program, options, progress);
  if (!results)
    return results.takeError();
  return Tuned{&contraction, packings, std::move(*results)};
}

// Times the model with its activations in tiles, and writes the tiles to the records if they make it faster.
llvm::Error tuneLayouts(run::Model &model, const std::vector<Tuned> &tuned, const Options &options, llvm::raw_ostream &progress) {
  std::string heading = "layouts of the model's activations: ";
  llvm::Expected<run::Signature> signature = model.signature(options.entry);
  if (!signature)
    return signature.takeError();
  if (!canTimeLayouts(*signature)) {
    llvm::outs() << heading << "not timed, because a call may change an argument\n";
    return llvm::Error::success();
  }
  llvm::Expected<LayoutResults> layouts = timeLayouts(model, tuned, options, progress);
  if (!layouts)
    return run::makeError(heading + llvm::toString(layouts.takeError()));
  std::optional<mlir::tpp::TileSizes> tiles = layouts->best();
  llvm::outs() << heading << layouts->verdict() << '\n';
  printTable(*layouts, llvm::outs());
  if (!tiles || options.records.empty())
    return llvm::Error::success();
  return writeRecords(tuned, tiles, options, options.records);
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

  llvm::raw_ostream &progress = llvm::errs().is_displayed() ? llvm::errs() : llvm::nulls(); // updates overwrite the line
  std::vector<Tuned> tuned;
  for (size_t i : *selected) {
    Contraction &contraction = (*contractions)[i];
    std::string heading = llvm::formatv("contraction {0} of {1}: {2}", i + 1, contractions->size(), contraction.title()).str();
    llvm::Expected<Tuned> result = tuneOne(contraction, options, progress);
    if (!result)
      return run::makeError(heading + ": " + llvm::toString(result.takeError()));
    llvm::outs() << heading << '\n';
    printTable(*result, llvm::outs());
    llvm::outs().flush();
    tuned.push_back(std::move(*result));
  }
  if (!options.records.empty())
    if (llvm::Error error = writeRecords(tuned, std::nullopt, options, options.records))
      return error;
  if (options.assembly.kind == AssemblyChoice::Kind::best)
    return printAssembly(*tuned.front().contraction, tuned.front().best(), options);
  return selected->size() == contractions->size() ? tuneLayouts(**model, tuned, options, progress) : llvm::Error::success();
}

llvm::Expected<int> tuneOnce(const Options &options) {
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

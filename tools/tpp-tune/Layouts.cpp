// Compiles a model with a file of records for each variant. See Layouts.h.
#include "Layouts.h"
#include "Variants.h"

#include "tpp/tpp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"

namespace tpp::tune {

using mlir::tpp::CompiledModel;
using mlir::tpp::CompileOptions;
using mlir::tpp::TileSizes;

constexpr int64_t firstTiled = 2; // the number of the first variant in tiles
constexpr double noise = 0.01;    // the minima of one variant differ by less in most pairs of runs

bool canTimeLayouts(const run::Signature &signature) { return !llvm::is_contained(signature.isMemref, true); }

std::optional<TileSizes> LayoutResults::best() const {
  double plain = std::min(results.of(0).min, results.of(1).min);
  const Result &fastest = results.best();
  if (fastest.number < firstTiled || fastest.min > (1 - noise) * plain)
    return std::nullopt;
  return tiles[fastest.number - firstTiled];
}

std::string LayoutResults::verdict() const {
  if (best())
    return "tiles are faster";
  bool helps = results.of(1).min < (1 + noise) * results.of(0).min;
  return helps ? "no tiles are faster" : "neither tiles nor these packings are faster than the cost model's";
}

llvm::Expected<LayoutResults> timeLayouts(run::Model &model, const std::vector<Tuned> &tuned, const Options &options,
                                          llvm::raw_ostream &progress) {
  LayoutResults layouts;
  layouts.tiles = getTileVariants(tuned.front().contraction->info);
  llvm::Expected<run::Signature> signature = model.signature(options.entry);
  if (!signature)
    return signature.takeError();
  Program program;
  program.signature = std::move(*signature);
  program.variants = firstTiled + int64_t(layouts.tiles.size());
  program.tolerance.relative = 0.1; // a sum in another order can round a quantized value of a layer differently
  program.compile = [&](int64_t number) -> llvm::Expected<std::unique_ptr<CompiledModel>> {
    CompileOptions compile;
    compile.entry = program.signature.entry;
    compile.threads = options.threads;
    compile.target = options.target;
    compile.weights = options.weights;
    compile.useMachine = [](const tpp_machine &machine) { tpp_set_machine(&machine); };
    if (number == 0)
      return CompiledModel::compile(model.module(), compile);
    std::optional<TileSizes> tiles;
    if (number >= firstTiled)
      tiles = layouts.tiles[number - firstTiled];
    llvm::SmallString<128> records;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("tpp-tune", "json", records))
      return run::makeError("cannot make a temporary file: " + error.message());
    llvm::FileRemover remover(records);
    if (llvm::Error error = writeRecords(tuned, tiles, options, records))
      return std::move(error);
    compile.packing = records.str().str();
    return CompiledModel::compile(model.module(), compile);
  };
  llvm::Expected<Results> results = timeVariants(program, options, progress);
  if (!results)
    return results.takeError();
  layouts.results = std::move(*results);
  return layouts;
}

void printTable(const LayoutResults &layouts, llvm::raw_ostream &stream) {
  stream << "  variant  packings     tiles           us    median\n";
  for (const Result &result : layouts.results.sorted) {
    std::string tiles = "none";
    if (result.number >= firstTiled) {
      const TileSizes &sizes = layouts.tiles[result.number - firstTiled];
      tiles = (sizes.rows == 0 ? "all" : std::to_string(sizes.rows)) + " x " + std::to_string(sizes.columns);
    }
    stream << llvm::formatv("  {0,7}  {1,-11}  {2,-8}  {3,9:f2} {4,9:f2}{5}{6}\n", result.number,
                            result.number == 0 ? "cost model" : "these", tiles, result.min * 1e6, result.median * 1e6,
                            result.number == 0 ? "  *" : "", result.dropped ? "  dropped" : "");
  }
}

} // namespace tpp::tune

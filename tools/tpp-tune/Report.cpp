// Prints the table and writes the records. See Report.h.
#include "Report.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace tpp::tune {

using mlir::tpp::ContractionInfo;
using mlir::tpp::DimensionRole;
using mlir::tpp::Packing;

// Formats a size; 0 means that the lowering chooses it.
static std::string sizeText(int64_t size) { return size == 0 ? "auto" : std::to_string(size); }

void printTable(const Tuned &tuned, llvm::raw_ostream &stream) {
  const Results &results = tuned.results;
  stream << "  variant  panel    kc    mc    nc  order         us    median   GFLOP/s  % peak\n";
  for (const Result &result : results.sorted) {
    const Packing &packing = tuned.packings[result.number];
    std::optional<double> percent = results.percentOfPeak(result);
    std::string panel = packing.panel == 0 ? "none" : std::to_string(packing.panel);
    std::string kc = packing.kc == 0 ? "all" : std::to_string(packing.kc);
    std::string share = percent ? llvm::formatv("{0:f1}", *percent).str() : "-";
    stream << llvm::formatv("  {0,7}  {1,5}  {2,4}  {3,4}  {4,4}  {5,-7}  {6,9:f2} {7,9:f2} {8,9:f1}  {9,6}{10}{11}\n",
                            result.number, panel, kc, sizeText(packing.mc), sizeText(packing.nc),
                            mlir::tpp::stringifyLoopOrder(packing.order), result.min * 1e6, result.median * 1e6,
                            results.gflops(result), share, result.number == 0 ? "  *" : "", result.dropped ? "  dropped" : "");
  }
}

llvm::Error checkWritable(llvm::StringRef path) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  if (fs::is_directory(path)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (fs::exists(path)) {
    error = fs::access(path, fs::AccessMode::Write);
  } else {
    llvm::StringRef folder = llvm::sys::path::parent_path(path);
    error = fs::access(folder.empty() ? "." : folder, fs::AccessMode::Write);
  }
  return error ? run::makeError(path + ": cannot write: " + error.message()) : llvm::Error::success();
}

static void writeMachine(llvm::json::OStream &json, const ContractionInfo &contraction, const Options &options) {
  mlir::tpp::TargetAttr target = contraction.target;
  json.attributeObject("machine", [&] {
    if (mlir::StringAttr cpu = target.getCpu())
      json.attribute("cpu", cpu.getValue());
    json.attribute("isa", target.getIsa().getValue());
    json.attributeArray("caches", [&] {
      for (int64_t bytes : target.getCaches().asArrayRef())
        json.value(bytes);
    });
    json.attribute("cores", target.getCores());
    json.attribute("threads", options.threads);
    json.attribute("caches_before_calls", options.cold ? "cold" : "warm");
  });
}

static void writePacking(llvm::json::OStream &json, const Packing &packing) {
  json.attributeObject("packing", [&] {
    json.attribute("panel", packing.panel);
    if (packing.kc != 0)
      json.attribute("kc", packing.kc);
    if (packing.mc != 0)
      json.attribute("mc", packing.mc);
    if (packing.nc != 0)
      json.attribute("nc", packing.nc);
    if (packing.order != mlir::tpp::LoopOrder::Auto)
      json.attribute("order", mlir::tpp::stringifyLoopOrder(packing.order));
    for (auto [key, tiles] : {std::pair("a", packing.a), {"c", packing.c}})
      if (tiles)
        json.attributeArray(key, [&, &sizes = *tiles] {
          json.value(sizes.rows);
          json.value(sizes.columns);
        });
  });
}

// The fastest packing; in tiles, with its panels: blocks and tasks that were timed on rows of any length do not apply.
static Packing getPacking(const Tuned &tuned, const std::optional<mlir::tpp::TileSizes> &tiles) {
  if (!tiles)
    return tuned.best();
  Packing packing;
  packing.panel = tuned.best().panel;
  packing.a = packing.c = tiles;
  return packing;
}

static void writeRecord(llvm::json::OStream &json, const Tuned &tuned, const std::optional<mlir::tpp::TileSizes> &tiles) {
  const ContractionInfo &contraction = tuned.contraction->info;
  const Results &results = tuned.results;
  const Result &best = results.best();
  json.object([&] {
    json.attributeArray("shape", [&] {
      for (DimensionRole role : {DimensionRole::Batch, DimensionRole::Row, DimensionRole::Column, DimensionRole::Reduction})
        json.value(contraction.getExtent(role));
    });
    json.attributeArray("types", [&] {
      for (mlir::Type type : {contraction.a().elementType, contraction.b().elementType, contraction.c().elementType})
        json.value(mlir::tpp::stringifyElementType(*mlir::tpp::getElementType(type)));
    });
    json.attribute("isa", contraction.target.getIsa().getValue());
    json.attribute("constant_b", contraction.b().isConstant);
    writePacking(json, getPacking(tuned, tiles));
    if (tiles)
      return; // measured with the whole model
    json.attributeObject("measured", [&] {
      json.attribute("seconds", best.min);
      json.attribute("seconds_median", best.median);
      json.attribute("seconds_cost_model", results.of(0).min);
      json.attribute("gflops", results.gflops(best));
      if (std::optional<double> percent = results.percentOfPeak(best))
        json.attribute("percent_of_peak", *percent);
    });
  });
}

llvm::Error writeRecords(const std::vector<Tuned> &tuned, const std::optional<mlir::tpp::TileSizes> &tiles,
                         const Options &options, llvm::StringRef path) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) {
    llvm::json::OStream json(stream, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("version", 1);
      writeMachine(json, tuned.front().contraction->info, options);
      json.attributeArray("records", [&] {
        for (const Tuned &one : tuned)
          writeRecord(json, one, tiles);
      });
    });
    stream << '\n';
    return llvm::Error::success();
  });
  return error ? run::makeError(path + ": cannot write: " + llvm::toString(std::move(error))) : llvm::Error::success();
}

} // namespace tpp::tune

// Writes lists of moves as text and as JSON (see MoveReport.h).
#include "lowering/report/MoveReport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace mlir::tpp {

// Each column is as wide as its widest cell; the last column is not padded.
static void writeTable(ArrayRef<SmallVector<std::string>> rows, raw_ostream &stream) {
  SmallVector<size_t> widths(rows.front().size(), 0);
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const auto &row : rows) {
    for (auto [width, cell] : llvm::zip_equal(ArrayRef(widths).drop_back(), ArrayRef(row).drop_back()))
      stream << "  " << llvm::left_justify(cell, width);
    stream << "  " << row.back() << '\n';
  }
}

// "/models/bert.mlir:12:3" becomes "bert.mlir:12:3"; an empty location becomes "-".
static std::string dropFolders(StringRef location) {
  return location.empty() ? "-" : location.substr(location.rfind('/') + 1).str();
}

static void writeFunctionText(const MovesOfFunction &function, raw_ostream &stream) {
  MoveTotals totals = sumMoves(function.moves);
  stream << llvm::formatv("@{0}: packs {1}, unpacks {2}, copies {3}, {4} bytes read and written in a call\n", function.name,
                          totals.packs, totals.unpacks, totals.copies, totals.bytes);
  if (function.moves.empty())
    return;
  std::vector<Move> moves = function.moves;
  llvm::stable_sort(moves, [](const Move &x, const Move &y) { return x.bytes > y.bytes; });
  SmallVector<SmallVector<std::string>> rows = {{"what", "times", "bytes", "from", "to", "where", "reason", "note"}};
  for (const Move &move : moves)
    rows.push_back({move.what, std::to_string(move.times), std::to_string(move.bytes), move.from, move.to,
                    dropFolders(move.location), getWord(move.reason).str(), move.note});
  writeTable(rows, stream);
}

void writeMoveText(ArrayRef<MovesOfFunction> functions, raw_ostream &stream) {
  llvm::interleave(functions, stream, [&](const MovesOfFunction &function) { writeFunctionText(function, stream); }, "\n");
}

void writeMove(const Move &move, llvm::json::OStream &json) {
  auto text = [&](StringRef name, StringRef value) { json.attribute(name, llvm::json::fixUTF8(value)); };
  auto optionalText = [&](StringRef name, StringRef value) {
    value.empty() ? json.attribute(name, nullptr) : json.attribute(name, llvm::json::fixUTF8(value));
  };
  text("what", move.what);
  text("from", move.from);
  text("to", move.to);
  optionalText("layout", move.layout);
  json.attribute("times", move.times);
  json.attribute("bytes", move.bytes);
  optionalText("location", move.location);
  text("reason", getWord(move.reason));
  text("note", move.note);
}

void writeMoveJson(ArrayRef<MovesOfFunction> functions, raw_ostream &stream) {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  auto writeFunction = [&](const MovesOfFunction &function) {
    MoveTotals totals = sumMoves(function.moves);
    json.attribute("name", llvm::json::fixUTF8(function.name));
    json.attribute("packs", totals.packs);
    json.attribute("unpacks", totals.unpacks);
    json.attribute("copies", totals.copies);
    json.attribute("copy_bytes", totals.bytes);
    json.attributeArray("moves", [&] {
      for (const Move &move : function.moves)
        json.object([&] { writeMove(move, json); });
    });
  };
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const MovesOfFunction &function : functions)
        json.object([&] { writeFunction(function); });
    });
  });
  stream << '\n';
}

llvm::Error writeFile(StringRef file, function_ref<void(raw_ostream &)> write) {
  if (file == "-") {
    write(llvm::outs());
    llvm::outs().flush();
    std::error_code error = llvm::outs().error();
    llvm::outs().clear_error(); // else the destructor of outs() aborts the process
    return error ? llvm::createStringError(error, "stdout: cannot write: " + error.message()) : llvm::Error::success();
  }
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error, llvm::sys::fs::OF_None);
  if (!error) {
    write(stream);
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return llvm::createStringError(error, file + ": cannot write: " + error.message());
  return llvm::Error::success();
}

llvm::Error writeMoveReport(ArrayRef<MovesOfFunction> functions, StringRef file) {
  return writeFile(file,
                   [&](raw_ostream &stream) { (file.ends_with(".json") ? writeMoveJson : writeMoveText)(functions, stream); });
}

bool isPrepack(func::FuncOp func) {
  std::optional<StringRef> entry = getPrepackedEntry(func.getName());
  return entry && SymbolTable::lookupSymbolIn(func->getParentOp(), *entry);
}

std::string nameFileOption(StringRef options) {
  options = options.trim();
  return (options.empty() || options.starts_with("file=") ? "" : "file=") + options.str();
}

} // namespace mlir::tpp

// Writes lists of moves, as text for people or as JSON for scripts. tpp-layout-report and tpp-run --layout-report use it. The helpers at
// the end are shared by the passes of this folder.
#ifndef TPP_LOWERING_REPORT_MOVEREPORT_H
#define TPP_LOWERING_REPORT_MOVEREPORT_H

#include "lowering/analysis/Moves.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::tpp {

struct MovesOfFunction {
  std::string name;
  std::vector<Move> moves;
};

/// Writes the totals of each function and a table of its moves, sorted by bytes, largest first.
void writeMoveText(ArrayRef<MovesOfFunction> functions, raw_ostream &stream);
/// Writes the attributes of a move: "what", "from", "to", "layout", "times", "bytes", "location", "reason" and "note". "layout" and "location" are
/// null if there is none.
void writeMove(const Move &move, llvm::json::OStream &json);
/// Writes {"functions": [{"name", "packs", "unpacks", "copies", "copy_bytes", "moves": [...]}]} with the attributes of
/// writeMove, in program order.
void writeMoveJson(ArrayRef<MovesOfFunction> functions, raw_ostream &stream);

/// Writes JSON if the file's name ends in .json, else text; "-" is stdout.
llvm::Error writeMoveReport(ArrayRef<MovesOfFunction> functions, StringRef file);

/// Writes to a file, or to stdout for "-". An error names the file.
llvm::Error writeFile(StringRef file, function_ref<void(raw_ostream &)> write);

/// Whether `func` is the @NAME_prepack of another function @NAME. It runs before the first call of @NAME, not in every call.
bool isPrepack(func::FuncOp func);

/// For a pass with the only option `file`, whose name may be omitted (--tpp-layout-graph=model.svg): adds "file=" if it is missing.
std::string nameFileOption(StringRef options);

} // namespace mlir::tpp

#endif

// Lists of moves for people and for scripts: what tpp-layout-report and tpp-run --layout-report write.
#ifndef TPP_LOWERING_REPORT_MOVEREPORT_H
#define TPP_LOWERING_REPORT_MOVEREPORT_H

#include "lowering/analysis/Moves.h"
#include "llvm/Support/Error.h"

namespace mlir::tpp {

struct MovesOfFunction {
  std::string name;
  std::vector<Move> moves;
};

/// For each function its totals and a table, the most bytes first.
void writeMoveText(ArrayRef<MovesOfFunction> functions, raw_ostream &stream);
/// {"functions": [{"name", "packs", "unpacks", "copies", "copy_bytes", "moves": [{"what", "from", "to", "layout", "times", "bytes",
/// "location", "reason", "note"}]}]} in the program's order; "layout" and "location" are null where there is none.
void writeMoveJson(ArrayRef<MovesOfFunction> functions, raw_ostream &stream);

/// JSON where the file's name ends in .json, else text; "-" is stdout.
llvm::Error writeMoveReport(ArrayRef<MovesOfFunction> functions, StringRef file);

/// Writes a file, or to stdout for "-"; an error names the file.
llvm::Error writeFile(StringRef file, function_ref<void(raw_ostream &)> write);

/// Whether a function is another one's @NAME_prepack, which runs once, before the first call.
bool isPrepack(func::FuncOp func);

/// The options of a pass that has one, `file`, which may be given without its name: --tpp-layout-graph=model.svg.
std::string nameFileOption(StringRef options);

} // namespace mlir::tpp

#endif

// Moves: operations of a compiled function that move data without computing (relayouts and copies), each with its reason.
//
// tpp-count-moves lists every move in the function attribute `tpp.moves`. The figures of tpp-run and the output of tpp-layout-report come
// from this list, so they agree. The reason for a move is known where a pass decides on it, several stages before the move is
// counted. It is therefore stored in the op's location: rewrites and bufferization copy the location to the ops they create.
#ifndef TPP_LOWERING_ANALYSIS_MOVES_H
#define TPP_LOWERING_ANALYSIS_MOVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "tpp_dialect/TppOps.h"

#include <string>
#include <vector>

namespace mlir::tpp {

/// The reason for a move. Reports print the word of getWord, and `tpp.moves` stores it (docs/layout-report.md).
enum class MoveReason { Edge, Contraction, Rule, Cost, Program, Conflict, Loop };
StringRef getWord(MoveReason reason);

/// An operation that only moves data.
struct Move {
  std::string what;     // pack, unpack, transpose, broadcast, pad, slice, concat, copy
  std::string from, to; // types without "tensor<>": 1x3x224x224xf32
  std::string layout;   // parameters of the #tpp.layout that a pack or transposition produces, or that an unpack undoes
  int64_t times = 1;    // executions in one call
  int64_t bytes = 0;    // read plus written, in one call
  std::string location; // of the op that needs the move, "file:line:column"; "" if the model has no locations
  MoveReason reason = MoveReason::Program;
  std::string note; // the reason in words
};

struct MoveTotals {
  int64_t packs = 0, unpacks = 0, copies = 0; // every other kind of move counts as a copy
  int64_t bytes = 0;
};
MoveTotals sumMoves(ArrayRef<Move> moves);

/// The moves listed in the function's attribute `tpp.moves`. nullopt if the attribute is missing (moves not counted yet) or is not a list of
/// moves.
std::optional<std::vector<Move>> getMoves(func::FuncOp func);
/// Appends to the list; creates it if it is missing.
void addMoves(func::FuncOp func, ArrayRef<Move> moves);

//===- remarks stored in locations ---------------------------------------------------------------------------------------------===//

/// The remark that a location stores about a move.
struct MoveRemark {
  std::string what; // the kind of move; "" if the op itself determines it
  std::optional<MoveReason> reason;
  std::string note;
};

/// Returns `loc` with a remark: ops created with it move data for this reason. Replaces an existing remark.
Location explainMove(Location loc, MoveReason reason, const Twine &note);
/// Returns `loc` with a remark that names the kind of move ("pad"), for ops that later become plain copies. Keeps the reason.
Location nameMove(Location loc, StringRef what);
MoveRemark getMoveRemark(Location loc);

/// Returns `loc` with the layout of the results of ops created with it.
Location noteLayout(Location loc, LayoutAttr layout);
/// The layout that results from applying `first`, then `second`. Two permutations are composed. Otherwise the result is `second`, or `first`
/// if `second` is the identity.
LayoutAttr stackLayouts(LayoutAttr first, LayoutAttr second);
/// The layout stored in `loc`; null if there is none. For a fused op, the layout of the last op that was fused.
LayoutAttr getNotedLayout(Location loc);

//===- describing ------------------------------------------------------------------------------------------------------------===//

/// "file:line:column", or the name of a location that has only a name; "" if it has neither. `shortened` drops the folders.
std::string getLocationText(Location loc, bool shortened = false);
/// The parameters of a layout, "inner_dims_pos = [1], inner_tiles = [16]"; "" for the identity.
std::string getLayoutText(LayoutAttr layout);
/// Where a value comes from, seen through reshapes or views: "computed at file:line:column", "argument 0" (of the program), "a weight",
/// "a constant".
std::string describeOrigin(Value value);

/// Describes the move that one execution of `op` performs, on tensors or buffers, with the remark of its location. nullopt if `op` is not
/// a move. Slices, pads and concatenations of tensors are not: only bufferization decides whether they move data.
std::optional<Move> describeMove(Operation *op);

} // namespace mlir::tpp

#endif

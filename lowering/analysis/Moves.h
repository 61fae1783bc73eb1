// What a call of a compiled function only moves, and why: relayouts and copies.
//
// tpp-count-moves lists every move in the function attribute `tpp.moves`; tpp-run's numbers, tpp-layout-report and tpp-layout-graph are
// made of that list, so they cannot disagree. Why something is moved is known where the move is decided, stages before it is counted:
// the reason travels in the op's location, the one thing that every rewrite and bufferization hand on to what they make of an op.
#ifndef TPP_LOWERING_ANALYSIS_MOVES_H
#define TPP_LOWERING_ANALYSIS_MOVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "tpp_dialect/TppOps.h"

#include <string>
#include <vector>

namespace mlir::tpp {

/// Why data is moved. The word is what reports print and what `tpp.moves` holds.
enum class MoveReason { Edge, Product, Rule, Cost, Program, Conflict, Loop };
StringRef getWord(MoveReason reason);

/// An operation that only moves data.
struct Move {
  std::string what;     // pack, unpack, transpose, broadcast, pad, slice, concat, copy
  std::string from, to; // types without "tensor<>": 1x3x224x224xf32
  std::string layout;   // of a pack or transposition: the parameters of the #tpp.layout it makes; of an unpack: that it undoes
  int64_t times = 1;    // in one call
  int64_t bytes = 0;    // read and written in one call
  std::string location; // of the op that needs the move, "file:line:column"; "" when the model holds no locations
  MoveReason reason = MoveReason::Program;
  std::string note; // the reason in words
};

struct MoveTotals {
  int64_t packs = 0, unpacks = 0, copies = 0; // everything but packs and unpacks is a copy
  int64_t bytes = 0;
};
MoveTotals sumMoves(ArrayRef<Move> moves);

/// The moves listed in a function's attribute; nullopt when it has none, since nobody has counted, or holds something else.
std::optional<std::vector<Move>> getMoves(func::FuncOp func);
/// Adds to the list; makes it when it is not there.
void addMoves(func::FuncOp func, ArrayRef<Move> moves);

//===- reasons that travel in locations ----------------------------------------------------------------------------------------===//

/// What a location says of the move at it.
struct MoveRemark {
  std::string what; // "" where the op itself tells
  std::optional<MoveReason> reason;
  std::string note;
};

/// `loc`, saying that the op made with it moves data for this reason. A remark that is there already is replaced.
Location explainMove(Location loc, MoveReason reason, const Twine &note);
/// `loc`, saying what the op made with it is once it has become a plain copy ("pad").
Location nameMove(Location loc, StringRef what);
MoveRemark getMoveRemark(Location loc);

/// `loc`, saying in which layout the results of the op made with it lie.
Location noteLayout(Location loc, LayoutAttr layout);
/// The layout of a value in layout `second` of what was in layout `first`.
LayoutAttr stackLayouts(LayoutAttr first, LayoutAttr second);
/// Null where nobody has noted one. Of an op made of several by fusion, the last one's.
LayoutAttr getNotedLayout(Location loc);

//===- describing ------------------------------------------------------------------------------------------------------------===//

/// "file:line:column", or the name of a location that has only that; "" where there is neither. `shortened` leaves folders out.
std::string getLocationText(Location loc, bool shortened = false);
/// The parameters of a layout, "inner_dims_pos = [1], inner_tiles = [16]"; "" of the identity.
std::string getLayoutText(LayoutAttr layout);
/// "computed at file:line:column", "argument 0" of the program, "a weight", "a constant": where a value on tensors comes from, seen through reshapes.
std::string describeOrigin(Value value);

/// The move that an op on tensors or buffers is, executed once, with what its location says of it; nullopt where it is none. Slices,
/// pads and concatenations of tensors are none: whether they move anything is only known on buffers.
std::optional<Move> describeMove(Operation *op);

} // namespace mlir::tpp

#endif

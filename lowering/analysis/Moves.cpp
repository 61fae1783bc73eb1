// The list of moves as an attribute, and the remarks in locations (see Moves.h). DescribeMoves.cpp derives moves from ops.
#include "lowering/analysis/Moves.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

namespace mlir::tpp {

static constexpr StringLiteral remarkName = "tpp.move", reasonName = "reason", noteName = "note";

static constexpr std::pair<MoveReason, StringLiteral> reasonWords[] = {
    {MoveReason::Edge, "edge"}, {MoveReason::Contraction, "contraction"}, {MoveReason::Rule, "no rule"},
    {MoveReason::Cost, "cost"}, {MoveReason::Program, "program"},         {MoveReason::Conflict, "conflict"},
    {MoveReason::Loop, "loop"},
};

StringRef getWord(MoveReason reason) {
  for (auto [value, word] : reasonWords)
    if (value == reason)
      return word;
  llvm_unreachable("a reason without a word");
}

static std::optional<MoveReason> getReason(StringRef text) {
  for (auto [value, word] : reasonWords)
    if (word == text)
      return value;
  return std::nullopt;
}

//===- the list ------------------------------------------------------------------------------------------------------------===//

// Adds with saturation: times and bytes are products of trip counts and may overflow.
static void addTo(int64_t &sum, int64_t value) {
  if (llvm::AddOverflow(sum, value, sum))
    sum = std::numeric_limits<int64_t>::max();
}

MoveTotals sumMoves(ArrayRef<Move> moves) {
  MoveTotals totals;
  for (const Move &move : moves) {
    addTo(move.what == "pack" ? totals.packs : move.what == "unpack" ? totals.unpacks : totals.copies, move.times);
    addTo(totals.bytes, move.bytes);
  }
  return totals;
}

static DictionaryAttr getAttr(const Move &move, MLIRContext *context) {
  Builder builder(context);
  SmallVector<NamedAttribute> fields;
  auto text = [&](StringRef name, StringRef value) {
    fields.push_back(builder.getNamedAttr(name, builder.getStringAttr(value)));
  };
  auto number = [&](StringRef name, int64_t value) {
    fields.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  };
  text("what", move.what);
  text("from", move.from);
  text("to", move.to);
  if (!move.layout.empty())
    text("layout", move.layout);
  number("times", move.times);
  number("bytes", move.bytes);
  if (!move.location.empty())
    text("location", move.location);
  text(reasonName, getWord(move.reason));
  text(noteName, move.note);
  return builder.getDictionaryAttr(fields);
}

static std::optional<Move> getMove(Attribute attr) {
  auto fields = dyn_cast<DictionaryAttr>(attr);
  if (!fields)
    return std::nullopt;
  auto text = [&](StringRef name) {
    auto value = fields.getAs<StringAttr>(name);
    return value ? value.str() : std::string();
  };
  auto times = fields.getAs<IntegerAttr>("times"), bytes = fields.getAs<IntegerAttr>("bytes");
  std::optional<MoveReason> reason = getReason(text(reasonName));
  if (!times || !bytes || !reason || text("what").empty())
    return std::nullopt;
  return Move{text("what"),   text("from"),     text("to"), text("layout"), times.getInt(),
              bytes.getInt(), text("location"), *reason,    text(noteName)};
}

std::optional<std::vector<Move>> getMoves(func::FuncOp func) {
  auto list = func->getAttrOfType<ArrayAttr>(kMovesAttr);
  if (!list)
    return std::nullopt;
  std::vector<Move> moves;
  for (Attribute attr : list) {
    std::optional<Move> move = getMove(attr);
    if (!move)
      return std::nullopt;
    moves.push_back(std::move(*move));
  }
  return moves;
}

void addMoves(func::FuncOp func, ArrayRef<Move> moves) {
  SmallVector<Attribute> list;
  if (getMoves(func)) // an attribute that is not a list of moves came with the input program and is replaced
    list = llvm::to_vector(func->getAttrOfType<ArrayAttr>(kMovesAttr));
  for (const Move &move : moves)
    list.push_back(getAttr(move, func.getContext()));
  func->setAttr(kMovesAttr, ArrayAttr::get(func.getContext(), list));
}

//===- locations -------------------------------------------------------------------------------------------------------------===//

// Remarks and layouts are stored in layers around an op's location. A layer is a fused location with metadata and exactly one inner
// location. A fusion of several ops' locations is not a layer, so the remarks inside it no longer apply.
static FusedLoc getLayer(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused && fused.getLocations().size() == 1 ? fused : FusedLoc();
}

static bool isRemark(Attribute metadata) {
  auto fields = dyn_cast_if_present<DictionaryAttr>(metadata);
  return fields && fields.contains(remarkName);
}

// Returns `loc` without the layers whose metadata `drops` accepts.
static Location dropLayers(Location loc, function_ref<bool(Attribute)> drops) {
  FusedLoc layer = getLayer(loc);
  if (!layer || !layer.getMetadata())
    return loc;
  Location inner = dropLayers(layer.getLocations().front(), drops);
  return drops(layer.getMetadata()) ? inner : FusedLoc::get(inner->getContext(), {inner}, layer.getMetadata());
}

static Location addRemark(Location loc, const MoveRemark &remark) {
  Builder builder(loc->getContext());
  SmallVector<NamedAttribute> fields = {builder.getNamedAttr(remarkName, builder.getStringAttr(remark.what))};
  if (remark.reason) {
    fields.push_back(builder.getNamedAttr(reasonName, builder.getStringAttr(getWord(*remark.reason))));
    fields.push_back(builder.getNamedAttr(noteName, builder.getStringAttr(remark.note)));
  }
  return FusedLoc::get(loc->getContext(), {dropLayers(loc, isRemark)}, builder.getDictionaryAttr(fields));
}

MoveRemark getMoveRemark(Location loc) {
  for (FusedLoc layer = getLayer(loc); layer; layer = getLayer(layer.getLocations().front())) {
    if (!isRemark(layer.getMetadata()))
      continue;
    auto fields = cast<DictionaryAttr>(layer.getMetadata());
    auto text = [&](StringRef name) {
      auto value = fields.getAs<StringAttr>(name);
      return value ? value.str() : std::string();
    };
    return {text(remarkName), getReason(text(reasonName)), text(noteName)};
  }
  return {};
}

Location explainMove(Location loc, MoveReason reason, const Twine &note) { return addRemark(loc, {"", reason, note.str()}); }

Location nameMove(Location loc, StringRef what) {
  MoveRemark remark = getMoveRemark(loc);
  remark.what = what.str();
  return addRemark(loc, remark);
}

Location noteLayout(Location loc, LayoutAttr layout) {
  return FusedLoc::get(loc->getContext(), {dropLayers(loc, llvm::IsaPred<LayoutAttr>)}, layout);
}

LayoutAttr stackLayouts(LayoutAttr first, LayoutAttr second) {
  ArrayRef<int64_t> inner = first.getOuterPermutation(), outer = second.getOuterPermutation();
  bool bothPermute = first.getTiles().empty() && second.getTiles().empty() && inner.size() == outer.size();
  if (first.isIdentity() || second.isIdentity() || !bothPermute)
    return second.isIdentity() ? first : second;
  SmallVector<int64_t> order;
  for (int64_t dim : outer)
    order.push_back(inner[dim]);
  bool isOrdered = llvm::equal(order, llvm::seq<int64_t>(0, order.size()));
  return isOrdered ? LayoutAttr::getIdentity(first.getContext()) : LayoutAttr::get(first.getContext(), {}, {}, order);
}

LayoutAttr getNotedLayout(Location loc) {
  LayoutAttr layout;
  loc->walk([&](Location inner) {
    if (auto fused = dyn_cast<FusedLoc>(inner))
      if (auto noted = dyn_cast_if_present<LayoutAttr>(fused.getMetadata()))
        layout = noted;
    return WalkResult::advance();
  });
  return layout;
}

std::string getLocationText(Location loc, bool shortened) {
  if (auto position = loc->findInstanceOf<FileLineColLoc>()) {
    StringRef file = position.getFilename();
    return ((shortened ? llvm::sys::path::filename(file) : file) + ":" + Twine(position.getLine()) + ":" +
            Twine(position.getColumn()))
        .str();
  }
  auto name = loc->findInstanceOf<NameLoc>();
  return name ? name.getName().str() : "";
}

} // namespace mlir::tpp

// Describes the data movement of ops on tensors and on buffers, and the origin of the moved values (the part of Moves.h that reads ops).
#include "lowering/analysis/BufferSize.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Moves.h"
#include "lowering/analysis/Relay.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tpp {

static std::string getTypeText(Type type) {
  auto shaped = cast<ShapedType>(type);
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t size : shaped.getShape())
    ShapedType::isDynamic(size) ? stream << "?x" : stream << size << "x";
  stream << shaped.getElementType();
  return text;
}

// "computed at model.mlir:3:8"; "computed by OP" if the model has no locations.
static std::string describeProducer(Operation *op) {
  std::string location = getLocationText(op->getLoc(), /*shortened=*/true);
  return location.empty() ? "computed by " + op->getName().getStringRef().str() : "computed at " + location;
}

// Whether `value` is an argument of the program: passed in each call, in a layout that the compiler cannot choose.
static bool isProgramArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
         llvm::none_of(ArrayRef{kWeightAttr, kResultAttr, kWorkspaceAttr},
                       [&](StringRef name) { return getArgAttr(value, name); });
}

static std::string describeArgument(BlockArgument argument) {
  if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return "carried around the loop at " + getLocationText(argument.getOwner()->getParentOp()->getLoc(), /*shortened=*/true);
  if (getArgAttr(argument, kWeightAttr))
    return "a weight";
  if (!getArgAttr(argument, kResultAttr)) {
    auto number = dyn_cast_or_null<IntegerAttr>(getArgAttr(argument, kArgumentAttr));
    return "argument " + std::to_string(number ? number.getInt() : argument.getArgNumber());
  }
  auto before = argument.getOwner()->getArguments().take_front(argument.getArgNumber());
  return "result " + std::to_string(llvm::count_if(before, [](Value value) { return getArgAttr(value, kResultAttr); }));
}

static bool isReshape(Operation *op) { return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

static Value skipReshapes(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

// Whether the computation of `value` reads an argument that is given once (tpp.prepack).
static bool readsArgument(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next) {
    if (isPrepackArgument(seen[next]))
      return true;
    if (Operation *op = seen[next].getDefiningOp()) {
      seen.insert(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), seen);
    }
  }
  return false;
}

std::string describeOrigin(Value value) {
  value = isa<MemRefType>(value.getType()) ? getBuffer(value) : skipReshapes(value);
  if (value.getDefiningOp<memref::GetGlobalOp>())
    return "a constant";
  if (auto argument = dyn_cast<BlockArgument>(value))
    return describeArgument(argument);
  if (!dependsOnConstantsOnly(value))
    return describeProducer(value.getDefiningOp());
  return readsArgument(value) ? "a weight" : "a constant";
}

std::string getLayoutText(LayoutAttr layout) {
  std::string text;
  llvm::raw_string_ostream(text) << layout;
  StringRef parameters = text;
  return parameters.consume_front("#tpp.layout<") && parameters.consume_back(">") ? parameters.str() : "";
}

//===- tensors -----------------------------------------------------------------------------------------------------------------===//

template <typename RelayoutOp> static std::string getPackedLayout(RelayoutOp op) {
  return getLayoutText(LayoutAttr::get(op.getContext(), op.getInnerDimsPos(), op.getStaticInnerTiles(), op.getOuterDimsPerm()));
}

// Sets the kind of a copy from its maps, and the permutation of dimensions it performs. A copy is a transposition, sliced or not, if it
// writes contiguously along a loop that reads with a stride, or if its map is a permutation.
static void classifyCopy(linalg::LinalgOp op, Move &move) {
  Value source = op.getDpsInputs()[0], target = op.getDpsInits()[0];
  AffineMap from = op.getMatchingIndexingMap(op.getDpsInputOperand(0)), to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto reads = getLinearView(from, cast<ShapedType>(source.getType())),
       writes = getLinearView(to, cast<ShapedType>(target.getType()));
  bool apart = false;
  if (reads && writes)
    for (auto [extent, read, written] : llvm::zip_equal(op.getStaticLoopRanges(), reads->strides, writes->strides))
      apart |= extent > 1 && written == 1 && read > 1;
  AffineMap map =
      to.isPermutation() ? from.compose(inversePermutation(to)) : AffineMap(); // from the target's indices to the source's
  bool permutes = map && map.isPermutation() && !map.isIdentity();
  int64_t read = getValueBytes(source), written = getValueBytes(target);
  move.what = apart || permutes ? "transpose" : read < written ? "broadcast" : read > written ? "slice" : "copy";
  if (!permutes)
    return;
  SmallVector<int64_t> order(map.getNumDims());
  for (auto [position, expr] : llvm::enumerate(map.getResults()))
    order[cast<AffineDimExpr>(expr).getPosition()] = position;
  move.layout = getLayoutText(LayoutAttr::get(op.getContext(), {}, {}, order));
}

// The number of the program's result that `value` becomes, directly or through reshapes.
static std::optional<unsigned> getProgramResult(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (isa<func::ReturnOp>(use.getOwner()))
      return use.getOperandNumber();
    if (isReshape(use.getOwner()))
      if (auto result = getProgramResult(use.getOwner()->getResult(0)))
        return result;
  }
  return std::nullopt;
}

// "operand B of the contraction at model.mlir:9:8" if `value` is an operand of a contraction, directly or through reshapes and a few
// elementwise ops (the scaling of attention's K^T); else "".
static std::string describeContraction(Value value, int depth = 0) {
  constexpr int mostOps = 6;
  if (depth == mostOps)
    return "";
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<ContractOp>(user) && use.getOperandNumber() < 2) {
      std::string location = getLocationText(user->getLoc(), /*shortened=*/true);
      return std::string("operand ") + "AB"[use.getOperandNumber()] +
             (location.empty() ? " of a contraction" : " of the contraction at ") + location;
    }
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    bool isElementwise = structured && user->getNumResults() == 1 && structured.getNumReductionLoops() == 0;
    if (isReshape(user) || isElementwise)
      if (std::string contraction = describeContraction(user->getResult(0), depth + 1); !contraction.empty())
        return contraction;
  }
  return "";
}

static void explainTensorMove(Operation *op, Value source, Move &move) {
  MoveRemark remark = getMoveRemark(op->getLoc());
  auto explain = [&](MoveReason reason, const Twine &note) {
    move.reason = reason;
    move.note = note.str();
  };
  // The reason noted by the pass that inserted the move takes precedence. The exception is Cost, which marks a transposition of the
  // program: its use (the program's edge, a contraction) is more informative than its cost.
  bool isOrder = move.what == "transpose" || move.what == "pack" || move.what == "unpack";
  bool isProgram = !remark.reason || remark.reason == MoveReason::Cost;
  std::string cost = remark.reason == MoveReason::Cost ? "; " + remark.note : "";
  if (isProgram && isOrder) {
    if (isProgramArgument(skipReshapes(source)))
      return explain(MoveReason::Edge, describeOrigin(source) + " comes in another order");
    if (auto result = getProgramResult(op->getResult(0)))
      return explain(MoveReason::Edge, "result " + Twine(*result) + " is wanted in this order");
  }
  if (isProgram && isOrder)
    if (std::string contraction = describeContraction(op->getResult(0)); !contraction.empty())
      return explain(MoveReason::Contraction, contraction + ", " + describeOrigin(source) + cost);
  if (remark.reason)
    return explain(*remark.reason, remark.note);
  std::string note = "required by the program: " + describeOrigin(source);
  if (!op->use_empty()) {
    Operation *user = *op->user_begin();
    std::string location = getLocationText(user->getLoc(), /*shortened=*/true);
    note += isa<func::ReturnOp>(user)
                ? std::string(", returned as a result")
                : ", read by " + user->getName().getStringRef().str() + (location.empty() ? "" : " at " + location);
  }
  explain(MoveReason::Program, note);
}

//===- buffers -----------------------------------------------------------------------------------------------------------------===//

// The last op before `copy`, in the same block, that writes the buffer, directly or through views. Fills do not count.
static Operation *getLastWriter(Value buffer, Operation *copy) {
  Operation *last = nullptr;
  SmallVector<Value> views = {buffer};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      if (auto inner = dyn_cast<ViewLikeOpInterface>(user)) {
        views.push_back(user->getResult(0));
        continue;
      }
      auto destination = dyn_cast<DestinationStyleOpInterface>(user);
      bool writes = destination ? destination.isDpsInit(&use) : isa<memref::CopyOp>(user) && use.getOperandNumber() == 1;
      Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
      if (writes && !isa<linalg::FillOp>(user) && ancestor && ancestor->isBeforeInBlock(copy) &&
          (!last || last->isBeforeInBlock(ancestor)))
        last = ancestor;
    }
  }
  return last;
}

static std::string describeBuffer(Value buffer, Operation *copy) {
  if ((isa<BlockArgument>(buffer) && !getArgAttr(buffer, kResultAttr)) || buffer.getDefiningOp<memref::GetGlobalOp>())
    return describeOrigin(buffer);
  Operation *writer = getLastWriter(buffer, copy);
  return writer ? describeProducer(writer) : "computed earlier";
}

// Describes a copy that bufferization inserted. The reason comes from the remark in its location, else from the buffers it reads and writes.
static Move describeCopy(memref::CopyOp copy) {
  MoveRemark remark = getMoveRemark(copy.getLoc());
  // For a copy of a part, `from` and `to` show the type of the whole buffer.
  auto from = copy.getSource().getDefiningOp<memref::SubViewOp>(), to = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  bool takesPart = from && !to;
  Move move;
  move.what = !remark.what.empty() ? remark.what : takesPart ? "slice" : "copy";
  move.from = getTypeText(takesPart ? from.getSourceType() : copy.getSource().getType());
  move.to = getTypeText(to ? to.getSourceType() : copy.getTarget().getType());
  if (remark.reason) {
    move.reason = *remark.reason;
    move.note = remark.note;
    return move;
  }
  auto explain = [&](MoveReason reason, const Twine &note) {
    move.reason = reason;
    move.note = note.str();
  };
  Value buffer = getBuffer(copy.getSource());
  std::string origin = describeBuffer(buffer, copy);
  bool isGiven = isProgramArgument(buffer);
  MoveReason edge = isGiven ? MoveReason::Edge : MoveReason::Program;
  if (move.what == "pad")
    explain(edge, origin + (isGiven ? ": the caller's memory has no border" : ": it is in a buffer of its own, without border"));
  else if (move.what == "concat")
    explain(edge,
            origin + (isGiven ? ": the caller's memory is not part of the concatenation" : ": it is in a buffer of its own"));
  else if (isProgramArgument(getBuffer(copy.getTarget())))
    explain(MoveReason::Program, "the program writes " + describeBuffer(getBuffer(copy.getTarget()), copy));
  else if (move.what == "slice")
    explain(edge, origin + ": a part of it is made contiguous");
  else if (to)
    explain(edge, origin + ": it is put into a larger value");
  else if (isa<BlockArgument>(buffer) && !isa<func::FuncOp>(buffer.getParentBlock()->getParentOp()))
    explain(MoveReason::Loop, origin);
  else if (isGiven)
    explain(edge, origin + ": the caller's memory must not be written, as this op would");
  else if (getArgAttr(buffer, kWeightAttr) || buffer.getDefiningOp<memref::GetGlobalOp>())
    explain(MoveReason::Program, origin + ", which this op writes over");
  else
    explain(MoveReason::Conflict, origin + ": it is still read after this op has written over it");
  return move;
}

//===- both ------------------------------------------------------------------------------------------------------------------===//

std::optional<Move> describeMove(Operation *op) {
  Move move;
  Value target;
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    move = describeCopy(copy);
    target = copy.getTarget();
  } else if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType())) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      move.what = "pack";
      move.layout = getPackedLayout(pack);
    } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      move.what = "unpack";
      move.layout = getPackedLayout(unpack);
    } else if (structured && structured.hasPureTensorSemantics() && isCopy(structured)) {
      classifyCopy(structured, move);
    } else {
      return std::nullopt;
    }
    target = op->getResult(0);
    move.from = getTypeText(op->getOperand(0).getType());
    move.to = getTypeText(target.getType());
    explainTensorMove(op, op->getOperand(0), move);
  } else {
    return std::nullopt;
  }
  move.location = getLocationText(op->getLoc());
  // Bytes read plus bytes written. Reads count at most as many bytes as writes (a slice reads only part of its operand).
  move.bytes = getValueBytes(target) + std::min(getValueBytes(op->getOperand(0)), getValueBytes(target));
  return move;
}

} // namespace mlir::tpp

// Converts the operands of each contraction to layouts that brgemm reads fast, after the layouts of values are chosen
// (PropagateLayouts.cpp).
//
// B is the operand that holds the output's contiguous dimension. It is packed into panels if the packing strategy of the op chooses panels.
// If B is strided along that dimension and cannot be packed (a strided convolution that stayed in NCHW), the result is computed
// channels-last and then transposed.
#include "lowering/Passes.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/analysis/LinearMap.h"
#include "lowering/analysis/Moves.h"
#include "lowering/machine/PackingStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tpp_dialect/StageAttributes.h"
#include "tpp_dialect/TppOps.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "lowering/Passes.h.inc"

namespace {

// A contraction being rewritten.
struct State {
  Value a, b, init;
  SmallVector<AffineMap> maps; // A, B, C, post operands
  SmallVector<int64_t> extents;
  LinearView aView, bView, cView;
  int64_t passes = -1; // the loop over KC blocks of the reduction; -1: none

  LogicalResult update(RankedTensorType cType) {
    auto av = getLinearView(maps[0], cast<RankedTensorType>(a.getType()));
    auto bv = getLinearView(maps[1], cast<RankedTensorType>(b.getType()));
    auto cv = getLinearView(maps[2], cType);
    if (!av || !bv || !cv)
      return failure();
    aView = *av, bView = *bv, cView = *cv;
    return success();
  }
  void swapOperands() {
    std::swap(a, b);
    std::swap(maps[0], maps[1]);
    std::swap(aView, bView);
  }
  std::optional<unsigned> contiguousDim() const {
    for (auto [dim, stride] : llvm::enumerate(cView.strides))
      if (stride == 1 && extents[dim] > 1)
        return dim;
    return std::nullopt;
  }
};

// Returns, for each dimension of an operand's tensor, the loop that alone indexes it; nullopt if another expression indexes a dimension. A
// dimension of extent 1 may have any index and gets -1 unless a single loop indexes it.
std::optional<SmallVector<int64_t>> getLoopDims(AffineMap map, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      dims.push_back(dim.getPosition());
    else if (shape[i] == 1)
      dims.push_back(-1);
    else
      return std::nullopt;
  }
  return dims;
}

// Where several loops together index one dimension of an operand (heads and their channels), reshapes the operand so that each of these
// loops indexes its own dimension.
void expandToLoops(Value &operand, AffineMap &map, ArrayRef<int64_t> extents, RewriterBase &rewriter, Location loc) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
    SmallVector<std::pair<int64_t, unsigned>> loops; // coefficient, loop
    auto linear = getLinearExpr(expr, extents.size());
    bool mixed = linear && linear->constant == 0;
    if (mixed)
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
        if (coefficient != 0 && extents[loop] > 1)
          loops.push_back({coefficient, loop});
    llvm::sort(loops, std::greater<>());
    int64_t below = 1;
    for (auto [coefficient, loop] : llvm::reverse(loops)) {
      mixed &= coefficient == below;
      below *= extents[loop];
    }
    groups.emplace_back();
    if (!mixed || below != size || loops.size() < 2) {
      groups.back().push_back(shape.size());
      shape.push_back(size);
      exprs.push_back(expr);
      continue;
    }
    for (auto [coefficient, loop] : loops) {
      groups.back().push_back(shape.size());
      shape.push_back(extents[loop]);
      exprs.push_back(rewriter.getAffineDimExpr(loop));
    }
  }
  if (shape.size() == type.getShape().size())
    return;
  operand = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape), operand, groups);
  map = AffineMap::get(extents.size(), 0, exprs, rewriter.getContext());
}

// Returns the reduction loops in the order in which a constant operand should store them, given the strides of the other operand. Loops that
// form one contiguous run in `other` stay together. The longest run is last and becomes brgemm's k; the others (filter taps) become its batch.
SmallVector<int64_t> getReductionOrder(const State &state, const LinearView &other) {
  SmallVector<int64_t> dims;
  for (auto [dim, extent] : llvm::enumerate(state.extents))
    if (state.cView.strides[dim] == 0 && extent > 1)
      dims.push_back(dim);
  llvm::stable_sort(dims, [&](int64_t x, int64_t y) { return other.strides[x] > other.strides[y]; });
  SmallVector<SmallVector<int64_t>> runs;
  for (int64_t dim : dims) {
    if (!runs.empty() && other.strides[runs.back().back()] == other.strides[dim] * state.extents[dim])
      runs.back().push_back(dim);
    else
      runs.push_back({dim});
  }
  auto length = [&](ArrayRef<int64_t> run) {
    int64_t product = 1;
    for (int64_t dim : run)
      product *= state.extents[dim];
    return product;
  };
  auto longest = llvm::max_element(runs, [&](auto &x, auto &y) { return length(x) <= length(y); });
  if (longest != runs.end())
    std::rotate(longest, longest + 1, runs.end());
  SmallVector<int64_t> order;
  for (ArrayRef<int64_t> run : runs)
    llvm::append_range(order, run);
  return order;
}

// Returns the order of a constant operand's dimensions: the loop over KC blocks, then the dimensions shared with the output (outermost in the
// output first), then the reductions.
SmallVector<int64_t> getOuterOrder(ArrayRef<int64_t> loopDims, const State &state, const LinearView &other) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, loopDims.size()));
  SmallVector<int64_t> reductions = getReductionOrder(state, other);
  auto key = [&](int64_t position) -> std::pair<int, int64_t> {
    int64_t dim = loopDims[position];
    if (dim < 0 || state.extents[dim] == 1)
      return {0, 0};
    if (dim == state.passes)
      return {0, 1};
    if (state.cView.strides[dim] == 0)
      return {2, llvm::find(reductions, dim) - reductions.begin()};
    return {1, -state.cView.strides[dim]};
  };
  llvm::stable_sort(order, [&](int64_t x, int64_t y) { return key(x) < key(y); });
  return order;
}

// The number of columns in one AVX-512 vector of f32. A remainder of fewer columns does not get its own panel.
constexpr int64_t fewColumns = 16;

// Returns the panel width for `extent` columns if the strategy wants panels of `wanted` columns. Up to `fewColumns` - 1 columns more than
// `wanted` form one panel of all columns. 0: the panels do not divide the columns (see splitColumns).
int64_t getPanel(int64_t extent, int64_t wanted) {
  if (extent < wanted + fewColumns)
    return extent;
  return wanted != 0 && extent % wanted == 0 ? wanted : 0;
}

// Splits a loop into an outer and an inner one of `size` steps. Returns the inner loop, which is the last one.
unsigned splitLoop(State &state, unsigned loop, int64_t size) {
  for (AffineMap &map : state.maps)
    map = splitDim(map, loop, size);
  state.extents[loop] /= size;
  state.extents.push_back(size);
  return state.extents.size() - 1;
}

// Splits the reduction loop into an outer loop over KC blocks of `k` steps and an inner loop, so that B can be stored block by block. Does
// nothing unless there is exactly one reduction loop of extent > 1 and `k` is a proper divisor of that extent.
void cutSum(State &state, int64_t k, RewriterBase &rewriter, Location loc) {
  std::optional<unsigned> sum;
  for (auto [dim, extent] : llvm::enumerate(state.extents)) {
    if (state.cView.strides[dim] != 0 || extent == 1)
      continue;
    if (sum)
      return;
    sum = dim;
  }
  if (!sum || k == 0 || k >= state.extents[*sum] || state.extents[*sum] % k != 0)
    return;
  splitLoop(state, *sum, k);
  state.passes = *sum;
  expandToLoops(state.b, state.maps[1], state.extents, rewriter, loc);
}

// Packs B into panels of `panel` columns along loop `n`: [KC blocks][other output dims][n / panel][reductions][panel]. Returns false if B
// cannot be packed.
bool packB(State &state, unsigned n, int64_t panel, RewriterBase &rewriter, Location loc) {
  auto type = cast<RankedTensorType>(state.b.getType());
  auto loopDims = getLoopDims(state.maps[1], type.getShape());
  if (!loopDims || panel == 0)
    return false;
  // A loop that covers only part of a tensor dimension (a slice) cannot be packed.
  for (auto [i, dim] : llvm::enumerate(*loopDims))
    if (dim >= 0 && state.extents[dim] != type.getDimSize(i))
      return false;
  int64_t position = llvm::find(*loopDims, static_cast<int64_t>(n)) - loopDims->begin();
  SmallVector<int64_t> order = getOuterOrder(*loopDims, state, state.aView);
  loc = explainMove(loc, MoveReason::Product,
                    "operand B, " + describeOrigin(state.b) + ", in panels of " + Twine(panel) + " columns");
  SmallVector<OpFoldResult> tiles = {rewriter.getIndexAttr(panel)};
  Value dest = linalg::PackOp::createDestinationTensor(rewriter, loc, state.b, tiles, {position}, order);
  state.b =
      linalg::PackOp::create(rewriter, loc, state.b, dest, ArrayRef<int64_t>{position}, tiles, std::nullopt, order)->getResult(0);

  // Loop n becomes n' * panel + inner in all maps. In B, n' and inner index separate dimensions.
  MLIRContext *context = rewriter.getContext();
  unsigned inner = splitLoop(state, n, panel);
  SmallVector<AffineExpr> packed;
  for (int64_t p : order)
    packed.push_back((*loopDims)[p] < 0 ? getAffineConstantExpr(0, context) : getAffineDimExpr((*loopDims)[p], context));
  packed.push_back(getAffineDimExpr(inner, context));
  state.maps[1] = AffineMap::get(state.extents.size(), 0, packed, context);
  return true;
}

// Transposes an operand so that its dimensions are stored in `order`, and updates its map.
Value transposeTo(Value value, ArrayRef<int64_t> order, AffineMap &map, RewriterBase &rewriter, Location loc) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (int64_t p : order) {
    shape.push_back(type.getDimSize(p));
    exprs.push_back(map.getResult(p));
  }
  map = AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(rewriter, loc, value, empty, order)->getResult(0);
}

// Transposes a constant A to the reduction order that suits B, unless it has that order. As A is constant, this is done only once.
void reorderConstantA(State &state, RewriterBase &rewriter, Location loc) {
  auto type = cast<RankedTensorType>(state.a.getType());
  auto loopDims = getLoopDims(state.maps[0], type.getShape());
  if (!loopDims || !dependsOnConstantsOnly(state.a))
    return;
  // The order is [rows][filter taps][k]: k is contiguous, and brgemm's batch runs over the taps.
  SmallVector<int64_t> order = getOuterOrder(*loopDims, state, state.bView);
  if (!llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    state.a = transposeTo(state.a, order, state.maps[0], rewriter, loc);
}

// Returns the longest output dimension other than `n` that A has and B does not: it could be the output's contiguous dimension instead of `n`.
std::optional<unsigned> getAlternativeDim(const State &state, unsigned n) {
  std::optional<unsigned> best;
  for (auto [dim, extent] : llvm::enumerate(state.extents))
    if (dim != n && state.cView.strides[dim] != 0 && state.aView.strides[dim] != 0 && state.bView.strides[dim] == 0 &&
        (!best || extent > state.extents[*best]))
      best = dim;
  return best;
}

// Makes loop `n` the innermost dimension of the output. Returns the permutation that restores the original order; empty if no dimension of
// the output has `n` as its innermost loop.
SmallVector<int64_t> makeInnermost(State &state, unsigned n, RankedTensorType &cType) {
  AffineMap map = state.maps[2];
  unsigned rank = map.getNumResults();
  std::optional<unsigned> position;
  for (unsigned i = 0; i < rank; ++i)
    if (getInnermostLoop(map.getResult(i), state.extents) == n)
      position = i;
  if (!position)
    return {};
  SmallVector<int64_t> restore, shape;
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < rank; ++i) {
    restore.push_back(i < *position ? i : i == *position ? rank - 1 : i - 1);
    if (i != *position) {
      exprs.push_back(map.getResult(i));
      shape.push_back(cType.getDimSize(i));
    }
  }
  exprs.push_back(map.getResult(*position));
  shape.push_back(cType.getDimSize(*position));
  state.maps[2] = AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
  cType = RankedTensorType::get(shape, cType.getElementType());
  return restore;
}

struct AssignLayouts : public impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : ops)
      if (isa<RankedTensorType>(op.getInit().getType()) && failed(layOut(op, rewriter)))
        return signalPassFailure();
  }

  // Assigns layouts to one contraction. If the strategy's panels do not divide the columns, first splits the op into two (splitColumns).
  LogicalResult layOut(ContractOp op, RewriterBase &rewriter) {
    State state;
    std::optional<unsigned> n = getState(op, state);
    if (!n)
      return success();
    std::optional<SplitPositions> positions = getSplitPositions(op, state, *n);
    if (!positions)
      return assign(op, std::nullopt, rewriter);
    std::optional<Packing> packing = choose(op, state, *n);
    if (!packing)
      return failure();
    if (packing->panel == 0 || getPanel(state.extents[*n], packing->panel) != 0)
      return assign(op, std::pair(*n, *packing), rewriter);
    for (ContractOp part : splitColumns(op, state, *n, packing->panel, *positions, rewriter))
      if (failed(assign(part, std::pair(*n, *packing), rewriter)))
        return failure();
    return success();
  }

  // Returns the packing that the strategy chooses for a contraction whose columns are loop `n`; nullopt if the strategy fails.
  static std::optional<Packing> choose(ContractOp op, const State &state, unsigned n) {
    auto elementType = [](Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); };
    return choosePacking(op, {state.extents, state.aView, state.bView, state.cView, n, dependsOnConstantsOnly(state.a),
                              dependsOnConstantsOnly(state.b), elementType(state.a), elementType(state.b),
                              elementType(op.getInit())});
  }

  // Fills `state` with the views of a contraction, with B as the operand that holds the output's contiguous dimension. Returns the loop of
  // that dimension.
  static std::optional<unsigned> getState(ContractOp op, State &state) {
    state = {op.getA(), op.getB(), op.getInit(), op.getMaps(), llvm::to_vector(op.getExtents()), {}, {}, {}};
    if (failed(state.update(cast<RankedTensorType>(op.getInit().getType()))))
      return std::nullopt;
    std::optional<unsigned> n = state.contiguousDim();
    if (n && state.bView.strides[*n] == 0)
      state.swapOperands();
    return n;
  }

  // The positions of the columns among the dimensions of B and C. nullopt if the columns cannot be split: beta is not 0, or the columns are not
  // a whole dimension of B and of C.
  struct SplitPositions {
    unsigned b, c;
  };
  static std::optional<SplitPositions> getSplitPositions(ContractOp op, const State &state, unsigned n) {
    if (op.getBeta() != 0)
      return std::nullopt;
    AffineExpr column = getAffineDimExpr(n, op.getContext());
    auto findPosition = [&](AffineMap map) -> std::optional<unsigned> {
      std::optional<unsigned> position;
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        if (expr == column && !position)
          position = i;
        else if (expr.isFunctionOfDim(n))
          return std::nullopt;
      }
      return position;
    };
    auto bPosition = findPosition(state.maps[1]), cPosition = findPosition(state.maps[2]);
    if (!bPosition || !cPosition)
      return std::nullopt;
    auto bType = cast<RankedTensorType>(state.b.getType()), cType = cast<RankedTensorType>(op.getInit().getType());
    if (bType.getDimSize(*bPosition) != state.extents[n] || cType.getDimSize(*cPosition) != state.extents[n])
      return std::nullopt;
    return SplitPositions{*bPosition, *cPosition};
  }

  // Splits a contraction whose columns `panel` does not divide into two: one over the leading columns in whole panels, one over the remaining
  // columns as one panel. Each writes its slice of the result.
  static SmallVector<ContractOp> splitColumns(ContractOp op, const State &state, unsigned n, int64_t panel,
                                              SplitPositions positions, RewriterBase &rewriter) {
    AffineExpr column = rewriter.getAffineDimExpr(n);
    auto bType = cast<RankedTensorType>(state.b.getType()), cType = cast<RankedTensorType>(op.getInit().getType());
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    int64_t whole = state.extents[n] / panel * panel;
    if (state.extents[n] - whole < fewColumns)
      whole -= panel; // a remainder narrower than a vector joins the last whole panel
    Value result = tensor::EmptyOp::create(rewriter, loc, cType.getShape(), cType.getElementType());
    SmallVector<ContractOp> parts;
    for (bool rest : {false, true}) {
      int64_t first = rest ? whole : 0, count = rest ? state.extents[n] - whole : whole;
      auto slice = [&](RankedTensorType type, unsigned position) {
        SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
            strides(type.getRank(), rewriter.getIndexAttr(1));
        SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
        offsets[position] = rewriter.getIndexAttr(first);
        sizes[position] = rewriter.getIndexAttr(count);
        return std::tuple(offsets, sizes, strides);
      };
      auto [bOffsets, bSizes, bStrides] = slice(bType, positions.b);
      Value b = tensor::ExtractSliceOp::create(rewriter, loc, state.b, bOffsets, bSizes, bStrides);
      SmallVector<int64_t> shape = llvm::to_vector(cType.getShape()), extents = state.extents;
      shape[positions.c] = extents[n] = count;
      Value init = tensor::EmptyOp::create(rewriter, loc, shape, cType.getElementType());
      // Post operands are not sliced: their maps are shifted by the first column of the part.
      SmallVector<AffineMap> maps = state.maps;
      for (AffineMap &map : llvm::drop_begin(maps, 3))
        map = map.replace(column, column + first, map.getNumDims(), 0);
      auto part = ContractOp::create(rewriter, loc, TypeRange{init.getType()}, state.a, b, init, op.getPostOperands(),
                                     rewriter.getAffineMapArrayAttr(maps), rewriter.getDenseI64ArrayAttr(extents),
                                     op.getBetaAttr(), op.getPostOpsAttr());
      copyStrategy(op, part);
      auto [cOffsets, cSizes, cStrides] = slice(cType, positions.c);
      result = tensor::InsertSliceOp::create(rewriter, loc, part->getResult(0), result, cOffsets, cSizes, cStrides);
      parts.push_back(part);
    }
    rewriter.replaceOp(op, result);
    return parts;
  }

  // `given`: the packing that the strategy already chose, and the loop of the columns that it chose it for.
  LogicalResult assign(ContractOp op, std::optional<std::pair<unsigned, Packing>> given, RewriterBase &rewriter) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    auto originalType = cast<RankedTensorType>(op.getInit().getType()), cType = originalType;
    State state;
    std::optional<unsigned> contiguous = getState(op, state);
    if (!contiguous)
      return success();
    unsigned n = *contiguous;

    // Prepare B for packing. A constant B is always prepared. A variable B is prepared if it is strided along n and A is not constant: the
    // columns of a constant A could become the innermost dimension instead.
    if (dependsOnConstantsOnly(state.b) || (state.bView.strides[n] != 1 && !dependsOnConstantsOnly(state.a)))
      expandToLoops(state.b, state.maps[1], state.extents, rewriter, loc);
    if (failed(state.update(cType)))
      return success();

    // If B is strided and cannot be packed, make another output dimension innermost and transpose the result.
    SmallVector<int64_t> restore;
    if (state.bView.strides[n] != 1 && !getLoopDims(state.maps[1], cast<RankedTensorType>(state.b.getType()).getShape()) &&
        op.getBeta() == 0) {
      auto alternative = getAlternativeDim(state, n);
      if (alternative) {
        restore = makeInnermost(state, *alternative, cType);
        if (!restore.empty()) {
          state.swapOperands();
          n = *alternative;
          (void)state.update(cType);
        }
      }
    }

    std::optional<Packing> chosen = given && given->first == n ? std::optional(given->second) : choose(op, state, n);
    if (!chosen)
      return failure();
    int64_t panel = chosen->panel == 0 ? 0 : getPanel(state.extents[n], chosen->panel);
    // A variable B whose columns are contiguous and fit one panel has the layout of a panel already.
    bool isPanel = panel == state.extents[n] && state.bView.strides[n] == 1 && !dependsOnConstantsOnly(state.b);
    if (panel != 0 && !isPanel) {
      cutSum(state, chosen->k, rewriter, loc);
      if (failed(state.update(cType)))
        return success();
    }
    bool packs = panel != 0 && !isPanel && packB(state, n, panel, rewriter, loc);
    if (!packs && !isPanel && chosen->panel != 0 && !isa<PackingCostModelAttr>(getPackingStrategy(op)))
      op.emitRemark("operand B is not packed into panels: its columns or reductions are not whole dimensions of its tensor");
    chosen->panel = packs ? panel : 0;
    if (!packs && state.bView.strides[n] != 1) {
      // brgemm needs contiguous rows of B: transpose B.
      auto type = cast<RankedTensorType>(state.b.getType());
      auto loopDims = getLoopDims(state.maps[1], type.getShape());
      if (loopDims) {
        SmallVector<int64_t> order = getOuterOrder(*loopDims, state, state.aView);
        int64_t position = llvm::find(*loopDims, static_cast<int64_t>(n)) - loopDims->begin();
        llvm::erase(order, position);
        order.push_back(position);
        Location why =
            explainMove(loc, MoveReason::Product, "operand B, " + describeOrigin(state.b) + ", to make its columns contiguous");
        why = noteLayout(why, LayoutAttr::get(rewriter.getContext(), {}, {}, order));
        state.b = transposeTo(state.b, order, state.maps[1], rewriter, why);
      }
    }
    if (failed(state.update(cType)))
      return success();
    reorderConstantA(state, rewriter, loc);

    if (cType != originalType)
      state.init = tensor::EmptyOp::create(rewriter, loc, cType.getShape(), cType.getElementType());
    // For reports, record that the result is computed in another order of dimensions.
    LayoutAttr noted = getNotedLayout(loc), identity = LayoutAttr::getIdentity(rewriter.getContext());
    Location contractLoc = loc;
    if (!restore.empty())
      contractLoc = noteLayout(loc, stackLayouts(noted ? noted : identity, LayoutAttr::get(rewriter.getContext(), {}, {},
                                                                                           invertPermutationVector(restore))));
    auto contract = ContractOp::create(rewriter, contractLoc, TypeRange{cType}, state.a, state.b, state.init,
                                       op.getPostOperands(), rewriter.getAffineMapArrayAttr(state.maps),
                                       rewriter.getDenseI64ArrayAttr(state.extents), op.getBetaAttr(), op.getPostOpsAttr());
    copyStrategy(op, contract);
    contract->setDiscardableAttr(kChosenPackingAttr, PackingAttr::get(&getContext(), *chosen));
    Value result = contract->getResult(0);
    if (!restore.empty()) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, originalType.getShape(), originalType.getElementType());
      Location why = explainMove(loc, MoveReason::Product,
                                 "the result, computed in another order of dimensions: operand B is strided along its columns");
      result = linalg::TransposeOp::create(rewriter, why, result, empty, restore)->getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace
} // namespace mlir::tpp

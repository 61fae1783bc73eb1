// Plans the layouts of a contraction's operands (see ContractionLayout.h).
#include "lowering/layout/ContractionLayout.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/analysis/Divisions.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"

namespace mlir::tpp {

namespace {

// For each dimension of an operand's tensor, the loop that is its index; -1 for a dimension of extent 1 with another index. nullopt if any
// other dimension has an index that is not one loop.
std::optional<SmallVector<int64_t>> getLoopDims(const PlannedOperand &operand) {
  SmallVector<int64_t> dims;
  for (auto [i, expr] : llvm::enumerate(operand.map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      dims.push_back(dim.getPosition());
    else if (operand.type.getDimSize(i) == 1)
      dims.push_back(-1);
    else
      return std::nullopt;
  }
  return dims;
}

// Reshapes the operand so that each loop indexes a dimension of its own, if several loops together index one (heads and their channels). Loops of one
// step, as of a 1 x 1 filter, do not count.
void expandToLoops(PlannedOperand &operand, ArrayRef<int64_t> extents) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  MLIRContext *context = operand.map.getContext();
  for (auto [expr, size] : llvm::zip_equal(operand.map.getResults(), operand.type.getShape())) {
    SmallVector<std::pair<int64_t, unsigned>> loops; // coefficient, loop
    auto linear = getLinearExpr(expr, extents.size());
    bool splits = linear && linear->constant == 0; // the index is a mixed-radix number of its loops
    if (splits)
      for (auto [loop, coefficient] : llvm::enumerate(linear->coefficients))
        if (coefficient != 0 && extents[loop] > 1)
          loops.push_back({coefficient, loop});
    llvm::sort(loops, std::greater<>());
    int64_t below = 1;
    for (auto [coefficient, loop] : llvm::reverse(loops)) {
      splits &= coefficient == below;
      below *= extents[loop];
    }
    groups.emplace_back();
    if (!splits || below != size || loops.empty()) {
      groups.back().push_back(shape.size());
      shape.push_back(size);
      exprs.push_back(expr);
      continue;
    }
    for (auto [coefficient, loop] : loops) {
      groups.back().push_back(shape.size());
      shape.push_back(extents[loop]);
      exprs.push_back(getAffineDimExpr(loop, context));
    }
  }
  operand.map = AffineMap::get(extents.size(), 0, exprs, context);
  if (shape.size() == operand.type.getShape().size())
    return;
  operand.type = operand.type.clone(shape);
  operand.steps.push_back({LayoutStep::Expand, operand.type, std::move(groups), {}, {}});
}

// Reduces the operand to the part that the loops read. The slice is a view in the operand's buffer, so its strides are not those of its type: a step
// that moves it must follow.
void sliceToLoops(PlannedOperand &operand, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> offsets, sizes;
  SmallVector<AffineExpr> exprs;
  for (auto [expr, size] : llvm::zip_equal(operand.map.getResults(), operand.type.getShape())) {
    std::optional<LinearExpr> linear = getLinearExpr(expr, extents.size());
    int64_t last = 0;
    if (!linear || llvm::any_of(linear->coefficients, [](int64_t coefficient) { return coefficient < 0; }))
      return;
    for (auto [coefficient, extent] : llvm::zip_equal(linear->coefficients, extents))
      last += coefficient * (extent - 1);
    offsets.push_back(linear->constant);
    sizes.push_back(last + 1);
    exprs.push_back(expr - linear->constant);
  }
  if (operand.type.getShape() == ArrayRef(sizes))
    return;
  operand.type = operand.type.clone(sizes);
  operand.map = AffineMap::get(extents.size(), 0, exprs, operand.map.getContext());
  operand.steps.push_back({LayoutStep::Slice, operand.type, {}, {}, offsets});
}

// Transposes an operand so that its dimensions are stored in `order`.
void transposeTo(PlannedOperand &operand, ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (int64_t p : order) {
    shape.push_back(operand.type.getDimSize(p));
    exprs.push_back(operand.map.getResult(p));
  }
  operand.type = operand.type.clone(shape);
  operand.map = AffineMap::get(operand.map.getNumDims(), 0, exprs, operand.map.getContext());
  operand.steps.push_back({LayoutStep::Transpose, operand.type, {}, llvm::to_vector(order), {}});
}

// The panel width for `columns` columns if the strategy chooses panels of `wanted`. Fewer than `wanted + lanes` columns form one panel, so that
// no panel is narrower than a vector. 0: `wanted` is 0 or does not divide the columns.
int64_t getPanel(int64_t columns, int64_t wanted, int64_t lanes) {
  if (wanted == 0)
    return 0;
  if (columns < wanted + lanes)
    return columns;
  return columns % wanted == 0 ? wanted : 0;
}

// Plans one part.
class Planner {
public:
  ContractOp op;
  PlannedContraction part; // as planned so far
  ContractionInfo info;    // of the contraction in the layouts of `part`

  Planner(ContractOp op, PlannedContraction part) : op(op), part(std::move(part)) {}

  // Describes the contraction in its current layouts, with B as the operand that has C's contiguous dimension. False if a map is not linear.
  bool update() {
    const PlannedOperand *inputs[] = {&part.a, &part.b}; // in the op's order
    if (part.a.operand != 0)
      std::swap(inputs[0], inputs[1]);
    auto described =
        getContractionInfo(op, {inputs[0]->map, inputs[1]->map, part.cMap}, {inputs[0]->type, inputs[1]->type, part.cType},
                           part.extents, getTarget(op), {inputs[0]->isConstant, inputs[1]->isConstant});
    if (!described)
      return false;
    info = std::move(*described);
    if (info.getOpOperand(0) != part.a.operand)
      std::swap(part.a, part.b);
    return true;
  }

  // Plans the layouts of the operands, after update(). `given`: the packing that the strategy already chose for these columns. nullopt: C has
  // no contiguous dimension, or no operand has it, or a map is not linear.
  FailureOr<std::optional<PlannedContraction>> plan(std::optional<Packing> given) {
    if (!info.columnDim || info.dims[*info.columnDim].b() == 0)
      return std::optional<PlannedContraction>();
    unsigned n = *info.columnDim;
    // Prepare B for packing if it is constant, or if it is strided along n and A is not constant. With a constant A, makeOtherDimInnermost
    // applies instead.
    if (part.b.isConstant || (info.dims[n].b() != 1 && !part.a.isConstant)) {
      PlannedContraction before = part;
      sliceToLoops(part.b, part.extents);
      expandToLoops(part.b, part.extents);
      // A slice must be moved: its strides are not those of its type.
      bool moves = getLoopDims(part.b) && update() && (part.b.isConstant || info.getVnniFactor() > 1 || info.dims[n].b() != 1);
      if (!moves)
        part = std::move(before);
    }
    if (!update())
      return std::optional<PlannedContraction>();
    if (makeOtherDimInnermost(n))
      given = std::nullopt;
    n = *info.columnDim;
    FailureOr<Packing> packing = given ? FailureOr<Packing>(*given) : choosePacking(op, info);
    if (failed(packing))
      return failure();
    part.packing = *packing;
    if (!layOutB(n))
      return std::optional<PlannedContraction>();
    reorderConstantA();
    return std::optional(std::move(part));
  }

private:
  // If B is strided along its columns and cannot be packed, C is computed with its longest row dimension innermost, and transposed afterwards. A
  // and B are then exchanged.
  bool makeOtherDimInnermost(unsigned n) {
    if (info.dims[n].b() == 1 || getLoopDims(part.b) || op.getBeta() != 0)
      return false;
    std::optional<unsigned> other;
    for (auto [i, dim] : llvm::enumerate(info.dims))
      if (i != n && dim.getRole() == DimensionRole::Row && (!other || dim.extent > info.dims[*other].extent))
        other = i;
    if (!other)
      return false;
    int64_t position = -1, rank = part.cType.getRank();
    for (int64_t i = 0; i < rank; ++i)
      if (getInnermostLoop(part.cMap.getResult(i), part.extents) == *other)
        position = i;
    if (position < 0)
      return false;
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < rank; ++i) {
      part.restore.push_back(i < position ? i : i == position ? rank - 1 : i - 1);
      if (i != position) {
        exprs.push_back(part.cMap.getResult(i));
        shape.push_back(part.cType.getDimSize(i));
      }
    }
    exprs.push_back(part.cMap.getResult(position));
    shape.push_back(part.cType.getDimSize(position));
    part.cMap = AffineMap::get(part.cMap.getNumDims(), 0, exprs, part.cMap.getContext());
    part.cType = part.cType.clone(shape);
    return update();
  }

  // Packs B into panels along loop `n`, or transposes it so that its columns are contiguous. False if the contraction must stay as it is: B cannot
  // have the form that kernels need, or a map is not linear.
  bool layOutB(unsigned n) {
    Packing &packing = part.packing;
    if (info.getVnniFactor() > 1)
      return layOutGroups(n);
    int64_t panel = getPanel(part.extents[n], packing.panel, info.getLanes());
    // A variable B whose columns are contiguous and fit one panel has the layout of a panel already.
    bool isPanel = panel == part.extents[n] && info.dims[n].b() == 1 && !part.b.isConstant;
    if (panel != 0 && !isPanel) {
      splitReduction(packing.kc);
      if (!update())
        return false;
    }
    bool packs = panel != 0 && !isPanel && packB(n, panel);
    part.staysUnpacked = !packs && !isPanel && packing.panel != 0;
    packing.panel = packs ? panel : 0;
    packing.nc = panel == 0 ? packing.nc : std::min(packing.nc, panel);
    if (!packs && info.dims[n].b() != 1) {
      // brgemm needs contiguous rows of B.
      if (auto loopDims = getLoopDims(part.b)) {
        SmallVector<int64_t> order = getStorageOrder(*loopDims, /*other=*/0);
        int64_t position = llvm::find(*loopDims, static_cast<int64_t>(n)) - loopDims->begin();
        llvm::erase(order, position);
        order.push_back(position);
        transposeTo(part.b, order);
      }
    }
    return update();
  }

  // Packs B into panels in VNNI form, and makes A contiguous along the steps of its groups. A B that the strategy does not pack, or whose columns
  // its panels do not divide, is one panel.
  bool layOutGroups(unsigned n) {
    Packing &packing = part.packing;
    int64_t vnni = info.getVnniFactor();
    int64_t panel = getPanel(part.extents[n], packing.panel, info.getLanes());
    packing.panel = panel == 0 ? part.extents[n] : panel;
    splitReduction(packing.kc);
    sliceToLoops(part.b, part.extents);
    expandToLoops(part.b, part.extents);
    if (!update())
      return false;
    groupedLoop = chooseGroupedLoop();
    if (!groupedLoop || info.dims[*groupedLoop].a() != 1) {
      expandToLoops(part.a, part.extents);
      if (!update())
        return false;
      groupedLoop = chooseGroupedLoop();
    }
    if (!groupedLoop || !packB(n, packing.panel, vnni))
      return false;
    if (info.dims[*groupedLoop].a() != 1) {
      SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, part.a.type.getRank()));
      int64_t position = *findDim(part.a.map, *groupedLoop);
      llvm::erase(order, position);
      order.push_back(position);
      transposeTo(part.a, order);
    }
    return update();
  }

  // The reduction loop whose steps form the groups of B: the longest along which A is contiguous, else the longest along which A can be made so.
  std::optional<unsigned> chooseGroupedLoop() {
    std::optional<unsigned> best;
    auto rank = [&](unsigned loop) { return std::pair(info.dims[loop].a() == 1, info.dims[loop].extent); };
    for (auto [i, dim] : llvm::enumerate(info.dims)) {
      unsigned loop = i;
      bool possible = dim.reduction && dim.extent > 1 && findDim(part.b.map, loop) && (dim.a() == 1 || findDim(part.a.map, loop));
      if (possible && (!best || rank(loop) > rank(*best)))
        best = loop;
    }
    return best;
  }

  // Splits a loop into an outer and an inner one of `size` steps. Returns the inner loop, which is the last one.
  unsigned splitLoop(unsigned loop, int64_t size) {
    for (AffineMap *map : {&part.a.map, &part.b.map, &part.cMap})
      *map = splitDim(*map, loop, size);
    for (AffineMap &map : part.postMaps)
      map = splitDim(map, loop, size);
    part.extents[loop] /= size;
    part.extents.push_back(size);
    return part.extents.size() - 1;
  }

  // Splits the reduction into an outer loop over KC blocks of `kc` steps and an inner loop, so that B can be stored block by block. Does nothing
  // unless there is exactly one reduction loop of extent > 1, not counting that within A's tiles, and `kc` is a proper divisor of that extent.
  void splitReduction(int64_t kc) {
    std::optional<unsigned> reduction;
    bool isTiled = false;
    for (auto [i, dim] : llvm::enumerate(info.dims)) {
      if (!dim.reduction || dim.extent == 1)
        continue;
      if (part.packing.a && !isTiled && dim.extent == part.packing.a->columns && dim.a() == 1 && kc % dim.extent == 0) {
        isTiled = true;
        kc /= dim.extent;
        continue;
      }
      if (reduction)
        return;
      reduction = i;
    }
    if (!reduction || kc == 0 || kc >= part.extents[*reduction] || part.extents[*reduction] % kc != 0)
      return;
    splitLoop(*reduction, kc);
    kcBlocks = *reduction;
    expandToLoops(part.b, part.extents);
  }

  // Packs B into panels along loop `n`: [KC blocks][other output dims][n / panel][reductions][panel]. With vnni > 1, in groups of `vnni` steps of the
  // innermost reduction, groupedLoop: [...][groupedLoop / vnni][panel][vnni]. Returns false if B cannot be packed.
  bool packB(unsigned n, int64_t panel, int64_t vnni = 1) {
    PlannedOperand &b = part.b;
    auto loopDims = getLoopDims(b);
    if (!loopDims)
      return false;
    // A dimension of which the loop covers only a part (a slice) cannot be packed.
    for (auto [i, dim] : llvm::enumerate(*loopDims))
      if (dim >= 0 && part.extents[dim] != b.type.getDimSize(i))
        return false;
    // Loop n must index one dimension of B, which is split into panels: with B read at (n, n, k), the other would keep all of n.
    if (llvm::count(*loopDims, static_cast<int64_t>(n)) != 1)
      return false;
    int64_t position = llvm::find(*loopDims, static_cast<int64_t>(n)) - loopDims->begin();
    SmallVector<int64_t> order = getStorageOrder(*loopDims, /*other=*/0);
    int64_t grouped = vnni > 1 ? llvm::find(*loopDims, static_cast<int64_t>(*groupedLoop)) - loopDims->begin() : -1;
    // Loop n becomes n' * panel + inner in all maps. In B, n' and inner index separate dimensions.
    MLIRContext *context = op.getContext();
    unsigned inner = splitLoop(n, panel);
    SmallVector<AffineExpr> exprs;
    SmallVector<int64_t> shape;
    for (int64_t p : order) {
      AffineExpr index = (*loopDims)[p] < 0 ? getAffineConstantExpr(0, context) : getAffineDimExpr((*loopDims)[p], context);
      int64_t step = p == position ? panel : p == grouped ? vnni : 1;
      exprs.push_back(p == grouped ? index.floorDiv(vnni) : index);
      shape.push_back(llvm::divideCeil(b.type.getDimSize(p), step));
    }
    exprs.push_back(getAffineDimExpr(inner, context));
    shape.push_back(panel);
    if (vnni > 1) {
      exprs.push_back(getAffineDimExpr(*groupedLoop, context) % vnni);
      shape.push_back(vnni);
    }
    b.type = b.type.clone(shape);
    b.map = AffineMap::get(part.extents.size(), 0, exprs, context);
    b.steps.push_back({LayoutStep::Pack, b.type, {}, order, {}, position, panel, grouped, vnni});
    return true;
  }

  // Transposes a constant A to [rows][filter taps][k], the reduction order of B: k is contiguous, and brgemm's batch runs over the taps. This
  // runs once, in prepack.
  void reorderConstantA() {
    auto loopDims = getLoopDims(part.a);
    if (!loopDims || !part.a.isConstant)
      return;
    SmallVector<int64_t> order = getStorageOrder(*loopDims, /*other=*/1);
    if (!llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
      transposeTo(part.a, order);
  }

  // Returns the reduction loops in the order in which an operand should store them, given the strides of operand `other`. Loops that form one
  // contiguous run in `other` stay together. The last run becomes brgemm's k, as getBrgemmDims chooses it: one that is contiguous in `other`, else the
  // longest. The others (filter taps) become its batch. The loop of VNNI groups is last in any case.
  SmallVector<int64_t> getReductionOrder(unsigned other) {
    auto stride = [&](int64_t dim) { return info.dims[dim].strides[other]; };
    SmallVector<int64_t> dims;
    for (auto [i, dim] : llvm::enumerate(info.dims))
      if (dim.reduction && dim.extent > 1)
        dims.push_back(i);
    llvm::stable_sort(dims, [&](int64_t x, int64_t y) { return stride(x) > stride(y); });
    SmallVector<SmallVector<int64_t>> runs;
    for (int64_t dim : dims) {
      if (!runs.empty() && stride(runs.back().back()) == stride(dim) * part.extents[dim])
        runs.back().push_back(dim);
      else
        runs.push_back({dim});
    }
    auto length = [&](ArrayRef<int64_t> run) {
      int64_t product = 1;
      for (int64_t dim : run)
        product *= part.extents[dim];
      return product;
    };
    auto isK = [&](ArrayRef<int64_t> run) { return stride(run.back()) == 1 && length(run) >= fewestContiguousSteps; };
    auto k = runs.begin(); // the last of the longest
    for (auto run = runs.begin(); run != runs.end(); ++run)
      if (std::pair(isK(*run), length(*run)) >= std::pair(isK(*k), length(*k)))
        k = run;
    if (k != runs.end())
      std::rotate(k, k + 1, runs.end());
    SmallVector<int64_t> order;
    for (ArrayRef<int64_t> run : runs)
      llvm::append_range(order, run);
    if (groupedLoop) {
      llvm::erase(order, static_cast<int64_t>(*groupedLoop));
      order.push_back(*groupedLoop);
    }
    return order;
  }

  // Returns the order of an operand's dimensions: the loop over KC blocks, then the dimensions shared with the output (outermost in the output
  // first), then the reductions in the order that suits operand `other`.
  SmallVector<int64_t> getStorageOrder(ArrayRef<int64_t> loopDims, unsigned other) {
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, loopDims.size()));
    SmallVector<int64_t> reductions = getReductionOrder(other);
    auto key = [&](int64_t position) -> std::pair<int, int64_t> {
      int64_t dim = loopDims[position];
      if (dim < 0 || part.extents[dim] == 1)
        return {0, 0};
      if (dim == kcBlocks)
        return {0, 1};
      if (info.dims[dim].reduction)
        return {2, llvm::find(reductions, dim) - reductions.begin()};
      return {1, -info.dims[dim].c()};
    };
    llvm::stable_sort(order, [&](int64_t x, int64_t y) { return key(x) < key(y); });
    return order;
  }

  int64_t kcBlocks = -1;               // the loop over KC blocks of the reduction; -1: none
  std::optional<unsigned> groupedLoop; // the loop whose steps form B's VNNI groups
};

// Whether a value is constant, or the part of a constant that a loop selects: the layout of the whole can be made once.
bool isPartOfConstant(ConstantAnalysis &constants, Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return constants.dependsOnConstantsOnly(value);
}

// The contraction as it is.
PlannedContraction getWhole(ContractOp op, ConstantAnalysis &constants) {
  auto getOperand = [&](unsigned i) {
    Value value = op->getOperand(i);
    return PlannedOperand{i, isPartOfConstant(constants, value), cast<RankedTensorType>(value.getType()), op.getMaps()[i], {}};
  };
  PlannedContraction whole;
  whole.a = getOperand(0), whole.b = getOperand(1);
  whole.cType = cast<RankedTensorType>(op.getInit().getType());
  SmallVector<AffineMap> maps = op.getMaps();
  whole.cMap = maps[2];
  whole.postMaps.assign(maps.begin() + 3, maps.end());
  whole.extents = llvm::to_vector(op.getExtents());
  return whole;
}

// The dimension of a tensor that loop `n` alone indexes, and that covers exactly the loop's extent. nullopt if there is none, or if `n` also
// indexes another dimension.
std::optional<int64_t> findWholeDim(AffineMap map, RankedTensorType type, unsigned n, int64_t extent) {
  std::optional<int64_t> position;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (expr == getAffineDimExpr(n, map.getContext()) && !position)
      position = i;
    else if (expr.isFunctionOfDim(n))
      return std::nullopt;
  }
  return position && type.getDimSize(*position) == extent ? position : std::nullopt;
}

RankedTensorType withDim(RankedTensorType type, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

// The part of `whole` that computes `count` columns, loop `n`, from `first` on. `plan` says which dimensions of B and C the columns are. A, which
// uses the loop if each column is a group of a convolution, and the operands of post-ops are not sliced: their maps are shifted.
PlannedContraction getPart(const PlannedContraction &whole, const LayoutPlan &plan, unsigned n, int64_t first, int64_t count) {
  PlannedContraction part = whole;
  part.firstColumn = first, part.columns = count;
  part.b.type = withDim(part.b.type, plan.slicedDim, count);
  part.cType = withDim(part.cType, plan.resultDim, count);
  part.extents[n] = count;
  AffineExpr column = getAffineDimExpr(n, part.cMap.getContext());
  auto shift = [&](AffineMap map) { return map.replace(column, column + first, map.getNumDims(), 0); };
  part.a.map = shift(part.a.map);
  for (AffineMap &map : part.postMaps)
    map = shift(map);
  return part;
}

} // namespace

FailureOr<LayoutPlan> planLayout(ContractOp op, ConstantAnalysis &constants) {
  LayoutPlan plan;
  Planner whole(op, getWhole(op, constants));
  if (!whole.update() || !whole.info.columnDim)
    return plan;
  auto add = [&](Planner planner, std::optional<Packing> packing) -> LogicalResult {
    FailureOr<std::optional<PlannedContraction>> part = planner.plan(packing);
    if (failed(part))
      return failure();
    if (*part)
      plan.parts.push_back(std::move(**part));
    return success();
  };
  auto planWhole = [&](std::optional<Packing> packing) -> FailureOr<LayoutPlan> {
    if (failed(add(whole, packing)))
      return failure();
    return plan;
  };

  // The columns can be split if they are a whole dimension of B and of C.
  unsigned n = *whole.info.columnDim;
  int64_t columns = whole.part.extents[n], lanes = whole.info.getLanes();
  auto slicedDim = findWholeDim(whole.part.b.map, whole.part.b.type, n, columns);
  auto resultDim = findWholeDim(whole.part.cMap, whole.part.cType, n, columns);
  if (op.getBeta() != 0 || !slicedDim || !resultDim)
    return planWhole(std::nullopt);
  FailureOr<Packing> packing = choosePacking(op, whole.info);
  if (failed(packing))
    return failure();
  if (packing->panel == 0 || getPanel(columns, packing->panel, lanes) != 0)
    return planWhole(*packing);

  // Two parts: the leading columns in whole panels, and the others as one panel. A remainder narrower than a vector joins the last whole panel.
  plan.sliced = whole.part.b.operand, plan.slicedDim = *slicedDim, plan.resultDim = *resultDim;
  int64_t leading = columns / packing->panel * packing->panel;
  if (columns - leading < lanes)
    leading -= packing->panel;
  for (auto [first, count] : {std::pair<int64_t, int64_t>(0, leading), {leading, columns - leading}}) {
    Planner part(op, getPart(whole.part, plan, n, first, count));
    if (!part.update() || failed(add(part, *packing)))
      return failure();
  }
  if (plan.parts.size() != 2)
    plan.parts.clear(); // a part has no plan: the contraction stays as it is
  return plan;
}

} // namespace mlir::tpp

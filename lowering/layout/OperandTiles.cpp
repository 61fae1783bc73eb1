// Finds the tiles of a contraction's operands (see OperandTiles.h).
#include "lowering/layout/OperandTiles.h"
#include "lowering/analysis/Contractions.h"
#include "lowering/machine/PackingStrategy.h"
#include "lowering/machine/Target.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace mlir::tpp {

// The layout solver calls this for every layout that it tries, so the search visits about 100 values at most. Computing a weight takes about 10 ops.
bool isConstantWithinLimit(Value value) {
  constexpr size_t mostValues = 100;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (isPrepackArgument(values[i]))
      continue;
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getNumRegions() > 1 || !isMemoryEffectFree(op) || values.size() > mostValues)
      return false;
    values.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
  }
  return true;
}

namespace {

// The loops of a contraction that tiles can cut. Each is a loop of exactly two of the operands; loops with an extent of 1 do not count.
struct TileLoops {
  unsigned a = 0;                 // the position of A among the operands
  std::optional<unsigned> row;    // the only loop of A and C, if it alone indexes a dimension of each
  std::optional<unsigned> column; // the longest loop of B and C that alone indexes a dimension of C
  std::optional<unsigned> step;   // the longest loop of A and B that alone indexes a dimension of A
};

// The VNNI factor with which kernels read an operand of the op; 1 if they read it unpacked.
int64_t getVnniFactor(ContractOp op, unsigned operand) {
  bool isUnsigned = operand == 0 ? op.getAUnsigned() : op.getBUnsigned();
  std::optional<ElementType> type = getElementType(getElementTypeOrSelf(op->getOperand(operand)), isUnsigned);
  return type ? getTarget(op).getVnniFactor(*type) : 1;
}

TileLoops getTileLoops(ContractOp op) {
  TileLoops loops;
  SmallVector<AffineMap> maps = op.getMaps();
  loops.a = getActivations(op);
  AffineMap a = maps[loops.a], b = maps[1 - loops.a], c = maps[2];
  ArrayRef<int64_t> extents = op.getExtents();
  auto takeLonger = [&](std::optional<unsigned> &best, unsigned loop) {
    if (!best || extents[loop] > extents[*best])
      best = loop;
  };
  int64_t rows = 0;
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop), inC = c.isFunctionOfDim(loop);
    if (extents[loop] <= 1)
      continue;
    if (inC && inA && !inB && ++rows == 1 && findDim(a, loop) && findDim(c, loop))
      loops.row = loop;
    if (inC && inB && !inA && findDim(c, loop))
      takeLonger(loops.column, loop);
    if (!inC && inA && inB && findDim(a, loop))
      takeLonger(loops.step, loop);
  }
  if (rows > 1)
    loops.row.reset();
  return loops;
}

// Whether one tiled loop nest serves both layouts. Not if, for example, A has row tiles of 2 and C of 3.
bool fitTogether(ContractOp op, const OperandTiles &tiles) {
  SmallVector<AffineMap> maps = op.getMaps();
  SmallVector<utils::IteratorType> iterators(op.getExtents().size(), utils::IteratorType::parallel); // not used
  LoopNest nest(op.getExtents(), maps, iterators, op.getContext());
  auto getShape = [](Value value) { return cast<ShapedType>(value.getType()).getShape(); };
  return succeeded(nest.layOut(tiles.a, tiles.aLayout, getShape(op->getOperand(tiles.a)))) &&
         succeeded(nest.layOut(2, tiles.cLayout, getShape(op.getInit())));
}

} // namespace

unsigned getActivations(ContractOp op) { return isConstantWithinLimit(op.getA()) && !isConstantWithinLimit(op.getB()); }

LogicalResult chooseOperandTiles(func::FuncOp func) {
  ConstantAnalysis constants;
  for (auto op : func.getBody().getOps<ContractOp>()) {
    if (!op.getResult() || op->hasAttr(kChosenPackingAttr) || isa<PackingCostModelAttr>(getPackingStrategy(op)))
      continue;
    std::optional<ContractionInfo> info = getContractionInfo(op, getTarget(op), constants);
    if (!info || llvm::is_contained(op.getExtents(), 0))
      continue;
    // The strategy sees the contraction as it will be computed: the activations are A.
    TileLoops loops = getTileLoops(op);
    if (!loops.column)
      continue;
    if (info->getOpOperand(0) != loops.a)
      info->swapInputs();
    info->columnDim = loops.column;
    FailureOr<Packing> packing = choosePacking(op, *info);
    if (failed(packing))
      return failure();
    if (packing->a || packing->c)
      op->setAttr(kChosenPackingAttr, PackingAttr::get(op.getContext(), *packing));
  }
  return success();
}

SmallVector<std::pair<unsigned, int64_t>> getTileBoundaries(ContractOp op) {
  SmallVector<std::pair<unsigned, int64_t>> boundaries;
  if (!op.getResult() || !op->hasAttr(kChosenPackingAttr) || isTiled(op))
    return boundaries;
  Packing packing = getChosenPacking(op);
  TileLoops loops = getTileLoops(op);
  TileSizes a = packing.a.value_or(TileSizes{}), c = packing.c.value_or(TileSizes{});
  auto divide = [&](std::optional<unsigned> loop, ArrayRef<int64_t> tiles) {
    if (!loop)
      return;
    int64_t extent = op.getExtents()[*loop];
    // The least common multiple of the tiles smaller than the extent. A tile with which it would reach the extent is ignored.
    int64_t multiple = 1;
    for (int64_t tile : tiles)
      if (tile > 1 && tile < extent && std::lcm(multiple, tile) < extent)
        multiple = std::lcm(multiple, tile);
    if (multiple < extent && extent % multiple != 0)
      boundaries.push_back({*loop, extent - extent % multiple});
  };
  divide(loops.row, {a.rows, c.rows});
  divide(loops.column, {c.columns});
  if (packing.kc == 0 && a.columns % getVnniFactor(op, 1 - loops.a) == 0)
    divide(loops.step, {a.columns});
  return boundaries;
}

std::optional<OperandTiles> getOperandTiles(ContractOp op) {
  if (!op.getResult() || !op->hasAttr(kChosenPackingAttr) || isTiled(op))
    return std::nullopt;
  Packing packing = getChosenPacking(op);
  if (!packing.a && !packing.c)
    return std::nullopt;
  TileLoops loops = getTileLoops(op);
  OperandTiles tiles;
  tiles.a = loops.a;
  ArrayRef<int64_t> extents = op.getExtents();
  auto cut = [&](AffineMap map, std::optional<unsigned> loop, int64_t wanted, int64_t &dim, int64_t &size) {
    if (!loop || wanted <= 1)
      return;
    size = std::min(wanted, extents[*loop]);
    if (extents[*loop] % size == 0)
      dim = *findDim(map, *loop);
    else
      size = 0;
  };
  SmallVector<AffineMap> maps = op.getMaps();
  if (packing.a && packing.a->columns % getVnniFactor(op, 1 - tiles.a) == 0) { // a tile must not split a VNNI group
    cut(maps[tiles.a], loops.step, packing.a->columns, tiles.aTiles.columnDim, tiles.aTiles.columns);
    // If the columns that the strategy chose cannot be cut, rows are not cut either: A would be stored column-major, which it did not choose.
    if (tiles.aTiles.cutsColumns() || packing.a->columns <= 1)
      cut(maps[tiles.a], loops.row, packing.a->rows, tiles.aTiles.rowDim, tiles.aTiles.rows);
    // If A has fewer columns than a tile (an image of few channels) and its rows are not cut, it may have any layout.
    if (tiles.aTiles.cutsRows() || (tiles.aTiles.cutsColumns() && tiles.aTiles.columns == packing.a->columns))
      tiles.aLayout = getTiledLayout(op.getContext(), maps[tiles.a].getNumResults(), tiles.aTiles);
  }
  if (packing.c) {
    cut(maps[2], loops.column, packing.c->columns, tiles.cTiles.columnDim, tiles.cTiles.columns);
    if (tiles.cTiles.cutsColumns()) { // else C would be stored column-major, which no kernel writes
      cut(maps[2], loops.row, packing.c->rows, tiles.cTiles.rowDim, tiles.cTiles.rows);
      tiles.cLayout = getTiledLayout(op.getContext(), maps[2].getNumResults(), tiles.cTiles);
    }
  }
  if (tiles.aLayout && tiles.cLayout && !fitTogether(op, tiles))
    tiles.cLayout = {};
  return tiles.aLayout || tiles.cLayout ? std::optional(tiles) : std::nullopt;
}

void setTiled(ContractOp op) { op->setAttr(kTiledAttr, UnitAttr::get(op.getContext())); }
bool isTiled(ContractOp op) { return op->hasAttr(kTiledAttr); }

} // namespace mlir::tpp

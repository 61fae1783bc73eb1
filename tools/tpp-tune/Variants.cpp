// See Variants.h.
#include "Variants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tpp::tune {

using mlir::tpp::DimensionRole;
using mlir::tpp::LoopOrder;
using mlir::tpp::Packing;
using mlir::tpp::PackingProblem;
using Sizes = llvm::SmallVector<int64_t, 8>;

constexpr int64_t widestTile = 4; // vectors

static int64_t bytesOf(mlir::Type type) { return std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8); }

// Columns of a vector of the target.
static int64_t getLanes(const PackingProblem &problem) {
  return std::max<int64_t>(1, problem.target.getVectorBits() / (8 * bytesOf(problem.cType)));
}

// None, and a few vectors: tiles are up to four vectors wide, and two tiles may share a panel. The narrowest panel that holds all
// columns, but for less than a vector, is the last one: all wider ones are the same.
static Sizes getPanels(const PackingProblem &problem) {
  Sizes panels = {0};
  int64_t lanes = getLanes(problem);
  for (int64_t vectors : {1, 2, 3, 4, 8}) {
    panels.push_back(vectors * lanes);
    if (panels.back() + lanes > problem.getPanelExtent())
      break;
  }
  return panels;
}

// Columns of a task: a whole tile of four vectors, half of one, two of them; as many as there are where they are fewer.
static Sizes getColumns(const PackingProblem &problem, int64_t panel) {
  int64_t most = panel == 0 ? problem.getPanelExtent() : panel;
  Sizes columns;
  for (int64_t vectors : {4, 2, 8}) {
    int64_t size = std::min(vectors * getLanes(problem), most);
    if ((panel == 0 || panel % size == 0) && !llvm::is_contained(columns, size))
      columns.push_back(size);
  }
  return columns;
}

// Rows of a task: their block of A in half of the first cache, in a quarter, half or all of the second; the same number in each task.
// At least a few tiles: a panel of B is read once for each task.
static Sizes getRows(const PackingProblem &problem, int64_t k) {
  constexpr int64_t fewTiles = 24;
  int64_t extent = 1; // the rows that are cut are those of one dimension
  for (const mlir::tpp::ContractionDimension &dimension : problem.dimensions)
    if (dimension.role == DimensionRole::Row)
      extent = std::max(extent, dimension.extent);
  int64_t bytes = (k == 0 ? problem.getExtent(DimensionRole::Sum) : k) * bytesOf(problem.aType);
  int64_t l1 = problem.target.getCacheBytes(1), l2 = problem.target.getCacheBytes(2);
  Sizes rows;
  for (int64_t cache : {l1 / 2, l2 / 4, l2 / 2, l2}) {
    int64_t fit = std::clamp<int64_t>(cache / bytes, std::min(fewTiles, extent), extent);
    int64_t even = llvm::divideCeil(extent, llvm::divideCeil(extent, fit));
    if (!llvm::is_contained(rows, even))
      rows.push_back(even);
  }
  return rows;
}

// With one block of rows, or of columns, all orders are the same; where the tasks are fewer than a few of both, groups and curves of them are
// hardly anything else than rows or columns.
static llvm::SmallVector<LoopOrder> getOrders(int64_t rowBlocks, int64_t columnBlocks) {
  constexpr int64_t few = 4;
  if (rowBlocks <= 1 || columnBlocks <= 1)
    return {LoopOrder::Rows};
  if (rowBlocks < few || columnBlocks < few)
    return {LoopOrder::Rows, LoopOrder::Columns};
  return {LoopOrder::Rows, LoopOrder::Columns, LoopOrder::Blocked, LoopOrder::Curve};
}

// Steps of a pass over the sum: as many as the widest tile's panel of B has in a share of the second cache; 0: all of them. A short
// sum is not cut, nor are passes short: each reads and writes C once more.
static Sizes getPasses(const PackingProblem &problem, int64_t costModels) {
  constexpr int64_t shortest = 256, multiple = 16;
  Sizes passes = {costModels};
  int64_t depth = mlir::tpp::getStepsForPasses(problem);
  int64_t rowBytes = widestTile * getLanes(problem) * bytesOf(problem.bType);
  if (depth < 2 * shortest)
    return passes;
  auto add = [&](int64_t steps) {
    if (!llvm::is_contained(passes, steps))
      passes.push_back(steps);
  };
  add(0);
  for (int64_t share : {16, 8, 4}) {
    int64_t most = problem.target.getCacheBytes(2) / share / rowBytes;
    for (int64_t count = std::max<int64_t>(2, llvm::divideCeil(depth, std::max(most, shortest))); depth / count >= shortest;
         ++count)
      if (depth % (count * multiple) == 0) {
        add(depth / count);
        break;
      }
  }
  return passes;
}

// Every panel, with each number of steps that is tried with it: all in panels about as wide as the cost model's, its own in the others.
// Passes are for panels, which lie pass by pass.
static std::vector<std::pair<int64_t, int64_t>> getPanelsAndPasses(const PackingProblem &problem, const Packing &costModels) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  int64_t wanted = costModels.panel != 0 ? costModels.panel : widestTile * getLanes(problem), nearest = 0;
  Sizes panels = getPanels(problem);
  for (int64_t panel : panels)
    if (panel <= wanted)
      nearest = panel;
  for (int64_t panel : panels) {
    Sizes passes = {panel == 0 ? 0 : costModels.k};
    if (panel != 0 && panel == nearest)
      passes = getPasses(problem, costModels.k);
    for (int64_t k : passes)
      pairs.push_back({panel, k});
  }
  return pairs;
}

std::vector<Packing> getVariants(const PackingProblem &problem) {
  std::vector<Packing> variants = {mlir::tpp::chooseByCostModel(problem)};
  int64_t allRows = problem.getExtent(DimensionRole::Row), allColumns = problem.getExtent(DimensionRole::Column);
  for (auto [panel, k] : getPanelsAndPasses(problem, variants.front())) {
    for (int64_t columns : getColumns(problem, panel))
      for (int64_t rows : getRows(problem, k))
        for (LoopOrder order : getOrders(llvm::divideCeil(allRows, rows), llvm::divideCeil(allColumns, columns))) {
          Packing packing;
          packing.panel = panel, packing.k = k, packing.rows = rows, packing.columns = columns, packing.order = order;
          variants.push_back(packing);
        }
  }
  return variants;
}

} // namespace tpp::tune

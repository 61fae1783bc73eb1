// Enumerates panels, KC, MC, NC and loop orders. See Variants.h.
#include "Variants.h"

#include "tpp_dialect/PackingStrategies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tpp::tune {

using mlir::tpp::ContractionInfo;
using mlir::tpp::DimensionRole;
using mlir::tpp::LoopOrder;
using mlir::tpp::Packing;
using Sizes = llvm::SmallVector<int64_t, 8>;

constexpr int64_t widestTile = 4; // vectors

// Panel widths, in columns: no panels (0), and 1, 2, 3, 4 or 8 vectors. Register tiles are up to four vectors wide, and two tiles may share
// a panel. Stops at the first panel that holds all columns, or all but less than one vector: wider panels would be equivalent.
static Sizes getPanels(const ContractionInfo &contraction) {
  Sizes panels = {0};
  int64_t lanes = contraction.getLanes();
  for (int64_t vectors : {1, 2, 3, 4, 8}) {
    panels.push_back(vectors * lanes);
    if (panels.back() + lanes > contraction.getColumns())
      break;
  }
  return panels;
}

// NC, the columns of a task: 4, 2 or 8 vectors (a full register tile, half a tile, two tiles), limited to the panel or to all columns.
static Sizes getNCs(const ContractionInfo &contraction, int64_t panel) {
  int64_t most = panel == 0 ? contraction.getColumns() : panel;
  Sizes columns;
  for (int64_t vectors : {4, 2, 8}) {
    int64_t size = std::min(vectors * contraction.getLanes(), most);
    if ((panel == 0 || panel % size == 0) && !llvm::is_contained(columns, size))
      columns.push_back(size);
  }
  return columns;
}

// MC, the rows of a task: the task's block of A fills half of L1, or a quarter, half or all of L2. Rows are spread evenly over the tasks.
// A task has at least 24 rows (a few register tiles), because each task reads its panel of B once.
static Sizes getMCs(const ContractionInfo &contraction, int64_t kc) {
  constexpr int64_t fewTiles = 24;
  int64_t extent = 1; // only one row dimension is split into tasks: take the largest
  for (const mlir::tpp::ContractionDim &dim : contraction.dims)
    if (dim.getRole() == DimensionRole::Row)
      extent = std::max(extent, dim.extent);
  int64_t bytes = (kc == 0 ? contraction.getExtent(DimensionRole::Reduction) : kc) * contraction.a().getElementBytes();
  int64_t l1 = contraction.target.getCacheBytes(1), l2 = contraction.target.getCacheBytes(2);
  Sizes rows;
  for (int64_t cache : {l1 / 2, l2 / 4, l2 / 2, l2}) {
    int64_t fit = std::clamp<int64_t>(cache / bytes, std::min(fewTiles, extent), extent);
    int64_t even = llvm::divideCeil(extent, llvm::divideCeil(extent, fit));
    if (!llvm::is_contained(rows, even))
      rows.push_back(even);
  }
  return rows;
}

// Loop orders over the tasks. With one block of rows or of columns, all orders are the same. With fewer than four blocks in one direction,
// blocked and curve orders hardly differ from row or column order.
static llvm::SmallVector<LoopOrder> getOrders(int64_t rowBlocks, int64_t columnBlocks) {
  constexpr int64_t few = 4;
  if (rowBlocks <= 1 || columnBlocks <= 1)
    return {LoopOrder::Rows};
  if (rowBlocks < few || columnBlocks < few)
    return {LoopOrder::Rows, LoopOrder::Columns};
  return {LoopOrder::Rows, LoopOrder::Columns, LoopOrder::Blocked, LoopOrder::Curve};
}

// KC sizes, in steps of K: the cost model's choice, 0 (K is not split), and the largest sizes for which one KC block of a B panel of four
// vectors fits in 1/16, 1/8 and 1/4 of L2. A KC size is a multiple of 16 that divides K. It is at least 256, and a K below 512 is not
// split, because each additional KC block reads and writes C once more.
static Sizes getKCs(const ContractionInfo &contraction, int64_t costModels) {
  constexpr int64_t shortest = 256, multiple = 16;
  Sizes sizes = {costModels};
  int64_t depth = mlir::tpp::getSplittableSteps(contraction);
  int64_t rowBytes = widestTile * contraction.getLanes() * contraction.b().getElementBytes();
  if (depth < 2 * shortest)
    return sizes;
  auto add = [&](int64_t steps) {
    if (!llvm::is_contained(sizes, steps))
      sizes.push_back(steps);
  };
  add(0);
  for (int64_t share : {16, 8, 4}) {
    int64_t most = contraction.target.getCacheBytes(2) / share / rowBytes;
    for (int64_t count = std::max<int64_t>(2, llvm::divideCeil(depth, std::max(most, shortest))); depth / count >= shortest;
         ++count)
      if (depth % (count * multiple) == 0) {
        add(depth / count);
        break;
      }
  }
  return sizes;
}

// All pairs of panel width and KC size. All KC sizes are tried for one width: the widest that does not exceed the cost model's (or four
// vectors, if it chooses no panels). Other panels use only the cost model's KC. Without panels K is not split, because only packed B is
// stored one KC block after another.
static std::vector<std::pair<int64_t, int64_t>> getPanelsAndKCs(const ContractionInfo &contraction, const Packing &costModels) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  int64_t wanted = costModels.panel != 0 ? costModels.panel : widestTile * contraction.getLanes(), nearest = 0;
  Sizes panels = getPanels(contraction);
  for (int64_t panel : panels)
    if (panel <= wanted)
      nearest = panel;
  for (int64_t panel : panels) {
    Sizes sizes = {panel == 0 ? 0 : costModels.kc};
    if (panel != 0 && panel == nearest)
      sizes = getKCs(contraction, costModels.kc);
    for (int64_t kc : sizes)
      pairs.push_back({panel, kc});
  }
  return pairs;
}

std::vector<Packing> getVariants(const ContractionInfo &contraction) {
  std::vector<Packing> variants = {mlir::tpp::chooseByCostModel(contraction)};
  int64_t allRows = contraction.getExtent(DimensionRole::Row), allColumns = contraction.getExtent(DimensionRole::Column);
  for (auto [panel, kc] : getPanelsAndKCs(contraction, variants.front())) {
    for (int64_t nc : getNCs(contraction, panel))
      for (int64_t mc : getMCs(contraction, kc))
        for (LoopOrder order : getOrders(llvm::divideCeil(allRows, mc), llvm::divideCeil(allColumns, nc))) {
          Packing packing;
          packing.panel = panel, packing.kc = kc, packing.mc = mc, packing.nc = nc, packing.order = order;
          variants.push_back(packing);
        }
  }
  return variants;
}

std::vector<mlir::tpp::TileSizes> getTileVariants(const ContractionInfo &contraction) {
  std::vector<mlir::tpp::TileSizes> tiles;
  for (int64_t rows : {0, 32})
    for (int64_t vectors : {1, 2, 4})
      tiles.push_back({rows, vectors * contraction.getLanes()});
  return tiles;
}

} // namespace tpp::tune

// Places the nodes of a drawing (see Drawing.h).
//
// Networks are chains with short branches (residuals, heads, Q, K and V). The columns are therefore assigned as in a drawing of a version
// history: the main line, i.e. the longest path below a node, goes straight down. In each row, a branch takes the nearest free column.
#include "lowering/report/Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace mlir::tpp {

namespace {

constexpr double laneWidth = 90, rowGap = 26, entryDistance = 26, leastWidth = 560;

// A node, or an edge that crosses a row.
struct Item {
  int node = -1;
  unsigned edge = 0; // valid if `node` is -1
  int above = -1;    // the item of the previous row that this one should be placed below; -1: none
};

class Placer : DrawingSizes {
public:
  explicit Placer(Drawing &drawing) : nodes(drawing.nodes), edges(drawing.edges), drawing(drawing) {}

  void run() {
    setRows();
    setColumns();
    setPositions();
    for (unsigned i = 0; i < edges.size(); ++i)
      setPath(edges[i]);
    setLabels();
  }

private:
  void setRows() {
    SmallVector<bool> isSource(nodes.size(), true);
    heights.assign(nodes.size(), 0);
    for (const Drawing::Edge &edge : sortedEdges(/*byTarget=*/true)) {
      isSource[edge.to] = false;
      nodes[edge.to].row = std::max(nodes[edge.to].row, nodes[edge.from].row + 1);
    }
    std::vector<Drawing::Edge> bySource = sortedEdges(/*byTarget=*/false);
    for (const Drawing::Edge &edge : llvm::reverse(bySource))
      heights[edge.from] = std::max(heights[edge.from], heights[edge.to] + 1);
    // Nodes without operands are placed in the row before their first use.
    SmallVector<unsigned> firstUse(nodes.size(), ~0U);
    for (const Drawing::Edge &edge : edges)
      firstUse[edge.from] = std::min(firstUse[edge.from], nodes[edge.to].row);
    for (auto [node, source, use] : llvm::zip_equal(nodes, isSource, firstUse)) {
      if (source && use != ~0U)
        node.row = use - 1;
      rowCount = std::max(rowCount, node.row + 1);
    }
  }

  std::vector<Drawing::Edge> sortedEdges(bool byTarget) const {
    std::vector<Drawing::Edge> sorted = edges;
    llvm::stable_sort(sorted,
                      [&](const Drawing::Edge &x, const Drawing::Edge &y) { return byTarget ? x.to < y.to : x.from < y.from; });
    return sorted;
  }

  void setColumns() {
    for (Drawing::Edge &edge : edges)
      edge.columns.assign(nodes[edge.to].row - nodes[edge.from].row - 1, 0);
    std::vector<Item> before;
    for (unsigned row = 0; row < rowCount; ++row) {
      std::vector<Item> items = getItems(row, before);
      setColumns(row, items, before);
      before = std::move(items);
    }
  }

  std::vector<Item> getItems(unsigned row, ArrayRef<Item> before) const {
    std::vector<Item> items;
    auto find = [&](const Drawing::Edge &edge) {
      for (auto [i, item] : llvm::enumerate(before))
        if (item.node >= 0 ? item.node == int(edge.from) : &edges[item.edge] == &edge)
          return int(i);
      return -1;
    };
    for (auto [i, node] : llvm::enumerate(nodes)) {
      if (node.row != row)
        continue;
      Item item{int(i)};
      unsigned longest = 0;
      // Below the operand with the longest path above it.
      for (const Drawing::Edge &edge : edges)
        if (edge.to == i)
          if (int above = find(edge); above >= 0 && nodes[edge.from].row + 1 == row)
            if (unsigned length = getDepth(edge.from) + 1; length > longest) {
              item.above = above;
              longest = length;
            }
      items.push_back(item);
    }
    for (auto [i, edge] : llvm::enumerate(edges))
      if (nodes[edge.from].row < row && row < nodes[edge.to].row)
        items.push_back({-1, unsigned(i), find(edge)});
    return items;
  }

  // The length of the path above a node. 0 for nodes without operands: their row only depends on their first use.
  unsigned getDepth(unsigned node) const {
    bool hasOperands = llvm::any_of(edges, [&](const Drawing::Edge &edge) { return edge.to == node; });
    return hasOperands ? nodes[node].row + 1 : 0;
  }

  void setColumns(unsigned row, ArrayRef<Item> items, ArrayRef<Item> before) {
    std::vector<bool> taken;
    auto take = [&](const Item &item, unsigned column) {
      if (taken.size() <= column)
        taken.resize(column + 1, false);
      taken[column] = true;
      (item.node >= 0 ? nodes[item.node].column : edges[item.edge].columns[row - nodes[edges[item.edge].from].row - 1]) = column;
      columnCount = std::max(columnCount, column + 1);
    };
    auto getLength = [&](const Item &item) { return item.node >= 0 ? heights[item.node] : heights[edges[item.edge].to]; };
    auto getColumn = [&](const Item &item, unsigned itsRow) {
      return item.node >= 0 ? nodes[item.node].column : edges[item.edge].columns[itsRow - nodes[edges[item.edge].from].row - 1];
    };
    SmallVector<int> heirs(before.size(), -1); // of each item above: the item that continues straight below it
    for (auto [i, item] : llvm::enumerate(items)) {
      if (item.above < 0)
        continue;
      int &heir = heirs[item.above];
      auto getKey = [&](const Item &candidate) { return std::make_pair(candidate.node >= 0, getLength(candidate)); };
      if (heir < 0 || getKey(items[heir]) < getKey(item))
        heir = i;
    }
    for (auto [i, heir] : llvm::enumerate(heirs))
      if (heir >= 0)
        take(items[heir], getColumn(before[i], row - 1));
    for (auto [i, item] : llvm::enumerate(items)) {
      if (item.above >= 0 && heirs[item.above] == int(i))
        continue;
      int wanted = item.above >= 0 ? int(getColumn(before[item.above], row - 1)) : 0;
      for (int distance = 0;; ++distance) {
        auto isFree = [&](int column) { return column >= 0 && (column >= int(taken.size()) || !taken[column]); };
        if (isFree(wanted + distance) || isFree(wanted - distance)) {
          take(item, isFree(wanted + distance) ? wanted + distance : wanted - distance);
          break;
        }
      }
    }
  }

  void setPositions() {
    SmallVector<double> widths(columnCount, laneWidth), tops(rowCount, 0), rowHeights(rowCount, 0);
    SmallVector<unsigned> labels(rowCount, 0), entering(nodes.size(), 0);
    for (Drawing::Node &node : nodes) {
      widths[node.column] = nodeWidth + margin;
      node.height = node.lines.size() * lineHeight + 2 * nodePadding;
      rowHeights[node.row] = std::max(rowHeights[node.row], node.height);
    }
    for (const Drawing::Edge &edge : edges)
      labels[nodes[edge.to].row] = std::max(labels[nodes[edge.to].row], ++entering[edge.to]);
    SmallVector<double> centres;
    double x = margin;
    for (double width : widths) {
      centres.push_back(x + width / 2);
      x += width;
    }
    double y = margin + (drawing.layouts.size() + 2) * legendLine;
    rowBottoms.clear();
    for (unsigned row = 0; row < rowCount; ++row) {
      y += rowGap + labels[row] * labelHeight;
      tops[row] = y;
      y += rowHeights[row];
      rowBottoms.push_back(y);
    }
    for (Drawing::Node &node : nodes) {
      node.x = centres[node.column];
      node.y = tops[node.row];
    }
    rowTops.assign(tops.begin(), tops.end());
    columnCentres.assign(centres.begin(), centres.end());
    drawing.width = std::max(x + margin, leastWidth);
    drawing.height = y + margin;
  }

  void setPath(Drawing::Edge &edge) {
    const Drawing::Node &from = nodes[edge.from];
    edge.points = {{from.x, from.y + from.height}, {from.x, rowBottoms[from.row]}};
    for (auto [i, column] : llvm::enumerate(edge.columns)) {
      edge.points.push_back({columnCentres[column], rowTops[from.row + 1 + i]});
      edge.points.push_back({columnCentres[column], rowBottoms[from.row + 1 + i]});
    }
  }

  // Edges enter a node side by side, sorted by the column they come from. Each edge has its label beside it.
  void setLabels() {
    for (unsigned i = 0; i < nodes.size(); ++i) {
      const Drawing::Node &node = nodes[i];
      SmallVector<Drawing::Edge *> entering;
      for (Drawing::Edge &edge : edges)
        if (edge.to == i)
          entering.push_back(&edge);
      auto getX = [](const Drawing::Edge *edge) { return edge->points.back().first; };
      llvm::stable_sort(entering, [&](auto *x, auto *y) { return getX(x) < getX(y); });
      // The edge that comes straight from above enters in the middle.
      auto straight = llvm::find_if(entering, [&](auto *edge) { return getX(edge) == node.x; });
      double middle = straight == entering.end() ? (double(entering.size()) - 1) / 2 : double(straight - entering.begin());
      for (auto [position, edge] : llvm::enumerate(entering)) {
        double x = node.x + (double(position) - middle) * entryDistance;
        edge->points.push_back({x, node.y});
        // Most edges come from above or from the right. Only the first label is therefore on the left of its line.
        edge->isLabelLeft = position == 0 && entering.size() > 1;
        edge->labelX = edge->isLabelLeft ? x - 4 : x + 4;
        edge->labelY = node.y - 5 - (position == 0 ? 0 : entering.size() - 1 - position) * labelHeight;
      }
    }
  }

  std::vector<Drawing::Node> &nodes;
  std::vector<Drawing::Edge> &edges;
  Drawing &drawing;
  SmallVector<unsigned> heights; // length of the longest path below each node
  SmallVector<double> rowTops, rowBottoms, columnCentres;
  unsigned rowCount = 0, columnCount = 0;
};

} // namespace

void place(Drawing &drawing) { Placer(drawing).run(); }

} // namespace mlir::tpp

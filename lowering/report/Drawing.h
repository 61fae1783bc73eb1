// A directed graph without cycles, placed in rows and columns and written as SVG: what tpp-layout-graph draws.
#ifndef TPP_LOWERING_REPORT_DRAWING_H
#define TPP_LOWERING_REPORT_DRAWING_H

#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::tpp {

/// Sizes that placing and writing share, in pixels.
struct DrawingSizes {
  static constexpr double nodeWidth = 250, lineHeight = 15, nodePadding = 9, margin = 20, legendLine = 18, labelHeight = 13;
};

struct Drawing {
  enum class Kind { Value, Product, Compute, Move };
  struct Node {
    Kind kind;
    std::vector<std::string> lines; // the first is the title
    std::string tooltip;
    unsigned layout; // which of `layouts` the node's value lies in
    // Set by place():
    unsigned row = 0, column = 0;
    double x = 0, y = 0, height = 0; // centre of the upper side
  };
  struct Edge {
    unsigned from, to;
    std::string label;
    // Set by place(): a column for each row between the two nodes, the way, and where the label begins.
    std::vector<unsigned> columns;
    std::vector<std::pair<double, double>> points; // from the lower side of one to the upper side of the other
    double labelX = 0, labelY = 0;
    bool isLabelLeft = false; // it ends there
  };

  std::string title;
  std::vector<std::string> layouts; // of the legend, by number; the first is the program's own
  std::vector<Node> nodes;          // a node's users come behind it
  std::vector<Edge> edges;
  double width = 0, height = 0; // set by place()
};

/// Rows by the longest path from the arguments; each value goes straight down to the user that most follows from, others get a column
/// beside it. Equal graphs are placed equally.
void place(Drawing &drawing);

/// One document of drawings that have been placed, one below the other.
void writeSvg(ArrayRef<Drawing> drawings, raw_ostream &stream);

} // namespace mlir::tpp

#endif

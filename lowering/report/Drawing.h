// The drawing of the layouts of a function: a directed acyclic graph. drawLayouts() makes it, place() assigns rows and columns; writeSvg() writes the result.
#ifndef TPP_LOWERING_REPORT_DRAWING_H
#define TPP_LOWERING_REPORT_DRAWING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::tpp {

/// Sizes in pixels, used by both place() and writeSvg().
struct DrawingSizes {
  static constexpr double nodeWidth = 250, lineHeight = 15, nodePadding = 9, margin = 20, legendLine = 18, labelHeight = 13;
};

struct Drawing {
  enum class Kind { Value, Contraction, Compute, Move };
  struct Node {
    Kind kind;
    std::vector<std::string> lines; // the first is the title
    std::string tooltip;
    unsigned layout; // of the node's value: an index into `layouts`
    // Set by place():
    unsigned row = 0, column = 0;
    double x = 0, y = 0, height = 0; // (x, y): centre of the upper side
  };
  struct Edge {
    unsigned from, to;
    std::string label;
    // Set by place(): the column in each row between the two nodes, the path, and the anchor of the label.
    std::vector<unsigned> columns;
    std::vector<std::pair<double, double>> points; // from the lower side of `from` to the upper side of `to`
    double labelX = 0, labelY = 0;
    bool isLabelLeft = false; // the label ends at its anchor instead of starting there
  };

  std::string title;
  std::vector<std::string> layouts; // entries of the legend; the first is the program's own layout
  std::vector<Node> nodes;          // topologically sorted: the users of a node come after it
  std::vector<Edge> edges;
  double width = 0, height = 0; // set by place()
};

/// The drawing of a function on tensors, not placed yet. Fails for what cannot be drawn: unstructured control flow, and functions without tensors.
llvm::Expected<Drawing> drawLayouts(func::FuncOp func);

/// Assigns each node a row, by the longest path from the arguments. A value continues straight down to the user with the longest path
/// below it; other users get a column beside it. The result is deterministic: equal graphs are placed equally.
void place(Drawing &drawing);

/// Writes placed drawings as one SVG document, one below the other.
void writeSvg(ArrayRef<Drawing> drawings, raw_ostream &stream);

} // namespace mlir::tpp

#endif
